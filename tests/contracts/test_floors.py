"""The house: who may import whom, who may import what, and how long a file may be."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "scrapewright"

FLOORS: list[set[str]] = [
    {"settings", "errors", "harness", "assets", "extras", "plugins", "__init__"},
    {"query"},
    {"session"},
    {"web"},
    {"survey"},
    {"loop", "store", "exports", "practice"},
    {"options"},
    {"programmers", "critics", "sandboxes", "headless", "tui"},
    {"wiring"},
    {"api"},
    {"mcp_server"},
    {"commands"},
    {"dispatch"},
    {"cli_options"},
    {"cli_serving"},
    {"cli"},
    {"__main__"},
]
MAY_BE_USED_BY_ALL_ON_ITS_FLOOR = {"loop", "settings", "errors", "assets", "extras", "plugins", "__init__"}
"""loop holds the ports. settings, errors, assets, plugins and the version lean on nothing else."""
ONLY_IN = {
    "textual": ("tui",),
    "openai": ("programmers/model",),
    "anthropic": ("programmers/model",),
    "docker": ("sandboxes/docker",),
    "diskcache": ("web/disk.py",),
    "duckdb": ("exports/duckdb_file.py",),
    "pyarrow": ("exports/parquet.py",),
    "textual_serve": ("tui/serving",),
    "aiohttp": ("tui/serving",),
    "mcp": ("mcp_server/server.py",),
    "mcp_types": ("mcp_server/server.py",),
}
HEAVY = {
    "textual",
    "openai",
    "anthropic",
    "docker",
    "duckdb",
    "pyarrow",
    "pandas",
    "numpy",
    "lxml",
    "bs4",
    "diskcache",
    "httpx2",
    "trustme",
    "dateparser",
    "rich",
}


def modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if "launch" not in p.relative_to(PACKAGE).parts)


def floor_of(name: str) -> int:
    for number, names in enumerate(FLOORS):
        if name in names:
            return number
    raise AssertionError(f"{name} is on no floor")


def room(path: Path) -> str:
    inside = path.relative_to(PACKAGE)
    return inside.parts[0] if len(inside.parts) > 1 else inside.stem


def imports(path: Path) -> list[tuple[int, str]]:
    """(line, module) for every import in the file, those inside functions and TYPE_CHECKING among them."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            module = node.module or ""
            found += [(node.lineno, module)]
            if module == "scrapewright":
                found += [(node.lineno, f"scrapewright.{alias.name}") for alias in node.names]
    return found


def test_every_room_is_on_a_floor() -> None:
    for path in modules():
        floor_of(room(path))


def test_arrows_run_downward() -> None:
    wrong = []
    for path in modules():
        here = room(path)
        if here == "__init__":  # names what the API offers, and loads it where it is used: see test_api_import
            continue
        for line, module in imports(path):
            parts = module.split(".")
            if parts[0] != "scrapewright" or len(parts) < 2 or parts[1].startswith("_"):
                continue
            there = parts[1]
            if there == here:
                continue
            down = floor_of(there) < floor_of(here)
            beside = floor_of(there) == floor_of(here) and there in MAY_BE_USED_BY_ALL_ON_ITS_FLOOR
            if not (down or beside):
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
    assert not wrong, "\n".join(wrong)


def test_packages_are_imported_only_where_they_belong() -> None:
    wrong = []
    for path in modules():
        inside = path.relative_to(PACKAGE).as_posix()
        for line, module in imports(path):
            for package, places in ONLY_IN.items():
                if module.split(".")[0] == package and not any(
                    inside == p or inside.startswith(f"{p}/") for p in places
                ):
                    wrong.append(f"{inside}:{line} imports {module}")
    assert not wrong, "\n".join(wrong)


def test_the_harness_imports_nothing_of_ours() -> None:
    for path in sorted((ROOT / "harness").rglob("*.py")):
        for line, module in imports(path):
            top = module.split(".")[0]
            assert top == "harness" or top in sys.stdlib_module_names or top == "__future__", f"{path}:{line}: {module}"


def test_no_file_is_too_long() -> None:
    lengths = {
        p: len(p.read_text("utf-8").splitlines()) for p in [*ROOT.glob("harness/**/*.py"), *ROOT.glob("tests/**/*.py")]
    }
    lengths |= {p: len(p.read_text("utf-8").splitlines()) for p in PACKAGE.rglob("*.py")}
    assert not [f"{p.relative_to(ROOT)}: {n} lines" for p, n in lengths.items() if n > 500]
    app = PACKAGE / "tui" / "app.py"
    assert not app.exists() or lengths[app] < 300


LIGHT = [
    "scrapewright.cli",
    "scrapewright.settings",
    "scrapewright.session.state",
    "scrapewright.session.journal",
    "scrapewright.loop.ports",
    "scrapewright.query.reading",
    "scrapewright.survey.model",
    "scrapewright.web.page",
    "scrapewright.web.policy",
]


@pytest.mark.parametrize("module", LIGHT)
def test_light_modules_load_nothing_heavy(module: str) -> None:
    loaded = loads(f"import {module}")
    assert not loaded & HEAVY


@pytest.mark.parametrize(
    "folder", ["session", "loop", "survey", "programmers", "web", "store", "critics", "sandboxes", "query", "headless"]
)
def test_everything_but_the_screen_loads_without_textual(folder: str) -> None:
    names = [
        ".".join(p.relative_to(ROOT).with_suffix("").parts)
        for p in modules()
        if room(p) == folder and p.name not in {"__init__.py", "__main__.py"}
    ]
    code = "\n".join(f"import {name}" for name in names)
    assert "textual" not in loads(code)


def test_no_package_of_models_is_loaded_before_one_is_asked() -> None:
    code = """
import scrapewright.programmers.model.local_servers, scrapewright.headless.doctor
from scrapewright import wiring
from scrapewright.programmers.choose import choose
from scrapewright.settings import Settings, load
wiring._load_parts()
choose(Settings(programmer="rules"))
choose(load({"ANTHROPIC_API_KEY": "k"}))
"""
    loaded = loads(code)
    assert "scrapewright" in loaded
    assert not loaded & {"openai", "anthropic", "httpx2"}


def loads(code: str) -> set[str]:
    """The top-level packages in sys.modules after running the code in a new interpreter."""
    script = f"{code}\nimport sys\nprint(' '.join(sorted({{m.split('.')[0] for m in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())
