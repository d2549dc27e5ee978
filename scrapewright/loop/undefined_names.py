"""Finds undefined names in a program, and the imports that would define them."""

from __future__ import annotations

import ast
import builtins
import symtable
import sys
from collections.abc import Iterator

from scrapewright.loop.parsing import without_warnings


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


_MODULE_NAMES = words(
    """__file__ __name__ __doc__ __builtins__ __annotations__ __spec__ __loader__ __package__ __path__ __debug__
    __class__ __module__ __qualname__ __firstlineno__ __static_attributes__ __classdict__ __conditional_annotations__
    __annotate__"""
)
_BUILTINS = frozenset(dir(builtins)) | {
    "ExceptionGroup",
    "BaseExceptionGroup",
    "PythonFinalizationError",
    "aiter",
    "anext",
}

_PLAIN = words(
    """requests csv json re os sys time math random html itertools functools io collections unicodedata hashlib base64
    logging string textwrap statistics locale codecs operator shutil tempfile argparse traceback bs4 lxml typing pathlib
    calendar contextlib dataclasses decimal glob gzip numpy pandas uuid zlib copy"""
)
_FROM = {
    "bs4": "BeautifulSoup Tag NavigableString Comment SoupStrainer",
    "urllib.parse": """urljoin urlparse urlsplit urlunsplit urlunparse urlencode quote quote_plus unquote unquote_plus
        parse_qs parse_qsl urldefrag""",
    "urllib.request": "urlopen",
    "collections": "defaultdict Counter OrderedDict deque namedtuple",
    "pathlib": "Path PurePath",
    "decimal": "Decimal InvalidOperation",
    "datetime": "timedelta timezone",
    "time": "sleep perf_counter strptime",
    "io": "StringIO BytesIO",
    "dataclasses": "dataclass asdict field",
    "typing": "Any Optional List Dict Tuple Union Iterator Iterable Callable Set TypedDict",
    "functools": "lru_cache partial reduce",
    "itertools": "chain count islice zip_longest",
    "email.utils": "parsedate_to_datetime",
    "requests.adapters": "HTTPAdapter",
    "urllib3.util.retry": "Retry",
    "requests.exceptions": "RequestException HTTPError",
    "operator": "itemgetter",
    "math": "ceil floor",
    "html": "unescape",
    "json": "JSONDecodeError",
    "pandas": "DataFrame",
    "lxml": "etree",
    "contextlib": "suppress closing",
    "concurrent.futures": "ThreadPoolExecutor",
}
IMPORTS: dict[str, str] = {name: f"import {name}" for name in _PLAIN}
IMPORTS |= {name: f"from {module} import {name}" for module, names in _FROM.items() for name in words(names)}
IMPORTS |= {"pd": "import pandas as pd", "np": "import numpy as np", "dt": "import datetime as dt"}


def undefined(code: str, tree: ast.Module) -> dict[str, int]:
    """Names read somewhere and bound nowhere, with the first line of each. Empty where that is undecidable.

    `code` must compile. Names used in annotations alone do not count, nor those that the program itself tests for.
    """
    if _is_opaque(tree):
        return {}
    with without_warnings():
        top = symtable.symtable(code, "scraper.py", "exec")
    bound = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    wanted: set[str] = set()
    for table in _tables(top):
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if symbol.is_declared_global() and symbol.is_assigned():
                bound.add(name)
            if symbol.is_referenced() and (symbol.is_global() or table is top):
                wanted.add(name)
    missing = wanted - bound - _BUILTINS - _MODULE_NAMES
    lines: dict[str, int] = {}
    for name, line in sorted(_loads(tree), key=lambda pair: pair[1]):
        if name in missing:
            lines.setdefault(name, line)
    return lines


def import_for(name: str, tree: ast.Module) -> str | None:
    """The import statement that is meant by a name, or None. `datetime` and `date` are read off their use."""
    if name in ("datetime", "date", "urllib"):
        used = {
            n.attr
            for n in ast.walk(tree)
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == name
        }
        if name == "urllib":
            return f"import urllib.{'request' if 'request' in used else 'parse'}"
        if name == "date" and not used & {"today", "fromisoformat"} and not _is_called(name, tree):
            return None
        if name == "datetime" and used and used <= {"datetime", "date", "timedelta", "timezone", "time", "UTC"}:
            return "import datetime"
        return f"from datetime import {name}"
    statement = IMPORTS.get(name)
    if (
        statement
        and statement.startswith("from ")
        and name in ("field", "count", "chain", "quote", "floor", "ceil", "partial")
    ):
        return statement if _is_called(name, tree) else None  # words that a lost variable may have too
    return statement


def add_imports(code: str, tree: ast.Module, statements: list[str]) -> str:
    """The program with import statements among its leading imports, each in its group and in order; where there are
    none, after the docstring or the comments on top."""
    lines = code.splitlines(keepends=True)
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    leading = _leading_imports(tree)
    places: list[tuple[int, str]] = []
    gaps: set[int] = set()
    for new in sorted((_parsed(statement) for statement in statements), key=_import_key):
        before = [node for node in leading if _import_key(node) <= _import_key(new)]
        if before:
            place = before[-1].end_lineno or before[-1].lineno
        else:
            place = leading[0].lineno - 1 if leading else _top(tree, lines)
        places.append((place, f"{ast.unparse(new)}\n"))
        if not before and leading and _import_key(leading[0])[0] != _import_key(new)[0]:
            gaps.add(place)
    for place in gaps:
        places.append((place, "\n"))
    places.sort(key=lambda p: p[0])
    for place, text in reversed(places):
        lines.insert(place, text)
    return "".join(lines)


def _parsed(statement: str) -> ast.Import | ast.ImportFrom:
    node = ast.parse(statement).body[0]
    assert isinstance(node, ast.Import | ast.ImportFrom)
    return node


def _leading_imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """The imports before the first other statement, a docstring and `__future__` left aside."""
    found: list[ast.Import | ast.ImportFrom] = []
    for number, node in enumerate(tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(node)
        elif number or not _is_docstring(node):
            break
    return found


def _import_key(node: ast.Import | ast.ImportFrom) -> tuple[int, bool, str]:
    """Sorts as isort does: `__future__`, the standard library, the rest; in each, plain imports before from-imports."""
    module = (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
    top = module.partition(".")[0]
    group = 0 if top == "__future__" else 1 if top in sys.stdlib_module_names else 2
    return group, isinstance(node, ast.ImportFrom), module


def _top(tree: ast.Module, lines: list[str]) -> int:
    """The line after the docstring, or after a comment block on top (interpreter line, coding, licence)."""
    if tree.body and _is_docstring(tree.body[0]):
        return tree.body[0].end_lineno or 1
    top = 0
    while top < len(lines) and lines[top].startswith("#"):
        top += 1
    return top


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_opaque(tree: ast.Module) -> bool:
    """Names may come from where they can't be seen: star imports, exec, globals()."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            return True
        if isinstance(node, ast.Name) and node.id in (
            "exec",
            "eval",
            "globals",
            "vars",
            "locals",
            "setattr",
            "NameError",
            "global_enum",
            "__builtins__",
        ):
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("__dict__", "builtins", "modules"):
            return True
    return False


def _is_called(name: str, tree: ast.Module) -> bool:
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name for n in ast.walk(tree))


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    stack = [table]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(current.get_children())


def _loads(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Names read outside annotations, with their lines."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                yield node.id, node.lineno
            continue
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "type_params"):
                continue
            if isinstance(value, ast.AST):
                stack.append(value)
            elif isinstance(value, list):
                stack.extend(item for item in value if isinstance(item, ast.AST))
