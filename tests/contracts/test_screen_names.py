"""No attribute of ours takes the place of one that Textual keeps for itself."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

from textual.app import App
from textual.widget import Widget

ROOT = Path(__file__).resolve().parents[2]


def own_attributes(node: ast.ClassDef) -> set[str]:
    """Names that the class's __init__ sets on self."""
    found = set()
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            for part in ast.walk(item):
                targets = (
                    part.targets
                    if isinstance(part, ast.Assign)
                    else [part.target]
                    if isinstance(part, ast.AnnAssign)
                    else []
                )
                for target in targets:
                    if (
                        isinstance(target, ast.Attribute)
                        and isinstance(target.value, ast.Name)
                        and target.value.id == "self"
                    ):
                        found.add(target.attr)
    return found


def test_no_attribute_hides_one_of_textuals() -> None:
    clashes = []
    for path in sorted((ROOT / "scrapewright" / "tui").rglob("*.py")):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for node in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(node, ast.ClassDef):
                continue
            made = getattr(module, node.name)
            if not (isinstance(made, type) and issubclass(made, (App, Widget))):
                continue
            theirs = {name for base in made.__mro__ if base.__module__.startswith("textual") for name in vars(base)}
            theirs |= set(vars(App())) if issubclass(made, App) else set(vars(Widget()))
            clashes += [f"{path.name}: {node.name}.{name}" for name in sorted(own_attributes(node) & theirs)]
    assert not clashes
