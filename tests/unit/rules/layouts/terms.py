"""Definition lists, lists in two boxes, items of labels and values."""

from __future__ import annotations

from tests.unit.rules.layouts import Case, framed, records

GLOSSARY = framed("""
<h1>Terms of the trade</h1>
<dl>
<dt>Bight</dt><dd>A slack part of a rope.</dd><dd>Also: a bend in a coast.</dd>
<dt>Cleat</dt><dd>A fitting to which a rope is made fast.</dd>
<dt>Halyard</dt><dd>A rope that hoists a sail.</dd>
<dt>Painter</dt><dd>A rope at the bow of a small boat.</dd><dd>Rarely: the rope of an anchor.</dd>
<dt>Sheet</dt><dd>A rope that controls a sail.</dd>
</dl>""")

TALKS = framed("""
<h2>Programme</h2>
<dl class="talks">
<dt><a href="/t/1">Moss on old roofs</a></dt><dd>Speaker: Ola Berg</dd><dd>Room: A1</dd><dd>10:00</dd>
<dt><a href="/t/2">Lichens of the coast</a></dt><dd>Speaker: Pia Holm</dd><dd>Room: B2</dd><dd>11:30</dd>
<dt><a href="/t/3">Counting ferns</a></dt><dd>Speaker: Rui Costa</dd><dd>Room: A1</dd><dd>14:00</dd>
<dt><a href="/t/4">Fungi and fog</a></dt><dd>Speaker: Sara Lind</dd><dd>Room: C3</dd><dd>15:30</dd>
</dl>""")

PAPERS = framed("""
<h3>Papers</h3>
<dl>
<dt>[101]</dt>
<dd><div>Title: Waves in shallow bays</div><div>Authors: <a href="/a/1">I. Ness</a>, <a href="/a/2">J. Orr</a>
</div></dd>
<dt>[102]</dt>
<dd><div>Title: On the shape of dunes</div><div>Authors: <a href="/a/3">K. Paz</a></div></dd>
<dt>[103]</dt>
<dd><div>Title: Sand in motion</div><div>Authors: <a href="/a/1">I. Ness</a>, <a href="/a/3">K. Paz</a></div></dd>
<dt>[104]</dt>
<dd><div>Title: Ripples after rain</div><div>Authors: <a href="/a/4">L. Quo</a></div></dd>
</dl>""")


def _member(name: str, town: str, since: int) -> str:
    return f'<li><a href="/m/{name.split()[0].lower()}">{name}</a>, {town} (since {since})</li>'


_MEMBERS = [
    ("Anna Ruiz", "Porto", 2001), ("Bela Nagy", "Szeged", 2014), ("Carl Ek", "Lund", 1998),
    ("Dora Vas", "Pécs", 2020),
    ("Egil Moe", "Bergen", 2007), ("Fay Stone", "Leeds", 2011), ("Gus Hall", "Derby", 2003),
    ("Hana Kovar", "Brno", 2018),
]  # fmt: skip
MEMBERS = framed(
    "<h1>Members</h1><table><tr><td><ul>"
    + "".join(_member(*one) for one in _MEMBERS[:4])
    + "</ul></td><td><ul>"
    + "".join(_member(*one) for one in _MEMBERS[4:])
    + "</ul></td></tr></table>"
)


def _dish(name: str, price: str) -> str:
    return f'<div class="dish"><span>{name}</span> <i>{price}</i></div>'


MENU = framed(
    '<h1>Lunch</h1><div class="cols"><div class="col-left">'
    + _dish("Pea soup", "4.50") + _dish("Fried herring", "9.80") + _dish("Dumplings", "7.20")
    + '</div><div class="col-right">'
    + _dish("Plum cake", "3.90") + _dish("Rice pudding", "3.50") + _dish("Cheese board", "8.00")
    + "</div></div>"
)  # fmt: skip

STREETS = framed(
    '<h1>Streets to be swept</h1><div><p>Monday</p><ol>'
    + "".join(f"<li>{name} – {part}</li>" for name, part in (("Ash Lane", "north side"),
    ("Beech Road", "both sides"), ("Cedar Way", "south side")))
    + "</ol></div><div><ol start=4>"
    + "".join(f"<li>{name} – {part}</li>" for name, part in (("Dogwood Close", "both sides"),
    ("Elder Street", "north side"), ("Fir Hill", "south side")))
    + "</ol></div>"
)  # fmt: skip

BOATS = framed("""
<h1>Boats for sale</h1><ul>
<li>Name: Petrel | Year: 1979 | Length: 8.2 m | Price: €14,500</li>
<li>Name: Great Skua | Year: 1991 | Length: 9.6 m | Price: €27,900</li>
<li>Name: Little Tern | Year: 1986 | Length: 7.4 m | Price: €9,250</li>
<li>Name: Gannet | Year: 2003 | Length: 11.0 m | Price: €58,000</li>
</ul>""")

WALKS = framed("""
<div class="walks"><h2>Walks</h2><ul>
<li><a href="/w/ridge">Ridge path</a> · Distance: 12.4 km · Ascent: 640 m · Grade: hard</li>
<li><a href="/w/lake">Round the lake</a> · Distance: 6.1 km · Ascent: 40 m · Grade: easy</li>
<li><a href="/w/mill">Mill and weir</a> · Distance: 4.8 km · Ascent: 75 m · Grade: easy</li>
<li><a href="/w/tops">Three tops</a> · Distance: 19.3 km · Ascent: 1,120 m · Grade: hard</li>
</ul></div>""")

STATIONS = framed("""
<h2>Stations</h2><ul class="plain">
<li><strong>Ash Bay</strong>, code: ASB, zone: 3, opened: 1902</li>
<li><strong>Birch End</strong>, code: BRE, zone: 1, opened: 1931</li>
<li><strong>Coal Quay</strong>, code: CLQ, zone: 2, opened: 1888</li>
<li><strong>Dean Cross</strong>, code: DNC, zone: 3, opened: 1967</li>
</ul>""")

CARDS = framed(
    '<div class="grid">'
    + "".join(
        f'<div class="card"><h3>{name}</h3><p>Price: {price}</p><p>Colour: {colour}</p><p>Left: {left}</p></div>'
        for name, price, colour, left in (("Stool", "$24.00", "oak", 12), ("Bench", "$89.50", "ash", 4),
        ("Shelf", "$41.25", "pine", 7), ("Crate", "$9.99", "pine", 30))
    )
    + "</div>"
)  # fmt: skip

ROOMS = framed(
    "<h1>Rooms</h1>"
    + "".join(
        f'<div class="box"><div class="head">{name}</div><div><b>Beds:</b> {beds}</div><div>'
        f'<b>Rate:</b> €{rate} per night</div>'
        f"<div><b>View:</b> {view}</div></div>"
        for name, beds, rate, view in (("Attic", 1, 48, "roofs"), ("Garden", 2, 75, "garden"),
        ("Library", 2, 82, "street"), ("Tower", 4, 120, "sea"))
    )
)  # fmt: skip

COINS = framed(
    "<h1>Coins</h1>"
    + "".join(
        f'<article><header><a href="/c/{n}">{name}</a></header><dl><dt>Metal</dt><dd>{metal}</dd><dt>Weight</dt>'
        f'<dd>{weight} g</dd>'
        f"<dt>Struck</dt><dd>{year}</dd></dl></article>"
        for n, (name, metal, weight, year) in enumerate((("Old thaler", "silver", "28.1", 1781),
        ("Ducat", "gold", "3.5", 1650), ("Half groat", "silver", "1.4", 1502), ("Token", "brass", "5.9", 1811)))
    )
)  # fmt: skip

_SEEDS = (("Borage", "", 40), ("Chervil", "", 120), ("Dill", "Back in May", 90), ("Endive", "", 60))
SEEDS = framed("<h2>Seeds</h2>" + "".join(
    f'<div class="packet"><h3 class="packet-name">{name}</h3>'
    + (f'<p class="line warn"><em>{notice}</em></p>' if notice else "")
    + f'<p class="line">Weight: {count} g</p></div>'
    for name, notice, count in _SEEDS
))  # fmt: skip
"""A notice of the same class precedes the labelled value of one record."""

CASES = [
    Case(
        "several definitions a term",
        "{URL} glossary as JSON, columns: term, definitions (list)",
        GLOSSARY,
        records(
            "term definitions",
            ("Bight", ["A slack part of a rope.", "Also: a bend in a coast."]),
            ("Cleat", ["A fitting to which a rope is made fast."]),
            ("Halyard", ["A rope that hoists a sail."]),
            ("Painter", ["A rope at the bow of a small boat.", "Rarely: the rope of an anchor."]),
            ("Sheet", ["A rope that controls a sail."]),
        ),
    ),
    Case(
        "talks: a term and three values",
        "{URL} talks: title, url, speaker, room, time as JSON",
        TALKS,
        records(
            "title url speaker room time",
            ("Moss on old roofs", "{URL}t/1", "Ola Berg", "A1", "10:00"),
            ("Lichens of the coast", "{URL}t/2", "Pia Holm", "B2", "11:30"),
            ("Counting ferns", "{URL}t/3", "Rui Costa", "A1", "14:00"),
            ("Fungi and fog", "{URL}t/4", "Sara Lind", "C3", "15:30"),
        ),
    ),
    Case(
        "papers: number and a block",
        "{URL} papers: number (int), title, authors (list). JSON",
        PAPERS,
        records(
            "number title authors",
            (101, "Waves in shallow bays", ["I. Ness", "J. Orr"]),
            (102, "On the shape of dunes", ["K. Paz"]),
            (103, "Sand in motion", ["I. Ness", "K. Paz"]),
            (104, "Ripples after rain", ["L. Quo"]),
        ),
    ),
    Case(
        "two lists side by side in cells",
        "{URL} all members: name, link, town, since (int) as JSON",
        MEMBERS,
        records(
            "name link town since",
            *((name, f"{{URL}}m/{name.split()[0].lower()}", town, since) for name, town, since in _MEMBERS),
        ), refused=True,
    ),
    Case(
        "two columns of boxes",
        "{URL} dishes: name, price (float). JSON",
        MENU,
        records(
            "name price",
            ("Pea soup", 4.5), ("Fried herring", 9.8), ("Dumplings", 7.2), ("Plum cake", 3.9), ("Rice pudding", 3.5),
            ("Cheese board", 8.0),
        ),
    ),
    Case(
        "a list that goes on in a second one",
        "{URL} list all streets: street, side. JSON",
        STREETS,
        records(
            "street side",
            ("Ash Lane", "north side"), ("Beech Road", "both sides"), ("Cedar Way", "south side"),
            ("Dogwood Close", "both sides"), ("Elder Street", "north side"), ("Fir Hill", "south side"),
        ), refused=True,
    ),
    Case(
        "labels and values between bars",
        "{URL} boats: name, year (int), length in m (float), price (float) as JSON",
        BOATS,
        records(
            "name year length price",
            ("Petrel", 1979, 8.2, 14500.0),
            ("Great Skua", 1991, 9.6, 27900.0),
            ("Little Tern", 1986, 7.4, 9250.0),
            ("Gannet", 2003, 11.0, 58000.0),
        ),
    ),
    Case(
        "labels and values between dots",
        "{URL} all walks: title, url, distance in km (float), ascent (int), grade as JSON",
        WALKS,
        records(
            "title url distance ascent grade",
            ("Ridge path", "{URL}w/ridge", 12.4, 640, "hard"),
            ("Round the lake", "{URL}w/lake", 6.1, 40, "easy"),
            ("Mill and weir", "{URL}w/mill", 4.8, 75, "easy"),
            ("Three tops", "{URL}w/tops", 19.3, 1120, "hard"),
        ),
    ),
    Case(
        "labels and values between commas",
        "{URL} stations: name, code, zone (int), opened (int). JSON",
        STATIONS,
        records(
            "name code zone opened",
            ("Ash Bay", "ASB", 3, 1902),
            ("Birch End", "BRE", 1, 1931),
            ("Coal Quay", "CLQ", 2, 1888),
            ("Dean Cross", "DNC", 3, 1967),
        ),
    ),
    Case(
        "cards with labels in the text",
        "{URL} products: name, price (float), colour, left (int) as JSON",
        CARDS,
        records(
            "name price colour left",
            ("Stool", 24.0, "oak", 12), ("Bench", 89.5, "ash", 4), ("Shelf", 41.25, "pine", 7),
            ("Crate", 9.99, "pine", 30),
        ),
    ),
    Case(
        "cards with bold labels",
        "{URL} rooms: name, beds (int), rate (float), view. JSON",
        ROOMS,
        records(
            "name beds rate view",
            ("Attic", 1, 48.0, "roofs"), ("Garden", 2, 75.0, "garden"), ("Library", 2, 82.0, "street"),
            ("Tower", 4, 120.0, "sea"),
        ),
    ),
    Case(
        "cards with a list of terms",
        "{URL} coins: name, url, metal, weight (float), struck (int) to JSON",
        COINS,
        records(
            "name url metal weight struck",
            ("Old thaler", "{URL}c/0", "silver", 28.1, 1781),
            ("Ducat", "{URL}c/1", "gold", 3.5, 1650),
            ("Half groat", "{URL}c/2", "silver", 1.4, 1502),
            ("Token", "{URL}c/3", "brass", 5.9, 1811),
        ),
    ),
    Case(
        "a notice before a labelled text of its class",
        "{URL} seeds: name, weight (int). JSON",
        SEEDS,
        records("name weight", *((name, count) for name, _, count in _SEEDS)),
    ),
]  # fmt: skip
