"""What every test of a model's endpoint begins with."""

from __future__ import annotations

from tests.fakes.model_server import certificates_read_once, nothing_remembered

__all__ = ["certificates_read_once", "nothing_remembered"]
