"""A model's reply: the program in it, as it streams and once it is whole."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args

from scrapewright.loop.ports import BadReply
from scrapewright.query.reading import FieldType, Format, Op
from scrapewright.session.sanitize import well_formed


def object_of(**properties: Any) -> dict[str, Any]:
    """An object as strict mode wants it: every key required, no others."""
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def text_of(description: str = "") -> dict[str, Any]:
    return {"type": "string", "description": description} if description else {"type": "string"}


def listed(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _or_null(kind: str) -> dict[str, Any]:
    return {"type": [kind, "null"]}


_REPAIR = object_of(
    diagnosis=text_of("What was wrong and what you changed, three sentences at most."),
    disputes=listed(
        object_of(
            finding={"type": "integer", "description": "The number of a finding that is mistaken."},
            reason=text_of("Why it is mistaken, one sentence."),
            evidence=text_of("What on the page or in the request shows it."),
        )
    ),
    program=text_of("The complete Python program."),
)
_READING = object_of(
    row_is=text_of("What one row is, in a word or two."),
    columns=listed(
        object_of(
            name=text_of("As it must be called in the output."),
            type={"type": "string", "enum": [*get_args(FieldType)]},
            format={"type": ["string", "null"], "description": "A strftime pattern, for dates and times alone."},
            note=text_of("The request's own words about the column, else empty."),
        )
    ),
    pages={"anyOf": [{"type": "string", "enum": ["unsaid", "first", "all"]}, {"type": "integer"}]},
    follow=_or_null("string"),
    filters=listed(
        object_of(
            text=text_of("The request's own words."),
            column=_or_null("string"),
            op={"type": "string", "enum": [*get_args(Op)]},
            value={"type": ["string", "number"]},
        )
    ),
    section=_or_null("string"),
    order=listed(object_of(column=text_of(), descending={"type": "boolean"})),
    limit=_or_null("integer"),
    distinct=listed(text_of()),
    single={"type": "boolean", "description": "One row about the page, not a list."},
    format={"type": "string", "enum": [*get_args(Format)]},
    doubtful=text_of("What the request leaves open, in one sentence; else empty."),
)


def reply_schema(first: bool) -> dict[str, Any]:
    """What a reply must hold: with the `first` program comes the reading of the request."""
    if not first:
        return _REPAIR
    return object_of(
        diagnosis=text_of("What you do, one sentence."), reading=_READING, program=text_of("The whole program.")
    )


_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[ \t]*([A-Za-z0-9_+-]*)[^\n]*\n", re.MULTILINE)
_THOUGHT = re.compile(
    r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|\A(?!\s*(?:\{|```|~~~)).*?^[ \t]*</think(?:ing)?>[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
"""What a reasoning model says to itself first; it may contain drafts of programs. Where its template opens the thought
the reply has the end alone."""
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_KEY = re.compile(r'"(?:program|code)"\s*:\s*"')
_KEY_AT_MOST = 64
"""Characters of a key with what is behind it."""
_OBJECT = re.compile(r"\s*\{")
_LIKE_CODE = re.compile(
    r"^[ \t]*(import [\w.]+[ \t]*(,|as\b|$)|from [\w.]+ import\b|(async )?def \w+[ \t]*\(|class \w+[ \t]*[:(]"
    r"|#!|@\w|(for|while|if|with|try)\b.*:$|[A-Za-z_][\w.]*[ \t]*(=(?!=)|\())",
    re.MULTILINE,
)


DISPUTES = 12
"""Contested findings that are read; more than that are not shown to the model."""


class Contested(NamedTuple):
    """A finding that the model holds to be mistaken, by its number in the prompt."""

    finding: int
    reason: str
    evidence: str = ""


@dataclass(frozen=True)
class Reply:
    """What a reply says: a whole program, the model's own account of it, its reading of the request as it came (None
    where there is none), and what it contests."""

    program: str
    diagnosis: str = ""
    reading: Any = field(default=None, compare=False)
    disputes: tuple[Contested, ...] = ()


def read_reply(text: str, *, finish: str = "stop", refusal: str = "", last: bool = False) -> Reply:
    """The program in a whole reply, JSON or prose with a fenced block: the longest of several, or the `last`.

    Raises BadReply where it was refused, cut off, is empty or holds no program.
    """
    text = whole_reply(text, finish=finish, refusal=refusal)
    reply = _from_json(text) or _from_fence(text, last=last) or _from_json(_object_with_program(text))
    if reply is None or not reply.program.strip():
        raise BadReply(f"the reply holds no program: {' '.join(text.split())[:200]}")
    return reply


def whole_reply(text: str, *, finish: str = "stop", refusal: str = "") -> str:
    """A reply without a reasoning model's thoughts. Raises BadReply where it was refused, cut off or is empty."""
    if refusal:
        raise BadReply(f"the model refused: {refusal[:300]}")
    if finish == "content_filter":
        raise BadReply("the provider's content filter held the reply back")
    if finish == "length":
        raise BadReply("the reply was cut off at the model's limit")
    text = _THOUGHT.sub("", text)
    if finish == "tool_calls" and not text.strip():
        raise BadReply("the model called a tool, and there are none")
    if not text.strip():
        raise BadReply("the reply was empty")
    return text


def json_object(text: str) -> dict[str, Any] | None:
    """The JSON object that a reply is, fenced or not, mended where it is nearly one; None where there is none.

    Raises BadReply where it was cut off.
    """
    stripped = _unfenced_json(text.strip())
    if not stripped.startswith("{"):
        return None
    try:
        data = json.loads(stripped, strict=False)
    except RecursionError:
        return None
    except ValueError as error:
        if str(error).startswith("Extra data"):  # prose behind it is common
            return _first_object(stripped)
        if str(error).startswith("Unterminated string"):  # a lost brace can be put back, a lost line of code can't
            raise BadReply("the reply was cut off") from error
        import json_repair

        try:
            data = json_repair.loads(stripped)
        except (ValueError, RecursionError):  # nested too deep
            return None
    return data if isinstance(data, dict) else None


def _first_object(text: str) -> dict[str, Any]:
    """The object that a text begins with."""
    found: dict[str, Any] = json.JSONDecoder(strict=False).raw_decode(text)[0]
    return found


def _object_with_program(text: str) -> str:
    """From the object on that a reply has behind its prose, empty where it has none."""
    found = _KEY.search(text)
    start = text.find("{", 0, found.start()) if found else -1
    return text[start:] if start > 0 else ""


def _from_json(text: str) -> Reply | None:
    data = json_object(text)
    if data is None:
        return None
    fields = [data.get("program", data.get("code")), data.get("diagnosis")]
    program, diagnosis = [well_formed(text) if isinstance(text, str) else "" for text in fields]
    disputes = _disputes(data.get("disputes"))
    for text in (program, diagnosis):  # a fence inside a string is common, also in the wrong one of the two
        if inner := _from_fence(text):
            said = inner.diagnosis if text is diagnosis else diagnosis
            return Reply(inner.program, said, data.get("reading"), disputes)
    return Reply(program, diagnosis, data.get("reading"), disputes) if _LIKE_CODE.search(program) else None


def _disputes(raw: Any) -> tuple[Contested, ...]:
    """Those that name a finding and give a reason; whatever else a model wrote there is none."""
    found: list[Contested] = []
    for item in raw if isinstance(raw, list) else []:
        number, reason, evidence = map(item.get, Contested._fields) if isinstance(item, dict) else (None, None, None)
        if type(number) is int and isinstance(reason, str) and reason.strip():
            found.append(Contested(number, reason.strip(), evidence.strip() if isinstance(evidence, str) else ""))
    return tuple(found[:DISPUTES])


def _unfenced_json(text: str) -> str:
    opening = _FENCE.match(text)
    if opening and opening[2].lower() in {"json", ""}:
        body = text[opening.end() :]
        if body.lstrip().startswith("{"):
            return body[: body.rfind("}") + 1].strip()
    return text


def _from_fence(text: str, *, last: bool = False) -> Reply | None:
    reply = in_fences(text, last=last)
    if not reply.program and "```" not in text and not text.lstrip().startswith("{") and _LIKE_CODE.match(text):
        return Reply(text)
    return reply if reply.program else None


def in_fences(text: str, *, last: bool = False) -> Reply:
    """The longest fenced block that looks like Python, or the `last`, empty where there is none; prose before the
    first fence is the diagnosis, a block of JSON with columns in it the reading, and one with disputes in it says what
    is contested."""
    program = ""
    reading: Any = None
    disputes: tuple[Contested, ...] = ()
    position, prose = 0, len(text)
    while opening := _FENCE.search(text, position):
        closing = re.compile(rf"^[ \t]*{re.escape(opening[1])}[ \t]*$", re.MULTILINE).search(text, opening.end())
        end = closing.start() if closing else len(text)
        body = text[opening.end() : end]
        prose = min(prose, opening.start())
        data = _object_in(body) if opening[2].lower() in {"json", ""} else {}
        reading = reading or _reading_in(data)
        disputes = disputes or _disputes(data.get("disputes"))
        python = opening[2].lower() in {"python", "py", "python3", ""}
        if python and _LIKE_CODE.search(body) and (last or len(body) > len(program)):
            program = body
        position = closing.end() if closing else len(text)
    return Reply(program, " ".join(text[:prose].split())[:600], reading, disputes)


def _object_in(body: str) -> dict[str, Any]:
    """The JSON object, empty where it is none."""
    try:
        data = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _reading_in(data: dict[str, Any]) -> Any:
    found = data.get("reading", data)
    return found if isinstance(found, dict) and "columns" in found else None


class ProgramStream:
    """Picks the program out of a reply while it comes in: from the JSON's string, or from the fenced block."""

    def __init__(self) -> None:
        self._text = ""
        self._at = self._looked = self._line = 0
        self._mode = ""
        self._fence = ""
        self._done = False

    def feed(self, piece: str) -> str:
        """The part of the program that became readable with this piece."""
        self._text += piece
        if self._done:
            return ""
        if not self._mode and not self._find_start():
            return ""
        return self._json() if self._mode == "json" else self._fenced()

    def _find_start(self) -> bool:
        """Goes through what is new alone: a model may think for long before it begins."""
        whole = bool(_OBJECT.match(self._text))
        found = _KEY.search(self._text, self._looked)
        if found and (whole or "program" in found[0]):
            self._mode, self._at = "json", found.end()
        elif not whole and (found := self._code_fence()):
            self._mode, self._fence, self._at = "fence", found[1], found.end()
        self._looked = max(0, len(self._text) - _KEY_AT_MOST)
        return bool(self._mode)

    def _code_fence(self) -> re.Match[str] | None:
        """The fence that opens the program. A closed block of JSON before it, the reading, is passed over."""
        while (found := _FENCE.search(self._text, self._line)) and found[2].lower() == "json":
            closing = re.compile(rf"^[ \t]*{re.escape(found[1])}[ \t]*\n", re.MULTILINE).search(self._text, found.end())
            if closing is None:
                return None
            self._line = closing.end()
        if found is None:
            self._line = self._text.rfind("\n") + 1
        return found

    def _json(self) -> str:
        out: list[str] = []
        text, at = self._text, self._at
        while at < len(text):
            char = text[at]
            if char == '"':
                self._done = True
                break
            if char != "\\":
                out.append(char)
                at += 1
                continue
            if at + 1 >= len(text):
                break
            code = text[at + 1]
            if code != "u":
                out.append(_ESCAPES.get(code, code))
                at += 2
                continue
            taken = self._unicode(text, at)
            if taken is None:
                break
            out.append(taken[0])
            at = taken[1]
        self._at = at
        return "".join(out)

    @staticmethod
    def _unicode(text: str, at: int) -> tuple[str, int] | None:
        """The character of the escape at `at` and where it ends; None while it is not all there."""
        if at + 6 > len(text):
            return None
        try:
            number = int(text[at + 2 : at + 6], 16)
        except ValueError:
            return "\ufffd", at + 2
        if not 0xD800 <= number < 0xDC00:
            return chr(number), at + 6
        if text[at + 6 : at + 8] != "\\u"[: len(text) - at - 6][:2]:
            return "\ufffd", at + 6
        if at + 12 > len(text):
            return None
        low = int(text[at + 8 : at + 12], 16)
        return chr(0x10000 + ((number - 0xD800) << 10) + (low - 0xDC00)), at + 12

    def _fenced(self) -> str:
        """Whole lines only, so that the closing fence is never shown as code."""
        out: list[str] = []
        while (end := self._text.find("\n", self._at)) >= 0:
            line = self._text[self._at : end + 1]
            self._at = end + 1
            if line.strip() == self._fence:
                self._done = True
                break
            out.append(line)
        return "".join(out)
