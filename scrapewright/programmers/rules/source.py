"""A program's text with its tree over it: repairs replace spans, so the rest stays as it was written; and where in it
pages are fetched, a column gets its value, and rows are written."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeGuard

from scrapewright.loop.parsing import parse
from scrapewright.loop.syntax_fixes import syntax_error
from scrapewright.loop.undefined_names import add_imports

Edit = tuple[int, int, str]
"""(start, end, new text), by character offsets of the whole program."""


class Source:
    """A program that compiles. Raises SyntaxError otherwise."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.tree = parse(code)
        self._starts = [0]
        for line in code.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._lines = code.splitlines(keepends=True)
        self.parents: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
        self.names = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}
        self.names |= {node.arg for node in ast.walk(self.tree) if isinstance(node, ast.arg)}

    # places

    def offset(self, line: int, column: int) -> int:
        """Of a 1-based line and a column in UTF-8 bytes, as in syntax trees."""
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        if not text.isascii():
            column = len(text.encode()[:column].decode("utf-8", "ignore"))
        return self._starts[line - 1] + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        place = node
        assert isinstance(place, ast.expr | ast.stmt | ast.keyword | ast.arg | ast.ExceptHandler)
        return (
            self.offset(place.lineno, place.col_offset),
            self.offset(place.end_lineno or place.lineno, place.end_col_offset or 0),
        )

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.code[start:end]

    def indent(self, node: ast.stmt) -> str:
        text = self._lines[node.lineno - 1]
        return text[: len(text) - len(text.lstrip())]

    # asking

    def up(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, innermost first."""
        while (above := self.parents.get(node)) is not None:
            yield above
            node = above

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement that a node is part of."""
        if isinstance(node, ast.stmt):
            return node
        return next(above for above in self.up(node) if isinstance(above, ast.stmt))

    def function(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Module:
        """The function around a node, or the module."""
        found = next((a for a in self.up(node) if isinstance(a, ast.FunctionDef | ast.AsyncFunctionDef)), None)
        return found or self.tree

    def calls(self, *names: str, inside: ast.AST | None = None) -> Iterator[ast.Call]:
        """The calls of functions and methods of these names in the program, or inside a node."""
        for node in ast.walk(inside or self.tree):
            if isinstance(node, ast.Call) and called(node) in names:
                yield node

    def strings(self) -> Iterator[tuple[ast.Constant, str]]:
        """The constants that are texts, each with its text."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node, node.value

    def at(self, line: int, column: int = -1, end_line: int = 0, end_column: int = -1) -> list[ast.expr]:
        """The expressions at a place of a traceback (columns in characters), the one that fits it best first.

        Without columns: all expressions of the line, in the order in which they are evaluated, roughly.
        """
        found: list[tuple[int, int, ast.expr]] = []
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.expr) or node.lineno > line or (node.end_lineno or node.lineno) < line:
                continue
            start, end = self.span(node)
            if column >= 0:
                first = self._starts[line - 1] + column
                last = self._starts[(end_line or line) - 1] + end_column
                found.append((abs(start - first) + abs(end - last), 0, node))
            elif node.lineno == line:
                found.append((end, start, node))
        found.sort(key=lambda item: item[:2])
        return [node for _, _, node in found]

    def assigned(self, name: str, inside: ast.AST, before: int = 1 << 30) -> list[ast.Assign]:
        """Plain assignments to a name inside a node, the last one before a line first."""
        found = [
            node
            for node in ast.walk(inside)
            if isinstance(node, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
        ]
        return sorted(found, key=lambda node: (node.lineno >= before, -node.lineno))

    def fresh(self, *wanted: str) -> str:
        """A name that the program does not use."""
        for name in (*wanted, *(f"{wanted[0]}_{n}" for n in range(2, 99))):
            if name not in self.names and name not in self.functions:
                return name
        raise LookupError("every name is taken")

    @property
    def functions(self) -> dict[str, ast.FunctionDef]:
        return {node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)}

    def helper(self, wanted: str, written: Callable[[str], str]) -> tuple[str, str]:
        """(name, text) of a function to use: a new one, or without text one that the program has already, whatever its
        docstring says. `written` gives the text for a name: a line of its head, one of its docstring, its body."""
        name = self.fresh(wanted)
        body = written(name).strip().splitlines()[2:]
        known = (one.name for one in self.functions.values() if self.text(one).splitlines()[2:] == body)
        found = next(known, None)
        return (found, "") if found is not None else (name, written(name))

    # changing

    def replaced(self, node: ast.AST, new: str) -> Edit:
        return *self.span(node), new

    def before(self, statement: ast.stmt, *lines: str) -> Edit:
        """Lines put before a statement and its decorators, indented as it is."""
        start = self.offset(_first_line(statement), statement.col_offset)
        return start, start, "".join(f"{line}\n{self.indent(statement)}" for line in lines)

    def after(self, statement: ast.stmt, *lines: str) -> Edit:
        """Lines put after a statement, indented as it is."""
        end = self.span(statement)[1]
        return end, end, "".join(f"\n{self.indent(statement)}{line}" for line in lines)

    def appended(self, node: ast.Call | ast.Dict, item: str) -> Edit:
        """One item more before the closing bracket of a call or a dict display."""
        end = self.span(node)[1] - 1
        gap = "" if self.code[:end].rstrip().endswith((",", "(", "{")) else ", "
        return end, end, gap + item

    def edited(self, edits: Iterable[Edit], imports: Sequence[str] = (), helper: str = "") -> str:
        """The program with spans replaced, import statements added and a function put before the first one."""
        changes = sorted(set(edits), reverse=True)
        code = self.code
        if helper:
            at = self._helper_place()
            above = self.code[:at]
            blank = len(above) - len(above.rstrip("\n")) - 1 if above.strip() else 2
            changes.append((at, at, "\n" * (2 - blank) + helper.strip("\n") + "\n\n\n"))
            changes.sort(reverse=True)
        for start, end, new in changes:
            code = code[:start] + new + code[end:]
        there = {self.text(node) for node in ast.walk(self.tree) if isinstance(node, ast.Import | ast.ImportFrom)}
        wanted = [line for line in imports if line not in there]
        if wanted and syntax_error(code) is None:
            code = add_imports(code, parse(code), wanted)
        return code

    def _helper_place(self) -> int:
        """Before the first function or class, or the first statement after the imports and constants that comes sooner;
        above the comment that belongs to it."""
        for node in self.tree.body:
            calls = any(isinstance(inner, ast.Call) for inner in ast.walk(node))
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            constant = isinstance(node, ast.Assign) and not calls
            if not (isinstance(node, ast.Import | ast.ImportFrom) or docstring or constant):
                return self._above_comments(_first_line(node))
        return len(self.code)

    def _above_comments(self, line: int) -> int:
        while line > 1 and self._lines[line - 2].startswith("#") and not self._lines[line - 2].startswith("#!"):
            line -= 1
        return self._starts[line - 1]


def called(node: ast.AST | None) -> str:
    """The bare name of the function or method that a call calls; "" for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name
    return ""


def is_name(node: ast.AST | None, name: str) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and node.id == name


def spans_lines(node: ast.AST) -> bool:
    """A text of several lines, which can't be indented further."""
    return isinstance(node, ast.Constant | ast.JoinedStr) and (node.end_lineno or node.lineno) > node.lineno


def _first_line(statement: ast.stmt) -> int:
    """The line in which a statement begins with its decorators."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def same_program(one: str, other: str) -> bool:
    """Equal but for layout and comments."""
    try:
        return ast.dump(parse(one)) == ast.dump(parse(other))
    except SyntaxError:
        return one == other


FETCHES = (
    "get", "urlopen", "fetch", "get_soup", "get_page", "fetch_page", "load", "load_page", "make_soup",
)  # fmt: skip
"""Functions and methods that people let fetch a page by its address."""


def value_of(source: Source, column: str) -> list[ast.expr]:
    """The expressions that a column is filled with: in a dict display, by item assignment, by keyword of dict()."""
    found: list[ast.expr | None] = []
    for node in ast.walk(source.tree):
        match node:
            case ast.Dict(keys=keys, values=values):
                found += [
                    value
                    for key, value in zip(keys, values, strict=True)
                    if isinstance(key, ast.Constant) and key.value == column
                ]
            case ast.Assign(targets=targets):
                keys = [target.slice for target in targets if isinstance(target, ast.Subscript)]
                found += [node.value for key in keys if isinstance(key, ast.Constant) and key.value == column]
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                found += [keyword.value for keyword in keywords if keyword.arg == column]
    return [part for value in found if value is not None for part in _parts(value)]


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    """What an expression may give, but for constants: both sides of `a if b else c`, each of `a or b`."""
    match value:
        case ast.IfExp(body=body, orelse=other):
            yield from (*_parts(body), *_parts(other))
        case ast.BoolOp(values=values):
            yield from (part for one in values for part in _parts(one))
        case ast.Constant():
            return
        case _:
            yield value


def written_rows(source: Source) -> tuple[str, ast.stmt] | None:
    """The name of the list that is written out, and the statement that first uses it for that."""
    for call in source.calls("writerows", "DataFrame", "dump", "dumps"):
        if call.args and isinstance(call.args[0], ast.Name):
            return call.args[0].id, _outermost(source, source.statement(call))
    for node in ast.walk(source.tree):
        match node:
            case ast.For(iter=ast.Name(id=name)) if any(source.calls("writerow", "write", inside=node)):
                return name, _outermost(source, node)
    return None


def _outermost(source: Source, statement: ast.stmt) -> ast.stmt:
    """The `with` around a statement, if it is in one: what must come before it comes before that."""
    best = statement
    for above in source.up(statement):
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.For | ast.While):
            break
        if isinstance(above, ast.With):
            best = above
    return best
