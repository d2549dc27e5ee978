"""What the panes say, as lines of spans: columns are below each other in cells, and what is said is so."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from scrapewright.exports.table import read_table
from scrapewright.session.attempt import AttemptState
from scrapewright.session.result import ExceptionInfo, Frame, RunResult, Step
from scrapewright.session.spending import Spent
from scrapewright.session.state import Session
from scrapewright.session.verdict import Dispute, Finding, Verdict
from scrapewright.tui.view.attempts import attempt_header, attempt_lines
from scrapewright.tui.view.code import diff, landing, main_change, row_of, source_lines
from scrapewright.tui.view.notes import story
from scrapewright.tui.view.output import LEAST, Sheet, checks, sheet
from scrapewright.tui.view.pretty_json import pretty
from scrapewright.tui.view.spans import Spans
from scrapewright.tui.view.steps import step_lines
from scrapewright.tui.view.trace import frame_list
from scrapewright.tui.view.units import clock, compact, took
from scrapewright.tui.widgets.detail import wrapped

LINK = "https://shop.example/catalogue/lamps/a-lamp-with-a-long-name-{}/index.html"


def text(line: Spans) -> str:
    return "".join(part for part, _ in line)


def column_of(line: Spans, word: str) -> int:
    """The cell in which the word begins."""
    return cell_len(text(line).partition(word)[0])


def laid(*rows: dict[str, object], room: int = 0) -> Sheet:
    table = read_table("rows.json", json.dumps(rows).encode(), limit=100, kinds=True)
    assert table is not None
    return sheet(table, room)


# The checks.


JUDGED = Verdict(
    False, 0.54, (
        Finding("low-coverage", "price is empty in 3 of 6 rows, though the pages have one there", "price", (1, 2, 3)),
        Finding("wrong-order", "the rows are not sorted", "title", source="grammar"),
        Finding("undecided", "which is site?", "site", severity="doubt", source="grammar"),
    ), 6, pages=2, probability=0.2561, checked=("6 of 6 rows against their records on 2 pages", "the order"),
    unchecked=("whether site could be another text of the record: the page has no such name",),
)  # fmt: skip


@pytest.mark.parametrize("width", [30, 48, 78, 110])
def test_the_checks_say_how_likely_the_rows_are_right_and_what_that_rests_on(width: int) -> None:
    lines = checks(AttemptState(id=1, author="rules", verdict=JUDGED), width)
    shown = [text(line.spans) for line in lines]
    assert all(cell_len(line) < width for line in shown[1:] if width > 30)
    assert shown[0] == "falls short  25 % likely right, 6 rows, 2 pages"
    of = [
        " ".join(" ".join(t for t, line in zip(shown, lines, strict=True) if line.finding == n).split())
        for n in range(3)
    ]
    assert of == [
        "✖ price is empty in 3 of 6 rows, though the pages have one there column price · rows 2, 3, 4",
        "✖ the rows are not sorted column title · by the request as read by the grammar",
        "? which is site? column site",
    ]
    last = " ".join(" ".join(t for t, line in zip(shown[1:], lines[1:], strict=True) if line.finding < 0).split())
    assert last == (
        "checked: 6 of 6 rows against their records on 2 pages; the order not checked: whether site could be "
        "another text of the record: the page has no such name"
    )


def test_a_verdict_of_an_older_session_says_its_score() -> None:
    lines = checks(AttemptState(id=1, author="rules", verdict=Verdict(True, 1.0, rows=1, pages=1)), 60)
    assert [text(line.spans) for line in lines] == ["right  1 row, 1 page, score 1.00", "nothing was found wrong"]


# The table.


def test_cells_that_hold_nothing_are_seen_and_counted() -> None:
    shown = laid({"a": "x", "b": 1}, {"a": "  ", "b": None}, {"a": None, "b": 3})
    assert text(shown.kinds).split() == ["text", "2∅", "int", "1∅"]
    assert [text(line).split() for line in shown.lines] == [["1", "x", "1"], ["2", "∅", "∅"], ["3", "∅", "3"]]
    assert [style for part, style in shown.lines[1] if "∅" in part] == ["$text-quiet", "$text-quiet"]


def test_the_points_of_numbers_are_below_each_other() -> None:
    shown = laid({"price": 7.61}, {"price": 14.0}, {"price": 1234}, {"price": None})
    points = [text(line).rstrip().rfind(".") for line in shown.lines[:2]]
    assert points[0] == points[1]
    assert [text(line)[: points[0]].split()[-1] for line in shown.lines] == ["7", "14", "1234", "∅"]


def test_links_that_are_cut_are_distinguished() -> None:
    shown = laid({"url": LINK.format("one")}, {"url": LINK.format("two")})
    first, second = (text(line) for line in shown.lines)
    assert "…" in first
    assert "name-one/" in first
    assert "name-two/" in second


WIDE = {"title": "A very long title of a lamp that hangs low", "price": 1234567.5, "url": LINK.format("one")}


def test_texts_and_links_give_way_where_that_brings_all_columns_into_view() -> None:
    shown = laid(WIDE, room=54)
    assert cell_len(text(shown.lines[0]).rstrip()) <= 54
    assert text(shown.names).split() == ["title", "price", "url"]
    assert "A very long" in text(shown.lines[0])
    assert "1234567.5" in text(shown.lines[0])


@given(st.integers(0, 140))
def test_columns_are_cut_only_where_that_makes_them_fit(room: int) -> None:
    natural, shown = laid(WIDE), laid(WIDE, room=room)
    widths = [cell_len(part) for part, _ in shown.lines[0]]
    fits = cell_len(text(shown.lines[0])) - 2 <= room
    assert fits or widths == [cell_len(part) for part, _ in natural.lines[0]]
    assert fits or room < 3 + 2 * LEAST + len("1234567.5") + 4


def test_a_line_break_in_a_value_is_seen() -> None:
    assert text(laid({"title": "\n  Blue mug\r\n"}).lines[0]).rstrip() == "1 ↵ Blue mug ↵"


def test_columns_are_below_each_other_whatever_is_in_them() -> None:
    shown = laid({"名前": "日本の行灯", "n": 1}, {"名前": "I \u2764\ufe0f it", "n": 22}, {"名前": "x", "n": None})
    ends = {cell_len(text(line).rstrip()) for line in [shown.names, *shown.lines]}
    assert len(ends) == 1, "the numbers at the right"


def test_a_very_long_value_is_not_read_to_its_end_for_a_cell() -> None:
    shown = laid({"a": "x" * 900_000})
    assert cell_len(text(shown.lines[0])) < 60


# A value as a whole.


@pytest.mark.parametrize("name", ["price", "値段", "\u2764\ufe0f\u2764\ufe0f", "n" * 40])
def test_names_of_any_width_leave_the_values_in_one_column(name: str) -> None:
    lines = wrapped([(name, "value one " * 20), ("b", "value")], 40)
    assert {column_of(line, "value") for line in (lines[0], lines[-1])} == {cell_len(lines[1][0][0])}
    assert max(cell_len(text(line)) for line in lines) <= 40


def test_a_long_value_hides_none_of_those_after_it() -> None:
    lines = [text(line) for line in wrapped([("body", "x" * 1_000_000), ("price", "7.61")], 80)]
    assert lines[-1] == "price  7.61"
    assert sum(line.count("x") for line in lines) + 967_232 == 1_000_000
    assert "… 967,232 more characters" in lines[-2]


def test_a_value_that_holds_nothing_is_seen() -> None:
    assert [text(line) for line in wrapped([("a", ""), ("b", "x")], 40)] == ["a  ∅", "b  x"]


# The checks.


def test_both_sides_of_a_contested_finding_are_seen() -> None:
    findings = (
        Finding("empty-column", "the column price is empty", column="price"),
        Finding("empty-column", "the column name is empty", column="name"),
    )
    mine = Dispute("empty-column", "price", "no record of the list has a price", "“on request”")
    verdict = Verdict(False, 0.5, findings, 3, disputes=(mine,))
    lines = checks(AttemptState(id=1, author="model", verdict=verdict), 40)
    assert [(text(line.spans), line.finding) for line in lines[1:]] == [
        ("✖ the column price is empty", 0),
        ("  column price", 0),
        ("  contested: no record of the list has", 0),
        ("  a price (“on request”)", 0),
        ("✖ the column name is empty", 1),
        ("  column name", 1),
    ]


# The attempts.


def attempts(*parents: int) -> Session:
    found = {n: AttemptState(id=n, author="rules", parent=parent) for n, parent in enumerate(parents, 1)}
    return Session(attempts=found, current=len(parents))


@pytest.mark.parametrize("parents", [range(12), (0, 1, 2, 1, 4, 4)])
def test_attempts_are_below_their_header(parents: tuple[int, ...]) -> None:
    session = attempts(*parents)
    session.attempts[2].status = "error"
    session.attempts[2].exception = ExceptionInfo("Täuschungs日本Error", "")
    session.attempts[3].status = "ok"
    rows = [line for _, line in attempt_lines(session, looked_at=1, against=2)]
    (header,) = attempt_header(session)
    assert {column_of(line, "rules") for line in rows} == {column_of(header, "author")}
    assert {cell_len(text(row).rstrip()) for row in rows if text(row).endswith(" s")} == {cell_len(text(header))}


def test_what_models_took_is_shown_where_there_is_room() -> None:
    session = Session(id="s")
    session.attempts[1] = AttemptState(1, "model", code="x", lines=5, model="gpt")
    session.attempts[2] = AttemptState(2, "model", 1, code="y", lines=6, model="qwen", kept="cache")
    session.spent = [
        Spent(1, "programmer", "gpt", 1, 1200, 0.02), Spent(1, "reviewer", "qwen", 1, 300, 0.001),
        Spent(2, "programmer", "qwen", 1, kept="cache"),
    ]  # fmt: skip
    (header,) = attempt_header(session, 100)
    rows = [text(line) for _, line in attempt_lines(session, looked_at=1, against=0, width=100)]
    assert text(header).endswith(" spent  cost    model")
    assert rows[0].endswith("  1.5k  $0.02   gpt")
    assert rows[1].endswith("  kept          qwen")
    assert text(header).startswith(text(attempt_header(session)[0]))
    assert rows[0].startswith(text(attempt_lines(session, looked_at=1, against=0)[0][1]))
    lines = [text(line) for line in story(session)]
    assert "  programmer gpt: 1 reply, 1200 tokens, $0.02" in lines
    assert "  reviewer qwen: 1 reply, 300 tokens, $0.0010" in lines
    assert "  programmer qwen: 1 reply, from the cache" in lines


def test_the_best_and_the_one_looked_at_are_distinguished() -> None:
    session = attempts(0, 1)
    session.attempts[2].accepted = True
    rows = [text(line) for _, line in attempt_lines(session, looked_at=2, against=1)]
    assert [row[:2] for row in rows] == ["≠ ", "▸★"]


# The trace.


def test_frames_are_below_each_other() -> None:
    frames = (Frame("scraper.py", 9, "<module>", "main()"), Frame("scraper.py", 120, "読む", "x = float(text)"))
    result = RunResult(status="error", exception=ExceptionInfo("ValueError", "no", frames))
    (_, outer, inner) = frame_list(result, None).entries
    assert column_of(outer.spans, "main()") == column_of(inner.spans, "x = float")


def test_lines_are_counted_as_python_counts_them() -> None:
    code = "a = 1\n\x0c\nb = '\u2028'\r\nc = 3\n"
    assert source_lines(code) == ["a = 1", "\x0c", "b = '\u2028'", "c = 3"]
    assert "c = 3" in text(step_lines([Step(4, "f")], code)[0])
    compile(code, "x", "exec")


def test_a_step_that_binds_a_thousand_names_is_one_short_row() -> None:
    (row,) = step_lines([Step(1, "f", kind="set", values={f"name_{n}": "1" for n in range(1_000)})], "f()\n")
    assert "name_0 = 1, name_1 = 1" in text(row)
    assert text(row).endswith(" … 960 more")


# The code.


def test_a_diff_says_that_there_is_none() -> None:
    (line,) = diff("a\n", "a\n", "one", "two")
    assert line[0][0] == "no difference between one and two"
    (line,) = diff("a\n", "a", "one", "two")
    assert "white space" in line[0][0]
    (line,) = diff("a\n" * 20_000, "b\n", "one", "two")
    assert "too long" in line[0][0]


def test_words_that_differ_stand_out_in_lines_that_are_alike() -> None:
    shown = list(diff("x = float(text)\n", "x = price(text)\n", "one", "two"))
    bold = ["".join(text for text, style in line if style.startswith("bold underline")) for line in shown]
    assert [b for b in bold if b] == ["float", "price"]


@pytest.mark.full
def test_comparing_word_by_word_has_an_end() -> None:
    """Word by word it would be four hundred million pairs; the lines themselves are still shown."""
    before, after = ("\n".join(f"{word}{n} " * 100 for n in range(200)) for word in "ab")
    shown = list(diff(before, after, "one", "two"))
    assert len(shown) == 1 + 200 + 200
    marked = [line for line in shown if any("underline" in style for _, style in line)]
    assert len(marked) < 100


# JSON.


def lines(given: str, whole: int | None = None) -> list[str]:
    return [text(line) for line in pretty(given, len(given) if whole is None else whole)]


def test_damaged_json_is_shown_as_it_is() -> None:
    assert lines("[1 2, 3") == ["[", "  1", "  2,", "  3"]


def test_a_file_that_begins_with_a_mark_is_shown_whole() -> None:
    given = b'\xef\xbb\xbf{"a": 1}'
    assert lines(given.decode("utf-8-sig"), len(given)) == ["{", '  "a": 1', "}"]


def test_what_is_left_out_of_json_is_counted_in_bytes() -> None:
    said = lines('"' + "日" * 300_000 + '"', 900_002)[0]
    assert said == "the first 786 kB of 900 kB are shown; s saves all"


# Sizes.


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"), (59.6, "1:00"), (185, "3:05"), (3_725, "1h02")],
)
def test_a_duration_takes_few_characters(seconds: float, text: str) -> None:
    assert took(seconds) == text


@pytest.mark.parametrize(("seconds", "text"), [(-1, "0:00"), (42.9, "0:42"), (3_723, "1:02:03")])
def test_a_clock_counts_hours(seconds: float, text: str) -> None:
    assert clock(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (999, "999"), (1000, "1.0k"), (1234, "1.2k"), (9_949, "9.9k"), (9_960, "10k"), (999_600, "1.0M"),
     (123_456_789, "123M"), (10**15, "lots")],
)  # fmt: skip
def test_counts_fit_their_column(count: int, text: str) -> None:
    assert compact(count) == text
    assert len(text) <= 4


def test_a_program_is_landed_on_at_its_selectors_and_a_repair_at_its_main_change() -> None:
    head = "import re\n\n\ndef text_of(tag):\n    return tag.find('b')\n" + "\n" * 20
    fields = "".join(f"        '{name}': card.select_one('.{name}'),\n" for name in "ab")
    read = f"def read(card):\n    return {{\n{fields}    }}\n"
    code = head + read + "\n\ndef save(rows):\n    pass\n"
    assert landing(code) == code.splitlines().index("        'a': card.select_one('.a'),")
    assert landing("x = 1\n") == 0
    helper = "def number_in(text):\n" + "    pass\n" * 9
    after = code.replace("\n\ndef text_of", f"\n{helper}\n\ndef text_of").replace("'.b'", "'.c'")
    old, new = code.splitlines().index("        'b': card.select_one('.b'),"), 0
    new = after.splitlines().index("        'b': card.select_one('.c'),")
    assert main_change(code, after, old + 1) == (old, new)
    assert main_change(code, after, None) == (old, new), "what takes something's place, before what is added"
    assert main_change(code, code, 1) is None
    shown = list(diff(code, after, "1", "2"))
    row = "".join(text for text, _ in shown[row_of(shown, old, new)])
    assert "− " in row
    assert "'.b'" in row
