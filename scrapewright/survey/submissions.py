"""Forms of a page as ways to other pages: what they send, and which of their controls leads to the next page.

A control is a button, or a link whose script sends the form, as ASP.NET Web Forms writes them
(`__doPostBack('target','argument')`). The generated program does the same with BeautifulSoup (rules.helpers).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal
from urllib.parse import urlencode, urljoin, urlsplit

import msgspec

from scrapewright.survey import css
from scrapewright.survey.decode import Document
from scrapewright.survey.dom import Element, squeeze, text_of
from scrapewright.survey.model import Search

Script = Literal["", "href", "onclick"]

POSTBACK = re.compile(r"""\(\s*['"]([^'"]*)['"]\s*,\s*['"]([^'"]*)['"]""")
"""Target and argument in a call of `__doPostBack`, or in the options that `WebForm_DoPostBackWithOptions` gets."""
_CALLS = ("__doPostBack(", "WebForm_PostBackOptions(")
_BUTTONS = ("submit", "image")
_UNSENT = ("submit", "button", "image", "reset", "file")
_TYPED = ("text", "search", "email", "tel", "url", "number", "password", "date")


class Submission(msgspec.Struct, frozen=True):
    """A form as it is sent. `method` is "GET" or "POST"; a GET's fields are in the URL."""

    method: str
    url: str
    fields: dict[str, str] = {}


def controls(document: Document) -> Iterator[Element]:
    """The buttons and links that send a form of the page, but those switched off and those of forms to be filled in."""
    for element in document.root.iter("a", "button", "input"):
        form = form_of(element) if is_button(element) else None
        if called(element) or (form is not None and not _is_filled_in(form)):
            yield element


def called(element: Element) -> Script:
    """The attribute of a link or button in which its script sends the form; empty where none does."""
    names: tuple[Script, Script] = ("href", "onclick")
    calls = (name for name in names if any(call in (element.get(name) or "") for call in _CALLS))
    return next((name for name in calls if POSTBACK.search(element.get(name) or "")), "")


def _call_of(element: Element) -> re.Match[str] | None:
    script = called(element)
    return POSTBACK.search(element.get(script) or "") if script else None


def argument_of(element: Element) -> str:
    """What the control's script says beside its target: `Page$2`."""
    match = _call_of(element)
    return match[2] if match else ""


def is_button(element: Element) -> bool:
    """Whether a press of it sends its form."""
    kind = (element.get("type") or "").lower()
    sends = kind in _BUTTONS if element.tag == "input" else element.tag == "button" and kind in ("", "submit")
    return sends and element.get("disabled") is None


def label_of(button: Element) -> str:
    return squeeze(button.get("value") or button.get("alt") or "") if button.tag == "input" else text_of(button)


def form_of(element: Element) -> Element | None:
    """The form that a control sends: the one around it."""
    return next(element.iterancestors("form"), None)


def _is_filled_in(form: Element) -> bool:
    """A person types into it: its buttons are no ways on. A form of Web Forms is the whole page, and not meant."""
    if form.xpath('.//input[@name="__VIEWSTATE"]'):
        return False
    typed = (
        field.tag == "textarea" or (field.get("type") or "text").lower() in _TYPED
        for field in form.iter("input", "textarea")
    )
    return any(typed)


_SEARCHES = re.compile(
    r"search|such|find|query|keyword|recherch|busca|cerca|zoek|szuk|hled|иска|поиск|検索|搜索|\b[qs]\b", re.I
)
"""In what a search form and its fields are called."""


def search_form(document: Document, words: str) -> Search | None:
    """The search form of a page, to be filled with the words; None where none of its forms looks like one."""
    best: tuple[int, Search | None] = 1, None
    for form in document.root.iter("form"):
        kinds = [(tag, (tag.get("type") or "text").lower()) for tag in form.iter("input")]
        boxes = [tag for tag, kind in kinds if kind in ("text", "search")]
        if any(kind == "password" for _, kind in kinds):
            continue
        about = _said(form, "role", "id", "class", "name", "action", "aria-label")
        for box in boxes:
            name = box.get("name") or ""
            if box.get("disabled") is not None or box.get("readonly") is not None or not css.quotable(name):
                continue
            own = _said(box, "type", "name", "id", "class", "placeholder", "aria-label", "title")
            score = 2 * bool(_SEARCHES.search(own)) + bool(_SEARCHES.search(about)) + (len(boxes) == 1)
            if score > best[0]:
                best = score, Search(document.url, f'form:has(input[name="{name}"])', name, words, _sends(form))
    return best[1]


def _said(element: Element, *names: str) -> str:
    return " ".join(element.get(name) or "" for name in names).replace("_", " ").replace("$", " ").replace("-", " ")


def _sends(form: Element) -> tuple[str, str]:
    """The button that a person would press, as it is sent: that which says that it searches, else the first."""
    buttons = [tag for tag in form.iter("button", "input") if is_button(tag) and tag.get("type") != "image"]
    said = [tag for tag in buttons if _SEARCHES.search(f"{label_of(tag)} {_said(tag, 'name', 'id')}")]
    button = next(iter([*said, *buttons]), None)
    name = button.get("name") if button is not None else ""
    return (name, button.get("value") or "") if button is not None and name else ("", "")


def filled(document: Document, search: Search) -> Submission | None:
    """The search form with the words in it; None where it leads to no page."""
    form = next(iter(css.select_all(document.root, search.selector)), None)
    if form is None:
        return None
    fields = fields_of(form) | {search.field: search.text}
    if search.button[0]:
        fields[search.button[0]] = search.button[1]
    return sent(document, form, fields)


def fields_of(form: Element) -> dict[str, str]:
    """What a browser sends with the form, but for its buttons."""
    fields: dict[str, str] = {}
    for tag in form.iter("input", "select", "textarea"):
        name, kind = tag.get("name"), (tag.get("type") or "text").lower()
        if not name or tag.get("disabled") is not None or (tag.tag == "input" and kind in _UNSENT):
            continue
        if tag.tag == "select":
            options = list(tag.iter("option"))
            chosen = [option for option in options if option.get("selected") is not None]
            chosen += options if tag.get("multiple") is None else []
            if chosen:
                fields[name] = chosen[0].get("value", "".join(map(str, chosen[0].itertext())).strip())
        elif tag.tag == "textarea":
            fields[name] = "".join(map(str, tag.itertext()))
        elif kind not in ("checkbox", "radio"):
            fields[name] = tag.get("value", "")
        elif tag.get("checked") is not None:
            fields[name] = tag.get("value", "on")
    return fields


def pressed(document: Document, control: Element) -> Submission | None:
    """What a control sends; None where no form is around it or its address is none."""
    form = form_of(control)
    if form is None and called(control):
        form = next(document.root.iter("form"), None)
    if form is None:
        return None
    fields = fields_of(form)
    if (match := _call_of(control)) is not None:
        fields |= {"__EVENTTARGET": match[1], "__EVENTARGUMENT": match[2]}
        return sent(document, form, fields, "POST")
    if name := control.get("name") or "":
        fields[name] = control.get("value") or ""
    return sent(document, form, fields)


def sent(document: Document, form: Element, fields: Mapping[str, str], method: str = "") -> Submission | None:
    """A form with these fields as it is sent; None where it leads to no page."""
    try:
        url = urljoin(document.base, (form.get("action") or "").strip()).partition("#")[0]
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https"):
        return None
    method = method or (form.get("method") or "get").upper()
    if method == "POST":
        return Submission("POST", url, dict(fields))
    asked = parts._replace(query=urlencode(list(fields.items()))).geturl()
    return Submission("GET", asked) if method == "GET" else None
