"""Names in running text, bibliographies, states in class names, groups in tables, pages laid out by tables."""

from __future__ import annotations

from tests.unit.rules.layouts import Case, framed, records

ALDERMEN = framed("""
<h1>The council</h1>
<p><b>Maria Lopez</b> was elected for District 1 in 2019. She chairs the committee on parks.</p>
<p><b>Peter Quill</b> was elected for District 2 in 2021. He sits on the committee on roads.</p>
<p><b>Ruth Adeyemi</b> was elected for District 3 in 2015. She chairs the committee on schools.</p>
<p><b>Sam Ito</b> was elected for District 4 in 2023. He sits on the committee on water.</p>
""")

FELLOWS = framed("""
<div class="entry"><p>Hugo Brandt (born 4 May 1961 in Graz) is a maker of violins. His workshop stands in
Linz.</p></div>
<div class="entry"><p>Iris Calder (born 23 July 1958 in Perth) is a maker of lutes. Her workshop stands in
Leith.</p></div>
<div class="entry"><p>Jules Denis (born 11 January 1970 in Metz) is a maker of bows. His workshop stands in
Nancy.</p></div>
<div class="entry"><p>Katja Erler (born 30 June 1984 in Jena) is a maker of harps. Her workshop stands in
Gotha.</p></div>
""")

ALUMNI = framed("""
<h2>Alumni</h2>
<p>Noor Haddad, class of 1998, works as an engineer in Lyon.</p>
<p>Owen Pryce, class of 2003, works as a baker in Cardiff.</p>
<p>Petra Novak, class of 1987, works as a judge in Brno.</p>
<p>Quim Soler, class of 2011, works as a nurse in Girona.</p>
""")

BIB = framed("""
<h2>Bibliography</h2>
<ol>
<li>Adams, R. and Bell, T. (2009). <i>Salt marshes of the north</i>. Coastal Press.</li>
<li>Chen, L. (2014). <i>Reading the tide</i>. Harbour Books.</li>
<li>Dietz, M., Ek, S. and Fox, P. (2017). <i>A field guide to mud</i>. Coastal Press.</li>
<li>Gray, H. (2021). <i>Birds of the flats</i>. Heron &amp; Co.</li>
</ol>""")

BIB_LINKS = framed("""
<ul class="refs">
<li><span class="au">A. Berg, C. Dahl</span>: <a href="/p/1.pdf">Frost on glass</a>. J. Cold 12 (2003), 45–61.</li>
<li><span class="au">E. Falk</span>: <a href="/p/2.pdf">Snow loads</a>. J. Cold 14 (2005), 1–19.</li>
<li><span class="au">G. Holm, I. Jung, K. Lie</span>: <a href="/p/3.pdf">Ice in pipes</a>. Ann. Water 3 (2010),
201–230.</li>
<li><span class="au">M. Natt</span>: <a href="/p/4.pdf">Thaw</a>. J. Cold 20 (2011), 77–80.</li>
</ul>""")

BIB_P = framed("""
<p>Orr, J. "Bells of the lowlands." <em>Sound and Stone</em> 4 (1988): 12-30.</p>
<p>Pym, A. "Casting in the field." <em>Sound and Stone</em> 7 (1991): 55-71.</p>
<p>Quist, B. "A tower without a bell." <em>Old Walls</em> 2 (1979): 3-9.</p>
<p>Rook, C. "Ropes." <em>Sound and Stone</em> 9 (1993): 101-118.</p>
""")

_STOCK = (
    ("Kettle", "19.90", True),
    ("Pan", "34.00", False),
    ("Ladle", "4.25", True),
    ("Sieve", "7.10", True),
    ("Pot", "41.00", False),
)
STOCK_CLASS = framed(
    '<ul class="shop">'
    + "".join(
        f'<li class="item {"in-stock" if there else "out-of-stock"}"><a href="/i/{n}">{name}</a>'
        f'<span class="cost">£{cost}</span></li>'
        for n, (name, cost, there) in enumerate(_STOCK)
    )
    + "</ul>"
)
STOCK_ICON = framed(
    '<div class="products">'
    + "".join(
        f'<div class="product"><h4>{name}</h4><p class="price">£{cost}</p>'
        f'<i class="icon {"available" if there else "unavailable"}"></i></div>'
        for name, cost, there in _STOCK
    )
    + "</div>"
)
STOCK_BUTTON = framed(
    "<table class=goods><tr><th>Article</th><th>Price</th><th>Available</th></tr>"
    + "".join(
        f'<tr><td>{name}</td><td>£{cost}</td><td><span class="dot {"yes" if there else "no"}"></span></td></tr>'
        for name, cost, there in _STOCK
    )
    + "</table>"
)

ROWSPAN = framed("""
<table><tr><th>County</th><th>Town</th><th>Mills</th></tr>
<tr><td rowspan=3>North</td><td>Alder</td><td>3</td></tr>
<tr><td>Birk</td><td>1</td></tr>
<tr><td>Cray</td><td>4</td></tr>
<tr><td rowspan=2>South</td><td>Dale</td><td>2</td></tr>
<tr><td>Esk</td><td>6</td></tr>
</table>""")

ROWSPAN_TH = framed("""
<table class="times"><thead><tr><th>Day</th><th>Class</th><th>Hour</th><th>Places</th></tr></thead><tbody>
<tr><th rowspan="2">Monday</th><td>Yoga</td><td>18:00</td><td>12</td></tr>
<tr><td>Judo</td><td>19:30</td><td>20</td></tr>
<tr><th rowspan="1">Tuesday</th><td>Swimming</td><td>07:00</td><td>30</td></tr>
<tr><th rowspan="3">Friday</th><td>Fencing</td><td>17:00</td><td>8</td></tr>
<tr><td>Chess</td><td>18:15</td><td>16</td></tr>
<tr><td>Dance</td><td>20:00</td><td>24</td></tr>
</tbody></table>""")

GROUP_ROWS = framed("""
<table border="1">
<tr><td><b>Player</b></td><td><b>Goals</b></td><td><b>Games</b></td></tr>
<tr><td colspan=3 align=center><b>Reds</b></td></tr>
<tr><td>A. Gard</td><td>4</td><td>11</td></tr>
<tr><td>B. Hill</td><td>0</td><td>9</td></tr>
<tr><td colspan=3 align=center><b>Blues</b></td></tr>
<tr><td>C. Imrie</td><td>7</td><td>12</td></tr>
<tr><td>D. Jolly</td><td>2</td><td>12</td></tr>
<tr><td>E. Kemp</td><td>1</td><td>3</td></tr>
</table>""")

NESTED = framed("""
<table width=760 border=0><tr><td width=140 bgcolor=#eeeecc valign=top>
<table><tr><td><a href="/a">Start</a></td></tr><tr><td><a href="/b">Archive</a></td></tr><tr><td>
<a href="/c">Post</a></td></tr></table>
</td><td valign=top>
<table border=0 cellspacing=0><tr><td colspan=2><font size=4>New records</font></td></tr>
<tr><td><table><tr><td><a href="/r/1"><b>Blue Hour</b></a></td></tr><tr><td><font size=2>The Lanterns</font></td>
</tr><tr><td>$12.99</td></tr></table></td>
<td><table><tr><td><a href="/r/2"><b>Copper Sky</b></a></td></tr><tr><td><font size=2>Old Mill Trio</font></td>
</tr><tr><td>$9.50</td></tr></table></td></tr>
<tr><td><table><tr><td><a href="/r/3"><b>Dew</b></a></td></tr><tr><td><font size=2>Anna Sward</font></td></tr>
<tr><td>$14.00</td></tr></table></td>
<td><table><tr><td><a href="/r/4"><b>Ember Days</b></a></td></tr><tr><td><font size=2>The Lanterns</font></td>
</tr><tr><td>$11.25</td></tr></table></td></tr>
</table></td></tr></table>""")

NESTED_NEWS = framed("""
<center><table width="90%"><tr><td>
<table width="100%"><tr><td><img src="/dot.gif"></td><td><font face="arial"><b>
<a href="/n/9">Lock gates renewed</a></b></font></td><td align=right>03/02/1999</td></tr>
<tr><td></td><td colspan=2>The gates of the upper lock are new since Monday.</td></tr></table>
<table width="100%"><tr><td><img src="/dot.gif"></td><td><font face="arial"><b><a href="/n/8">Towpath closed</a>
</b></font></td><td align=right>01/21/1999</td></tr>
<tr><td></td><td colspan=2>Floods have washed out the path at mile three.</td></tr></table>
<table width="100%"><tr><td><img src="/dot.gif"></td><td><font face="arial"><b><a href="/n/7">Winter fees</a></b>
</font></td><td align=right>12/15/1998</td></tr>
<tr><td></td><td colspan=2>Moorings cost half until March.</td></tr></table>
</td></tr></table></center>""")

NESTED_ROWS = framed("""
<table border=0 width=600><tr><td>
<table border=0 width="100%"><tr><td>
<table border=1><tr><td><font size=2><b>Kennel</b></font></td><td><font size=2><b>Breed</b></font></td><td>
<font size=2><b>Pups</b></font></td></tr>
<tr><td><font size=2>Fell End</font></td><td><font size=2>Collie</font></td><td><font size=2>5</font></td></tr>
<tr><td><font size=2>Gorse</font></td><td><font size=2>Setter</font></td><td><font size=2>8</font></td></tr>
<tr><td><font size=2>Heath</font></td><td><font size=2>Spitz</font></td><td><font size=2>3</font></td></tr>
<tr><td><font size=2>Ivy House</font></td><td><font size=2>Collie</font></td><td><font size=2>6</font></td></tr>
</table>
</td></tr></table></td></tr></table>""")

_SHOP = [
    ("Kettle", 19.9, True),
    ("Pan", 34.0, False),
    ("Ladle", 4.25, True),
    ("Sieve", 7.1, True),
    ("Pot", 41.0, False),
]

CASES = [
    Case(
        "a paragraph each, the name in bold",
        "{URL} council members: name, district (int), year elected (int) as JSON",
        ALDERMEN,
        records(
            "name district year_elected",
            ("Maria Lopez", 1, 2019), ("Peter Quill", 2, 2021), ("Ruth Adeyemi", 3, 2015), ("Sam Ito", 4, 2023),
        ),
    ),
    Case(
        "a paragraph each, the name first",
        "{URL} for each person: name, date_of_birth (date), place_of_birth. JSON",
        FELLOWS,
        records(
            "name date_of_birth place_of_birth",
            ("Hugo Brandt", "1961-05-04", "Graz"), ("Iris Calder", "1958-07-23", "Perth"),
            ("Jules Denis", "1970-01-11", "Metz"), ("Katja Erler", "1984-06-30", "Jena"),
        ),
        refused=True,
    ),
    Case(
        "a sentence each",
        "{URL} alumni with name, class (int) and city as JSON",
        ALUMNI,
        records(
            "name class city",
            ("Noor Haddad", 1998, "Lyon"), ("Owen Pryce", 2003, "Cardiff"), ("Petra Novak", 1987, "Brno"),
            ("Quim Soler", 2011, "Girona"),
        ),
        refused=True,
    ),
    Case(
        "a bibliography: authors before the year",
        "{URL} bibliography: authors, year (int), title, publisher as JSON",
        BIB,
        records(
            "authors year title publisher",
            ("Adams, R. and Bell, T.", 2009, "Salt marshes of the north", "Coastal Press"),
            ("Chen, L.", 2014, "Reading the tide", "Harbour Books"),
            ("Dietz, M., Ek, S. and Fox, P.", 2017, "A field guide to mud", "Coastal Press"),
            ("Gray, H.", 2021, "Birds of the flats", "Heron & Co."),
        ), refused=True,
    ),
    Case(
        "references with links",
        "{URL} publications: authors (list), title, url, year (int). JSON",
        BIB_LINKS,
        records(
            "authors title url year",
            (["A. Berg", "C. Dahl"], "Frost on glass", "{URL}p/1.pdf", 2003),
            (["E. Falk"], "Snow loads", "{URL}p/2.pdf", 2005),
            (["G. Holm", "I. Jung", "K. Lie"], "Ice in pipes", "{URL}p/3.pdf", 2010),
            (["M. Natt"], "Thaw", "{URL}p/4.pdf", 2011),
        ),
    ),
    Case(
        "references in paragraphs, titles in quotes",
        "{URL} articles: author, title, journal, year (int) as JSON",
        BIB_P,
        records(
            "author title journal year",
            ("Orr, J.", "Bells of the lowlands", "Sound and Stone", 1988),
            ("Pym, A.", "Casting in the field", "Sound and Stone", 1991),
            ("Quist, B.", "A tower without a bell", "Old Walls", 1979),
            ("Rook, C.", "Ropes", "Sound and Stone", 1993),
        ), refused=True,
    ),
    Case(
        "stock in the item's class",
        "{URL} items: name, price (float), in_stock (bool) as JSON",
        STOCK_CLASS,
        records("name price in_stock", *_SHOP),
    ),
    Case(
        "stock in an icon's class",
        "{URL} products: name, price (float), in_stock (true/false). JSON",
        STOCK_ICON,
        records("name price in_stock", *_SHOP),
    ),
    Case(
        "stock in a dot's class",
        "{URL} articles: article, price (float), available (bool). JSON",
        STOCK_BUTTON,
        records("article price available", *_SHOP),
    ),
    Case(
        "groups in spanning cells",
        "{URL} towns: county, town, mills (int) as JSON",
        ROWSPAN,
        records(
            "county town mills",
            ("North", "Alder", 3), ("North", "Birk", 1), ("North", "Cray", 4), ("South", "Dale", 2),
            ("South", "Esk", 6),
        ),
    ),
    Case(
        "groups in spanning headings",
        "{URL} classes: day, class, hour, places (int). JSON",
        ROWSPAN_TH,
        records(
            "day class hour places",
            ("Monday", "Yoga", "18:00", 12), ("Monday", "Judo", "19:30", 20), ("Tuesday", "Swimming", "07:00", 30),
            ("Friday", "Fencing", "17:00", 8), ("Friday", "Chess", "18:15", 16), ("Friday", "Dance", "20:00", 24),
        ),
    ),
    Case(
        "groups in rows of their own",
        "{URL} players: team, player, goals (int), games (int) as JSON",
        GROUP_ROWS,
        records(
            "team player goals games",
            ("Reds", "A. Gard", 4, 11), ("Reds", "B. Hill", 0, 9), ("Blues", "C. Imrie", 7, 12),
            ("Blues", "D. Jolly", 2, 12),
            ("Blues", "E. Kemp", 1, 3),
        ),
    ),
    Case(
        "tables in tables, a record a table",
        "{URL} records: title, artist, price (float), url as JSON",
        NESTED,
        records(
            "title artist price url",
            ("Blue Hour", "The Lanterns", 12.99, "{URL}r/1"), ("Copper Sky", "Old Mill Trio", 9.5, "{URL}r/2"),
            ("Dew", "Anna Sward", 14.0, "{URL}r/3"), ("Ember Days", "The Lanterns", 11.25, "{URL}r/4"),
        ),
    ),
    Case(
        "tables in tables, news of two rows",
        "{URL} news: title, url, date (date), text. JSON",
        NESTED_NEWS,
        records(
            "title url date text",
            ("Lock gates renewed", "{URL}n/9", "1999-03-02", "The gates of the upper lock are new since Monday."),
            ("Towpath closed", "{URL}n/8", "1999-01-21", "Floods have washed out the path at mile three."),
            ("Winter fees", "{URL}n/7", "1998-12-15", "Moorings cost half until March."),
        ),
    ),
    Case(
        "tables in tables, rows inside",
        "{URL} kennels: kennel, breed, pups (int) as JSON",
        NESTED_ROWS,
        records(
            "kennel breed pups",
            ("Fell End", "Collie", 5), ("Gorse", "Setter", 8), ("Heath", "Spitz", 3), ("Ivy House", "Collie", 6),
        ),
    ),
]  # fmt: skip
