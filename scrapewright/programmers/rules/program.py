"""The program under construction: what it imports, its constants, helpers and functions, in the order they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrapewright.programmers.rules import helpers
from scrapewright.programmers.rules.layout import lay
from scrapewright.programmers.rules.names import Names

_THIRD = ("import requests", "from bs4")


class Program:
    """Collects the parts; `text` puts them together."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.names = Names({"main", "scrape", "save", "fetch", "fetch_json", "next_page", "span_of", *helpers.ORDER})
        self._imports: dict[str, set[str]] = {}
        self._modules: set[str] = set()
        self._constants: dict[str, str] = {}
        self._helpers: dict[str, str] = {}
        self._functions: list[list[str]] = []

    def need(self, lines: Iterable[str]) -> None:
        """Import lines, either "import x" or "from x import y"."""
        for line in lines:
            if line.startswith("from "):
                module, _, name = line[5:].partition(" import ")
                self._imports.setdefault(module, set()).add(name)
            else:
                self._modules.add(line)

    def constant(self, name: str, value: str) -> str:
        """A module constant; the same name with another value gets a number."""
        number, wanted = 2, name
        while self._constants.get(name, value) != value:
            name = f"{wanted}_{number}"
            number += 1
        self._constants[name] = value
        return name

    def helper(self, name: str, source: str = "") -> None:
        source = source or helpers.PLAIN[name]
        self._helpers[name] = source.strip("\n")
        if "NavigableString" in source:
            self.need(["from bs4 import NavigableString"])
        for name in ("BeautifulSoup", "Tag"):
            if f"{name}(" in source:
                self.need([f"from bs4 import {name}"])
        if re.search(r"\bre\.\w+\(", source):
            self.need(["import re"])
        if " copy(" in source or "[copy(" in source:
            self.need(["from copy import copy"])
        if "urljoin" in source:
            self.need(["from urllib.parse import urljoin"])

    def function(self, signature: str, doc: str, body: Iterable[str]) -> None:
        """A function; body lines are indented already where they are inside a block, by the block alone."""
        lines = [f"def {signature}:"]
        if doc:
            lines.append(f'    """{doc}"""')
        for line in body:
            code = line.lstrip(" ")
            lines += lay(code, 4 + len(line) - len(code)) if code else [""]
        self._functions.append(lines)

    def text(self) -> str:
        standard: list[str] = []
        third: list[str] = []
        for line in sorted(self._modules):
            (third if line.startswith(_THIRD) else standard).append(line)
        for module in sorted(self._imports):
            names = sorted(self._imports[module], key=lambda name: (not name.isupper(), name))
            line = f"from {module} import {', '.join(names)}"
            (third if line.startswith(_THIRD) else standard).append(line)
        blocks = [[f'"""{self.title}"""']]
        blocks += [block for block in (standard, third) if block]
        constants: list[str] = []
        for name, value in self._constants.items():
            constants += lay(f"{name} = {value}")
        if constants:
            blocks.append(constants)
        parts = ["\n\n".join("\n".join(block) for block in blocks)]
        parts += [self._helpers[name] for name in helpers.ORDER if name in self._helpers]
        parts += ["\n".join(lines) for lines in self._functions]
        parts.append('if __name__ == "__main__":\n    main()')
        return "\n\n\n".join(parts) + "\n"
