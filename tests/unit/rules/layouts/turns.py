"""Pages whose values have no names: what each is shows by its turn, by the label beside it or by the marks between."""

from __future__ import annotations

from tests.unit.rules.layouts import Case, framed, records

VACANCIES = framed("""
<section class=vac><div class=v><h2><a href="/v/1">Tram driver</a></h2><div class=m>Citytrans · Graz · full-time · 1
September 2022</div></div><div class=v><h2><a href="/v/2">Fitter</a></h2><div class=m>Alpstahl AG · Leoben · part-time
· 28 August 2022</div></div><div class=v><h2><a href="/v/3">Clerk</a></h2><div class=m>Donau Bank · Linz · full-time ·
9 August 2022</div></div><div class=v><h2><a href="/v/4">Cook</a></h2><div class=m>Seewirt · Hallstatt · seasonal · 2
July 2022</div></div></section>
""")

LOTS = framed("""
<ul><li>Walking the Ridge by Ann Poole (Cairn Press, 2010) £12.50</li><li>Maps of the Fen by Lee Marsh (Delta, 2006)
£9.00</li><li>Hill Forts by R. K. Dunn (Cairn Press, 2019) £24.95</li><li>Tide Mills by Sue Orr (Watermark, 1998)
£7.25</li></ul>
""")

SHEETS = framed("""
<main><div class=flat><div class=flat__top><a href="/f/a1">Attic flat</a></div><div class=flat__line>
<div>Reference</div><div>A-101</div></div><div class=flat__line><div>Living area</div><div>54.5 m²</div></div><div
class=flat__line> <div>Monthly rent</div><div>€ 610</div></div></div><div class=flat><div class=flat__top><a
href="/f/a2">Studio</a></div> <div class=flat__line><div>Reference</div><div>A-102</div></div><div
class=flat__line><div>Living area</div> <div>28 m²</div></div><div class=flat__line><div>Monthly rent</div><div>€
395</div></div></div><div class=flat><div class=flat__top> <a href="/f/b7">Loft</a></div><div
class=flat__line><div>Reference</div><div>B-007</div></div><div class=flat__line> <div>Living area</div><div>91
m²</div></div><div class=flat__line><div>Monthly rent</div><div>€ 1.240</div></div></div> </main>
""")

SPANS = framed("""
<ul class=boats><li><p><b>Heron</b></p><span>Length</span><span>8.2 m</span><span>Berths</span><span>4</span></li>
<li><p><b>Tern</b></p><span>Length</span><span>6.4 m</span><span>Berths</span><span>2</span></li>
<li><p><b>Gannet</b></p><span>Length</span><span>11.0 m</span><span>Berths</span><span>6</span></li></ul>
""")

PAPERS = framed("""
<ol><li>Berg, A. and Lund, C. (2014). <a href="/p/0.pdf">On the drift of buoys</a>. <i>Sea Research</i>, <b>12</b>,
33-48.</li><li>Cho, M. (2011). <a href="/p/1.pdf">Salt fingers revisited</a>. <i>Ocean Letters</i>, <b>7</b>,
101-110.</li><li>Diaz, P., Roy, S. and Kim, H. (2017). <a href="/p/2.pdf">Tidal mixing in fjords</a>. <i>Sea
Research</i>, <b>15</b>, 210-229.</li><li>Ek, O. (2009). <a href="/p/3.pdf">A note on eddies</a>. <i>Fluids Today</i>,
<b>3</b>, 5-9.</li></ol>
""")

RULINGS = framed("""
<div class=all><h4>Released June 14, 2023</h4><ul><li><a href="/o/13312.pdf"><b>SJC-13312</b></a> - Oak v. Rivas</li>
<li><a href="/o/13340.pdf"><b>SJC-13340</b> (Concurrence)</a> - Harper v. Lynn Water Board</li></ul> <h4>Released June
9, 2023</h4><ul><li><a href="/o/13298.pdf"><b>SJC-13298</b></a> - Ortiz v. Delgado</li></ul> <h4>Released June 2,
2023</h4><ul><li><a href="/o/13301.pdf"><b>SJC-13301</b></a> - In the Matter of Crane</li> <li><a
href="/o/13277.pdf"><b>SJC-13277</b> (Dissent)</a> - Vega v. Registrar</li></ul></div>
""")

SURGERIES = framed("""
<h2>Surgeries</h2><p><b>Dr. Anna Wolf</b><br>Mill Lane 3, Alton<br>Tel. 0761 555 120<br><br><b>Dr. Jens Kirch</b><br>
Castle Row 12, Holt<br>Tel. 07681 555 88<br><br><b>Dr. Ute Brandt</b><br>Rose Way 40, Medstead<br>Tel. 07667 555
19<br> <br><b>Dr. Olaf Lind</b><br>High Street 1, Ropley<br>Tel. 07641 555 73</p>
""")

CASES = [
    Case(
        "vacancies",
        "Jobs from {URL}: title, company, location, type, posted (YYYY-MM-DD), link. JSON",
        VACANCIES,
        records(
            "title company location type posted link",
            ("Tram driver", "Citytrans", "Graz", "full-time", "2022-09-01", "{URL}v/1"),
            ("Fitter", "Alpstahl AG", "Leoben", "part-time", "2022-08-28", "{URL}v/2"),
            ("Clerk", "Donau Bank", "Linz", "full-time", "2022-08-09", "{URL}v/3"),
            ("Cook", "Seewirt", "Hallstatt", "seasonal", "2022-07-02", "{URL}v/4"),
        ),
        refused=True,
    ),
    Case(
        "lots",
        "The books on {URL}: title, author, publisher, year (int), price (float). JSON",
        LOTS,
        records(
            "title author publisher year price",
            ("Walking the Ridge", "Ann Poole", "Cairn Press", 2010, 12.5),
            ("Maps of the Fen", "Lee Marsh", "Delta", 2006, 9.0),
            ("Hill Forts", "R. K. Dunn", "Cairn Press", 2019, 24.95),
            ("Tide Mills", "Sue Orr", "Watermark", 1998, 7.25),
        ),
        refused=True,
    ),
    Case(
        "sheets",
        "Flats on {URL}: ref, type, area_m2 (float), rent (float, euro). JSON",
        SHEETS,
        records(
            "ref type area_m2 rent",
            ("A-101", "Attic flat", 54.5, 610.0),
            ("A-102", "Studio", 28.0, 395.0),
            ("B-007", "Loft", 91.0, 1240.0),
        ),
        refused=True,
    ),
    Case(
        "spans",
        "Boats on {URL}: name, length (float), berths (int). JSON",
        SPANS,
        records("name length berths", ("Heron", 8.2, 4), ("Tern", 6.4, 2), ("Gannet", 11.0, 6)),
    ),
    Case(
        "papers",
        "Publications at {URL}: authors, year (int), title, journal, pdf. JSON",
        PAPERS,
        records(
            "authors year title journal pdf",
            ("Berg, A. and Lund, C.", 2014, "On the drift of buoys", "Sea Research", "{URL}p/0.pdf"),
            ("Cho, M.", 2011, "Salt fingers revisited", "Ocean Letters", "{URL}p/1.pdf"),
            ("Diaz, P., Roy, S. and Kim, H.", 2017, "Tidal mixing in fjords", "Sea Research", "{URL}p/2.pdf"),
            ("Ek, O.", 2009, "A note on eddies", "Fluids Today", "{URL}p/3.pdf"),
        ),
        refused=True,
    ),
    Case(
        "rulings",
        "Opinions on {URL}: published (ISO date from the heading above), docket, case_name, pdf. JSON",
        RULINGS,
        records(
            "published docket case_name pdf",
            ("2023-06-14", "SJC-13312", "Oak v. Rivas", "{URL}o/13312.pdf"),
            ("2023-06-14", "SJC-13340", "Harper v. Lynn Water Board", "{URL}o/13340.pdf"),
            ("2023-06-09", "SJC-13298", "Ortiz v. Delgado", "{URL}o/13298.pdf"),
            ("2023-06-02", "SJC-13301", "In the Matter of Crane", "{URL}o/13301.pdf"),
            ("2023-06-02", "SJC-13277", "Vega v. Registrar", "{URL}o/13277.pdf"),
        ),
        refused=True,
    ),
    Case(
        "surgeries",
        "Surgeries on {URL}: name, address, phone. JSON",
        SURGERIES,
        records(
            "name address phone",
            ("Dr. Anna Wolf", "Mill Lane 3, Alton", "0761 555 120"),
            ("Dr. Jens Kirch", "Castle Row 12, Holt", "07681 555 88"),
            ("Dr. Ute Brandt", "Rose Way 40, Medstead", "07667 555 19"),
            ("Dr. Olaf Lind", "High Street 1, Ropley", "07641 555 73"),
        ),
    ),
]
