"""What a note and a name say of a column."""

from __future__ import annotations

import pytest

from scrapewright.query.column_types import type_of_name
from scrapewright.query.fields import field_of
from scrapewright.query.notes import date_format, read_note
from scrapewright.query.reading import Column, FieldType


@pytest.mark.parametrize(
    ("note", "kind"),
    [
        ("int", "int"), ("as an integer", "int"), ("integer, e.g. 11", "int"), ("whole number", "int"),
        ("entero", "int"),
        ("float, in euro", "float"), ("decimal", "float"), ("as a list", "list"), ("list of strings", "list"),
        ("date", "date"), ("ISO date", "date"), ("as YYYY-MM-DD", "date"), ("%d.%m.%Y", "date"), ("URL", "url"),
        ("absolute link", "url"), ("absolute", "url"), ("string", "text"), ("boolean", "bool"),
        ("timestamp", "datetime"),
        ("number", None), ("numbers", None), ("the list under that heading", None), ("date of the hearing", None),
        ("", None), ("link title", None),
    ],
)  # fmt: skip
def test_types_in_notes(note: str, kind: FieldType | None) -> None:
    assert read_note(note).type == kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("YYYY-MM-DD", ("date", "%Y-%m-%d")), ("DD/MM/YYYY", ("date", "%d/%m/%Y")),
        ("MM/DD/YYYY", ("date", "%m/%d/%Y")),
        ("TT.MM.JJJJ", ("date", "%d.%m.%Y")), ("AAAA-MM-JJ", ("date", "%Y-%m-%d")),
        ("ДД.ММ.ГГГГ", ("date", "%d.%m.%Y")), ("GG.AA.YYYY", ("date", "%d.%m.%Y")),
        ("ÅÅÅÅ-MM-DD", ("date", "%Y-%m-%d")), ("pp.kk.vvvv", ("date", "%d.%m.%Y")), ("ΩΩ:ΛΛ", ("text", "%H:%M")),
        ("ГГГГ-ММ-ДД ЧЧ:ММ", ("datetime", "%Y-%m-%d %H:%M")),
        ("YYYYMMDD", ("date", "%Y%m%d")), ("YYYY-MM-DDTHH:MM:SS", ("datetime", "%Y-%m-%dT%H:%M:%S")),
        ('"YYYY-MM-DD HH:MM"', ("datetime", "%Y-%m-%d %H:%M")), ("hh:mm", ("text", "%H:%M")), ("MM", (None, "")),
        ("MM/YYYY", ("text", "")), ("ГГГГ-ММ", ("text", "")), ("MM/YYYY/x", (None, "")),
    ],
)  # fmt: skip
def test_date_formats(text: str, expected: tuple[FieldType | None, str]) -> None:
    assert date_format(text) == expected


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("price", "float"), ("page_count", "int"), ("number_of_votes", "int"), ("pdf_url", "url"), ("image", "url"),
        ("date_filed", "date"), ("published", "date"), ("case_number", "text"), ("title", "text"), ("is_open", "bool"),
        ("tags", "list"), ("price_eur", "float"), ("Preis", "float"), ("год", "int"), ("xyz", "text"),
    ],
)  # fmt: skip
def test_types_that_names_suggest(name: str, kind: FieldType) -> None:
    assert type_of_name(name) == kind


@pytest.mark.parametrize(
    ("note", "counted"),
    [
        ("in grams", True), ("in whole minutes", True), ("in square metres", True), ("in m²", True), ("en mois", True),
        ("in the sidebar", False), ("in any form", False), ("in German", False), ("minutes", False),
    ],
)  # fmt: skip
def test_what_is_counted_in_a_unit_is_a_number(note: str, counted: bool) -> None:
    assert read_note(note).numeric is counted
    assert field_of(Column("girth", note=note)).type == ("float" if counted else "text")


def test_a_field_knows_what_was_said_and_what_is_guessed() -> None:
    price = field_of(Column("price", None, note="number, empty if none is given"))
    assert (price.type, price.typed, price.optional) == ("float", False, True)
    shown = field_of(Column("dates", None, note="as printed"))
    assert (shown.type, shown.typed) == ("text", False)
    posted = field_of(Column("posted", "date", "%d.%m.%Y", "the day it went up"))
    assert (posted.typed, posted.date_format) == (True, "%d.%m.%Y")
    assert field_of(Column("total", None, note="Stückzahl")).words == ("total", "stückzahl")


@pytest.mark.parametrize(
    ("note", "optional"),
    [
        ("as shown (empty for folders)", True), ("empty list if there are none", True), ("vacío en los demás", True),
        ("leer bei Ordnern", True), ("0 where nobody voted", True), ("may be missing", True), ("wenn angegeben", True),
        ("never empty", False), ("must not be empty", False), ("non-null integer", False), ("it isn't empty", False),
        ("darf nicht leer sein", False), ("no puede estar vacío", False), ("enlace para leer más", False),
        ("leer del atributo title", False), ("no image: empty", True), ("not blank", False),
        ("the emptying day", False), ("the leerdam depot", False),
    ],
)  # fmt: skip
def test_a_column_that_may_be_empty_says_so(note: str, optional: bool) -> None:
    assert field_of(Column("note", None, note=note)).optional is optional
