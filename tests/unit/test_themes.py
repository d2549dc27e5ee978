"""The palettes that ship, and what is said of a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapewright.assets import themes_dir
from scrapewright.tui.themes import DEFAULT, ThemeError, palettes, read_palette


def test_the_palettes_that_ship() -> None:
    found, wrong = palettes()
    assert not wrong
    assert DEFAULT in found
    assert {palette.theme.dark for palette in found.values()} == {True, False}


def luminance(color: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", sorted(palettes()[0]))
def test_text_can_be_read_on_every_ground(name: str) -> None:
    palette = palettes()[0][name]
    theme = palette.theme
    for ground in (
        theme.background,
        theme.surface,
        theme.panel,
        *(theme.variables[f"line-{k}"] for k in ("crashed", "running", "added", "removed")),
    ):
        assert contrast(str(theme.foreground), str(ground)) >= 4.5
    for color in (theme.primary, theme.error, theme.success, theme.warning, theme.variables["text-quiet"]):
        assert contrast(str(color), str(theme.surface)) >= 3.5
    for kind, color in palette.syntax.items():
        assert contrast(color, str(theme.surface)) >= 3.0, kind


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda t: t.replace('name = "slate"', ""), "name is missing"),
        (lambda t: t.replace("[colors]", "[colours]"), r"\[colors\] is missing"),
        (lambda t: t.replace('error = "#e06c75"', 'error = "red"'), r"colors\.error must be a colour"),
        (lambda t: t + '\nextra = "#ffffff"\n', r"syntax\.extra is not known"),
        (lambda t: t + "\n= 3", "slate"),
    ],
)
def test_a_bad_theme_says_what_is_wrong(tmp_path: Path, change, says: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "slate.toml"
    path.write_text(change((themes_dir() / "slate.toml").read_text()))
    with pytest.raises(ThemeError, match=says):
        read_palette(path)
    found, wrong = palettes(tmp_path)
    assert not found
    assert len(wrong) == 1
