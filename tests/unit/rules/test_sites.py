"""Requests on pages set up as common kinds of sites are: the first program's rows are right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.rules.helpers import lint, served
from tests.unit.rules.layouts import Case, framed, records
from tests.unit.rules.layouts.ways import expected, outcome

RECIPE = {
    "@context": "https://schema.org",
    "@graph": [
        {"@type": "Person", "@id": "#p", "name": "Ida Brook"},
        {
            "@type": "Recipe", "name": "Leek Soup", "author": {"@type": "Person", "name": "Ida Brook"},
            "totalTime": "PT1H5M", "recipeYield": ["4", "4 bowls"], "recipeCategory": ["Soup"],
            "recipeIngredient": ["3 leeks", "1 potato"],
        },
    ],
}  # fmt: skip
SHELF = {
    "shop": {
        "items": [
            {"id": "K-1", "title": "Mug", "inStock": True, "brand": {"name": "Fell"}},
            {"id": "K-2", "title": "Pan", "inStock": False, "brand": {"name": "Fell"}},
            {"id": "K-3", "title": "Spork", "inStock": True, "brand": {"name": "Uno"}},
        ]
    }
}


def lined(*rows: str) -> str:
    return framed('<ul class="rows">' + "".join(f"<li>{row}</li>" for row in rows) + "</ul>")


def boxed(name: str, regular: str, special: str = "") -> str:
    price = f'<span class="regular-price"><span class="price">€ {regular}</span></span>'
    if special:
        price = f'<p class="old-price"><span class="label">Normal:</span> <span class="price">€ {regular}</span></p>'
        price += (
            f'<p class="special-price"><span class="label">Offer:</span> <span class="price">€ {special}</span></p>'
        )
    return f'<h2><a href="/{name.lower()}">{name}</a></h2><div class="price-box">{price}</div>'


CASES = [
    Case(
        "the price of today in one of two places",
        "{URL} products: name, price (float, what one pays now). CSV",
        lined(
            boxed("Train", "24,95", "19,95"), boxed("Puzzle", "12,50"), boxed("Pram", "79,00", "64,50"),
            boxed("Top", "3,00"),
        ),
        records("name price", ("Train", "19.95"), ("Puzzle", "12.5"), ("Pram", "64.5"), ("Top", "3.0")),
    ),
    Case(
        "a recipe whose title ends with its category",
        "{URL} the recipe as a JSON object: title, author, total_minutes (int), servings (int)",
        framed("<h1>Leek Soup</h1>").replace(
            "</head>", f'<script type="application/ld+json">{json.dumps(RECIPE)}</script></head>'
        ),
        records("title author total_minutes servings", ("Leek Soup", "Ida Brook", 65, 4)),
    ),
    Case(
        "true and false in a script",
        "{URL} products: id, title, brand, in_stock (bool). CSV",
        framed(f"<div id='app'></div><script>window.__STATE__ = {json.dumps(SHELF)};</script>"),
        records(
            "id title brand in_stock",
            ("K-1", "Mug", "Fell", "True"), ("K-2", "Pan", "Fell", "False"), ("K-3", "Spork", "Uno", "True"),
        ),
    ),
    Case(
        "an article's name without the site's, its description with its full stop",
        "{URL} the article as a JSON object: headline, description, keywords (list)",
        framed("<h1>Quay to be widened</h1><p>The board met.</p>", "Quay to be widened | Harbour News").replace(
            "</head>",
            '<meta property="og:title" content="Quay to be widened"><meta name="keywords" content="quay,board">'
            '<meta name="description" content="The board votes."></head>',
        ),
        records(
            "headline description keywords", ("Quay to be widened", "The board votes.", ["quay", "board"])
        ),
    ),
    Case(
        "a name without what follows it in brackets",
        "{URL} rulings: name (without the docket in brackets), docket, url. CSV",
        lined(
            *(
                f'<h3><a href="/o/{docket.lower()}">{name} ( {docket} ) <i>pdf</i></a></h3><b class="tag">Civil</b>'
                for name, docket in (("Ray v. Moss", "A-22-23"), ("Pal v. Inn", "A-31-23"), ("Matter of L.", "A-9-23"))
            )
        ),
        records(
            "name docket url",
            ("Ray v. Moss", "A-22-23", "{URL}o/a-22-23"), ("Pal v. Inn", "A-31-23", "{URL}o/a-31-23"),
            ("Matter of L.", "A-9-23", "{URL}o/a-9-23"),
        ),
    ),
    Case(
        "an example that follows a dash, before links",
        '{URL} meetings: date (YYYY-MM-DD), title (e.g. "Regular Meeting"), agenda (link, blank if none). JSON',
        lined(
            'Tuesday, January 23, 2024 – Regular Meeting <a href="/1a.pdf">Agenda</a> | <a href="/1m.pdf">Minutes</a>',
            'Tuesday, February 27, 2024 – Regular Meeting <a href="/2a.pdf">Agenda</a>',
            "Monday, March 11, 2024 – Special Meeting",
            'Tuesday, April 9, 2024 – Budget Hearing <a href="/4a.pdf">Agenda</a> | <a href="/4m.pdf">Minutes</a>',
        ),
        records(
            "date title agenda",
            ("2024-01-23", "Regular Meeting", "{URL}1a.pdf"), ("2024-02-27", "Regular Meeting", "{URL}2a.pdf"),
            ("2024-03-11", "Special Meeting", None), ("2024-04-09", "Budget Hearing", "{URL}4a.pdf"),
        ),
    ),
    Case(
        "quantities by their unit, a month by its form",
        "{URL} cars: name, mileage (int), registered (MM/YYYY). CSV",
        lined(
            *(
                f"<h3>{name}</h3><ul><li>since {month}</li><li>{km} km</li><li>90 kW (122 PS)</li>"
                f"<li>1 {land}</li></ul>"
                for name, month, km, land in (
                    ("Gull 1.4", "03/2015", "98,500", "DE"), ("Heron", "11/2017", "61,230", "FR"),
                    ("Swift GT", "07/2012", "120,000", "DE"),
                )
            )
        ),
        records(
            "name mileage registered",
            ("Gull 1.4", "98500", "03/2015"), ("Heron", "61230", "11/2017"),
            ("Swift GT", "120000", "07/2012"),
        ),
    ),
    Case(
        "metres before feet, names with their last word, notes left off",
        "{URL} dams: name (without footnote marks), height_m (int, metres), year (int). CSV",
        framed(
            "<table><tr><th>Name</th><th>Height</th><th>Year</th></tr>"
            + "".join(
                f'<tr><td><a href="/{n}">{name}</a></td><td>{height}</td><td>{year}</td></tr>'
                for n, (name, height, year) in enumerate(
                    (
                        ("Alder Dam", "305 m (1,001 ft)", 2013), ("Birch Dam", "295 m (968 ft)", 2023),
                        ("Cedar Dam", "285 m (935 ft)", 1964),
                    )
                )
            )
            + "</table>"
        ),
        records(
            "name height_m year",
            ("Alder Dam", "305", "2013"), ("Birch Dam", "295", "2023"), ("Cedar Dam", "285", "1964"),
        ),
    ),
    Case(
        "a story's own link among those to its tags and its author",
        "{URL} stories: title, url, tags (list), score (int), submitter. JSON",
        lined(
            *(
                f'<a class="upvoter" href="/login">{score}</a><span class="link"><a href="{url}">{title}</a></span>'
                f'<a class="tag" href="/t/{tag}">{tag}</a><a class="tag" href="/t/web">web</a>'
                f'<div class="byline"><a href="/~{by}"><img alt=""></a> via <a href="/~{by}">{by}</a></div>'
                for score, url, title, tag, by in (
                    (34, "https://a.example/z", "Zig in the kernel", "zig", "moth"),
                    (5, "/s/1/ask", "Which keyboard?", "ask", "pia"), (61, "https://b.example/", "Notes", "db", "tove"),
                )
            )
        ),
        records(
            "title url tags score submitter",
            ("Zig in the kernel", "https://a.example/z", ["zig", "web"], 34, "moth"),
            ("Which keyboard?", "{URL}s/1/ask", ["ask", "web"], 5, "pia"),
            ("Notes", "https://b.example/", ["db", "web"], 61, "tove"),
        ),
    ),
    Case(
        "terms with a version in brackets, one of them without",
        "{URL} packages: package, version (in the parentheses), description, url; the version may be empty. JSON",
        framed(
            "<dl>"
            + "".join(
                f'<dt><a href="/{name}">{name}</a>{version}</dt><dd>{said}</dd>'
                for name, version, said in (
                    ("abase", " (1:6-13)", "userland tools"), ("amount", " (1.3-11)", "mounts things (as a user)"),
                    ("aster", " (1.0-8)", "stereograms"), ("awk", "", 'provided by <a href="/m">mawk</a>'),
                    ("axe", " (0.1-4)", "session manager"),
                )
            )
            + "</dl>"
        ),
        records(
            "package version description url",
            ("abase", "1:6-13", "userland tools", "{URL}abase"),
            ("amount", "1.3-11", "mounts things (as a user)", "{URL}amount"),
            ("aster", "1.0-8", "stereograms", "{URL}aster"), ("awk", None, "provided by mawk", "{URL}awk"),
            ("axe", "0.1-4", "session manager", "{URL}axe"),
        ),
        refused=True,
    ),
    Case(
        "a list of people: mail behind a link, a telephone number behind its word",
        "{URL} staff: name, position, email, phone (may be missing), office. CSV",
        lined(
            *(
                f'<h3><a href="/p/{n}">{name}</a></h3><p class="person-title">{role}</p><p class="contact">'
                f'<a href="mailto:{mail}">Email</a>{phone} · Office {room}</p>'
                for n, (name, role, mail, phone, room) in enumerate(
                    (
                        ("Ana Ruiz", "Botanist", "ana@uni.example", " · Tel. +34 981 000 101", "B-12"),
                        ("Tom Vidal", "Lecturer", "tom@uni.example", "", "B-07"),
                        ("Eva Pons", "Secretary", "eva@uni.example", " · Tel. +34 981 000 100", "A-01"),
                    )
                )
            )
        ),
        records(
            "name position email phone office",
            ("Ana Ruiz", "Botanist", "ana@uni.example", "+34 981 000 101", "B-12"),
            ("Tom Vidal", "Lecturer", "tom@uni.example", "", "B-07"),
            ("Eva Pons", "Secretary", "eva@uni.example", "+34 981 000 100", "A-01"),
        ),
        refused=True,
    ),
    Case(
        "a price that one record has not, an area behind a letter and a figure",
        "Extrai de {URL} os imóveis: título, preço (int, vazio se for sob consulta), tipologia (ex.: T2),"
        " área (int, m²)",
        lined(
            *(
                f'<h3><a href="/i/{n}">{name}</a></h3><ul class="feat"><li class="typ">{kind}</li>'
                f'<li class="ar">{area} m²</li><li class="wc">{n + 1} WC</li></ul><p class="pr">{price}</p>'
                for n, (name, kind, area, price) in enumerate(
                    (
                        ("Casa da Ria", "T2", 85, "245.000 €"), ("Moradia do Pinhal", "T4", 310, "1.190.000 €"),
                        ("Sótão", "T1", 48, "Preço sob consulta"),
                    )
                )
            )
        ),
        records(
            "título preço tipologia área",
            ("Casa da Ria", "245000", "T2", "85"), ("Moradia do Pinhal", "1190000", "T4", "310"),
            ("Sótão", "", "T1", "48"),
        ),
    ),
    Case(
        "a number without what the request quotes, who wrote without when",
        '{URL} opinions: case_name, docket (without "No."), author, date (YYYY-MM-DD), comments (int, 0 for discuss).'
        " JSON",
        lined(
            *(
                f'<h3><a href="/o/{n}">{name}</a></h3><div class="docket">No. {docket}</div>'
                f'<div class="by">By <b>{judge}</b> on {day} May 2024</div><a href="/c/{n}">{said}</a>'
                for n, (name, docket, judge, day, said) in enumerate(
                    (
                        ("Ray v. Dunn", "S-1-021", "Brand", 2, "4 comments"),
                        ("Ray v. Moss", "A-1-113", "Hill", 14, "discuss"),
                        ("In re Lee", "S-1-712", "Ortiz", 21, "12 comments"),
                    )
                )
            )
        ),
        records(
            "case_name docket author date comments",
            ("Ray v. Dunn", "S-1-021", "Brand", "2024-05-02", 4), ("Ray v. Moss", "A-1-113", "Hill", "2024-05-14", 0),
            ("In re Lee", "S-1-712", "Ortiz", "2024-05-21", 12),
        ),
    ),
    Case(
        "a price that was and one that is, in one text",
        "{URL} clothes: name, price (float, the current one), old_price (float, empty if not reduced). JSON",
        lined(
            *(
                f'<a class="name" href="/c/{n}">{name}</a><div class="price">{price}</div>'
                for n, (name, price) in enumerate(
                    (("Jacket", "Was £45.00 Now £30.00"), ("Scarf", "£12.50"), ("Hat", "Was £18.00 Now £9.00"))
                )
            )
        ),
        records("name price old_price", ("Jacket", 30.0, 45.0), ("Scarf", 12.5, None), ("Hat", 9.0, 18.0)),
    ),
    Case(
        "the price of today in the second of two places",
        "{URL} products: name, price (float, what one pays now). CSV",
        lined(
            boxed("Puzzle", "12,50"), boxed("Train", "24,95", "19,95"), boxed("Pram", "79,00", "64,50"),
            boxed("Top", "3,00"),
        ),
        records("name price", ("Puzzle", "12.5"), ("Train", "19.95"), ("Pram", "64.5"), ("Top", "3.0")),
    ),
    Case(
        "prices before and now that nothing tells apart",
        "{URL} clothes: name, price (float, the current one), old_price (float, empty if not reduced). JSON",
        lined(
            *(
                f"<h3>{name}</h3><div>{' '.join(f'<b class=price>€ {price}</b>' for price in prices)}</div>"
                for name, *prices in (("Jacket", "45.00", "30.00"), ("Scarf", "12.50"), ("Hat", "18.00", "9.00"))
            )
        ),
        records("name price old_price", ("Jacket", 30.0, 45.0), ("Scarf", 12.5, None), ("Hat", 9.0, 18.0)),
    ),
    Case(
        "days before months, as another date of the page shows",
        "{URL} notices: name, posted (YYYY-MM-DD). JSON",
        framed(
            "<table><tr><th>Name</th><th>Posted</th></tr>"
            + "".join(
                f"<tr><td>{name}</td><td>{day}</td></tr>"
                for name, day in (("Well", "03/10/2021"), ("Mill", "04/10/2021"), ("Barn", "05/11/2021"))
            )
            + "</table><p>Updated on 28/11/2021</p>"
        ),
        records("name posted", ("Well", "2021-10-03"), ("Mill", "2021-10-04"), ("Barn", "2021-11-05")),
    ),
    Case(
        "a directory under its letters",
        "{URL}: name, phone, department of every employee as CSV",
        framed(
            "<h1>Directory</h1><table>"
            + "".join(
                f'<tr><th colspan="3">{letter}</th></tr>'
                + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
                for letter, rows in (
                    ("A", (("Abbott, Jane", "555-0111", "Finance"), ("Ames, Carl", "555-0132", "Water"))),
                    ("B", (("Baird, Lou", "555-0190", "Clerk"),)),
                )
            )
            + "</table>"
        ),
        records(
            "name phone department",
            ("Abbott, Jane", "555-0111", "Finance"), ("Ames, Carl", "555-0132", "Water"),
            ("Baird, Lou", "555-0190", "Clerk"),
        ),
    ),
    Case(
        "titles without their quotation marks",
        "{URL} books: 书名（不带书名号）、作者、价格 (float), JSON",
        framed(
            "<table><tr><th>书名</th><th>作者</th><th>价格</th></tr>"
            + "".join(f"<tr><td>《{a}》</td><td>{b}</td><td>￥{c}</td></tr>" for a, b, c in (
                ("春水", "林白", "23.00"), ("远山", "周平", "20.00"), ("围棋", "钱江", "19.00")
            ))
            + "</table>"
        ),
        records("书名 作者 价格", ("春水", "林白", 23.0), ("远山", "周平", 20.0), ("围棋", "钱江", 19.0)),
    ),
    Case(
        "a date in the first cell of its rows alone",
        "{URL} opinions: date (YYYY-MM-DD; only given for the first opinion of a day), docket, title. CSV",
        framed(
            "<table><tr><th>Date</th><th>Docket</th><th>Title</th></tr>"
            + "".join(f"<tr><td>{a or '&nbsp;'}</td><td>{b}</td><td>{c}</td></tr>" for a, b, c in (
                ("02/27/24", "A-1190-22", "Hall v. Ray"), ("", "A-0233-23", "Moss v. Moss"),
                ("", "A-2001-21", "In re Jury"),
                ("02/15/24", "A-0777-22", "Port v. Kane"),
            ))
            + "</table>"
        ),
        records(
            "date docket title",
            ("2024-02-27", "A-1190-22", "Hall v. Ray"), ("2024-02-27", "A-0233-23", "Moss v. Moss"),
            ("2024-02-27", "A-2001-21", "In re Jury"), ("2024-02-15", "A-0777-22", "Port v. Kane"),
        ),
    ),
    Case(
        "projects with their description, on a page",
        "List me all the projects on {URL}: project, description.",
        lined(
            *(
                f'<h4 class="card-title"><a href="/p/{n}">{name}</a></h4><p class="card-text">{said}</p>'
                for n, (name, said) in enumerate(
                    (("Kestrel", "A small server."), ("Osier", "Weaves graphs."), ("Tansy", "Reads old sheets."))
                )
            )
        ),
        records(
            "project description",
            ("Kestrel", "A small server."), ("Osier", "Weaves graphs."), ("Tansy", "Reads old sheets."),
        ),
    ),
    Case(
        "a date by its name that is none, on a page of one thing",
        "One JSON object for {URL}: title, production_date, materials",
        framed(
            "<h1>Bronze mirror</h1><table><tr><th>Museum number</th><td>1867,0508.1</td></tr>"
            "<tr><th>Production date</th><td>350BC-300BC (circa)</td></tr>"
            "<tr><th>Materials</th><td>bronze</td></tr></table>"
        ),
        records("title production_date materials", ("Bronze mirror", "350BC-300BC (circa)", ["bronze"])),
    ),
    Case(
        "speakers, of whom one has no affiliation",
        "Speakers at {URL}: name, affiliation (empty if none), talk (without quotation marks). JSON",
        lined(
            *(
                f'<img src="/{n}.jpg" alt="Photo of {name}"><h3>{name}</h3>{home}<p class="talk">“{talk}”</p>'
                for n, (name, home, talk) in enumerate(
                    (
                        ("Ada Moreau", '<p class="affil">CTO, Lumen</p>', "Small teams"),
                        ("Bo Lind", '<p class="affil">KTH</p>', "Proofs"), ("Cara Diaz", "", "The long web"),
                    )
                )
            )
        ),
        records(
            "name affiliation talk",
            ("Ada Moreau", "CTO, Lumen", "Small teams"), ("Bo Lind", "KTH", "Proofs"),
            ("Cara Diaz", None, "The long web"),
        ),
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_rows_are_right_or_refused(case: Case, tmp_path: Path) -> None:
    with served({"/": case.page}) as site:
        found = await outcome(site, case.request, tmp_path, undecided=case.refused)
        assert lint(found.code) == ""
        if case.refused:
            assert not found.verdict.ok
        else:
            assert found.rows == expected(case.rows, site)
            assert found.verdict.ok, found.verdict.findings


async def test_an_api_whose_answers_name_the_next(tmp_path: Path) -> None:
    def answer(onward: str | None, *stations: tuple[str, int]) -> str:
        listed = [{"name": name, "bikes": bikes} for name, bikes in stations]
        return json.dumps({"meta": {"next": onward}, "objects": listed})

    pages = {
        "/": answer("/?offset=2", ("Abbey", 4), ("Baker", 0)), "/?offset=2": answer(None, ("Cable", 9), ("Dock", 2)),
    }  # fmt: skip
    with served(pages) as site:
        request = "All stations with at least 1 bike on {URL}, all pages: name, bikes (int). JSON"
        found = await outcome(site, request, tmp_path)
    assert [row["name"] for row in found.rows] == ["Abbey", "Cable", "Dock"]
    assert found.verdict.ok, found.verdict.findings
