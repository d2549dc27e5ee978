"""Makes the records that no element holds, for reading a page as the program will: by the program's own functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any, cast

from bs4 import BeautifulSoup
from bs4.element import Tag

from scrapewright.programmers.rules import helpers
from scrapewright.survey.model import Group


def formed(soup: BeautifulSoup, group: Group, selector: str) -> list[Tag]:
    """The records of a group that has a form, from what the selector matches. The document may be changed."""
    make = _function(helpers.FORMS[group.form])
    if group.form == "run":
        return make(soup, selector, group.until or None)
    if group.form == "text":
        return make(soup.select(selector), group.cuts)
    return make(soup.select(selector))


@cache
def _function(name: str) -> Callable[..., list[Tag]]:
    space: dict[str, Any] = {"BeautifulSoup": BeautifulSoup, "Tag": Tag, "copy": copy, "re": re}
    exec(helpers.PLAIN[name], space)
    return cast("Callable[..., list[Tag]]", space[name])
