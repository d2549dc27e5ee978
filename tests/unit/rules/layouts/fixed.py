"""Listings in <pre>: columns by white space, with links and without."""

from __future__ import annotations

from tests.unit.rules.layouts import Case, framed, records

TIDES = framed("""
<h1>High water at the pier</h1>
<pre>
Date        Time   Height  Moon
----------  -----  ------  -------------
2024-06-01  04:12    3.82  last quarter
2024-06-02  05:31    3.97
2024-06-03  06:40    4.18
2024-06-04  07:38    4.41
2024-06-05  08:29    4.60
2024-06-06  09:15    4.72  new
</pre>""")

RESULTS = framed("""
<h2>Hill run, men</h2>
<pre>
Pl  Name                 Club                Time
=================================================
 1  Aldo Brandt          Lake Runners       31:02
 2  Ben Carrow           Hill Harriers      31:44
 3  Cem Demir            Lake Runners       32:10
 4  Dan O'Hara           unattached         33:05
 5  Emil van der Berg    Hill Harriers      33:51
</pre>
<p>Timekeepers: the club.</p>""")

FILES = framed(
    """
<h1>Index of /pub/maps</h1>
<pre>      Name                    Last modified      Size  <hr>
      <a href="/pub/">Parent Directory</a>                             -
      <a href="harbour.pdf">harbour.pdf</a>             2023-04-05 10:22  1.2M
      <a href="hills-north.pdf">hills-north.pdf</a>         2023-05-17 08:03  860K
      <a href="old-town.png">old-town.png</a>            2022-12-30 23:59  310K
      <a href="river.svg">river.svg</a>               2024-01-08 16:40   42K
<hr></pre>""",
    "Index of /pub/maps",
)

MINERALS = framed("""
<h1>Minerals of the quarry</h1>
<pre>
<b>Mineral        Formula      Hardness</b>
<a href="/m/quartz">Quartz</a>         SiO2              7.0
<a href="/m/calcite">Calcite</a>        CaCO3             3.0
<a href="/m/fluorite">Fluorite</a>       CaF2              4.0
<a href="/m/topaz">Topaz</a>          Al2SiO4F2         8.0
<a href="/m/gypsum">Gypsum</a>         CaSO4             2.0
</pre>""")

CASES = [
    Case(
        "tide table with a ruled header",
        "{URL} get date, time, height (float) of all high waters as JSON",
        TIDES,
        records(
            "date time height",
            ("2024-06-01", "04:12", 3.82),
            ("2024-06-02", "05:31", 3.97),
            ("2024-06-03", "06:40", 4.18),
            ("2024-06-04", "07:38", 4.41),
            ("2024-06-05", "08:29", 4.6),
            ("2024-06-06", "09:15", 4.72),
        ),
    ),
    Case(
        "race results, words with single blanks",
        "{URL} results: place (int), name, club, time. JSON",
        RESULTS,
        records(
            "place name club time",
            (1, "Aldo Brandt", "Lake Runners", "31:02"),
            (2, "Ben Carrow", "Hill Harriers", "31:44"),
            (3, "Cem Demir", "Lake Runners", "32:10"),
            (4, "Dan O'Hara", "unattached", "33:05"),
            (5, "Emil van der Berg", "Hill Harriers", "33:51"),
        ),
    ),
    Case(
        "a directory listing",
        '{URL} files: name, url, last modified (datetime), size. Leave out the row that says "Parent Directory". JSON',
        FILES,
        records(
            "name url last_modified size",
            ("harbour.pdf", "{URL}harbour.pdf", "2023-04-05T10:22:00", "1.2M"),
            ("hills-north.pdf", "{URL}hills-north.pdf", "2023-05-17T08:03:00", "860K"),
            ("old-town.png", "{URL}old-town.png", "2022-12-30T23:59:00", "310K"),
            ("river.svg", "{URL}river.svg", "2024-01-08T16:40:00", "42K"),
        ),
    ),
    Case(
        "links in the first column, bold header",
        "{URL} minerals: name, link, formula, hardness (float) as JSON",
        MINERALS,
        records(
            "name link formula hardness",
            ("Quartz", "{URL}m/quartz", "SiO2", 7.0),
            ("Calcite", "{URL}m/calcite", "CaCO3", 3.0),
            ("Fluorite", "{URL}m/fluorite", "CaF2", 4.0),
            ("Topaz", "{URL}m/topaz", "Al2SiO4F2", 8.0),
            ("Gypsum", "{URL}m/gypsum", "CaSO4", 2.0),
        ),
    ),
]
