"""Forms as ways to other pages: what they send, and which of their controls lead on."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.programmers.rules.helpers import HELPERS
from scrapewright.query.reading import Reading
from scrapewright.survey import submissions
from scrapewright.survey.decode import parse
from scrapewright.survey.digest import digest
from scrapewright.survey.model import NextPage, Search, Survey, SurveyedPage
from scrapewright.survey.paging import control_pressed, detect
from tests.unit.survey.helpers import page, products, shell


def found(inner: str) -> NextPage:
    return detect(parse(page(shell(products(4) + inner))))


def postback(text: str, target: str, argument: str, attribute: str = "href") -> str:
    said = f"javascript:__doPostBack('{target}','{argument}')"
    return f'<a {attribute}="{said}"{"" if attribute == "href" else " href=#"}>{text}</a>'


STATE = '<input type=hidden name=__VIEWSTATE value=x1><input name=who value="a&amp;b">'


@pytest.mark.parametrize(
    ("pager", "step"),
    [
        (
            f"<table><tr><td><span>1</span><td>{postback('2', 'g', 'Page$2')}"
            f"<td>{postback('...', 'g', 'Page$3')}</table>",
            NextPage("form", 'a[href*="Page$"]', "2", "http://shop.test/go", script="href", numbered=True, last=2),
        ),
        (
            f"<div class=pager>{postback('Next', 'p$n', '', 'onclick')}</div>",
            NextPage(
                "form", 'div.pager a:-soup-contains-own("Next")', "Next", "http://shop.test/go", script="onclick"
            ),
        ),
        (
            '<div class=pager><input type=submit name="p$n" value="Next page"></div>',
            NextPage("form", 'input[name="p$n"]', "Next page", "http://shop.test/go"),
        ),
        (
            "<div class=pager>" + postback("Next", "g", "Page$Next").replace(
                "javascript:__doPostBack('g','Page$Next')",
                "javascript:WebForm_DoPostBackWithOptions(new WebForm_PostBackOptions(&quot;g&quot;, "
                "&quot;Page$Next&quot;, 1))",
            ) + "</div>",
            NextPage("form", 'div.pager a:-soup-contains-own("Next")', "Next", "http://shop.test/go", script="href"),
        ),
    ],
)  # fmt: skip
def test_a_control_that_leads_on_is_found(pager: str, step: NextPage) -> None:
    inner = f"<form method=post action=go>{STATE}{pager}</form>"
    assert found(inner) == step
    form = control_pressed(parse(page(shell(products(4) + inner))), step)
    assert form is not None
    assert (form.method, form.url) == ("POST", "http://shop.test/go")
    assert form.fields["__VIEWSTATE"] == "x1"
    assert form.fields["who"] == "a&b"
    if step.script:
        assert {"__EVENTTARGET", "__EVENTARGUMENT"} <= form.fields.keys()
    else:
        assert form.fields["p$n"] == "Next page"


@pytest.mark.parametrize(
    "inner",
    [
        # a form to be filled in, a calendar, a list of slides, a form that sends elsewhere than over the web
        "<form method=post action=/join><input name=mail><button>Next</button></form>",
        f"<form method=post>{STATE}<table><tr><td><b>1</b><td>{postback('2', 'cal', '8766')}</table></form>",
        "<form method=post><div class=carousel><button class=next>Next</button></div></form>",
        "<form method=post action='mailto:a@b.test'><div class=pager><button class=next>Next</button></div></form>",
        "<form method=post><div class=pager><button class=next disabled>Next</button></div></form>",
        f"<div class=pager>{postback('Previous', 'p$b', '')}</div>",
    ],
)
def test_other_forms_lead_nowhere(inner: str) -> None:
    assert found(inner).how == "none"


def test_a_link_goes_before_a_form() -> None:
    pager = f"<form method=post>{STATE}<div class=pager>{postback('Next', 'p', '')}</div></form>"
    assert found(f'{pager}<div class=pager><a href="/list?page=2">Next</a></div>').url == "http://shop.test/list?page=2"


def test_a_form_that_is_sent_by_get_counts_a_parameter() -> None:
    step = found("<form><input type=hidden name=page value=2><div class=pager><button>Next</button></div></form>")
    assert (step.how, step.param, step.url) == ("param", "page", "http://shop.test/list?page=2")


texts = st.text("ab<&\"' é\n", max_size=5)


@st.composite
def fields(draw: Any) -> str:
    name = draw(st.sampled_from(["", "a", "b$c", "d"]))
    kinds = ["text", "hidden", "checkbox", "radio", "submit", "image", "FILE", "search", ""]
    value = draw(texts).replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    more = draw(st.sampled_from(["", " checked", " disabled", f' value="{value}"', f' checked value="{value}"']))
    tag = draw(st.sampled_from(["input", "input", "select", "textarea"]))
    if tag == "input":
        return f'<input type="{draw(st.sampled_from(kinds))}" name="{name}"{more}>'
    if tag == "textarea":
        return f'<textarea name="{name}"{more}>{value}</textarea>'
    multiple = draw(st.sampled_from(["", " multiple"]))
    options = draw(st.lists(st.sampled_from(["<option>x</option>", "<option value=1 selected>y", "<option value>z"])))
    return f'<select name="{name}"{multiple}{more}>{"".join(options)}</select>'


@given(st.lists(fields(), max_size=6))
def test_a_program_sends_what_the_survey_sends(parts: list[str]) -> None:
    """So that the pages which the survey has posted for are found on the tape."""
    body = f"<html><body><form method=post>{''.join(parts)}</form></body></html>"
    scope: dict[str, Any] = {}
    exec(HELPERS["form_fields"], scope)
    there = submissions.fields_of(next(parse(page(body)).root.iter("form")))
    assert list(scope["form_fields"](BeautifulSoup(body, "lxml").form).items()) == list(there.items())


@pytest.mark.parametrize(
    ("form", "field", "sent"),
    [
        ("<form action=/f><input type=search name=s></form>", "s", "http://shop.test/f?s=a+b"),
        (
            '<form method=post><input name="ctl00$Search"><input name=x value=1><input type=submit name=Go value=Find>'
            "<input type=submit name=Out value=Out></form>",
            "ctl00$Search",
            {"ctl00$Search": "a b", "x": "1", "Go": "Find"},
        ),
        ("<form><input name=user><input type=password name=search></form>", "", ""),
        ("<form class=newsletter><input type=email name=mail></form>", "", ""),
        ("<form role=search><input type=search name=q disabled></form>", "", ""),
        ("<form id=search action='mailto:a@b.test'><input name=q></form>", "q", None),
    ],
)
def test_a_search_form_is_found_and_filled(form: str, field: str, sent: Any) -> None:
    document = parse(page(shell(f"<form><input name=zip><input name=city></form>{form}")))
    search = submissions.search_form(document, "a b")
    assert (search.field if search is not None else "") == field
    if search is not None:
        made = submissions.filled(document, search)
        assert (None if made is None else made.fields or made.url) == sent


def test_a_model_is_shown_how_forms_are_sent() -> None:
    search = Search("http://shop.test/", "form#s", "q", "lamp", ("go", "Find"))
    onward = NextPage("form", 'a[href*="Page$"]', "2", "http://shop.test/go", script="href", numbered=True)
    seen = SurveyedPage("http://shop.test/go#POST:0", 200, "text/html")
    words = digest(Survey((seen,), next=onward, search=search), Reading(search="lamp"), 1_000)
    assert (
        "REACHED BY POST of the form 'form#s' on http://shop.test/: its fields, hidden ones too and its button" in words
    )
    assert "with 'q'='lamp'" in words
    assert "__doPostBack in href: __EVENTTARGET, __EVENTARGUMENT" in words
