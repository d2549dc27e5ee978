"""Which selectors places get: those that hold for records that were not seen."""

from __future__ import annotations

import pytest
from lxml import html

from scrapewright.survey import slots
from scrapewright.survey.dom import stability
from scrapewright.survey.model import Slot
from scrapewright.survey.page_record import with_labelled
from scrapewright.survey.surveyor import spread
from tests.unit.survey.helpers import page, query, survey_pages


def built(*records: str) -> list[Slot]:
    """The slots of list items."""
    return list(slots.build(html.fromstring(f"<ul>{''.join(f'<li>{one}</li>' for one in records)}</ul>").findall("li")))


def of(found: list[Slot], *samples: str) -> list[Slot]:
    return [slot for slot in found if slot.samples[: len(samples)] == samples and slot.attr == "text"]


def test_a_class_of_a_css_module_is_told_without_its_hash() -> None:
    line = '<b class="Offer_now__Hq8zW sc-kfDx">{} €</b><b class="Offer_was__k2Lp9 sc-kfDx">{} €</b>'
    found = built(*(line.format(n, 2 * n) for n in range(11, 16)))
    now, was = of(found, "11 €", "12 €"), of(found, "22 €", "24 €")
    assert now[0].selector == 'b[class^="Offer_now__"]'
    assert "offer now" in now[0].names
    assert was[0].selector == 'b[class^="Offer_was__"]'


@pytest.mark.parametrize(("form", "kept"), [("_{}_1x9qf_27", "_{}_"), ("ware-module--{}--0a1b2", "ware-module--{}--")])
def test_other_bundlers_write_the_hash_otherwise(form: str, kept: str) -> None:
    line = f'<b class="{form.format("now")}">{{}} €</b><b class="{form.format("was")}">{{}} €</b>'
    found = built(*(line.format(n, 2 * n) for n in range(11, 16)))
    assert of(found, "11 €", "12 €")[0].selector == f'b[class^="{kept.format("now")}"]'
    assert of(found, "22 €", "24 €")[0].selector == f'b[class^="{kept.format("was")}"]'


def test_a_class_of_a_css_module_may_end_another_one() -> None:
    """OldPrice ends with Price, and is there in some records alone."""
    old, now = "<b class='OldPrice__xY9zW'>{} €</b>", "<b class='b Price__aB3dQ'>{} €</b>"
    found = built(*((old.format(2 * n) if n % 2 else "") + now.format(n) for n in range(11, 17)))
    assert of(found, "11 €", "12 €")[0].selector == 'b[class*=" Price__"]'
    assert of(found, "22 €", "26 €")[0].selector == 'b[class^="OldPrice__"]'


def test_words_in_a_class_are_no_hash() -> None:
    assert [name for name in ("navBar", "toDoList", "isNewTo", "rrpEUR", "sc-title") if not stability(name)] == []
    assert [name for name in ("fYxTuW", "sc-eqUAAy", "css-1x2y3z") if stability(name)] == []


def test_of_a_line_of_values_a_label_tells_more_than_a_number() -> None:
    """All records that were seen have the first of them; another one may lack it."""
    line = "<div><dt>{}</dt><dd class=v>{} {}</dd></div>"
    said = [line.format("Maker", "Firm", n) + line.format("Origin", "Land", n) for n in range(6)]
    found = built(*(f"<p>{n}</p><dl>{lines}</dl>" for n, lines in enumerate(said)))
    assert of(found, "Firm 0", "Firm 1")[0].selector == 'dt:-soup-contains-own("Maker") + dd'
    assert of(found, "Land 0", "Land 1")[0].selector == 'dt:-soup-contains-own("Origin") + dd'


def test_the_last_of_a_list_of_which_some_records_lack_one() -> None:
    """Year, distance, gearbox, fuel: one has no distance."""
    lines = [("2017", "41 mi", "Manual", "Petrol"), ("2018", "9 mi", "Manual", "Diesel"), ("2016", "Auto", "Hybrid")]
    lines += [("2015", "7 mi", "Auto", "Petrol"), ("2019", "5 mi", "Manual", "Diesel")]
    found = built(*(f"<h3>Car {n}</h3><ul class=specs>{items(line)}</ul>" for n, line in enumerate(lines)))
    fuel = next(slot for slot in found if slot.index == -1)
    assert (fuel.selector, fuel.samples[:3]) == ("ul.specs > li", ("Petrol", "Diesel", "Hybrid"))
    assert fuel.coverage == 1.0
    many = built(*(f"<h3>Car {n}</h3><ul class=specs>{items(lines[n % 5])}</ul>" for n in range(100)))
    assert [slot.coverage for slot in many if slot.index == -1] == [1.0], "of more records than are learnt from"
    long = built(*(f"<ul class=specs>{items(tuple('abcdefghijkl') + lines[n])}</ul>" for n in range(5)))
    assert [slot.samples[0] for slot in long if slot.index == -1] == ["Petrol"]


def items(texts: tuple[str, ...]) -> str:
    return "".join(f"<li>{text}</li>" for text in texts)


def test_the_price_now_beside_struck_ones_and_ranges() -> None:
    amount = "<span class=amount><bdi>€{}</bdi></span>"
    plain = "<span class=price>" + amount.format("{}") + "</span>"
    sale = f"<span class=price><del>{amount}</del> <ins>{amount}</ins></span>"
    span = f"<span class=price>{amount} – {amount}</span>"
    found = built(plain.format(5), sale.format(9, 7), plain.format(6), span.format(3, 8), sale.format(4, 2))
    now = next(slot for slot in found if slot.selector == "span.amount:not(del *)" and slot.attr == "text")
    assert now.samples[:3] == ("€5", "€7", "€6")
    assert now.coverage == 1.0


def test_the_price_now_beside_a_struck_one_is_not_that_of_a_kilogram() -> None:
    amount = "<span class=amount><bdi>€{}</bdi></span>"
    each = f"<p class=each>{amount} / kg</p>"
    plain = f"<span class=price>{amount}</span>{each}"
    sale = f"<span class=price><del>{amount}</del> <ins>{amount}</ins></span>{each}"
    found = built(plain.format(5, 50), sale.format(9, 7, 70), plain.format(6, 60), sale.format(4, 2, 20))
    now = next(slot for slot in found if slot.selector == "span.amount:not(del *)" and slot.attr == "text")
    assert now.samples[:3] == ("€5", "€7", "€6")


def test_labels_of_which_some_have_a_colon_are_one_list() -> None:
    tags = (("kind: fault", "in: core"), ("kind: wish",), ("kind: fault", "good first task"), ("kind: fault",))
    found = built(*("".join(f'<a class="tag" href="/t/{n}">{tag}</a>' for n, tag in enumerate(one)) for one in tags))
    assert next(slot for slot in found if slot.many and slot.attr == "text").selector == "a.tag"


def test_headings_of_higher_ranks_name_a_group_too() -> None:
    rows = "".join(f"<tr><td>Day {n}</td><td>{n} mm</td></tr>" for n in range(5))
    body = f"<h1>Weather</h1><h2>Next week</h2><p>At noon.</p><table><caption>By day</caption>{rows}</table>"
    groups = survey_pages(query("day", "rain"), [page(body)]).groups
    group = next(group for group in groups if group.kind == "table")
    assert group.headings == ("By day", "Next week", "Weather")
    assert group.context == "By day"


def test_pages_of_records_are_the_first_the_last_and_one_between() -> None:
    assert spread(["a", "b"], 3) == ["a", "b"]
    assert spread([str(n) for n in range(9)], 3) == ["0", "4", "8"]


def test_the_last_link_of_a_list_is_among_its_samples() -> None:
    found = built(*(f'<a href="/item/{n}">Item {n}</a>' for n in range(30)))
    assert next(slot for slot in found if slot.attr == "href").samples[-1] == "/item/29"


def test_a_page_of_one_record_has_the_labels_that_another_of_its_kind_has() -> None:
    rows = "<tr><th>Level</th><td>One</td></tr><tr><th>Hours</th><td>{}</td></tr>"
    more = "<tr><th>Needs</th><td>Algebra</td></tr>"
    asked = query("level", "needs", single=True)
    first, second = (
        survey_pages(asked, [page(f"<h1>Unit</h1><table>{rows.format(n)}{extra}</table>")]).groups
        for n, extra in ((10, ""), (20, more))
    )
    (own,) = (group for group in first if group.kind == "page")
    both = with_labelled(own, second)
    added = both.slots[len(own.slots) :]
    assert {slot.label for slot in added} == {"Needs"}
    assert added[0].selector == 'th:-soup-contains-own("Needs") + td'
    assert len({slot.id for slot in both.slots}) == len(both.slots)


def test_on_a_whole_page_the_first_of_its_kind_is_called_by_what_names_it() -> None:
    """The next page may lack it, and have another first."""
    facts = (("maker", "Ada Potter"), ("dating", "about 1680"), ("size", "40 cm"))
    boxes = "".join(f'<div class="fact fact--{name}"><p>{value}</p></div>' for name, value in facts)
    groups = survey_pages(query("maker", "dating", single=True), [page(f"<h1>Tile</h1>{boxes}")]).groups
    found = next(group for group in groups if group.kind == "page").slots
    assert of(list(found), "Ada Potter")[0].selector == "div.fact--maker"
    assert of(list(found), "about 1680")[0].selector == "div.fact--dating"


def test_records_are_told_by_the_component_and_not_by_what_the_next_build_changes() -> None:
    cards = "".join(f'<li class="Card_root__x8Ks2 css-1q2w3e"><a href="/c/{n}">Crane {n}</a></li>' for n in range(9))
    group = survey_pages(query("name", "url:url"), [page(f"<html><body><ul>{cards}</ul></body></html>")]).groups[0]
    assert group.selector == 'li[class^="Card_root__"]'
