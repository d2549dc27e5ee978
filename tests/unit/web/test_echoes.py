"""Values that a site repeats, however it spells them."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from html import escape
from html.entities import codepoint2name
from time import process_time
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.web.echoes import Echoes
from tests import suite

VALUE = "ab'cd+ef&secret/tok=9 é\U0001f600"


async def in_pieces(echoes: Echoes, *pieces: bytes) -> bytes:
    async def chunks() -> AsyncGenerator[bytes]:
        for piece in pieces:
            yield piece

    return b"".join([piece async for piece in echoes.hidden(chunks())])


def lower_hex(text: str) -> str:
    return "".join(f"%{byte:02x}" if not chr(byte).isalnum() or byte > 127 else chr(byte) for byte in text.encode())


@pytest.mark.parametrize(
    "spelt",
    [
        VALUE,
        escape(VALUE),
        escape(VALUE).replace("&#x27;", "&#039;"),
        "".join(c if c.isascii() and c.isalnum() else f"&#x{ord(c):X};" for c in VALUE),
        quote(VALUE, safe=""),
        quote_plus(VALUE),
        lower_hex(VALUE),
        json.dumps(VALUE)[1:-1],
        json.dumps(VALUE)[1:-1].replace("'", "\\u0027").replace("+", "\\u002B").replace("&", "\\u0026"),
        VALUE.replace("/", "\\/").replace("'", "\\'"),
        VALUE.replace("'", "\\x27").replace("&", "\\x26"),
    ],
)
def test_spellings_in_use(spelt: str) -> None:
    found = Echoes([VALUE], b"salt").hide(f"<p>{spelt}</p>".encode())
    assert found.startswith(b"<p>veiled-")
    assert len(found) == len("<p>veiled-</p>") + 24


def test_a_header_in_latin_1() -> None:
    assert "veiled-" in Echoes(["pl4nt\xe9d-x"], b"salt").hide_text("a pl4nt\xe9d-x b")


def spell(data: st.DataObject, char: str, escaped: bool) -> str:
    """One of the spellings of a character."""
    if char.isascii() and char.isalnum():
        return char
    code = ord(char)
    zeros = "0" * data.draw(st.integers(0, 3))
    named = codepoint2name.get(code)
    forms = [
        quote(char, safe="") if char not in ".-_~" else f"%{code:02X}",
        quote(char, safe="").lower(),
        f"&#{zeros}{code};",
        f"&#x{zeros}{code:x};",
        f"&#X{zeros}{code:X};",
        *([f"&{named};"] if named else []),
        *(["+"] if char == " " else []),
        *(["\\" + char, json.dumps(char)[1:-1]] if escaped else []),
        *([f"\\u{code:04x}", f"\\u{code:04X}"] if escaped and code < 0x10000 else []),
        *([char] if char != "\\" or not escaped else []),
    ]
    return data.draw(st.sampled_from(forms))


@settings(max_examples=suite.examples(100))  # each makes a token, which is slow to make
@given(st.text("aZ9é\xffĀ€\U0001f600 <>&\"'/%+\\;#=._~-", min_size=8, max_size=20), st.booleans(), st.data())
async def test_no_spelling_of_a_value_is_shown(value: str, escaped: bool, data: st.DataObject) -> None:
    spelt = "".join(spell(data, char, escaped) for char in value).encode()
    echoes = Echoes([value], b"salt")
    body = b"<p>\n" + spelt + b"\n</p>"
    whole = echoes.hide(body)
    assert b"\nveiled-" in whole
    assert spelt not in whole
    cut = data.draw(st.integers(0, len(body)))
    assert await in_pieces(echoes, body[:cut], body[cut:]) == whole


def test_a_run_of_backslashes_takes_no_time() -> None:
    echoes = Echoes(["\\" * 60 + "x", "&amp;" * 60, "%25" * 60], b"salt")
    started = process_time()
    for unit in (b"\\", b"&amp;", b"amp;", b"%25", b"25"):
        echoes.hide(b"x" + unit * 500 + b"y" + b"%25&amp;amp;" * 100)
    assert process_time() - started < 2
