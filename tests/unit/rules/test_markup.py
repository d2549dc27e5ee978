"""Markup of widespread systems: what a person would type, and the rows of the first program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.rules.helpers import lint, served
from tests.unit.rules.layouts import Case, framed, records
from tests.unit.rules.layouts.ways import expected, outcome


def listed(*items: str, tag: str = "ul", css: str = "list") -> str:
    return f'<{tag} class="{css}">' + "".join(items) + f"</{tag}>"


def sale(name: str, price: str, former: str = "") -> str:
    amount = f'<b class="amount"><i>€</i>{price}</b>'
    shown = f'<del><b class="amount"><i>€</i>{former}</b></del> <ins>{amount}</ins>' if former else amount
    buy = '<a href="?add=1">Buy</a>'
    return f'<li class="product type-product"><h2>{name}</h2><span class="price">{shown}</span>{buy}</li>'


SALE = framed(
    listed(
        sale("Stool", "89.00"),
        sale("Bench", "199.00", "240.00"),
        sale("Box", "35.50"),
        sale("Table", "1250.00"),
        sale("Shelf", "60.00", "75.00"),
        sale("Lamp", "110.00"),
    )
)


def amount(price: int) -> str:
    return f'<span class="amount"><bdi>€{price}.00</bdi></span>'


def post(title: str, author: str, day: str, replies: str) -> str:
    said = f'<a href="/p#c">{replies} Comments</a>' if replies else '<a href="/p#r">Leave a comment</a>'
    return (
        f'<article class="post"><h2 class="entry-title"><a href="/{title[0].lower()}">{title}</a></h2><footer>'
        f'<span class="byline"><span class="author"><img src="/a.png" alt=""><span class="reader-only">Author </span>'
        f'<a class="fn" href="/by/{author[0].lower()}">{author}</a></span></span><time datetime="{day}">{day}</time>'
        f'<span class="comments-link">{said}</span></footer></article>'
    )


BLOG = framed(
    post("Kayaks", "Mia Olsen", "2021-03-14", "12")
    + post("Tides", "Jon Reyes", "2021-02-28", "3")
    + post("Winter", "Mia Olsen", "2021-01-09", "")
    + post("Epoxy", "Ann Lee", "2020-12-30", "41")
)


def topic(number: int, title: str, starter: str, last: str, replies: int) -> str:
    return (
        f'<li class="row"><dl><dt><a class="topictitle" href="/t{number}">{title}</a>'
        f'<div class="small">Last post by <a class="username" href="/u/{last}">{last}</a></div>'
        f'<div class="poster">by <a class="username" href="/u/{starter}">{starter}</a></div></dt>'
        f'<dd class="posts">{replies} <dfn>Replies</dfn></dd></dl></li>'
    )


FORUM = framed(
    listed(
        topic(1, "Welcome", "admin", "kira", 4),
        topic(2, "Clutch slips", "dkw", "olaf", 17),
        topic(3, "Gaskets?", "olaf", "dkw", 2),
        topic(4, "Paint codes", "kira", "admin", 33),
    )
)

STATES = framed(
    '<table class="wikitable"><tr><th>Country</th><th>Capital</th><th>Turnout</th></tr>'
    + "".join(
        f'<tr><td><a href="/w/{a}">{a}</a>{note}</td><td><a href="/w/{b}">{b}</a></td><td class="{css}">{c}</td></tr>'
        for a, note, b, c, css in (
            ("Nauru", "", "Yaren", "+1.5%", "up"),
            ("Tuvalu", '<sup><a href="#n">[3]</a></sup>', "Funafuti", "-2.0%", "down"),
            ("Malta", "", "Valletta", "—", "none"),
            ("Monaco", "", "Fontvieille", "+0.5%", "up"),
            ("Andorra", "", "Encamp", "-1.0%", "down"),
        )
    )
    + "</table>"
)

FLATS = framed(
    "".join(
        f'<article class="item"><a class="link" href="/f/{n}">{title}</a><span class="cost">{price} <i>€</i></span>'
        f'<span class="detail">{rooms} <small>hab.</small></span><span class="detail">{area} <small>m²</small></span>'
        "</article>"
        for n, (title, price, rooms, area) in enumerate(
            (("Piso en Mayor", "185.000", 3, 90), ("Ático", "420.000", 2, 75), ("Chalet", "1.150.000", 5, 320))
        )
    )
)

RULINGS = framed(
    "".join(
        f'<div class="ruling"><p><b>{day}</b> <a href="/pdf/{number}.pdf">{number} {name}</a></p>'
        f"<p>Held: {held}</p></div>"
        for number, name, day, held in (
            ("21-1034", "Smith v. Harbor", "4 January 2022", "Affirmed"),
            ("21-77", "Lake v. Perry", "6 January 2022", "Dismissed"),
            ("20-998", "State v. Orr", "11 January 2022", "Affirmed"),
            ("20-12", "In re Dalton", "13 January 2022", "Reversed"),
        )
    )
)

MEETINGS = framed(
    "".join(
        f'<div class="row"><span class="t"><a href="/event/{n}">{title}</a></span><span class="d">{day}</span>'
        + (f'<span class="file"><a href="/a/{n}.pdf">Agenda</a></span>' if agenda else "")
        + "</div>"
        for n, (title, day, agenda) in enumerate(
            (
                ("Finance", "2021-05-04", 1),
                ("Planning", "2021-05-11", 0),
                ("Council", "2021-05-18", 1),
                ("Parks", "2021-05-20", 1),
            )
        )
    )
)

OFFERS = framed(
    "".join(
        f'<div class="prodotto"><i class="sconto">-{off}%</i><p class="nome"><a href="/p/{n}">{name}</a></p>'
        f'<p><span class="old"><s>€ {old}</s></span> <span class="new">€ {new}</span></p></div>'
        for n, (name, old, new, off) in enumerate(
            (("Moka", "29,90", "20,93", 30), ("Bollitore", "45,00", "40,50", 10), ("Tagliere", "19,00", "9,50", 50))
        )
    )
)

STAFF = framed(
    "".join(
        f'<div class="member"><h3>{name}</h3><p class="position">{role}</p>'
        f'<p class="mail">{name[0].lower()}@x.example</p></div>'
        for name, role in (("Ann Moor", "Director"), ("Bo Lind", "Engineer"), ("Cy Tran", "Accounts"))
    )
)

GIGS = framed(
    "".join(
        f'<div class="gig"><div class="when">{when}</div><h4>{name}</h4><div class="cost">{cost}</div></div>'
        for name, when, cost in (
            ("Jazz", "Fri 4 Mar 2022, 20:00", "£12"),
            ("Choir", "Sat 5 Mar 2022, 10:00", "Free"),
            ("Brass", "Fri 11 Mar 2022, 19:30", "£8.50"),
        )
    )
)
THREADS = framed(
    listed(
        *(
            f'<li class="row"><dl><dt><a class="topictitle" href="/t/{n}">{title}</a><br>by <a class="username"'
            f' href="/u/{who}">{who}</a></dt><dd class="posts">{n} <dfn>Replies</dfn></dd></dl></li>'
            for title, who, n in (("Best cable?", "tom", 3), ("Logs fill up", "ulf", 22), ("No sound", "pia", 14))
        )
    )
)
CASES = [
    Case(
        "a shop, the current price",
        "All products on {URL}: name, price (float). JSON",
        SALE,
        records(
            "name price",
            ("Stool", 89.0),
            ("Bench", 199.0),
            ("Box", 35.5),
            ("Table", 1250.0),
            ("Shelf", 60.0),
            ("Lamp", 110.0),
        ),
    ),
    Case(
        "a shop, the regular price",
        "All products on {URL}: name, regular_price (float). JSON",
        SALE,
        records(
            "name regular_price",
            ("Stool", 89.0),
            ("Bench", 240.0),
            ("Box", 35.5),
            ("Table", 1250.0),
            ("Shelf", 75.0),
            ("Lamp", 110.0),
        ),
    ),
    Case(
        "a blog, labels for screen readers",
        "Posts on {URL}: title, author, comments (int, 0 if there are none). JSON",
        BLOG,
        records(
            "title author comments",
            ("Kayaks", "Mia Olsen", 12),
            ("Tides", "Jon Reyes", 3),
            ("Winter", "Mia Olsen", 0),
            ("Epoxy", "Ann Lee", 41),
        ),
    ),
    Case(
        "a forum, who began and who wrote last",
        "Topics of {URL}: topic, author, replies (int). JSON",
        FORUM,
        records(
            "topic author replies",
            ("Welcome", "admin", 4),
            ("Clutch slips", "dkw", 17),
            ("Gaskets?", "olaf", 2),
            ("Paint codes", "kira", 33),
        ),
    ),
    Case(
        "a wiki's table: footnotes, classes of state, dashes",
        "Table on {URL}: country, turnout (float, empty if none), url (link of the country). JSON",
        STATES,
        records(
            "country turnout url",
            ("Nauru", 1.5, "{URL}w/Nauru"),
            ("Tuvalu", -2.0, "{URL}w/Tuvalu"),
            ("Malta", None, "{URL}w/Malta"),
            ("Monaco", 0.5, "{URL}w/Monaco"),
            ("Andorra", -1.0, "{URL}w/Andorra"),
        ),
    ),
    Case(
        "flats with units for names",
        "Anuncios de {URL}: titulo, precio (entero), habitaciones (entero), metros (entero). JSON",
        FLATS,
        records(
            "titulo precio habitaciones metros",
            ("Piso en Mayor", 185000, 3, 90),
            ("Ático", 420000, 2, 75),
            ("Chalet", 1150000, 5, 320),
        ),
    ),
    Case(
        "rulings, the number before the name",
        "Rulings on {URL}: docket, case_name, pdf_url. JSON",
        RULINGS,
        records(
            "docket case_name pdf_url",
            ("21-1034", "Smith v. Harbor", "{URL}pdf/21-1034.pdf"),
            ("21-77", "Lake v. Perry", "{URL}pdf/21-77.pdf"),
            ("20-998", "State v. Orr", "{URL}pdf/20-998.pdf"),
            ("20-12", "In re Dalton", "{URL}pdf/20-12.pdf"),
        ),
    ),
    Case(
        "meetings, a link by what it is called",
        "Meetings on {URL}: title, date, agenda_url (empty if none). JSON",
        MEETINGS,
        records(
            "title date agenda_url",
            ("Finance", "2021-05-04", "{URL}a/0.pdf"),
            ("Planning", "2021-05-11", None),
            ("Council", "2021-05-18", "{URL}a/2.pdf"),
            ("Parks", "2021-05-20", "{URL}a/3.pdf"),
        ),
        refused=True,
    ),
    Case(
        "offers, a discount with its minus",
        "Prodotti di {URL}: nome, prezzo (float), sconto (intero). JSON",
        OFFERS,
        records("nome prezzo sconto", ("Moka", 20.93, 30), ("Bollitore", 40.5, 10), ("Tagliere", 9.5, 50)),
    ),
    Case(
        "people by what they do",
        "{URL}: employee, role. JSON",
        STAFF,
        records("employee role", ("Ann Moor", "Director"), ("Bo Lind", "Engineer"), ("Cy Tran", "Accounts")),
    ),
    Case(
        "gigs, the hour beside the day, and a price as shown",
        "{URL}: name, date (YYYY-MM-DD), time (HH:MM), price as shown. JSON",
        GIGS,
        records(
            "name date time price",
            ("Jazz", "2022-03-04", "20:00", "£12"),
            ("Choir", "2022-03-05", "10:00", "Free"),
            ("Brass", "2022-03-11", "19:30", "£8.50"),
        ),
    ),
    Case(
        "threads, the title before its author",
        "{URL}: title, author, replies (int). JSON",
        THREADS,
        records(
            "title author replies", ("Best cable?", "tom", 3), ("Logs fill up", "ulf", 22), ("No sound", "pia", 14)
        ),
    ),
    Case(
        "releases, the version as it is shown",
        "{URL}: version, name. JSON",
        framed(
            "".join(
                f'<section class="release"><span class="tag">{tag}</span><h2>{name}</h2></section>'
                for tag, name in (("v3.2.0", "Fixes"), ("v3.1.4", "Hotfix"), ("v3.1.0", "Parser"))
            )
        ),
        records("version name", ("v3.2.0", "Fixes"), ("v3.1.4", "Hotfix"), ("v3.1.0", "Parser")),
    ),
    Case(
        "one offer, its state in words behind what machines read",
        "{URL}: name, price (float), availability. One JSON object.",
        framed(
            '<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Kettle</h1>'
            '<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price">74.90</span>'
            '<link itemprop="availability" href="http://schema.org/InStock">In stock</div></div>'
        ),
        records("name price availability", ("Kettle", 74.9, "In stock")),
    ),
    Case(
        "JSON with line breaks inside its strings, as pages write it",
        "{URL} tools: name, price (float), description. JSON",
        framed(
            '<script type="application/ld+json">[{}]</script><p>Tools, all in stock.</p>'.format(
                ",".join(
                    f'{{"@context": "http://schema.org", "@type": "Product", "name": "{name}",'
                    f' "offers": {{"@type": "Offer", "price": {price}}}, "description": "{text}\n{more}"}}'
                    for name, price, text, more in (
                        ("Adze", 74.9, "Smooths wood.", "Ash handle."),
                        ("Burin", 12.5, "Cuts lines.", "Steel."),
                        ("Fret saw", 31.0, "Saws curves.", "With ten blades."),
                    )
                )
            )
        ),
        records(
            "name price description",
            ("Adze", 74.9, "Smooths wood.\nAsh handle."),
            ("Burin", 12.5, "Cuts lines.\nSteel."),
            ("Fret saw", 31.0, "Saws curves.\nWith ten blades."),
        ),
    ),
    Case(
        "a glossary, its definitions of one paragraph or two, with links in them",
        "{URL}: term, definition. JSON",
        framed(
            "<dl>"
            + "".join(
                f'<dt id="term-{term}">{term}</dt>\n<dd>' + "\n".join(f"<p>{text}</p>" for text in texts) + "</dd>\n"
                for term, *texts in (
                    ("adze", 'It smooths <a href="#wood">wood</a>.', "Some have a long handle."),
                    ("burin", 'It cuts <a href="#line">lines</a>, and dots.'),
                    ("rasp", "It takes off much."),
                    ("scorp", 'A bent <a href="#knife">knife</a>.', "It hollows bowls."),
                )
            )
            + "</dl>"
        ),
        records(
            "term definition",
            ("adze", "It smooths wood. Some have a long handle."),
            ("burin", "It cuts lines, and dots."),
            ("rasp", "It takes off much."),
            ("scorp", "A bent knife. It hollows bowls."),
        ),
    ),
    Case(
        "a shop whose products are of two types, with prices in a sale and ranges of prices",
        "All products of {URL}: name, price (float). JSON",
        framed(
            "<ul>"
            + "".join(
                f'<li class="product instock type-{kind}"><h2 class="product-title"><a href="/p/{n}">{name}</a></h2>'
                f'<span class="price">{price}</span></li>'
                for n, (name, kind, price) in enumerate(
                    (
                        ("Stool", "simple", amount(89)),
                        ("Bench", "simple", f"<del>{amount(240)}</del> <ins>{amount(199)}</ins>"),
                        ("Box", "variable", f"{amount(35)} – {amount(60)}"),
                        ("Table", "simple", amount(1250)),
                        ("Shelf", "simple", f"<del>{amount(75)}</del> <ins>{amount(60)}</ins>"),
                        ("Lamp", "simple", amount(110)),
                        ("Hook", "variable", f"{amount(4)} – {amount(9)}"),
                        ("Desk", "simple", amount(320)),
                    )
                )
            )
            + "</ul>"
        ),
        records(
            "name price",
            ("Stool", 89.0),
            ("Bench", 199.0),
            ("Box", 35.0),
            ("Table", 1250.0),
            ("Shelf", 60.0),
            ("Lamp", 110.0),
            ("Hook", 4.0),
            ("Desk", 320.0),
        ),
    ),
    Case(
        "tools listed twice, with lists of words",
        "{URL}: tool, words (list), price (float). No duplicates. JSON",
        framed(
            "".join(
                f"<li class=tool><h3>{name}</h3><p class=words>{''.join(f'<i>{word}</i>' for word in words)}</p>"
                f"<b class=price>€{price:.2f}</b></li>"
                for name, words, price in (
                    ("Adze", ("wood", "steel"), 74.9),
                    ("Burin", ("steel", "fine"), 12.5),
                    ("Adze", ("wood", "steel"), 74.9),
                    ("Adze", ("wood", "large"), 89.5),
                    ("Rasp", ("wood", "iron"), 9),
                )
            )
        ),
        records(
            "tool words price",
            ("Adze", ["wood", "steel"], 74.9),
            ("Burin", ["steel", "fine"], 12.5),
            ("Adze", ["wood", "large"], 89.5),
            ("Rasp", ["wood", "iron"], 9.0),
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_rows_are_right_or_refused(case: Case, tmp_path: Path) -> None:
    with served({"/": case.page}) as site:
        found = await outcome(site, case.request, tmp_path, undecided=case.refused)
        if case.refused:
            assert not found.verdict.ok
        else:
            assert found.rows == expected(case.rows, site)
            assert found.verdict.ok, found.verdict.findings
        assert lint(found.code) == ""
