from __future__ import annotations

import pathlib
import sysconfig

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.loop.static_check import StaticChecker
from scrapewright.loop.syntax_fixes import syntax_error
from tests.suite import examples

CHECK = StaticChecker().check
GOOD = '''"""Writes the rows."""
import csv

import requests
from bs4 import BeautifulSoup


def main():
    soup = BeautifulSoup(requests.get("http://127.0.0.1/", timeout=9).content, "lxml")
    rows = [{"name": card.get_text(strip=True)} for card in soup.select(".card")]
    with open("rows.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=["name"])
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
'''
BODY = GOOD.partition("\n")[2]


def test_a_right_program_comes_back_as_it_is() -> None:
    checked = CHECK(GOOD)
    assert checked.code == GOOD
    assert checked.fixes == ()
    assert checked.problems == ()


@pytest.mark.parametrize(
    "spoilt",
    [
        f"Here is the scraper you asked for:\n\n```python\n{GOOD}```\n\nIt writes rows.csv.\n",
        f"```\n{GOOD}\n```",
        f"Sure.\n~~~py\n{GOOD}",
        f"{GOOD}```\n",
        "Sure! This program does it:\n" + GOOD,
        GOOD + "\nThis program fetches the page, and that's it.\nYou can run it with Python 3.\n",
        "".join(f"    {line}\n" if line else "\n" for line in GOOD.splitlines()),
        GOOD.replace("def main():", "def main()"),
        GOOD.replace('if __name__ == "__main__":', 'if __name__ == "__main__"  # run'),
        GOOD.replace('soup.select(".card")', "soup.select(“.card”)"),
        GOOD.replace("import csv\n", ""),
        GOOD.replace("from bs4 import BeautifulSoup\n", ""),
        GOOD.replace("    main()\n", "    main(\n"),
        GOOD.replace('select(".card")]', 'select(".card")])'),
        GOOD.replace("writer.writeheader()", "writer.writeheader("),
        GOOD.replace("        writer.writeheader()", "\twriter.writeheader()"),
        GOOD.replace("        writer.writeheader()", "       writer.writeheader()"),
        GOOD.replace("    main()\n", "    main()\n    print 'done'\n"),
        "\ufeff" + GOOD.replace("    soup", "    \u200bsoup"),
        GOOD.replace('fieldnames=["name"])', 'fieldnames=["name"]'),
    ],
)
def test_slips_are_put_right(spoilt: str) -> None:
    checked = CHECK(spoilt)
    assert checked.problems == (), checked.code
    assert checked.fixes
    assert "BeautifulSoup(requests.get" in checked.code
    assert "def main():" in checked.code
    assert "import csv" in checked.code
    assert syntax_error(checked.code) is None


def test_the_larger_of_two_fenced_programs_is_taken() -> None:
    reply = f"First install:\n```bash\npip install requests\n```\nthen\n```python\n{GOOD}```\n"
    assert CHECK(reply).code == GOOD


@pytest.mark.parametrize(
    ("use", "statement"),
    [
        ("urljoin('a', 'b')", "from urllib.parse import urljoin"),
        ("pd.DataFrame([1])", "import pandas as pd"),
        ("datetime.strptime('1', '%d')", "from datetime import datetime"),
        ("datetime.datetime.now()", "import datetime"),
        ("re.sub('a', 'b', 'c')", "import re"),
        ("urllib.parse.quote('a')", "import urllib.parse"),
        ("sleep(1)", "from time import sleep"),
        ("defaultdict(list)", "from collections import defaultdict"),
    ],
)
def test_known_names_get_their_import(use: str, statement: str) -> None:
    checked = CHECK(GOOD + f"    print({use})\n")
    assert f"\n{statement}\n" in checked.code
    assert checked.problems == ()


def test_what_remains_is_named_with_its_line() -> None:
    checked = CHECK(GOOD + "    print(totl)\n")
    assert checked.line == GOOD.count("\n") + 1
    assert "'totl'" in checked.problems[0]

    checked = CHECK("import requests\nprint(requests.get('http://127.0.0.1/').text)\n")
    assert any("no file" in problem for problem in checked.problems)

    checked = CHECK(GOOD.replace("import requests", "from selenium import webdriver\nimport requests"))
    assert checked.line == 4
    assert "selenium" in checked.problems[0]
    assert "browser" in checked.problems[0]

    checked = CHECK("def f(:\n    return 1\n")
    assert "syntax error" in checked.problems[0]
    assert checked.line == 1


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    import ujson as json\nexcept ImportError:\n    import json\nopen('a', 'w').write(json.dumps(1))\n",
        "from os.path import *\nopen('a', 'w').write(join('a'))\n",
        "def f(x: Unknown) -> Other:\n    return x\nopen('a', 'w').write('')\n",
        "def f():\n    global late\n    late = 1\nf()\nopen(str(late), 'w')\n",
        "try:\n    spam\nexcept NameError:\n    spam = 1\nopen('a', 'wb')\n",
        "class A:\n    x = 1\n    y = [_ for _ in range(x)]\nopen('a', 'w').write(__name__)\n",
        "mode = 'w'\nopen('a', mode)\n",
        "from pathlib import Path\nPath('a').open('w')\n",
        "import pandas as pd\npd.DataFrame([1]).to_csv('a.csv')\n",
        "match 1:\n    case int(n):\n        open('a', 'w').write(str(n))\n",
        "[y := 1, y**2]\nopen('a', 'w').write(str(y))\n",
    ],
)
def test_no_false_alarm(code: str) -> None:
    checked = CHECK(code)
    assert checked.code == code
    assert checked.fixes == ()
    assert checked.problems == ()


def _library() -> list[pathlib.Path]:
    root = pathlib.Path(sysconfig.get_paths()["stdlib"])
    names = """csv json/decoder json/encoder argparse textwrap shutil tempfile dataclasses urllib/parse html/parser enum
        heapq string difflib calendar statistics fractions configparser zipfile ast tokenize inspect"""
    return [path for name in str.split(names) if (path := root / f"{name}.py").is_file()]


@pytest.mark.parametrize("path", _library(), ids=lambda path: path.stem)
def test_library_modules_are_left_alone(path: pathlib.Path) -> None:
    source = path.read_text(encoding="utf-8")
    checked = CHECK(source)
    assert checked.code == source
    assert checked.fixes == ()
    assert not [problem for problem in checked.problems if "not defined" in problem or "syntax" in problem]


NAMES = st.sampled_from(["row", "rows", "page", "data", "text"])
ATOMS = st.one_of(NAMES, st.integers(0, 99).map(str), st.text("ab“’–\t\\'\" `", max_size=6).map(repr))
EXPRS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: f"({p[0]}, {p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"[{p[0]} for row in {p[1]}]"),
        inner.map(lambda e: f"str({e})"),
    ),
    max_leaves=6,
)
LINES = st.one_of(
    st.tuples(NAMES, EXPRS).map(lambda p: [f"{p[0]} = {p[1]}"]),
    st.tuples(EXPRS, NAMES, EXPRS).map(lambda p: [f"if {p[0]}:", f"    {p[1]} = {p[2]}"]),
    st.tuples(NAMES, EXPRS).map(lambda p: [f"def make({p[0]}):", f"\treturn {p[1]}  # “so”"]),
    st.text("abc `\u200b“#\n", max_size=20).map(lambda text: ['note = """', *text.splitlines(), '"""']),
)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(LINES, max_size=6))
def test_a_valid_program_is_unchanged(blocks: list[list[str]]) -> None:
    head = "row = rows = page = data = text = None\n"
    code = head + "".join(f"{line}\n" for block in blocks for line in block) + "open('a', 'w')\n"
    assert syntax_error(code) is None
    checked = CHECK(code)
    assert checked.code == code
    assert checked.fixes == ()
    assert checked.problems == ()


@settings(max_examples=examples(150), deadline=None)
@given(st.text(st.sampled_from("abc =():[]{}\"'`\n\t#,.“’\\defimport"), max_size=120))
def test_any_text_is_answered_and_the_answer_is_stable(text: str) -> None:
    once = CHECK(text)
    assert once.problems or syntax_error(once.code) is None
    assert CHECK(once.code).code == once.code


@given(st.one_of(st.text(), st.sampled_from([f"Here it is:\n```python\n{GOOD}```\n", BODY.replace(":", "", 1)])))
def test_what_is_not_to_be_mended_is_not_touched(code: str) -> None:
    checked = StaticChecker().check(code, mend=False)
    assert (checked.code, checked.fixes) == (code, ())
    assert checked.problems or syntax_error(code) is None
