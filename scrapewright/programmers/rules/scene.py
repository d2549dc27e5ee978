"""What a repair may work from: the failing place, the values seen there, the critics' findings, the taped pages."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec
from bs4 import BeautifulSoup, Tag

from scrapewright.loop.ports import Attempt, Brief
from scrapewright.programmers.rules.source import Edit, Source, called
from scrapewright.session.result import PROGRAM_NAME, ExceptionInfo, RunResult, Step
from scrapewright.session.verdict import Finding, FindingCode
from scrapewright.web.page import Page

_METHODS_OF_TEXT = (
    "strip", "lstrip", "rstrip", "split", "rsplit", "partition", "rpartition", "lower", "upper", "removeprefix",
    "removesuffix", "splitlines",
)  # fmt: skip
PAGES = 12
"""Pages on which a selector is tried."""


class Fix(msgspec.Struct, frozen=True):
    """A changed program and what was seen and done, in a sentence."""

    code: str
    diagnosis: str


class Scene:
    """The last attempt, laid out. Parts of the result that the brief withholds read as if they were not there."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.attempt: Attempt = brief.attempts[-1]
        self.source = Source(self.attempt.code)
        self.result: RunResult = self.attempt.result or RunResult("lost")
        self.error: ExceptionInfo | None = self.result.exception
        self.kind = self.error.type.rpartition(".")[2] if self.error is not None else ""
        """The exception's bare name, "" where there is none."""
        self.message = self.error.message if self.error is not None else ""
        frames = self.error.frames if self.error is not None else ()
        self.frames = [frame for frame in reversed(frames) if frame.file == PROGRAM_NAME]
        """The program's own frames, innermost first."""
        self.frame = next(iter(self.frames), None)

    @property
    def line(self) -> int:
        return self.frame.line if self.frame is not None else self.result.where or 0

    @cached_property
    def nodes(self) -> list[ast.expr]:
        """The expressions at the failing place: what failed first, then those inside and around it."""
        frame = self.frame
        if frame is None:
            return []
        best = self.source.at(frame.line, frame.column, frame.end_line, frame.end_column)
        if not best or frame.column < 0:
            return best
        top = best[0]
        inside = [node for node in ast.walk(top) if isinstance(node, ast.expr) and node is not top]
        around = [node for node in self.source.up(top) if isinstance(node, ast.expr)]
        return [top, *inside, *around]

    def calls(self, *names: str) -> Iterator[ast.Call]:
        """The calls of functions and methods of these names at the failing place and around it."""
        for node in self.nodes:
            for call in (node, *self.source.up(node)):
                if isinstance(call, ast.Call) and called(call) in names:
                    yield call

    @property
    def locals(self) -> dict[str, str]:
        return {} if self.frame is None or "locals" in self.brief.blank else self.frame.locals

    @property
    def steps(self) -> tuple[Step, ...]:
        return () if "steps" in self.brief.blank else self.result.steps

    def seen(self, name: str, function: str = "") -> list[str]:
        """The values that a name was bound to, as described, newest first: the frame's, then those of the steps."""
        steps = [step.values for step in reversed(self.steps) if not function or step.function == function]
        return [values[name] for values in (self.locals, *steps) if name in values]

    def described(self, node: ast.expr) -> str:
        """What the trace says of an expression: of a name as it was last seen, of anything else by its value."""
        if isinstance(node, ast.Name):
            return next(iter(self.seen(node.id)), "")
        value = self.value(node)
        return "" if value is None else repr(value)

    def value(self, node: ast.expr) -> Any:
        """The value that an expression had, where it is a name (or an item of one) and was plain; else None."""
        match node:
            case ast.Name(id=name):
                return plain(next(iter(self.seen(name)), ""))
            case ast.Constant():
                return node.value
            case ast.Subscript(value=held):
                whole = self.value(held)
                with contextlib.suppress(TypeError, KeyError, IndexError, ValueError):
                    return whole[ast.literal_eval(node.slice)]
            case ast.Call(func=ast.Attribute(value=held, attr=method)) if method in _METHODS_OF_TEXT:
                text = self.value(held)
                with contextlib.suppress(TypeError, ValueError):
                    return getattr(text, method)(*map(ast.literal_eval, node.args)) if isinstance(text, str) else None
        return None

    def texts(self, node: ast.expr) -> list[str]:
        """Texts that a name held, newest first, each once."""
        if isinstance(node, ast.Name):
            function = self.frame.function if self.frame is not None else ""
            values = [plain(described) for described in self.seen(node.id, function) or self.seen(node.id)]
        else:
            values = [self.value(node)]
        return list(dict.fromkeys(value for value in values if isinstance(value, str)))

    def unread(self, message: re.Pattern[str]) -> list[str]:
        """The text that could not be read, as a message quotes it."""
        found = message.fullmatch(self.message)
        value = plain(found[found.lastindex or 0]) if found else None
        return [value] if isinstance(value, str) else []

    # the critics

    def findings(self, *codes: FindingCode) -> Iterator[Finding]:
        """What the critics found wrong, of the codes given."""
        for finding in self.attempt.verdict.findings if self.attempt.verdict else ():
            if finding.code in codes and finding.severity == "error":
                yield finding

    # the pages

    @cached_property
    def pages(self) -> list[Page]:
        """HTML pages that this run fetched, newest first; where the run's are not known, all there are."""
        known = [self.brief.pages[r.name] for r in reversed(self.result.requests) if r.name in self.brief.pages]
        pages = {
            (page.url, page.body): page for page in [*known, *self.brief.pages.values()] if page.body and not page.error
        }
        return [page for page in pages.values() if "json" not in page.media_type][:PAGES]

    @cached_property
    def soups(self) -> list[BeautifulSoup]:
        return [BeautifulSoup(page.body, "xml" if "xml" in page.media_type else "lxml") for page in self.pages]

    def matches(self, lookup: Lookup) -> list[Tag]:
        """What a lookup finds on the taped pages, taken from the whole page."""
        return [tag for soup in self.soups for tag in lookup.run(soup)]

    @property
    def page_url(self) -> str:
        """The literal to resolve links against where the program has no variable for it."""
        return self.brief.reading.urls[0] if self.brief.reading.urls else ""

    # the repair

    def fix(self, diagnosis: str, *edits: Edit, imports: Sequence[str] = (), helper: str = "") -> Fix:
        """The program with the edits; `imports` and `helper` as in Source.edited."""
        return Fix(self.source.edited(edits, imports, helper), diagnosis)

    def fix_here(self, diagnosis: str, *edits: Edit, imports: Sequence[str] = (), helper: str = "") -> Fix:
        """As `fix`, of something in the failing line; the diagnosis goes on from that."""
        return self.fix(f"In line {self.line} {diagnosis}", *edits, imports=imports, helper=helper)


class Lookup(msgspec.Struct, frozen=True):
    """A call that looks elements up, at any depth: `method` find, find_all, select_one or select, with constant
    arguments."""

    method: str
    args: tuple[Any, ...]
    keywords: dict[str, Any]

    @property
    def selector(self) -> str:
        """The lookup as CSS, "" where it names nothing that CSS could be nearer to: a selector or a class."""
        first, second = (*self.args, None, None)[:2]
        first = first if isinstance(first, str) else ""
        if self.method.startswith("select"):
            return first
        attributes = second if isinstance(second, dict) else self.keywords.get("attrs")
        classes = self.keywords.get("class_") or (attributes.get("class") if isinstance(attributes, dict) else second)
        names = classes.split() if isinstance(classes, str) else []
        return first + "".join(f".{name}" for name in names) if names else ""

    def run(self, scope: Tag) -> list[Tag]:
        """All that it matches (also where the program takes the first alone). Nothing where it is invalid."""
        try:
            if self.method.startswith("select"):
                return list(scope.select(*self.args))
            return [tag for tag in scope.find_all(*self.args, **self.keywords) if isinstance(tag, Tag)]
        except Exception:
            return []


METHODS = {name: name for name in ("find", "find_all", "select_one", "select")} | {"findAll": "find_all"}


def lookup_of(node: ast.AST) -> Lookup | None:
    """The lookup that a call is, if its arguments are constants."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or called(node) not in METHODS:
        return None
    try:
        args = tuple(ast.literal_eval(arg) for arg in node.args)
        keywords = {one.arg: ast.literal_eval(one.value) for one in node.keywords if one.arg and one.arg != "recursive"}
    except ValueError:
        return None
    return Lookup(METHODS[called(node)], args, keywords) if args or keywords else None


def plain(described: str) -> Any:
    """The value that a description stands for, where it is a plain one and whole; else None."""
    if "…" in described and not described.startswith(("'", '"')):
        return None
    try:
        value = ast.literal_eval(described)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if not isinstance(value, set) else None


def quoted(value: Any, most: int = 60) -> str:
    """A value as a diagnosis quotes it."""
    text = repr(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def in_docstring(text: str) -> str:
    """A text of the page as a docstring quotes it: nothing of it can end the docstring."""
    return quoted(" ".join(text.split()), 40).replace("\\", "").replace('"""', "…")
