"""The examples of the Python API, in the README and in docstrings, run unchanged; only the shop is one of ours."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator

import pytest

from scrapewright import AsyncScrapewright, Scrapewright
from scrapewright.practice.server import ShopServer
from scrapewright.practice.shop import Shop
from tests.readme.keys import README

NAMED = "https://shop.example"


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with ShopServer(Shop()) as server:
        yield server.base


def in_readme() -> list[str]:
    text = README.read_text("utf-8")
    section = text.partition("\n### From Python\n")[2].partition("\n## ")[0]
    return [piece.partition("\n```")[0] for piece in section.split("```pycon\n")[1:]]


def in_docstrings(client: type) -> list[str]:
    members = [client, *(value for name, value in vars(client).items() if inspect.isfunction(value))]
    return [inspect.getdoc(member) or "" for member in members]


EXAMPLES = {
    "README": in_readme(),
    "Scrapewright": in_docstrings(Scrapewright),
    "AsyncScrapewright": in_docstrings(AsyncScrapewright),
}


@pytest.mark.parametrize("where", EXAMPLES)
def test_examples_print_what_they_say(where: str, base: str) -> None:
    text = "\n\n".join(EXAMPLES[where])
    test = doctest.DocTestParser().get_doctest(text.replace(NAMED, base), {}, where, None, 0)
    assert test.examples
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append)
    assert result.failed == 0, "".join(said)


@pytest.mark.parametrize("name", ["run", "stream", "result", "check", "trace", "page"])
def test_every_call_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(Scrapewright, name)) or "")
