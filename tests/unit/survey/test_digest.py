"""The page in words for a model: each place once, those of columns first, one record without what nobody selects."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scrapewright.query.reading import Column, Reading
from scrapewright.survey.digest import digest, shortened, tokens_in
from scrapewright.survey.model import SAMPLE_AT_MOST, Group, Slot, Survey, SurveyedPage

QUERY = Reading(text="name and price", columns=(Column("name"), Column("price", "float")))


def place(selector: str, *samples: str, **more: Any) -> Slot:
    return Slot(f"{selector}@{more.get('attr', 'text')}{more.get('own', '')}", selector, samples=samples, **more)


def lines_of(*groups: Group, query: Reading = QUERY, most: int = 2000) -> list[str]:
    page = SurveyedPage(url="http://shop.test/", status=200, media_type="text/html")
    return digest(Survey(pages=(page,), groups=groups), query, most).splitlines()


def group(*slots: Slot, number: int = 1) -> Group:
    return Group(f"g{number}", "list", f"li.group{number}", 12, slots, sample="<li>RAW</li>")


def test_each_place_is_shown_once_and_what_says_nothing_is_not() -> None:
    slots = (
        place("div.card", "Blue mug £3", "Red mug £4"),
        place("h3.name", "Blue mug", "Red mug", names=("name",)),
        place("header", "Blue mug", "Red mug"),
        place("span.price", "£3", "£4", names=("price",), type="float"),
        place("span.price", "£3", "£4", own=True, type="float"),
        place("button", "Add to basket"),
        place("p.badge", "New", coverage=0.25),
        place("img", "/a.png", "/b.png", attr="src", names=("image", "src")),
    )
    shown = [line.strip() for line in lines_of(group(*slots), query=Reading(text="mugs"))[5:]]
    assert shown == [
        "h3.name @text; e.g. Blue mug | Red mug",
        "span.price @text, float; e.g. £3 | £4",
        "p.badge @text, 25%; e.g. New",
    ]
    assert "RAW" not in "\n".join(lines_of(group(*slots)))


def test_a_name_is_shown_where_the_selector_does_not_say_it() -> None:
    slot = place("td.unit-price", "£3", "£4", names=("unit price", "recommended price", "url"), label="now")
    assert lines_of(group(slot))[-1].strip() == (
        "td.unit-price @text; names: recommended price; label 'now'; e.g. £3 | £4"
    )


def test_long_values_make_room_for_fewer() -> None:
    line = lines_of(group(place("p", "a" * 90, "b" * 90, "c" * 90)))[-1]
    assert line.strip() == f"p @text; e.g. {'a' * 48} | {'b' * 48}"


def test_of_a_rival_the_places_of_columns_and_a_few_others_are_shown() -> None:
    slots = [
        place(f"p.n{n}", f"{n}a", f"{n}b", names=(("name", "price")[n // 3 % 2],) if n < 6 else ()) for n in range(40)
    ]
    shown = lines_of(group(*slots), group(*slots, number=2))
    at = next(n for n, line in enumerate(shown) if line.startswith("GROUP 2"))
    assert len(shown[:at]) > 40
    assert 6 <= len(shown[at + 1 :]) <= 14
    assert shown[-1] == "  … more slots left out"


@given(st.integers(100, 2000))
def test_a_digest_keeps_to_its_tokens(most: int) -> None:
    slots = [place(f"p.n{n}", f"{n} " + "w" * 40, f"{n}b") for n in range(60)]
    assert tokens_in("\n".join(lines_of(group(*slots), group(*slots, number=2), most=most))) <= most + 60


RECORD = """
<li class="mug" onclick="go()" style="color: red">
  <!-- a comment -->
  <svg viewBox="0 0 9 9"><path d="M0 0h9"/></svg>
  <script type="application/json">{"a": 1}</script>
  <a href="/mug/1" data-id='7'>  Blue
     mug </a> <img src="/1.png" srcset="/1.png 1x, /2.png 2x" alt="Blue" width="9">
</li>"""


def test_a_record_is_whole_but_for_what_no_selector_needs() -> None:
    assert shortened(RECORD, 1500) == (
        '<li class="mug"><svg/><script/><a href="/mug/1" data-id=\'7\'> Blue mug </a><img src="/1.png" alt="Blue"></li>'
    )
    assert shortened('{"name": "Blue"}', 8) == '{"name":'
    assert shortened(f"<p>{'x' * 300}</p>", 1500) == f"<p>{'x' * 180}…{'x' * 60}</p>"
    assert shortened(f'<a href="{"x" * 300}">', 1500) == f'<a href="{"x" * 75}…{"x" * 25}">'
    assert shortened("<ul>" + "<li>one</li>" * 50 + "</ul>", 100) == "<ul>" + "<li>one</li>" * 7 + "<li>one…"


@given(st.text(alphabet="<>/\"'= !-abcsvgript\n", max_size=400), st.integers(10, 300))
def test_any_markup_is_shortened_to_what_there_is_room_for(text: str, most: int) -> None:
    assert len(shortened(text, most)) <= most + 1


@given(st.lists(st.sampled_from(["<svg>", "</svg>", "<script>", "</script>", "<b>", "x ", "<!--", "-->"]), max_size=40))
def test_nothing_is_cut_inside_a_script_or_a_picture(parts: list[str]) -> None:
    text = shortened("".join(parts), SAMPLE_AT_MOST)
    assert not re.search(r"<(?:svg|script)>|<!--", text)
