"""The only way of text from outside to a terminal.

Pages, program output, tracebacks and model replies may hold escape sequences (which retitle the terminal or write the
clipboard), bidirectional overrides (which show code in another order than it runs) and lone surrogates.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

_SEQUENCE = re.compile(
    r"""
    \x1b \[ [0-?]* [ -/]* [@-~]?                 # CSI, also one that was cut off
  | \x9b [0-?]* [ -/]* [@-~]?
  | (?: \x1b [\]PX^_] | [\x9d\x90\x98\x9e\x9f] )  # OSC, DCS, SOS, PM, APC: to their end, or the line's
    [^\x07\x1b\x9c\n]* (?: \x07 | \x1b\\ | \x9c )?
  | \x1b [ -/]* [0-~]?                           # the other escapes
    """,
    re.VERBOSE,
)
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and newline, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional marks, embeddings, overrides, isolates
    "\ufeff\ufff9-\ufffb\u2028\u2029]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_LOOKED_AT = 50
"""Characters for each that one line may show: folding and removing leave enough of nearly any text."""


def sanitize(text: str) -> str:
    """The text without anything a terminal would obey. Newlines and tabs stay; CR LF becomes LF; same for same."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    text = _SEQUENCE.sub("", text)
    text = _CONTROL.sub("", text)
    return _SURROGATE.sub("\ufffd", text)


def one_line(text: str, width: int = 200) -> str:
    """Sanitized, white space folded, cut to `width` characters with an ellipsis. Of a text that is many times as long
    only the beginning is looked at."""
    looked_at = text[: _LOOKED_AT * width]
    folded = " ".join(sanitize(looked_at).split())
    return folded if len(folded) <= width and len(looked_at) == len(text) else folded[: width - 1] + "…"


def to_json(value: Any) -> bytes:
    """As JSON; a lone surrogate, which UTF-8 has no bytes for, becomes a replacement character."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(well_formed(msgspec.to_builtins(value)))


def well_formed(value: Any) -> Any:
    """A JSON value whose texts, keys included, can all be encoded: a lone surrogate becomes a replacement character."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {well_formed(key): well_formed(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [well_formed(item) for item in value]
    return value
