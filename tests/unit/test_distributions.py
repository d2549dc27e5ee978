"""The allowed distributions: which, where from, and nothing beside them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from scrapewright.sandboxes import distributions


def install(site: Path, name: str, files: dict[str, str], requires: tuple[str, ...] = (), record: bool = True) -> None:
    info = f"{name.replace('-', '_')}-1.0.dist-info"
    lines = "".join(f"Requires-Dist: {line}\n" for line in requires)
    content = {**files, f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{lines}"}
    for path, text in content.items():
        place = site / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    if record:
        names = [*content, f"{info}/RECORD", "../../bin/tool"]
        (site / info / "RECORD").write_text("".join(f'"{n}",,\n' for n in names))


def test_a_package_brings_its_directories_and_metadata(tmp_path: Path) -> None:
    install(tmp_path, "shop", {"shop/__init__.py": "", "shop/deep/a.py": "", "shop.libs/x.so": ""})
    site = distributions.find(["shop"], [str(tmp_path)])
    assert site.entries == {n: tmp_path / n for n in ("shop", "shop.libs", "shop-1.0.dist-info")}
    assert site.versions == {"shop": "1.0"}
    assert site.missing == {}


def test_requirements_are_followed_but_not_extras(tmp_path: Path) -> None:
    install(
        tmp_path,
        "top",
        {"top/__init__.py": ""},
        ('Needed_Lib>=1; python_version >= "3.8"', "extra-lib; extra == 'all'", "absent-lib; sys_platform == 'win32'"),
    )
    install(tmp_path, "needed.lib", {"needed/__init__.py": ""}, ("top",))
    install(tmp_path, "extra-lib", {"extra/__init__.py": ""})
    site = distributions.find(["top"], [str(tmp_path)])
    assert sorted(site.versions) == ["needed-lib", "top"]
    assert "extra" not in site.entries
    assert site.missing == {}


def test_a_wanted_distribution_that_is_not_installed_is_named(tmp_path: Path) -> None:
    assert distributions.find(["nowhere"], [str(tmp_path)]).missing == {"nowhere": "not installed"}


def test_a_single_file_module_brings_its_compiled_file_alone(tmp_path: Path) -> None:
    install(tmp_path, "single", {"single.py": "x = 1", "other.py": ""})
    compiled = Path(importlib.util.cache_from_source(str(tmp_path / "single.py")))
    compiled.parent.mkdir()
    compiled.write_bytes(b"")
    (compiled.parent / "stranger.pyc").write_bytes(b"")
    entries = distributions.find(["single"], [str(tmp_path)]).entries
    assert entries[f"__pycache__/{compiled.name}"] == compiled
    assert not any("stranger" in name for name in entries)


def test_a_namespace_shows_only_its_own_part(tmp_path: Path) -> None:
    install(tmp_path, "part-one", {"shared/one/__init__.py": "", "shared/one/data/x.txt": ""})
    install(tmp_path, "part-two", {"shared/two/__init__.py": ""})
    entries = distributions.find(["part-one"], [str(tmp_path)]).entries
    assert "shared/one" in entries
    assert "shared" not in entries
    assert "shared/two" not in entries


def test_an_editable_install_is_found_by_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site, source = tmp_path / "site", tmp_path / "source"
    (source / "crafted_here").mkdir(parents=True)
    (source / "crafted_here/__init__.py").write_text("")
    install(site, "crafted-here", {"__editable__.crafted.pth": str(source)})
    monkeypatch.syspath_prepend(str(source))
    assert distributions.find(["crafted-here"], [str(site)]).entries == {"crafted_here": source / "crafted_here"}


def test_an_editable_install_that_cannot_be_imported_is_missing(tmp_path: Path) -> None:
    install(tmp_path, "lost-here", {"__editable__.lost.pth": "/nowhere"})
    assert list(distributions.find(["lost-here"], [str(tmp_path)]).missing) == ["lost-here"]


def test_without_a_record_the_top_level_names_are_taken(tmp_path: Path) -> None:
    install(tmp_path, "old", {"old/__init__.py": "", "old-1.0.dist-info/top_level.txt": "old\n"}, record=False)
    assert distributions.find(["old"], [str(tmp_path)]).entries == {"old": tmp_path / "old"}


def test_absolute_and_outside_paths_are_never_entries(tmp_path: Path) -> None:
    install(tmp_path, "sly", {"sly/__init__.py": ""})
    record = tmp_path / "sly-1.0.dist-info/RECORD"
    record.write_text(record.read_text() + "/etc/passwd,,\n../secret,,\nstartup.pth,,\n")
    assert set(distributions.find(["sly"], [str(tmp_path)]).entries) == {"sly", "sly-1.0.dist-info"}


def test_what_is_installed_here() -> None:
    site = distributions.find()
    assert site.missing == {}
    assert {distributions.canonical(name) for name in distributions.ALLOWED} <= set(site.versions)
    assert {"requests", "bs4", "lxml", "numpy", "pandas", "urllib3", "certifi", "idna"} <= set(site.entries)
    assert all(place.exists() for place in site.entries.values())
    for name in ("scrapewright", "textual", "openai", "msgspec", "pip", "docker"):
        assert name not in site.versions
        assert name not in site.entries
