"""A stream is kept in part and counted whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.capture import VIEW_BYTES, Capture


@given(st.lists(st.binary(max_size=40)), st.integers(2, 60))
def test_head_tail_and_count(pieces: list[bytes], limit: int) -> None:
    capture = Capture(limit)
    for piece in pieces:
        capture.add(piece)
    whole = b"".join(pieces)
    record = capture.record()
    assert record["bytes"] == len(whole)
    if len(whole) <= limit:
        assert (record["head"], record["tail"]) == (whole.decode("utf-8", "replace"), "")


@given(
    st.text(st.characters(min_codepoint=33, max_codepoint=0x2FFF), min_size=30), st.integers(8, 40), st.integers(1, 9)
)
def test_no_character_is_cut_in_two(text: str, limit: int, step: int) -> None:
    data = text.encode()
    capture = Capture(limit)
    for start in range(0, len(data), step):
        capture.add(data[start : start + step])
    record = capture.record()
    head, tail = str(record["head"]), str(record["tail"])
    assert "\ufffd" not in head + tail
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head.encode()) > limit // 2 - 3
    assert len(data) <= limit or len(tail.encode()) > limit // 2 - 3


def test_memory_does_not_grow() -> None:
    capture = Capture(1000)
    for _ in range(10_000):
        capture.add(b"0123456789" * 10)
    assert capture.record() == {"head": "0123456789" * 50, "tail": "0123456789" * 50, "bytes": 1_000_000}
    assert sum(map(len, capture._tail)) < 1000


def test_one_huge_piece() -> None:
    capture = Capture(10)
    capture.add(b"a" * 5 + b"b" * (1 << 20) + b"c" * 5)
    assert capture.record() == {"head": "aaaaa", "tail": "ccccc", "bytes": (1 << 20) + 10}


def test_the_view_starts_anew_each_time() -> None:
    capture = Capture(100)
    assert not capture.pending
    capture.add(b"one")
    capture.add(b"two")
    assert capture.pending
    assert capture.view() == (b"onetwo", 0)
    assert not capture.pending
    capture.add(b"x" * VIEW_BYTES + b"yyy")
    capture.add(b"zz")
    assert capture.view() == (b"x" * VIEW_BYTES, 5)
    assert capture.view() == (b"", 0)
