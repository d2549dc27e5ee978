"""A page's source as lines: highlighted as they are drawn, long lines broken at tags, scripts and comments folded."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from scrapewright.tui.view.cells import flat
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import counted

BREAK = 140
"""Characters after which a line is broken at the next tag."""
LONGEST = 1_000
"""Characters after which a line is broken wherever it is."""
FOLDED_FROM = 4
"""Lines of a script, a style sheet or a comment that are folded at first."""
_TOKEN = re.compile(
    r"(?P<comment><!--.*?(?:-->|\Z))"
    r"|(?P<raw><(?P<name>script|style|template)\b[^>]*>.*?</(?P=name)\s*>)"
    r"|(?P<tag></?(?P<of>[a-zA-Z][^\s/>]*)(?:[^>\"']|\"[^\"]*\"|'[^']*')*>)"
    r"|[^<]+|<",
    re.S | re.I,
)
_ATTR = re.compile(r"(?P<end>/?>)|(?P<name>[^\s=>\"'/]+)(?P<is>\s*=\s*)?|(?P<value>\"[^\"]*\"?|'[^']*'?)|\s+|.", re.S)
_PIECE = re.compile(r"(?P<comment><!--.*?(?:-->|$))|(?P<open></?[a-zA-Z][^\s/>]*)|(?P<entity>&#?\w+;)|[^<&]+|.", re.S)
_JSON = re.compile(
    r'(?P<name>"(?:[^"\\]|\\.)*"?)(?=\s*:)|(?P<string>"(?:[^"\\]|\\.)*"?)|(?P<scalar>[\w.+-]+)|[^"\w]+', re.S
)
_JSON_STYLES = {"name": "$accent", "string": "$success", "scalar": "$primary", "": QUIET}


@dataclass
class SourceText:
    """`lines` are broken lines; `modes` say in what each begins (text, tag, comment, raw, json), `numbers` are those of
    the lines of the source, 0 for a piece of the line before. `tags` are where each start tag of a name begins.

    As a sequence: the lines that are not folded away, as spans.
    """

    lines: list[str] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    tags: dict[str, list[int]] = field(default_factory=dict)
    folds: dict[int, int] = field(default_factory=dict)
    """First line to last line of what can be folded."""
    folded: set[int] = field(default_factory=set)
    notes: dict[int, str] = field(default_factory=dict)
    """Words behind a line, by its place among `lines`."""
    width: int = 0
    _visible: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._visible)

    def __getitem__(self, row: int) -> Spans:
        line = self._visible[row]
        spans = [(self._gutter(line), QUIET), *highlighted(self.lines[line], self.modes[line])]
        if line in self.folded:
            spans.append((f" … {counted(self.folds[line] - line, 'line')}", "$warning"))
        if line in self.notes:
            spans.append((f"  ◂ {self.notes[line]}", "bold $warning"))
        return spans

    def _gutter(self, line: int) -> str:
        digits = len(str(self.numbers[-1] or len(self.lines)))
        return f"{self.numbers[line] or '·':>{digits}} "

    def plain(self) -> list[str]:
        """The rows without the colours, and without what is put behind them."""
        return [self._gutter(line) + self.lines[line] for line in self._visible]

    def toggle(self, row: int) -> bool:
        """Folds or unfolds what begins on the row. Says whether something does."""
        line = self._visible[row] if 0 <= row < len(self._visible) else -1
        if line not in self.folds:
            return False
        self.folded ^= {line}
        self.lay()
        return True

    def note(self, offset: int, text: str) -> None:
        """Puts words behind the line of a character of the source."""
        line = bisect_right(self.starts, offset) - 1
        self.notes[line] = f"{self.notes[line]}, {text}" if line in self.notes else text

    def row_of(self, offset: int) -> int:
        """The row that shows a character of the source; that of its fold where it is folded away."""
        line = bisect_right(self.starts, offset) - 1
        return max(0, bisect_right(self._visible, line) - 1)

    def lay(self) -> None:
        """Works out which lines are seen."""
        visible: list[int] = []
        line = 0
        while line < len(self.lines):
            visible.append(line)
            line = self.folds[line] + 1 if line in self.folded else line + 1
        self._visible = visible


def source(text: str, kind: Literal["markup", "json", "text"], wanted: Callable[[], bool] = lambda: True) -> SourceText:
    """Lays a source out. Gives up, with what it has, where nobody waits."""
    made = SourceText()
    plain = "json" if kind == "json" else "text"
    number = 1
    open_ = ""
    mode, start, at = plain, 0, 0
    fresh = True

    def end_line(next_at: int, next_mode: str, *, broken: bool) -> None:
        nonlocal open_, start, mode, fresh, number
        made.lines.append(flat(open_))
        made.modes.append(mode)
        made.starts.append(start)
        made.numbers.append(number if fresh else 0)
        made.width = max(made.width, len(made.lines[-1]))
        open_, start, mode, fresh = "", next_at, next_mode, not broken
        number += not broken

    for count, (what, piece, name) in enumerate(_tokens(text) if kind == "markup" else [(plain, text, "")]):
        if count % 2_000 == 0 and not wanted():
            break
        if what in ("tag", "raw") and name and not piece.startswith("</"):
            made.tags.setdefault(name.lower(), []).append(at)
        if len(open_) > BREAK and what != plain:
            end_line(at, plain, broken=True)
        first = len(made.lines)
        for part_number, part in enumerate(piece.split("\n")):
            if part_number:
                at += 1
                end_line(at, what, broken=False)
            while len(open_) + len(part) > LONGEST:
                room = LONGEST - len(open_)
                open_, part, at = open_ + part[:room], part[room:], at + room
                end_line(at, what, broken=True)
            open_ += part
            at += len(part)
        if what in ("raw", "comment") and len(made.lines) - first >= FOLDED_FROM:
            made.folds[first] = len(made.lines)
            made.folded.add(first)
    end_line(at, "text", broken=False)
    made.width += len(str(number)) + 1
    made.lay()
    return made


def _tokens(text: str) -> Iterator[tuple[str, str, str]]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "text"
        if match["raw"] is not None:
            yield "raw", match[0], match["name"]
        elif match["tag"] is not None:
            yield "tag", match[0], match["of"]
        else:
            yield ("comment" if kind == "comment" else "text"), match[0], ""


def highlighted(line: str, mode: str) -> Spans:
    """One line with colours, from what it begins in."""
    spans: Spans = []
    at = 0
    if mode == "comment":
        end = line.find("-->")
        at = len(line) if end < 0 else end + 3
        spans.append((line[:at], QUIET))
    elif mode == "raw":
        end = line.find("</")
        at = len(line) if end < 0 else end
        spans.append((line[:at], ""))
    elif mode == "tag":
        at = _attributes(line, 0, spans)
    elif mode == "json":
        return [(found[0], _JSON_STYLES[found.lastgroup or ""]) for found in _JSON.finditer(line)]
    while at < len(line):
        match = _PIECE.match(line, at)
        assert match is not None  # its last branch takes any character
        at = match.end()
        if match["comment"]:
            spans.append((match[0], QUIET))
        elif match["open"]:
            spans.append((match[0], "$primary"))
            at = _attributes(line, at, spans)
        else:
            spans.append((match[0], "$warning" if match["entity"] else ""))
    return [span for span in spans if span[0]]


def _attributes(line: str, at: int, spans: Spans) -> int:
    """What is in a tag from `at` on; returns where the tag ends."""
    while at < len(line):
        match = _ATTR.match(line, at)
        assert match is not None
        at = match.end()
        if match["end"]:
            spans.append((match[0], "$primary"))
            return at
        if match["name"]:
            spans += [(match["name"], "$accent"), (match["is"] or "", QUIET)]
        else:
            spans.append((match[0], "$success" if match["value"] else ""))
    return at


def offsets_of(source_text: SourceText, elements: Collection[Any]) -> list[int]:
    """Where the elements begin, of those of which it is known."""
    found: list[int] = []
    wanted = set(elements)
    for tag in {str(element.tag) for element in elements}:
        root = next(element for element in elements if element.tag == tag).getroottree().getroot()
        alike, places = list(root.iter(tag)), source_text.tags.get(tag, [])
        if len(alike) == len(places):
            found += [place for element, place in zip(alike, places, strict=True) if element in wanted]
    return sorted(found)
