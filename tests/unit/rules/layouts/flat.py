"""Records without an element of their own: a mark in bold or a heading, and what follows it."""

from __future__ import annotations

from tests.unit.rules.layouts import Case, framed, records

OFFICERS = framed("""
<h1>Officers of the society</h1>
<p>The following were elected in spring.</p>
<div>
<b>Ada Winter</b><br>
President<br>
Tel. 555-0101<br>
<a href="mailto:ada@society.example">ada@society.example</a><br>
<br>
<b>Bruno Falk</b><br>
Treasurer<br>
Tel. 555-0102<br>
<a href="mailto:bruno@society.example">bruno@society.example</a><br>
<br>
<b>Chiara Dorn</b><br>
Secretary<br>
Tel. 555-0103<br>
<a href="mailto:chiara@society.example">chiara@society.example</a><br>
<br>
<b>Dmitri Orlow</b><br>
Librarian<br>
Tel. 555-0104<br>
<a href="mailto:dmitri@society.example">dmitri@society.example</a><br>
</div>""")

BRANCHES = framed("""
<table width="100%"><tr><td valign=top>
<font size="+1">Our branches</font><p>
<b>Harbour Branch</b><br>12 Quay Street<br>Opened 1921<br>Books: 14,200<p>
<b>Hill Branch</b><br>3 Upper Road<br>Opened 1954<br>Books: 9,870<p>
<b>Mill Branch</b><br>77 Weaver Lane<br>Opened 1968<br>Books: 6,105<p>
<b>Park Branch</b><br>1 Elm Walk<br>Opened 1999<br>Books: 21,033<p>
</td></tr></table>""")

MEETINGS = framed("""
<h2>Meetings this year</h2>
<p>
<strong>12 January 2024</strong> - Budget for the new roof - Town Hall<br />
<strong>9 February 2024</strong> - Election of the board - Library<br />
<strong>15 March 2024</strong> - Spring fair - Market Square<br />
<strong>12 April 2024</strong> - Path along the river - Town Hall<br />
<strong>10 May 2024</strong> - Report of the auditors - Library<br />
</p>""")

CHANGES_H2 = framed("""
<h1>Changelog</h1>
<p>All notable changes.</p>
<h2>2.4.0</h2>
<p><em>2024-05-02</em></p>
<ul><li>Adds a dark palette</li><li>Reads gzip</li></ul>
<h2>2.3.1</h2>
<p><em>2024-03-17</em></p>
<ul><li>Mends a crash at start</li></ul>
<h2>2.3.0</h2>
<p><em>2024-02-28</em></p>
<ul><li>Adds profiles</li><li>Drops Python 3.8</li><li>Faster search</li></ul>
<h2>2.2.0</h2>
<p><em>2023-11-11</em></p>
<ul><li>First public release</li></ul>
""")

CHANGES_H3 = framed("""
<div id="content"><h1>Release notes</h1>
<h3 id="v310">Version 3.10 (June 3, 2023)</h3>
<p>Support for left-handed scissors. <a href="/get/3.10.tar.gz">Download</a></p>
<h3 id="v39">Version 3.9 (April 21, 2023)</h3>
<p>Sharper blades on all models.</p>
<p>Also rewrites the manual. <a href="/get/3.9.tar.gz">Download</a></p>
<h3 id="v38">Version 3.8 (January 9, 2023)</h3>
<p>Fixes a jam with thin paper. <a href="/get/3.8.tar.gz">Download</a></p>
<h3 id="v37">Version 3.7 (October 30, 2022)</h3>
<p>New handle. <a href="/get/3.7.tar.gz">Download</a></p>
</div>""")

COURSES = framed("""
<section><h2>Evening courses</h2>
<h4>Bookbinding</h4>
<p class="who">with Ines Moor</p>
<p class="fee">€ 85.00</p>
<p>Six evenings on paper, thread and glue.</p>
<h4>Lute for beginners</h4>
<p class="who">with Jon Pell</p>
<p class="fee">€ 120.00</p>
<p>Bring your own lute.</p>
<p>Strings are for sale there.</p>
<h4>Dry stone walls</h4>
<p class="who">with Karl Ott</p>
<p class="fee">€ 60.00</p>
<h4>Reading maps</h4>
<p class="who">with Lena Quist</p>
<p class="fee">€ 45.00</p>
<p>One Saturday in the hills.</p>
</section>""")

WADERS = framed("""
<h2>Waders</h2>
<h4>Curlew</h4><p><i>Numenius arquata</i></p><p>Wingspan: 90 cm</p>
<h4>Dunlin</h4><p><i>Calidris alpina</i></p><p>A winter guest.</p><p>Wingspan: 36 cm</p>
<h4>Knot</h4><p><i>Calidris canutus</i></p><p>Wingspan: 50 cm</p>""")

CASES = [
    Case(
        "a label in one of several paragraphs",
        "{URL} species: name, latin_name, wingspan in cm (int), JSON",
        WADERS,
        records(
            "name latin_name wingspan",
            ("Curlew", "Numenius arquata", 90),
            ("Dunlin", "Calidris alpina", 36),
            ("Knot", "Calidris canutus", 50),
        ),
        refused=True,
    ),
    Case(
        "officers led by a bold name",
        "{URL} get all officers as JSON: name, office, phone, email",
        OFFICERS,
        records(
            "name office phone email",
            ("Ada Winter", "President", "555-0101", "ada@society.example"),
            ("Bruno Falk", "Treasurer", "555-0102", "bruno@society.example"),
            ("Chiara Dorn", "Secretary", "555-0103", "chiara@society.example"),
            ("Dmitri Orlow", "Librarian", "555-0104", "dmitri@society.example"),
        ),
    ),
    Case(
        "branches led by a bold name, lines behind it",
        "{URL} all branches: name, address, year opened (int), books (int), as JSON",
        BRANCHES,
        records(
            "name address year_opened books",
            ("Harbour Branch", "12 Quay Street", 1921, 14200),
            ("Hill Branch", "3 Upper Road", 1954, 9870),
            ("Mill Branch", "77 Weaver Lane", 1968, 6105),
            ("Park Branch", "1 Elm Walk", 1999, 21033),
        ),
    ),
    Case(
        "meetings in lines led by a bold date",
        "From {URL} list the meetings: date, topic and place as JSON",
        MEETINGS,
        records(
            "date topic place",
            ("2024-01-12", "Budget for the new roof", "Town Hall"),
            ("2024-02-09", "Election of the board", "Library"),
            ("2024-03-15", "Spring fair", "Market Square"),
            ("2024-04-12", "Path along the river", "Town Hall"),
            ("2024-05-10", "Report of the auditors", "Library"),
        ),
        refused=True,
    ),
    Case(
        "a changelog: heading, date, list",
        "{URL} changelog as JSON: version, date, changes (list)",
        CHANGES_H2,
        records(
            "version date changes",
            ("2.4.0", "2024-05-02", ["Adds a dark palette", "Reads gzip"]),
            ("2.3.1", "2024-03-17", ["Mends a crash at start"]),
            ("2.3.0", "2024-02-28", ["Adds profiles", "Drops Python 3.8", "Faster search"]),
            ("2.2.0", "2023-11-11", ["First public release"]),
        ),
    ),
    Case(
        "release notes: heading with version and date, paragraphs",
        "{URL} list every release: version, date, download_link. JSON",
        CHANGES_H3,
        records(
            "version date download_link",
            ("3.10", "2023-06-03", "{URL}get/3.10.tar.gz"),
            ("3.9", "2023-04-21", "{URL}get/3.9.tar.gz"),
            ("3.8", "2023-01-09", "{URL}get/3.8.tar.gz"),
            ("3.7", "2022-10-30", "{URL}get/3.7.tar.gz"),
        ),
    ),
    Case(
        "courses under headings, of uneven length",
        "{URL} courses: title, teacher, fee in EUR (float) as JSON",
        COURSES,
        records(
            "title teacher fee",
            ("Bookbinding", "Ines Moor", 85.0),
            ("Lute for beginners", "Jon Pell", 120.0),
            ("Dry stone walls", "Karl Ott", 60.0),
            ("Reading maps", "Lena Quist", 45.0),
        ),
        refused=True,
    ),
]
