"""Records whose values are far apart: the year in a heading, links in columns that differ from table to table, two
records in a row, a row that is none."""

from __future__ import annotations

from tests.unit.rules.layouts import Case, framed, records

BY_YEAR = framed("""
<h3>2021</h3><ul><li><i class=when>12 March</i> <a href="/n/1">New harbour master</a></li><li><i class=when>3
February</i> <a href="/n/2">Ice on the basin</a></li></ul><h3>News of 2020</h3><ul><li><i class=when>30 November</i>
<a href="/n/3">Lock closed</a></li><li><i class=when>14 July</i> <a href="/n/4">Regatta</a></li></ul>
""")

BY_MONTH = framed("""
<h2>May 2021</h2><div class=do><b>12</b><i>Wed</i><a href="/e/1">Spring walk</a></div><div
class=do><b>20</b><i>Thu</i> <a href="/e/2">Book club</a></div><div class=do><b>29</b><i>Sat</i><a href="/e/3">Flea
market</a></div><h2>June 2021</h2> <div class=do><b>03</b><i>Thu</i><a href="/e/4">Bee talk</a></div><div
class=do><b>19</b><i>Sat</i><a href="/e/5">Fair</a> </div>
""")

DOTTED = framed("""
<h2>Termine 2019</h2><table><tr><td>4.5.</td><td>Hafenfest</td></tr><tr><td>18.5.</td><td>Regatta</td></tr>
<tr><td>23.11.</td><td>Laternenumzug</td></tr></table>
""")

_DAYS = {4: "Choir", 9: "Toddlers</a></p><p><a href=/e/9b>Film night", 17: "Council", 23: "Tea dance", 28: "Quiz"}
CALENDAR = framed(
    "<h2>March 2024</h2><table class=month><tr><th>Mon<th>Tue<th>Wed<th>Thu<th>Fri<th>Sat<th>Sun</tr><tr>"
    + "".join(
        f"<td><span class=day>{day}</span>{f'<p><a href=/e/{day}>{_DAYS[day]}</a></p>' if day in _DAYS else ''}</td>"
        + ("</tr><tr>" if day % 7 == 3 else "")
        for day in range(1, 32)
    )
    + "</tr></table>"
)

MEETINGS = framed("""
<h3>To come</h3><table id=next><tr><th>Name</th><th>Date</th><th>Agenda</th></tr> <tr
class=mtg><td>Budget</td><td>October 4, 2022</td><td><a href="/a/1">Agenda</a></td></tr> <tr class=mtg><td>Full
board</td><td>October 18, 2022</td><td></td></tr></table><h3>Held</h3><table id=held>
<tr><th>Name</th><th>Date</th><th>Length</th><th>Agenda</th><th>Minutes</th></tr><tr class=mtg><td>Full board</td>
<td>September 20, 2022</td><td>1 h</td><td><a href="/a/9">Agenda</a></td><td><a href="/m/9">Minutes</a></td></tr> <tr
class=mtg><td>Audit</td><td>September 6, 2022</td><td>2 h</td><td><a href="/a/8">Agenda</a></td><td></td></tr> <tr
class=mtg><td>Special</td><td>August 29, 2022</td><td>1 h</td><td></td><td><a
href="/m/7">Minutes</a></td></tr></table>
""")

INDEX = framed("""
<h1>Index of /pub</h1><table><tr><th>Name</th><th>Last modified</th><th>Size</th></tr><tr><td><a href="/">Parent
Directory</a> </td><td>&nbsp;</td><td>-</td></tr><tr><td><a href="notes.txt">notes.txt</a></td><td>2021-03-02
10:11</td><td>1.2K</td></tr> <tr><td><a href="photos.zip">photos.zip</a></td><td>2020-12-24
18:30</td><td>45M</td></tr><tr><td><a href="readme.md">readme.md </a></td><td>2021-04-01
09:00</td><td>812</td></tr></table>
""")

SIDE_BY_SIDE = framed("""
<table width="100%"><tr><td valign=top><img src="/1.jpg"><br><b>Blue vase</b><br>Material: Glass<br>Price: $18.00<br>
<a href="/i/1">details</a></td><td valign=top><img src="/2.jpg"><br><b>Iron lamp</b><br>Material: Metal<br>Price:
$45.00<br> <a href="/i/2">details</a></td></tr><tr><td valign=top><img src="/3.jpg"><br><b>Clay jug</b><br>Material:
Clay<br> Price: $22.00<br><a href="/i/3">details</a></td><td valign=top><img src="/4.jpg"><br><b>Oak
tray</b><br>Material: Wood<br> Price: $30.00<br><a href="/i/4">details</a></td></tr></table>
""")

RULINGS = framed("""
<pre>
<b>[ May 2, 2024 ]</b><br><br>
<a href="/o/231107.pdf">231107.pdf</a>   05/02/2024  Dana Field  v.  Acme Rail Co.
   Court of Appeals Case No:  23-1107
   District Court for the Western District

<a href="/o/232230.pdf">232230.pdf</a>   05/02/2024  Orr  v.  Leo Marsh
   Court of Appeals Case No:  23-2230
                     and No:  23-2231
   District Court for the Northern District

<b>[ April 30, 2024 ]</b><br><br>
<a href="/o/223155.pdf">223155.pdf</a>   04/30/2024  Harbor Mills, Inc.  v.  Quay Board
   Court of Appeals Case No:  22-3155
   Petition for Review of an Order of the Board

<a href="/o/231777.pdf">231777.pdf</a>   04/29/2024  In re: Joan Tibbs
   Court of Appeals Case No:  23-1777
   Bankruptcy Panel
</pre>
""")

THREADS = framed("""
<table class=forum><tr><th colspan=2>Topics</th><th>Replies</th><th>Author</th><th>Last post</th></tr><tr><td><img
src="/f.gif"> </td><td><a class=topictitle href="/t/1">Which tyres?</a></td><td>12</td><td><a
href="/u/rollo">rollo</a></td> <td>Sat Nov 12, 2011 8:15 pm<br><a href="/u/kim">kim</a></td></tr><tr><td><img
src="/f.gif"></td><td><a class=topictitle href="/t/2">Spring meeting</a></td><td>4</td><td><a
href="/u/ada">ada</a></td><td>Fri Nov 11, 2011 11:02 am<br> <a href="/u/rollo">rollo</a></td></tr><tr><td><img
src="/f.gif"></td><td><a class=topictitle href="/t/3">Roof rack</a></td> <td>0</td><td><a
href="/u/kim">kim</a></td><td>Tue Nov 08, 2011 7:40 am<br><a href="/u/kim">kim</a></td></tr></table>
""")

NOTICES = framed("""
<div class=all><div class=row><h2>Regular meeting</h2><div class=in><p>The regular meeting will be held on Tuesday,
March 7, 2023 at 9:30 a.m. in room 800.</p></div><a class=video href="/v/1">Video of March 7, 2023</a></div><div
class=row> <h2>Special meeting</h2><div class=in><p>A special meeting has been called for Tuesday, February 21, 2023
at 1 p.m.</p></div> </div><div class=row><h2>Moved meeting</h2><div class=in><p>The January meeting moves to Thursday,
January 19, 2023.</p> </div><a class=video href="/v/3">Video of January 19, 2023</a></div></div>
""")

DECISIONS = framed("""
<div id=main><p><a href="/d/101.pdf">SC-101</a> Hale v. Orr (March 4, 2022)</p><p><a href="/d/117.pdf">SC-117</a> In
re Dunn (March 11, 2022)</p><p><a href="/d/120.pdf">SC-120</a> Pell v. Moor (March 18, 2022)</p></div>
""")

CASES = [
    Case(
        "the day of a date is no docket number",
        "Decisions at {URL}: docket, decided (YYYY-MM-DD), pdf. JSON",
        DECISIONS,
        records(
            "docket decided pdf",
            ("SC-101", "2022-03-04", "{URL}d/101.pdf"),
            ("SC-117", "2022-03-11", "{URL}d/117.pdf"),
            ("SC-120", "2022-03-18", "{URL}d/120.pdf"),
        ),
    ),
    Case(
        "days below years",
        "News on {URL}: date (YYYY-MM-DD), title, url. JSON",
        BY_YEAR,
        records(
            "date title url",
            ("2021-03-12", "New harbour master", "{URL}n/1"),
            ("2021-02-03", "Ice on the basin", "{URL}n/2"),
            ("2020-11-30", "Lock closed", "{URL}n/3"),
            ("2020-07-14", "Regatta", "{URL}n/4"),
        ),
    ),
    Case(
        "days below months",
        "Events at {URL} with date (YYYY-MM-DD) and title. JSON",
        BY_MONTH,
        records(
            "date title",
            ("2021-05-12", "Spring walk"),
            ("2021-05-20", "Book club"),
            ("2021-05-29", "Flea market"),
            ("2021-06-03", "Bee talk"),
            ("2021-06-19", "Fair"),
        ),
    ),
    Case(
        "dotted days below one year",
        "Termine auf {URL}: Datum (JJJJ-MM-TT), Titel. Als JSON",
        DOTTED,
        records("datum titel", ("2019-05-04", "Hafenfest"), ("2019-05-18", "Regatta"), ("2019-11-23", "Laternenumzug")),
    ),
    Case(
        "a month of a calendar",
        "Events at {URL}: date (YYYY-MM-DD), event, link. JSON",
        CALENDAR,
        records(
            "date event link",
            ("2024-03-04", "Choir", "{URL}e/4"),
            ("2024-03-09", "Toddlers", "{URL}e/9"),
            ("2024-03-09", "Film night", "{URL}e/9b"),
            ("2024-03-17", "Council", "{URL}e/17"),
            ("2024-03-23", "Tea dance", "{URL}e/23"),
            ("2024-03-28", "Quiz", "{URL}e/28"),
        ),
    ),
    Case(
        "tables of unlike columns",
        "All meetings on {URL} with title, date (YYYY-MM-DD) and agenda_url (empty where there is none). JSON",
        MEETINGS,
        records(
            "title date agenda_url",
            ("Budget", "2022-10-04", "{URL}a/1"),
            ("Full board", "2022-10-18", None),
            ("Full board", "2022-09-20", "{URL}a/9"),
            ("Audit", "2022-09-06", "{URL}a/8"),
            ("Special", "2022-08-29", None),
        ),
    ),
    Case(
        "the way out of a directory",
        "Files in {URL}: name, modified (YYYY-MM-DD HH:MM), size. JSON",
        INDEX,
        records(
            "name modified size",
            ("notes.txt", "2021-03-02 10:11", "1.2K"),
            ("photos.zip", "2020-12-24 18:30", "45M"),
            ("readme.md", "2021-04-01 09:00", "812"),
        ),
    ),
    Case(
        "two records in a row",
        "Items on {URL}: name, material, price (float), link. JSON",
        SIDE_BY_SIDE,
        records(
            "name material price link",
            ("Blue vase", "Glass", 18.0, "{URL}i/1"),
            ("Iron lamp", "Metal", 45.0, "{URL}i/2"),
            ("Clay jug", "Clay", 22.0, "{URL}i/3"),
            ("Oak tray", "Wood", 30.0, "{URL}i/4"),
        ),
    ),
    Case(
        "several lines of text each",
        "Opinions on {URL}: date (YYYY-MM-DD), case_name, case_number, pdf_url. JSON",
        RULINGS,
        records(
            "date case_name case_number pdf_url",
            ("2024-05-02", "Dana Field v. Acme Rail Co.", "23-1107", "{URL}o/231107.pdf"),
            ("2024-05-02", "Orr v. Leo Marsh", "23-2230", "{URL}o/232230.pdf"),
            ("2024-04-30", "Harbor Mills, Inc. v. Quay Board", "22-3155", "{URL}o/223155.pdf"),
            ("2024-04-29", "In re: Joan Tibbs", "23-1777", "{URL}o/231777.pdf"),
        ),
        refused=True,
    ),
    Case(
        "who began a thread and posted last",
        "Topics on {URL}: topic, author, replies (int), last_post_by, last_post_date (YYYY-MM-DD). JSON",
        THREADS,
        records(
            "topic author replies last_post_by last_post_date",
            ("Which tyres?", "rollo", 12, "kim", "2011-11-12"),
            ("Spring meeting", "ada", 4, "rollo", "2011-11-11"),
            ("Roof rack", "kim", 0, "kim", "2011-11-08"),
        ),
    ),
    Case(
        "a date that the description says",
        "Meetings on {URL}: title, date (YYYY-MM-DD, taken from the description), description. JSON",
        NOTICES,
        records(
            "title date description",
            (
                "Regular meeting",
                "2023-03-07",
                "The regular meeting will be held on Tuesday, March 7, 2023 at 9:30 a.m. in room 800.",
            ),
            (
                "Special meeting",
                "2023-02-21",
                "A special meeting has been called for Tuesday, February 21, 2023 at 1 p.m.",
            ),
            ("Moved meeting", "2023-01-19", "The January meeting moves to Thursday, January 19, 2023."),
        ),
        refused=True,
    ),
]
