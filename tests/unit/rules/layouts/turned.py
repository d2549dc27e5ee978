"""Tables with the fields down and the records across; and one record as labels and values."""

from __future__ import annotations

from tests.unit.rules.layouts import Case, framed, records

PLANS = framed("""
<h1>Plans</h1>
<table class="compare">
<thead><tr><th></th><th>Basic</th><th>Plus</th><th>Team</th></tr></thead>
<tbody>
<tr><th>Price per month</th><td>$5.00</td><td>$12.50</td><td>$40.00</td></tr>
<tr><th>Storage</th><td>10 GB</td><td>100 GB</td><td>2 TB</td></tr>
<tr><th>Users</th><td>1</td><td>3</td><td>25</td></tr>
<tr><th>Support</th><td>e-mail</td><td>e-mail</td><td>phone</td></tr>
</tbody></table>""")

PLANETS = framed("""
<h2>Bodies compared</h2>
<table border=1>
<tr><th scope="row">Name</th><td>Mercury</td><td>Venus</td><td>Earth</td><td>Mars</td></tr>
<tr><th scope="row">Diameter (km)</th><td>4,879</td><td>12,104</td><td>12,756</td><td>6,792</td></tr>
<tr><th scope="row">Moons</th><td>0</td><td>0</td><td>1</td><td>2</td></tr>
<tr><th scope="row">Year (days)</th><td>88.0</td><td>224.7</td><td>365.2</td><td>687.0</td></tr>
</table>""")

LENSES = framed("""
<table cellpadding=4>
<tr bgcolor="#cccccc"><td><b>Model</b></td><td><a href="/l/35">Iris 35</a></td><td><a href="/l/50">Iris 50</a></td>
<td><a href="/l/85">Iris 85</a></td></tr>
<tr><td><b>Weight</b></td><td>210 g</td><td>265 g</td><td>480 g</td></tr>
<tr><td><b>Aperture</b></td><td>f/2.0</td><td>f/1.4</td><td>f/1.8</td></tr>
<tr><td><b>Introduced</b></td><td>1998</td><td>2004</td><td>2011</td></tr>
<tr><td><b>Price</b></td><td>€ 349</td><td>€ 420</td><td>€ 599</td></tr>
</table>""")

HOUSE = framed(
    """
<h1>Cottage by the mill</h1>
<table class="facts">
<tr><th>Price</th><td>£245,000</td></tr>
<tr><th>Bedrooms</th><td>3</td></tr>
<tr><th>Built</th><td>1887</td></tr>
<tr><th>Agent</th><td><a href="/agents/7">Moss &amp; Hale</a></td></tr>
<tr><th>Viewing</th><td>by appointment</td></tr>
</table>""",
    "Cottage by the mill",
)

BOOK = framed(
    """
<div class="record"><h2>The Ferryman's Almanac</h2>
<div class="row"><span class="lbl">Author</span><span class="val">Nora Keel</span></div>
<div class="row"><span class="lbl">Published</span><span class="val">14 March 2019</span></div>
<div class="row"><span class="lbl">Pages</span><span class="val">312</span></div>
<div class="row"><span class="lbl">ISBN</span><span class="val">978-0-00-000000-2</span></div>
<div class="row"><span class="lbl">Shelf mark</span><span class="val">K 114.2</span></div>
</div>""",
    "The Ferryman's Almanac",
)

SHIP = framed(
    """
<h1>MS Albatross</h1>
<dl>
<dt>Built</dt><dd>1974</dd>
<dt>Length</dt><dd>86.5 m</dd>
<dt>Flag</dt><dd>Malta</dd>
<dt>Owners</dt><dd>Sund Line</dd><dd>Kattegat Ferries</dd>
<dt>Home port</dt><dd>Valletta</dd>
</dl>""",
    "MS Albatross",
)

HOTELS = framed("""
<table><tr class=h><th>Hotel</th><th>Seeblick</th><th>Krone</th><th>Post</th></tr>
<tr><td>Stars</td><td>3</td><td>4</td><td>2</td></tr>
<tr><td>Rooms</td><td>24</td><td>61</td><td>12</td></tr>
<tr><td>Breakfast</td><td>yes</td><td>yes</td><td>no</td></tr></table>""")

PLAYERS = framed("""
<table><thead><tr><th>Player</th><th>Games</th><th>Goals</th><th>Assists</th></tr></thead><tbody>
<tr><th scope=row>Ann</th><td>10</td><td>4</td><td>2</td></tr>
<tr><th scope=row>Bea</th><td>12</td><td>0</td><td>7</td></tr>
<tr><th scope=row>Cay</th><td>9</td><td>3</td><td>3</td></tr></tbody></table>""")

CASES = [
    Case(
        "plain labels under a header of names",
        "{URL} hotels: name, stars (int), rooms (int), breakfast (bool) JSON",
        HOTELS,
        records(
            "name stars rooms breakfast", ("Seeblick", 3, 24, True), ("Krone", 4, 61, True), ("Post", 2, 12, False)
        ),
    ),
    Case(
        "a usual table with headings on both sides",
        "{URL} player stats: player, games (int), goals (int), assists (int), JSON",
        PLAYERS,
        records("player games goals assists", ("Ann", 10, 4, 2), ("Bea", 12, 0, 7), ("Cay", 9, 3, 3)),
    ),
    Case(
        "plans side by side under a header",
        "{URL} for each plan: name, price (float), storage, users (int), as JSON",
        PLANS,
        records(
            "name price storage users",
            ("Basic", 5.0, "10 GB", 1),
            ("Plus", 12.5, "100 GB", 3),
            ("Team", 40.0, "2 TB", 25),
        ),
    ),
    Case(
        "row headings only",
        "{URL} all planets with name, diameter (int), moons (int), year in days (float) to JSON",
        PLANETS,
        records(
            "name diameter moons year",
            ("Mercury", 4879, 0, 88.0),
            ("Venus", 12104, 0, 224.7),
            ("Earth", 12756, 1, 365.2),
            ("Mars", 6792, 2, 687.0),
        ),
    ),
    Case(
        "bold labels in cells, links across",
        "{URL} lenses: model, url, weight in g (int), aperture, price (float). JSON please",
        LENSES,
        records(
            "model url weight aperture price",
            ("Iris 35", "{URL}l/35", 210, "f/2.0", 349.0),
            ("Iris 50", "{URL}l/50", 265, "f/1.4", 420.0),
            ("Iris 85", "{URL}l/85", 480, "f/1.8", 599.0),
        ),
    ),
    Case(
        "a detail page: table of facts",
        "{URL} get the name, price (int), bedrooms (int), built (int) and agent of this house as JSON",
        HOUSE,
        records("name price bedrooms built agent", ("Cottage by the mill", 245000, 3, 1887, "Moss & Hale")),
    ),
    Case(
        "a detail page: spans for labels",
        "{URL}: title, author, publication_date, pages (int), ISBN and shelf_mark of this book. JSON",
        BOOK,
        records(
            "title author publication_date pages isbn shelf_mark",
            ("The Ferryman's Almanac", "Nora Keel", "2019-03-14", 312, "978-0-00-000000-2", "K 114.2"),
        ),
    ),
    Case(
        "a detail page: terms, one with two values",
        "{URL} give me the name, year_built (int), length in m (float), flag, owners (list) and home_port as JSON",
        SHIP,
        records(
            "name year_built length flag owners home_port",
            ("MS Albatross", 1974, 86.5, "Malta", ["Sund Line", "Kattegat Ferries"], "Valletta"),
        ),
    ),
]
