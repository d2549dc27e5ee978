"""Programs out of replies, whole and while they stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.loop.ports import BadReply
from scrapewright.programmers.model.reply import Contested, ProgramStream, read_reply, reply_schema
from tests.json_values import json_values

PROGRAM = "import requests\nprint('é \\u00a3 \"q\"', '\\n')\n"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"diagnosis": "d", "program": PROGRAM}),
        json.dumps({"program": PROGRAM, "diagnosis": "d"}, ensure_ascii=False, indent=2),
        "```json\n" + json.dumps({"diagnosis": "d", "program": PROGRAM}) + "\n```",
        json.dumps({"diagnosis": "d", "program": "```python\n" + PROGRAM + "```"}),
        json.dumps({"diagnosis": "d\n```python\n" + PROGRAM + "```", "program": "The program above is mended."}),
        "d\n\n```python\n" + PROGRAM + "```\nThat is it.",
        "It printed:\n```\n" + "words of the page, as many as there are\n" * 9 + "```\n```python\n" + PROGRAM + "```",
        "d\n```py\nx = 1\n```\nand whole:\n```python\n" + PROGRAM + "```",
        "~~~python\n" + PROGRAM + "~~~",
        "<think>\nA draft:\n```python\n" + PROGRAM + "x = 1\n```\n</think>\n\n" + json.dumps({"program": PROGRAM}),
        "<think>Well.</think>d\n```python\n" + PROGRAM + "```",
        "```\n" + PROGRAM,
        PROGRAM,
    ],
)
def test_the_program_is_found(text: str) -> None:
    assert read_reply(text).program.strip() == PROGRAM.strip()


WHOLE = json.dumps({"diagnosis": "d", "program": "import requests\n"})
DRAFT = "A draft:\n```python\nimport requests\nprint('a long one, that is no good')\n```\nNo.\n</think>\n\n"


@pytest.mark.parametrize(
    "text",
    [
        f"Here it is:\n\n```json\n{WHOLE}\n```\nThat {{works}}.",
        f"```json\n{WHOLE}\n```\nThat {{works}}.",
        f"Sure! {WHOLE}",
        f"{WHOLE}\n\nThat {{works}}.",
        DRAFT + WHOLE,
        f"{DRAFT}```python\nimport requests\n```",
    ],
)
def test_what_is_said_around_a_program_is_left_aside(text: str) -> None:
    assert read_reply(text).program.strip() == "import requests"


def test_half_a_character_does_not_spoil_a_program() -> None:
    assert read_reply('{"program": "x = 1  # \\ud83d"}').program == "x = 1  # \ufffd"


def test_a_program_may_speak_of_thoughts() -> None:
    program = 'import re\nEND = """\n</think>\n"""\n'
    assert read_reply(f"```python\n{program}```").program == program
    assert read_reply(json.dumps({"program": program})).program == program


def test_long_thoughts_are_looked_through_once() -> None:
    stream = ProgramStream()
    for _ in range(20_000):
        assert stream.feed("hm, a\nb") == ""
        assert len(stream._text) - stream._looked <= 71
    assert stream.feed("\n```python\nimport requests\n") == "import requests\n"


def test_json_with_real_newlines_and_a_lost_brace_is_mended() -> None:
    broken = '{"diagnosis": "d", "program": "import requests\nprint(1)\n"'
    assert read_reply(broken).program.strip() == "import requests\nprint(1)"


@pytest.mark.parametrize(
    ("text", "finish", "refusal", "says"),
    [
        ("", "stop", "", "empty"),
        ("   \n", "stop", "", "empty"),
        ("I can't help with that.", "stop", "", "holds no program"),
        ('{"diagnosis": "x"}', "stop", "", "holds no program"),
        ('{"diagnosis": "x", "program": ""}', "stop", "", "holds no program"),
        ('{"diagnosis": "x", "program": "The corrected program checks for it."}', "stop", "", "holds no program"),
        ("```\nfrom the page it took\nwhat it could\n```", "stop", "", "holds no program"),
        ('{"diagnosis": "x", "program": "import re', "length", "", "cut off"),
        ('{"diagnosis": "x", "program": "import re\\nprint(', "stop", "", "cut off"),
        ("<think>x = 1\n```python\nx = 1\n```", "stop", "", "empty"),
        ("", "stop", "not allowed", "refused: not allowed"),
        ("x", "content_filter", "", "content filter"),
    ],
)
def test_a_reply_that_is_no_program_is_a_failure(text: str, finish: str, refusal: str, says: str) -> None:
    with pytest.raises(BadReply, match=says):
        read_reply(text, finish=finish, refusal=refusal)


pieces = st.lists(st.integers(1, 40), min_size=1, max_size=30)


def cut(text: str, sizes: list[int]) -> list[str]:
    out, at = [], 0
    while at < len(text):
        step = sizes[len(out) % len(sizes)]
        out.append(text[at : at + step])
        at += step
    return out


@given(st.text(min_size=1), pieces, st.booleans())
def test_json_streams_as_it_reads_however_it_is_cut(program: str, sizes: list[int], ascii_only: bool) -> None:
    text = json.dumps({"diagnosis": "why", "program": program}, ensure_ascii=ascii_only)
    stream = ProgramStream()
    shown = "".join(stream.feed(piece) for piece in cut(text, sizes))
    assert shown == json.loads(text)["program"].encode("utf-16", "surrogatepass").decode("utf-16", "replace")


lines = st.lists(st.text(st.characters(exclude_characters="`~\n\r", exclude_categories=["Cs"])), max_size=8)


@given(lines, pieces)
def test_a_fenced_block_streams_without_its_fence(code: list[str], sizes: list[int]) -> None:
    program = "".join(line + "\n" for line in code)
    stream = ProgramStream()
    text = f"Here it is:\n```python\n{program}```\nbye\n"
    assert "".join(stream.feed(piece) for piece in cut(text, sizes)) == program


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    stream = ProgramStream()
    stream.feed(text)
    try:
        assert read_reply(text).program.strip()
    except BadReply:
        pass


READING = {"columns": [{"name": "title", "type": "text"}], "pages": "all"}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"diagnosis": "d", "reading": READING, "program": "print(1)\n"}),
        f"d\n```json\n{json.dumps(READING, indent=1)}\n```\nand\n```python\nprint(1)\n```\n",
        f"d\n```json\n{json.dumps({'reading': READING})}\n```\n```python\nprint(1)\n```\n",
    ],
)
def test_the_reading_comes_beside_the_program(text: str) -> None:
    reply = read_reply(text)
    assert (reply.program, reply.diagnosis, reply.reading) == ("print(1)\n", "d", READING)
    stream = ProgramStream()
    assert "".join(stream.feed(char) for char in text).rstrip("\n") == "print(1)"


@pytest.mark.parametrize("reading", ["{'columns'", "[]", "3", '{"colums": []}'])
def test_a_reading_that_is_none_leaves_the_program(reading: str) -> None:
    reply = read_reply(f"d\n```json\n{reading}\n```\n```python\nprint(1)\n```\n")
    assert (reply.program, reply.reading) == ("print(1)\n", None)


DISPUTES = [{"finding": 2, "reason": "the page says so", "evidence": "“sold out”"}]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"diagnosis": "d", "disputes": DISPUTES, "program": "print(1)\n"}),
        json.dumps({"diagnosis": "d", "disputes": DISPUTES, "program": "```python\nprint(1)\n```"}),
        "```json\n" + json.dumps({"diagnosis": "d", "disputes": DISPUTES, "program": "print(1)\n"}) + "\n```",
        f"d\n```json\n{json.dumps({'disputes': DISPUTES})}\n```\n```python\nprint(1)\n```\n",
        f"d\n```python\nprint(1)\n```\n```json\n{json.dumps({'disputes': DISPUTES})}\n```\n",
    ],
)
def test_disputes_come_beside_the_program(text: str) -> None:
    reply = read_reply(text)
    assert (reply.program.strip(), reply.diagnosis) == ("print(1)", "d")
    assert reply.disputes == (Contested(2, "the page says so", "“sold out”"),)


JSON = json_values(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 30), st.text(max_size=5)),
    st.sampled_from(["finding", "reason", "evidence", "x"]),
)


@given(JSON)
def test_disputes_that_are_none_leave_the_program(raw: Any) -> None:
    whole = read_reply(json.dumps({"diagnosis": "d", "disputes": raw, "program": "print(1)\n"}))
    fenced = read_reply(f"d\n```json\n{json.dumps({'disputes': raw})}\n```\n```python\nprint(1)\n```\n")
    assert whole.program == fenced.program == "print(1)\n"
    assert whole.disputes == fenced.disputes
    for one in whole.disputes:
        assert {"finding": one.finding} in [{"finding": item.get("finding")} for item in raw if isinstance(item, dict)]
        assert one.reason.strip()


def test_the_schema_of_a_repair_is_strict_and_asks_for_disputes() -> None:
    schema = reply_schema(first=False)
    item = schema["properties"]["disputes"]["items"]
    assert schema["required"] == ["diagnosis", "disputes", "program"]
    assert item["required"] == ["finding", "reason", "evidence"]
    assert schema["additionalProperties"] is item["additionalProperties"] is False
    assert "disputes" not in reply_schema(first=True)["properties"]


def test_the_schema_of_the_first_reply_is_strict() -> None:
    def objects(schema: Any) -> Iterator[dict[str, Any]]:
        if isinstance(schema, dict):
            if schema.get("type") == "object":
                yield schema
            for inner in schema.values():
                yield from objects(inner)
        elif isinstance(schema, list):
            for inner in schema:
                yield from objects(inner)

    found = list(objects(reply_schema(first=True)))
    assert len(found) == 5
    assert all(one["required"] == [*one["properties"]] and one["additionalProperties"] is False for one in found)
    assert "reading" not in reply_schema(first=False)["properties"]


@pytest.mark.parametrize("text", ['{"program": ' * 3_000, "{" + "[" * 3_000 + "}"], ids=["objects", "lists"])
def test_json_that_is_nested_too_deep_is_no_program(text: str) -> None:
    with pytest.raises(BadReply):
        read_reply(text)
