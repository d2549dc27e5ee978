"""Colours for Python as far down as they are needed, and again only from where the text changed.

Lexing a program of 2,000 lines takes longer than a key may wait, and a program that is being written or edited changes
at one place. Lexing can begin at a line that starts at the left margin outside a string.
"""

from __future__ import annotations

from collections.abc import Sequence

CHUNK = 200
"""Lines lexed at a time."""
LINES_AT_MOST = 5_000
LINE_AT_MOST = 2_000
"""Characters; a longer line is shown without colours."""

_KINDS = (
    ("Keyword", "keyword"), ("Name.Function", "function"), ("Name.Class", "function"), ("Name.Builtin", "function"),
    ("Literal.String", "string"), ("Literal.Number", "number"), ("Comment", "comment"), ("Operator", "operator"),
    ("Name", "name"),
)  # fmt: skip

Span = tuple[int, int, str]
"""Characters from, to, and their kind: keyword, function, string, number, comment, operator, name."""


class Highlighter:
    """`update` it with the lines, then ask for each line's spans."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._spans: list[list[Span]] = []
        self._outside: list[bool] = []
        """For each line lexed and the one after: it starts outside a string."""
        self._kinds: dict[object, str] = {}

    @property
    def lexed(self) -> int:
        """How many lines have colours now."""
        return len(self._spans)

    def update(self, lines: Sequence[str]) -> None:
        """The text now; colours above the first change stay."""
        new = list(lines)
        if new == self._lines:
            return
        changed = next((n for n, (a, b) in enumerate(zip(self._lines, new, strict=False)) if a != b), -1)
        if changed < 0:
            changed = min(len(self._lines), len(new))
        self._lines = new
        self._keep(min(changed, len(self._spans)))

    def spans(self, line: int) -> list[Span]:
        """The colours of a 0-based line; none in very long programs."""
        if line >= len(self._lines) or len(self._lines) > LINES_AT_MOST:
            return []
        while line >= len(self._spans):
            self._extend(max(line + 1, len(self._spans) + CHUNK))
        return self._spans[line]

    def _keep(self, count: int) -> None:
        """Keeps the colours of so many lines, or of fewer: up to a line where lexing can begin."""
        start = min(count, len(self._spans))
        while start > 0 and not self._may_begin(start):
            start -= 1
        del self._spans[start:]
        del self._outside[start + 1 :]

    def _may_begin(self, line: int) -> bool:
        first = self._lines[line][:1] if line < len(self._lines) else ""
        return self._outside[line] and bool(first) and first not in " \t)]}#"

    def _extend(self, end: int) -> None:
        """Lexes on to line `end`, from the last line where that can begin."""
        self._keep(len(self._spans))
        start = len(self._spans)
        if not self._outside:
            self._outside = [True]
        end = min(end, len(self._lines))
        lines = [line if len(line) <= LINE_AT_MOST else "" for line in self._lines[start:end]]
        from pygments.lexers.python import PythonLexer

        spans: list[list[Span]] = [[]]
        outside: list[bool] = []
        column = 0
        for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens("\n".join(lines)):
            kind = self._kind(token)
            for number, part in enumerate(value.split("\n")):
                if number:
                    spans.append([])
                    outside.append(kind != "string")
                    column = 0
                if part:
                    if kind:
                        spans[-1].append((column, column + len(part), kind))
                    column += len(part)
        spans = (spans + [[] for _ in lines])[: len(lines)]
        self._spans += spans
        self._outside += (outside + [False for _ in lines])[: len(lines)]

    def _kind(self, token: object) -> str:
        if token not in self._kinds:
            name = str(token).removeprefix("Token.")
            self._kinds[token] = next((kind for prefix, kind in _KINDS if name.startswith(prefix)), "")
        return self._kinds[token]
