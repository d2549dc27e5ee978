"""What words mean, on pages and in requests."""

from __future__ import annotations

import pytest

from scrapewright.query.lexicon import (
    MONTHS,
    NUMBERS,
    concept_of,
    concepts,
    fold,
    month_of,
    named_concepts,
    plural,
    singular,
    tokens,
)


@pytest.mark.parametrize("language", MONTHS)
def test_each_language_has_twelve_months_and_their_names_are_found(language: str) -> None:
    assert len(MONTHS[language]) == 12
    for month, name in enumerate(MONTHS[language], 1):
        assert month_of(name) == month or name == "listopada"  # Croatian October, and November in Polish


@pytest.mark.parametrize(
    ("word", "month"),
    [
        ("Sept", 9), ("mrt", 3), ("AOÛT", 8), ("января", 1), ("Янв", 1), ("Mar", 3), ("marras", 11), ("juil", 7),
        ("juin", 6), ("ma", 0), ("12", 0), ("Bonn", 0), ("", 0),
    ],
)  # fmt: skip
def test_months_are_known_by_their_beginnings(word: str, month: int) -> None:
    assert month_of(word) == month


def test_a_word_of_a_page_has_all_its_meanings() -> None:
    assert concepts("Preis") == concepts("prices") == concepts("prcie") == {"price"}
    assert concepts("comments") == {"comments"}
    assert "oldprice" in concepts("was")
    assert concepts("team") == concepts("xyzzy") == frozenset()


def test_a_word_of_a_request_names_at_most_one_concept() -> None:
    assert (concept_of("Preis"), concept_of("was"), concept_of("team"), concept_of("xyzzy")) == (
        "price", "", "other", "",
    )  # fmt: skip
    assert named_concepts("releaseDate_of_album") == ["version", "date", "other"]


def test_words_are_split_and_folded_in_one_way() -> None:
    assert tokens("Année-Publié_le listPrice2") == ("annee", "publie", "le", "list", "price2")
    assert fold("Größe") == "grosse"
    assert NUMBERS["fünf"] == NUMBERS["funf"] == 5


@pytest.mark.parametrize(
    ("one", "many"), [("story", "stories"), ("box", "boxes"), ("child", "children"), ("series", "series")]
)
def test_plurals(one: str, many: str) -> None:
    assert (plural(one), singular(many)) == (many, one)
