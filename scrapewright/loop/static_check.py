"""The static check: fixes and finds errors before a program is run.

Free fixes come before paid ones. A program that is right comes back byte for byte.
"""

from __future__ import annotations

import ast
import sys

from scrapewright.loop.css_selectors import selector_problems
from scrapewright.loop.parsing import parse
from scrapewright.loop.ports import Checked
from scrapewright.loop.syntax_fixes import fix_syntax, syntax_error
from scrapewright.loop.undefined_names import add_imports, import_for, undefined, words

AVAILABLE = frozenset({"requests", "bs4", "lxml", "numpy", "pandas", "soupsieve", "urllib3", "certifi", "idna",
                       "charset_normalizer", "dateutil", "six", "pytz", "tzdata", "typing_extensions"})  # fmt: skip
"""Packages that a program finds in the sandbox besides the standard library, with what they need themselves."""

_ADVICE = {
    "selenium": "there is no browser: the bytes the server sends must do",
    "playwright": "there is no browser: the bytes the server sends must do",
    "pyppeteer": "there is no browser: the bytes the server sends must do",
    "requests_html": "use requests and bs4",
    "scrapy": "use requests and bs4",
    "httpx": "use requests",
    "aiohttp": "use requests",
    "cloudscraper": "use requests",
    "fake_useragent": "use a plain User-Agent header",
    "html5lib": 'use the parser "lxml"',
    "cssselect": "use bs4's select",
    "parsel": "use bs4",
    "openpyxl": "write CSV or JSON",
    "dateparser": "use datetime.strptime",
}
_WRITERS = words(
    """to_csv to_json write_text write_bytes to_excel to_parquet to_html to_sql to_markdown to_pickle to_string to_xml
    savetxt save fdopen FileHandler FileIO NamedTemporaryFile mkstemp copyfile copyfileobj urlretrieve rename move
    connect ZipFile Popen run call check_call system exec"""
)


class StaticChecker:
    """A `loop.ports.Checker`. `available`: the packages that programs may import besides the standard library."""

    def __init__(self, available: frozenset[str] = AVAILABLE) -> None:
        self.available = available

    def check(self, code: str, *, mend: bool = True) -> Checked:
        """Pure and quick; never runs the program. Where `problems` is empty, `code` compiles. Without `mend` it is the
        same code, whatever is wrong with it."""
        if not code.strip():
            return Checked(code, problems=("the program is empty",), line=0)
        fixes: list[str] = []
        if mend:
            code, fixes = fix_syntax(code)
        error = syntax_error(code)
        if error is not None:
            where = f" in line {error.lineno}" if error.lineno else ""
            return Checked(code, tuple(fixes), (f"syntax error{where}: {error.msg}",), error.lineno or 0, fails=True)
        tree = parse(code)
        missing = undefined(code, tree)
        statements = {name: statement for name in missing if (statement := import_for(name, tree))}
        if statements and mend:
            changed = add_imports(code, tree, list(statements.values()))
            if syntax_error(changed) is None:
                code, tree = changed, parse(changed)
                fixes += [f"added `{statement}`" for statement in statements.values()]
                missing = undefined(code, tree)
        found: list[tuple[int, str]] = [
            (line, f"line {line}: the name {name!r} is not defined") for name, line in missing.items()
        ]
        guarded = _guarded(tree)
        found += self._absent(tree, guarded)
        found += (unread := selector_problems(tree))
        if not _writes(tree):
            found.append((0, "the program writes no file: the rows must be written into the working directory"))
        found.sort(key=lambda item: (item[0] == 0, item[0]))
        lines = {node.lineno for node in guarded if isinstance(node, ast.expr)}
        fails = any(line not in lines for line, _ in unread)
        line = found[0][0] if found else 0
        return Checked(code, tuple(fixes), tuple(text for _, text in found), line, fails)

    def _absent(self, tree: ast.Module, guarded: frozenset[ast.AST]) -> list[tuple[int, str]]:
        """Imports of packages that are not there, but for those that the program itself is ready to do without."""
        found: list[tuple[int, str]] = []
        for node in ast.walk(tree):
            if node in guarded or not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                if node.level:
                    found.append((node.lineno, f"line {node.lineno}: a relative import has nothing to be relative to"))
                names = [node.module] if node.module and not node.level else []
            for name in names:
                root = name.partition(".")[0]
                if root not in self.available and root not in sys.stdlib_module_names:
                    advice = _ADVICE.get(root, "requests, bs4, lxml, numpy and pandas are there")
                    found.append(
                        (
                            node.lineno,
                            f"line {node.lineno}: no package {root!r} in the sandbox; {advice}",
                        )
                    )
        return found


def _guarded(tree: ast.Module) -> frozenset[ast.AST]:
    """The nodes of code whose errors the program itself handles."""
    tries = (node for node in ast.walk(tree) if isinstance(node, ast.Try) and node.handlers)
    return frozenset(inner for node in tries for inner in ast.walk(node))


def _writes(tree: ast.Module) -> bool:
    """Whether anything in the program can leave a file behind."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
                pass
            case _:
                continue
        if name in _WRITERS:
            return True
        if name == "open":
            args = [*node.args[:2], *(k.value for k in node.keywords if k.arg == "mode")]
            modes = [a.value for a in args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            dynamic = any(not isinstance(a, ast.Constant) for a in args[1:])
            if dynamic or any(len(m) <= 3 and set(m) & set("wax+") for m in modes):
                return True
    return False
