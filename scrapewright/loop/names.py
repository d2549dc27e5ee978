"""Names that a program uses and nothing binds, and the imports that would bind them."""

from __future__ import annotations

import ast
import builtins
import symtable
import warnings
from collections.abc import Iterator


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
    """Names read somewhere and bound nowhere, with the first line of each. Empty where that can't be told.

    `code` must compile. Names used in annotations alone do not count, nor those that the program itself tests for.
    """
    if _is_opaque(tree):
        return {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
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
    """The program with import statements after its last leading import (or after docstring and `__future__`)."""
    after = 0
    for node in tree.body:
        doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if isinstance(node, ast.Import | ast.ImportFrom) or (doc and node is tree.body[0]):
            after = node.end_lineno or node.lineno
        else:
            break
    lines = code.splitlines(keepends=True)
    if after == 0:  # a comment block on top (interpreter line, coding, licence) stays on top
        while after < len(lines) and lines[after].startswith("#"):
            after += 1
    if after and not lines[after - 1].endswith(("\n", "\r")):
        lines[after - 1] += "\n"
    lines[after:after] = [f"{statement}\n" for statement in statements]
    return "".join(lines)


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
