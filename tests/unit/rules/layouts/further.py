"""Further pages of the same layouts in other mark-up."""

from __future__ import annotations

from tests.unit.rules.layouts import Case, framed, records

CLERGY = framed("""
<h2>Clergy</h2><div class=text><p><strong>Revd Tom Hart</strong><br/>Vicar<br/>01632 960101</p>
<p><strong>Revd Sue Lamb</strong><br/>Curate<br/>01632 960102</p><p><strong>Mr Joe Fold</strong><br/>
Reader<br/>01632 960103</p></div>
""")

SHOPS = framed("""
<center><font face=Arial><b>Nordtor</b><br>Ringstr. 5<br>Kiel<br>9-18 Uhr<br><br><b>Hafen</b><br>Kai 12<br>
Lübeck<br>10-19 Uhr<br><br><b>Altstadt</b><br>Markt 1<br>Husum<br>9-17 Uhr<br><br><b>Bahnhof</b><br>
Platz 3<br>Bremen<br>7-22 Uhr<br></font></center>
""")

PRE_PSQL = framed("""
<pre><code>
 id | login   | joined
----+---------+------------
  7 | amy     | 2021-03-04
 12 | bertram | 2020-11-30
 31 | cleo    | 2022-06-17
104 | dan     | 2023-01-09
</code></pre>
""")

PRE_DEPART = framed("""
<pre>
TIME   TRAIN    DESTINATION          PLATFORM
08:02  RE 11    Ansbach                     3
08:15  S 2      Hersbruck                   1
08:41  ICE 628  Hamburg-Altona             12
09:02  RE 13    Treuchtlingen               4
</pre>
""")

NGINX = framed("""
<h1>Index of /dist/</h1><hr><pre><a href="../">../</a>
<a href="alpha-1.0.tgz">alpha-1.0.tgz</a>                                      02-Mar-2022 09:12              188412
<a href="alpha-1.1.tgz">alpha-1.1.tgz</a>                                      17-Jun-2022 14:55              190007
<a href="beta-0.3.zip">beta-0.3.zip</a>                                       05-Jan-2023 08:30               45102
</pre><hr>
""")

HEADED_ROWS = framed("""
<table><tr><th>Country</th><th>Area</th><th>People</th></tr>
<tr><th>Ardonia</th><td>1,200</td><td>40,100</td></tr><tr><th>Belvar</th><td>860</td><td>9,900</td></tr>
<tr><th>Cormia</th><td>15,300</td><td>700,250</td></tr></table>
""")

YEARS_TABLE = framed("""
<table><tr><th>Year</th><td>2019</td><td>2020</td><td>2021</td></tr>
<tr><th>Births</th><td>312</td><td>298</td><td>305</td></tr>
<tr><th>Deaths</th><td>280</td><td>333</td><td>301</td></tr></table>
""")

CAR = framed("""
<h1>Corvina GT 1.8</h1><div class="price">€ 7.450</div>
<ul class="specs"><li><span>Make</span><strong>Corvina</strong></li>
<li><span>Model</span><strong>GT</strong></li><li><span>Mileage</span><strong>118.000 km</strong></li>
<li><span>First registration</span><strong>05/2012</strong></li>
<li><span>Fuel</span><strong>Petrol</strong></li></ul>
""")

JOB = framed("""
<article><h1>Lighthouse keeper</h1><p><b>Employer:</b> Coast Trust</p><p><b>Location:</b> Skerry Rock</p>
<p><b>Salary:</b> £31,000 a year</p><p><b>Deadline:</b> 30 April 2024</p><div><p>You will keep the light.</p>
</div></article>
""")

FAQ = framed("""
<h1>Questions</h1><dl class=faq><dt>Where are you?</dt><dd>By the old lock.</dd><dt>When do you open?</dt>
<dd>At nine, but on Sundays.</dd><dt>May I bring a dog?</dt><dd>Yes, on a lead.</dd></dl>
""")

DL_EVENTS = framed("""
<dl><dt><b>Barn dance</b></dt><dd>3 May 2024</dd><dd>Old barn</dd><dd>€ 5.00</dd><dt><b>Seed swap</b></dt>
<dd>12 May 2024</dd><dd>Town hall</dd><dd>€ 0.00</dd><dt><b>Kite day</b></dt><dd>19 May 2024</dd>
<dd>North beach</dd><dd>€ 2.50</dd></dl>
""")

H3_NEWS = framed("""
<div id=main><h2>News</h2><h3>Bridge open again</h3><div class=meta>4 June 2024</div>
<p>The bridge carries traffic since noon.</p><h3>Fair moved</h3><div class=meta>1 June 2024</div>
<p>The fair is on the meadow now.</p><h3>New bell</h3><div class=meta>22 May 2024</div>
<p>The bell was cast in spring.</p></div>
""")

TWO_UL_COLS = framed("""
<h1>Breeds</h1><div class=row><div class="col-6"><ul><li>Alpine Grey (Italy)</li>
<li>Blue Albion (England)</li><li>Chianina (Italy)</li></ul></div>
<div class="col-6"><ul><li>Devon (England)</li><li>Evolène (Switzerland)</li><li>Fleckvieh (Austria)</li></ul>
</div></div>
""")

LI_COMMA = framed("""
<ul class=wines><li><b>Roter Berg</b> | Vintage: 2018 | Region: Pfalz | Price: 12,50 EUR</li>
<li><b>Silberhang</b> | Vintage: 2020 | Region: Mosel | Price: 9,80 EUR</li>
<li><b>Kahlenberg</b> | Vintage: 2015 | Region: Nahe | Price: 24,00 EUR</li>
<li><b>Steinweg</b> | Vintage: 2021 | Region: Baden | Price: 8,20 EUR</li></ul>
""")

DE_LABELS = framed("""
<div class=liste><div class=obj><h3>Dachwohnung</h3><p>Zimmer: 2<br>Fläche: 54,5 m²<br>Miete: 640,00 €</p>
</div><div class=obj><h3>Hochparterre</h3><p>Zimmer: 3<br>Fläche: 78,0 m²<br>Miete: 910,00 €</p></div>
<div class=obj><h3>Studio am Park</h3><p>Zimmer: 1<br>Fläche: 31,2 m²<br>Miete: 450,00 €</p></div></div>
""")

BOOL_BADGE = framed("""
<div class=shop><div class="p"><h2>Fern</h2>
<span class=pr>$4.00</span><span class="stock available">Available</span></div><div class="p"><h2>Moss</h2>
<span class=pr>$2.50</span><span class="stock soldout">Sold out</span></div><div class="p"><h2>Ivy</h2>
<span class=pr>$3.75</span><span class="stock available">Available</span></div></div>
""")

OLD_LAYOUT = framed("""
<table width=700><tr><td bgcolor=#ddd>Menu<br>
<a href=/x>x</a></td><td><table><tr><td><font size=+1><a href="/s/11">Owls at dusk</a></font></td></tr>
<tr><td><small>by Hal Rook</small></td></tr><tr><td><small>14 comments</small></td></tr><tr><td><hr></td></tr>
<tr><td><font size=+1><a href="/s/12">A gull's year</a></font></td></tr>
<tr><td><small>by Ida Tern</small></td></tr><tr><td><small>3 comments</small></td></tr><tr><td><hr></td></tr>
<tr><td><font size=+1><a href="/s/13">Swifts</a></font></td></tr><tr><td><small>by Jon Wren</small></td></tr>
<tr><td><small>27 comments</small></td></tr><tr><td><hr></td></tr></table></td></tr></table>
""")

CHANGELOG_MD = framed("""
<article class="markdown-body"><h1>Changelog</h1><h2>[1.4.0] - 2024-03-01</h2><h3>Added</h3>
<ul><li>Import of maps</li><li>Night mode</li></ul><h2>[1.3.2] - 2024-01-15</h2><h3>Fixed</h3>
<ul><li>Crash on start</li></ul><h2>[1.3.1] - 2023-12-20</h2><h3>Fixed</h3><ul><li>Wrong units</li>
<li>Typos</li></ul><h2>[1.3.0] - 2023-11-02</h2><h3>Added</h3><ul><li>Profiles</li></ul></article>
""")

BR_LINES = framed("""
<h3>Telephone numbers</h3><p>Town hall: 555-2100<br>Library: 555-2114<br>Fire brigade: 555-2199<br>
Waterworks: 555-2170<br>School: 555-2133</p>
""")

REFS_CITE = framed("""
<ol class="references"><li>K. Ahl, B. Berg. <a href="/d/1">Tides and time</a>. 1999.</li>
<li>C. Cole. <a href="/d/2">Salt in soil</a>. 2007.</li>
<li>D. Dorn, E. Eik, F. Fay. <a href="/d/3">Dunes</a>. 2012.</li>
<li>G. Gow. <a href="/d/4">Marsh plants</a>. 2020.</li></ol>
""")

ROWSPAN_MID = framed("""
<table class=m><tr><th>Date</th><th>Home</th><th>Guest</th><th>Score</th></tr>
<tr><td rowspan=2>2024-04-06</td><td>Reds</td><td>Blues</td><td>2:1</td></tr>
<tr><td>Greens</td><td>Whites</td><td>0:0</td></tr>
<tr><td rowspan=2>2024-04-13</td><td>Blues</td><td>Greens</td><td>1:3</td></tr>
<tr><td>Whites</td><td>Reds</td><td>2:2</td></tr></table>
""")

TH_GROUPS = framed("""
<table><tr><th colspan=2>Soups</th></tr><tr><td>Lentil</td><td>4.20</td></tr>
<tr><td>Leek</td><td>4.00</td></tr><tr><th colspan=2>Mains</th></tr><tr><td>Goulash</td><td>11.50</td></tr>
<tr><td>Trout</td><td>13.90</td></tr><tr><td>Pie</td><td>9.00</td></tr></table>
""")

P_PAIRS_FLAT = framed("""
<h2>Rolling stock</h2><p class=name>Railcar 12</p><p>Built: 1956</p><p>Length: 14.1 m</p><p>Weight: 18 t</p>
<p class=name>Engine 7</p><p>Built: 1938</p><p>Length: 9.2 m</p><p>Weight: 31 t</p><p>Out of use.</p>
<p class=name>Coach 3</p><p>Built: 1961</p><p>Length: 17.0 m</p><p>Weight: 22 t</p>
""")

CASES = [
    Case(
        "clergy",
        "{URL} list the clergy: name, role, telephone as JSON",
        CLERGY,
        records(
            "name role telephone",
            ("Revd Tom Hart", "Vicar", "01632 960101"),
            ("Revd Sue Lamb", "Curate", "01632 960102"),
            ("Mr Joe Fold", "Reader", "01632 960103"),
        ),
    ),
    Case(
        "shops",
        "{URL} all shops with name, street, city and opening_hours. JSON",
        SHOPS,
        records(
            "name street city opening_hours",
            ("Nordtor", "Ringstr. 5", "Kiel", "9-18 Uhr"),
            ("Hafen", "Kai 12", "Lübeck", "10-19 Uhr"),
            ("Altstadt", "Markt 1", "Husum", "9-17 Uhr"),
            ("Bahnhof", "Platz 3", "Bremen", "7-22 Uhr"),
        ),
    ),
    Case(
        "pre psql",
        "{URL} users: id (int), login, joined (date) as JSON",
        PRE_PSQL,
        records(
            "id login joined",
            (7, "amy", "2021-03-04"),
            (12, "bertram", "2020-11-30"),
            (31, "cleo", "2022-06-17"),
            (104, "dan", "2023-01-09"),
        ),
        refused=True,
    ),
    Case(
        "pre depart",
        "{URL} departures: time, train, destination, platform (int). JSON",
        PRE_DEPART,
        records(
            "time train destination platform",
            ("08:02", "RE 11", "Ansbach", 3),
            ("08:15", "S 2", "Hersbruck", 1),
            ("08:41", "ICE 628", "Hamburg-Altona", 12),
            ("09:02", "RE 13", "Treuchtlingen", 4),
        ),
    ),
    Case(
        "nginx",
        '{URL} files: name, link, date (datetime), size (int) — as JSON. Leave out the row that contains "../"',
        NGINX,
        records(
            "name link date size",
            ("alpha-1.0.tgz", "{URL}alpha-1.0.tgz", "2022-03-02T09:12:00", 188412),
            ("alpha-1.1.tgz", "{URL}alpha-1.1.tgz", "2022-06-17T14:55:00", 190007),
            ("beta-0.3.zip", "{URL}beta-0.3.zip", "2023-01-05T08:30:00", 45102),
        ),
    ),
    Case(
        "rows with headings",
        "{URL} countries: country, area (int), people (int). JSON",
        HEADED_ROWS,
        records(
            "country area people",
            ("Ardonia", 1200, 40100),
            ("Belvar", 860, 9900),
            ("Cormia", 15300, 700250),
        ),
    ),
    Case(
        "years table",
        "{URL} table: year (int), births (int), deaths (int) as JSON",
        YEARS_TABLE,
        [],
        refused=True,
    ),
    Case(
        "car",
        "{URL}: make, model, mileage in km (int), first registration, fuel and price (int) of this car as JSON",
        CAR,
        records(
            "make model mileage first_registration fuel price",
            ("Corvina", "GT", 118000, "05/2012", "Petrol", 7450),
        ),
        refused=True,
    ),
    Case(
        "job",
        "{URL} give me the title, employer, location, salary and deadline (date) of this job as one JSON object",
        JOB,
        records(
            "title employer location salary deadline",
            ("Lighthouse keeper", "Coast Trust", "Skerry Rock", 31000, "2024-04-30"),
        ),
    ),
    Case(
        "faq",
        "{URL} FAQ as JSON: question, answer",
        FAQ,
        records(
            "question answer",
            ("Where are you?", "By the old lock."),
            ("When do you open?", "At nine, but on Sundays."),
            ("May I bring a dog?", "Yes, on a lead."),
        ),
    ),
    Case(
        "dl events",
        "{URL} events: title, date (date), place, entry fee in EUR (float) as JSON",
        DL_EVENTS,
        records(
            "title date place entry_fee",
            ("Barn dance", "2024-05-03", "Old barn", 5.0),
            ("Seed swap", "2024-05-12", "Town hall", 0.0),
            ("Kite day", "2024-05-19", "North beach", 2.5),
        ),
    ),
    Case(
        "h3 news",
        "{URL} news: headline, date (date), text. JSON",
        H3_NEWS,
        records(
            "headline date text",
            ("Bridge open again", "2024-06-04", "The bridge carries traffic since noon."),
            ("Fair moved", "2024-06-01", "The fair is on the meadow now."),
            ("New bell", "2024-05-22", "The bell was cast in spring."),
        ),
    ),
    Case(
        "two ul cols",
        "{URL} breeds: breed, country. JSON",
        TWO_UL_COLS,
        records(
            "breed country",
            ("Alpine Grey", "Italy"),
            ("Blue Albion", "England"),
            ("Chianina", "Italy"),
            ("Devon", "England"),
            ("Evolène", "Switzerland"),
            ("Fleckvieh", "Austria"),
        ),
        refused=True,
    ),
    Case(
        "li comma",
        "{URL} wines: name, vintage (int), region, price (float) as JSON",
        LI_COMMA,
        records(
            "name vintage region price",
            ("Roter Berg", 2018, "Pfalz", 12.5),
            ("Silberhang", 2020, "Mosel", 9.8),
            ("Kahlenberg", 2015, "Nahe", 24.0),
            ("Steinweg", 2021, "Baden", 8.2),
        ),
    ),
    Case(
        "de labels",
        "{URL} alle Wohnungen: titel, zimmer (int), fläche in m² (float), miete (float) als JSON",
        DE_LABELS,
        records(
            "titel zimmer fläche miete",
            ("Dachwohnung", 2, 54.5, 640.0),
            ("Hochparterre", 3, 78.0, 910.0),
            ("Studio am Park", 1, 31.2, 450.0),
        ),
    ),
    Case(
        "bool badge",
        "{URL} plants: name, price (float), available (bool) JSON",
        BOOL_BADGE,
        records(
            "name price available",
            ("Fern", 4.0, True),
            ("Moss", 2.5, False),
            ("Ivy", 3.75, True),
        ),
    ),
    Case(
        "old layout",
        "{URL} stories: title, link, author, comments (int). JSON",
        OLD_LAYOUT,
        records(
            "title link author comments",
            ("Owls at dusk", "{URL}s/11", "Hal Rook", 14),
            ("A gull's year", "{URL}s/12", "Ida Tern", 3),
            ("Swifts", "{URL}s/13", "Jon Wren", 27),
        ),
    ),
    Case(
        "changelog md",
        "{URL} releases: version, date (date), notes (list) as JSON",
        CHANGELOG_MD,
        records(
            "version date notes",
            ("1.4.0", "2024-03-01", ["Import of maps", "Night mode"]),
            ("1.3.2", "2024-01-15", ["Crash on start"]),
            ("1.3.1", "2023-12-20", ["Wrong units", "Typos"]),
            ("1.3.0", "2023-11-02", ["Profiles"]),
        ),
    ),
    Case(
        "br lines",
        "{URL} numbers: office, telephone. JSON",
        BR_LINES,
        records(
            "office telephone",
            ("Town hall", "555-2100"),
            ("Library", "555-2114"),
            ("Fire brigade", "555-2199"),
            ("Waterworks", "555-2170"),
            ("School", "555-2133"),
        ),
        refused=True,
    ),
    Case(
        "refs cite",
        "{URL} references: authors, title, year (int), link. JSON",
        REFS_CITE,
        records(
            "authors title year link",
            ("K. Ahl, B. Berg", "Tides and time", 1999, "{URL}d/1"),
            ("C. Cole", "Salt in soil", 2007, "{URL}d/2"),
            ("D. Dorn, E. Eik, F. Fay", "Dunes", 2012, "{URL}d/3"),
            ("G. Gow", "Marsh plants", 2020, "{URL}d/4"),
        ),
    ),
    Case(
        "rowspan mid",
        "{URL} matches: date (date), home, guest, score as JSON",
        ROWSPAN_MID,
        records(
            "date home guest score",
            ("2024-04-06", "Reds", "Blues", "2:1"),
            ("2024-04-06", "Greens", "Whites", "0:0"),
            ("2024-04-13", "Blues", "Greens", "1:3"),
            ("2024-04-13", "Whites", "Reds", "2:2"),
        ),
    ),
    Case(
        "th groups",
        "{URL} dishes: category, dish, price (float). JSON",
        TH_GROUPS,
        records(
            "category dish price",
            ("Soups", "Lentil", 4.2),
            ("Soups", "Leek", 4.0),
            ("Mains", "Goulash", 11.5),
            ("Mains", "Trout", 13.9),
            ("Mains", "Pie", 9.0),
        ),
    ),
    Case(
        "p pairs flat",
        "{URL} trains: name, built (int), length in m (float), weight in t (int). JSON",
        P_PAIRS_FLAT,
        records(
            "name built length weight",
            ("Railcar 12", 1956, 14.1, 18),
            ("Engine 7", 1938, 9.2, 31),
            ("Coach 3", 1961, 17.0, 22),
        ),
    ),
]
