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

PLAYERS = framed("""
<table><thead><tr><th>Player</th><th>Games</th><th>Goals</th><th>Assists</th></tr></thead><tbody>
<tr><th scope=row>Ann</th><td>10</td><td>4</td><td>2</td></tr>
<tr><th scope=row>Bea</th><td>12</td><td>0</td><td>7</td></tr>
<tr><th scope=row>Cay</th><td>9</td><td>3</td><td>3</td></tr></tbody></table>""")

CASES = [
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
        [],
        refused=True,
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
