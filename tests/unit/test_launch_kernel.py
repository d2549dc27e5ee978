"""What a launcher asks of the kernel."""

from __future__ import annotations

import io

import pytest

from scrapewright.sandboxes.launch import kernel


def test_a_mount_that_the_host_took_away_meanwhile_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = b"30 25 0:26 / /sealed/gone rw - tmpfs none rw\n31 25 0:27 / /elsewhere rw - tmpfs none rw\n"
    monkeypatch.setattr(kernel, "open", lambda *_: io.BytesIO(lines), raising=False)
    kernel.seal("/sealed")


def test_a_mount_that_cannot_be_sealed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own root can't be made read-only by a mount that is none."""
    lines = b"30 25 0:26 / /proc/self/status rw - tmpfs none rw\n"
    monkeypatch.setattr(kernel, "open", lambda *_: io.BytesIO(lines), raising=False)
    with pytest.raises(OSError, match="/proc/self/status"):
        kernel.seal("/proc/self")
