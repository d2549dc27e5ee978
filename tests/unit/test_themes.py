"""The palettes that ship, the user's own, and what is said of a bad one."""

from __future__ import annotations

import os
import re
from itertools import combinations
from pathlib import Path

import pytest

from scrapewright.assets import themes_dir
from scrapewright.tui.themes import DEFAULT, FILE_AT_MOST, ThemeError, ThemeFolder, palettes, read_palette, rich_color

FOUND = palettes()[0]
PLAIN = sorted(name for name, palette in FOUND.items() if not palette.theme.ansi)
MARKS = ("crashed", "running", "added", "removed")


def test_the_palettes_that_ship() -> None:
    found, wrong = palettes()
    assert not wrong
    assert DEFAULT in found
    assert len(found) >= 6
    assert {palette.theme.dark for palette in found.values()} == {True, False}
    assert any(palette.theme.ansi for palette in found.values())


def luminance(color: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def distance(one: str, other: str) -> float:
    """Between two colours, in steps of a channel; about 10 is what the eye tells apart side by side."""
    parts = [(int(one[i : i + 2], 16) - int(other[i : i + 2], 16)) ** 2 for i in (1, 3, 5)]
    return float(sum(parts)) ** 0.5


@pytest.mark.parametrize("name", PLAIN)
def test_text_can_be_read_on_every_ground(name: str) -> None:
    palette = FOUND[name]
    theme = palette.theme
    grounds = [str(g) for g in (theme.background, theme.surface, theme.panel)]
    marked = [theme.variables[f"line-{kind}"] for kind in MARKS]
    for ground in (*grounds, *marked):
        assert contrast(str(theme.foreground), ground) >= 4.5, ground
        assert contrast(theme.variables["text-quiet"], ground) >= 3.0, ground
    assert contrast(theme.variables["text-quiet"], str(theme.surface)) >= 4.5
    for color in (theme.primary, theme.secondary, theme.accent, theme.error, theme.success, theme.warning):
        for ground in grounds:
            assert contrast(str(color), ground) >= 3.0, (color, ground)
        assert contrast(str(color), str(theme.surface)) >= 4.5, color
    for kind, color in palette.syntax.items():
        assert contrast(color, str(theme.surface)) >= (3.0 if kind == "comment" else 4.5), kind


@pytest.mark.parametrize("name", PLAIN)
def test_marks_can_be_distinguished(name: str) -> None:
    theme = FOUND[name].theme
    grounds = {kind: theme.variables[f"line-{kind}"] for kind in MARKS} | {"": str(theme.surface)}
    for (one, a), (other, b) in combinations(grounds.items(), 2):
        assert distance(a, b) >= 20, (one, other)
    for a, b in combinations((theme.error, theme.success, theme.warning), 2):
        assert distance(str(a), str(b)) >= 60


def test_the_high_contrast_palettes_have_seven_to_one() -> None:
    for name in ("contrast", "print"):
        theme = FOUND[name].theme
        colors = [theme.foreground, theme.error, theme.success, theme.warning, theme.primary]
        for color in [*colors, theme.variables["text-quiet"], *FOUND[name].syntax.values()]:
            assert contrast(str(color), str(theme.surface)) >= 7.0, (name, color)


def test_the_terminals_own_palette_names_its_colours_only() -> None:
    palette = FOUND["ansi"]
    theme = palette.theme
    values = [theme.primary, theme.surface, theme.error, *theme.variables.values(), *palette.syntax.values()]
    assert all(str(value).startswith("ansi_") or value == "reverse" for value in values)
    assert rich_color("ansi_bright_red") == "bright_red"
    assert rich_color("#aabbcc") == "#aabbcc"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda t: t.replace('name = "slate"', ""), "name is missing"),
        (lambda t: t.replace('name = "slate"', 'name = "a b\\u001b"'), "name is missing, or"),
        (lambda t: t.replace("[colors]", "[colours]"), "colours is not known; did you mean colors"),
        (lambda t: t.replace("[colors]", "[a]"), "a is not known"),
        (lambda t: t.replace("[syntax]", "[variables.x]"), "variables.x is not known"),
        (lambda t: t.replace('error = "#e06c75"', 'error = "red"'), r"colors\.error must be a colour .*'red'"),
        (lambda t: t.replace('error = "#e06c75"', 'error = "ansi_red"'), r"colors\.error must be a colour"),
        (lambda t: t.replace('error = "#e06c75"', ""), r"colors\.error must be a colour .*is missing"),
        (lambda t: t.replace("dark = true", 'dark = "yes"'), "dark must be true or false"),
        (lambda t: t + '\nkeywrd = "#ffffff"\n', r"syntax\.keywrd is not known; did you mean keyword"),
        (lambda t: t + "\n= 3", "slate"),
        (lambda t: t + "#" * FILE_AT_MOST, "larger than"),
    ],
)
def test_a_bad_theme_says_what_is_wrong(tmp_path: Path, change, says: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "slate.toml"
    path.write_text(change((themes_dir() / "slate.toml").read_text()))
    with pytest.raises(ThemeError, match=says) as caught:
        read_palette(path)
    assert str(path) in str(caught.value)
    found, wrong = palettes(tmp_path)
    assert not found
    assert len(wrong) == 1


def test_what_is_no_text_or_no_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe name")
    (tmp_path / "b.toml").mkdir()
    found, wrong = palettes(tmp_path)
    assert (found, len(wrong)) == ({}, 2)
    assert palettes(tmp_path / "nowhere") == ({}, [])


def test_the_users_own_folder_adds_and_replaces_and_is_watched(tmp_path: Path) -> None:
    folder = ThemeFolder(tmp_path)
    found, wrong = folder.read()
    assert set(found) == set(FOUND)
    assert not folder.changed()
    text = (themes_dir() / "slate.toml").read_text()
    own = tmp_path / "mine.toml"
    own.write_text(text.replace('name = "slate"', 'name = "mine"'))
    assert folder.changed()
    found, wrong = folder.read()
    assert "mine" in found
    assert not wrong
    assert not folder.changed()
    own.write_text(text.replace("#e06c75", "#f06c75"))
    os.utime(own, ns=(1, 1))
    assert folder.changed()
    found, wrong = folder.read()
    assert (found["slate"].theme.error, wrong) == ("#f06c75", [])
    own.unlink()
    assert folder.changed()
    assert folder.read()[0]["slate"].theme.error == "#e06c75"


def test_two_files_of_one_folder_with_one_name_are_reported(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text((themes_dir() / "slate.toml").read_text())
    _, wrong = palettes(tmp_path)
    assert re.search(r"b\.toml: name is 'slate', as in a\.toml", wrong[0])
