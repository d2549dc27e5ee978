"""Frames survive any cutting of the bytes; anything that is no frame is refused."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import wire

KINDS = st.sampled_from(sorted(wire.NAMES))
FRAMES = st.lists(st.builds(wire.Frame, KINDS, st.integers(0, 0xFFFFFFFF), st.binary(max_size=200)), max_size=20)


def cut(data: bytes, points: list[int]) -> list[bytes]:
    edges = sorted({0, len(data), *(point % (len(data) + 1) for point in points)})
    return [data[start:end] for start, end in itertools.pairwise(edges)]


@given(FRAMES, st.lists(st.integers(min_value=0)))
def test_frames_come_out_as_they_went_in(sent: list[wire.Frame], points: list[int]) -> None:
    data = b"".join(wire.frame(*each) for each in sent)
    parser = wire.Parser()
    got = [frame for piece in cut(data, points) for frame in parser.feed(piece)]
    assert got == sent
    assert parser.pending == 0


@given(FRAMES, st.binary(max_size=300))
def test_garbage_is_refused_or_is_frames(sent: list[wire.Frame], junk: bytes) -> None:
    parser = wire.Parser()
    assert list(parser.feed(b"".join(wire.frame(*each) for each in sent))) == sent
    try:
        for frame in parser.feed(junk):
            assert frame.kind in wire.NAMES
    except wire.WireError:
        return
    assert parser.pending <= len(junk)


@given(st.binary(max_size=100), st.integers(0, 255))
def test_one_byte_changed_never_raises_anything_else(payload: bytes, value: int) -> None:
    data = bytearray(wire.frame(wire.DATA, 7, payload))
    for position in range(len(data)):
        changed = data.copy()
        changed[position] = value
        try:
            list(wire.Parser().feed(bytes(changed)))
        except wire.WireError:
            pass


def test_a_length_over_the_cap_is_refused_before_its_bytes_come() -> None:
    head = wire.frame(wire.DATA, 1, b"")[:5] + (wire.MAX_PAYLOAD + 1).to_bytes(4, "big")
    with pytest.raises(wire.WireError, match="the most"):
        list(wire.Parser().feed(head))
    assert len(list(wire.Parser().feed(wire.frame(wire.DATA, 1, bytes(wire.MAX_PAYLOAD))))) == 1


def test_what_came_before_the_garbage_is_not_lost() -> None:
    frames = wire.Parser().feed(wire.frame(wire.LINE, 0, wire.number(3)) + b"GET / HTTP/1.1")
    assert next(frames) == wire.Frame(wire.LINE, 0, wire.number(3))
    with pytest.raises(wire.WireError, match="kind 71"):
        next(frames)


def test_what_cannot_be_a_frame_is_not_made() -> None:
    with pytest.raises(wire.WireError):
        wire.frame(0)
    with pytest.raises(wire.WireError):
        wire.frame(wire.DATA, 1, bytes(wire.MAX_PAYLOAD + 1))


@given(st.binary(max_size=wire.MAX_PAYLOAD * 2 + 10).filter(bool) | st.just(bytes(wire.MAX_PAYLOAD)))
def test_messages(data: bytes) -> None:
    parser, assembler = wire.Parser(), wire.Assembler()
    frames = list(parser.feed(b"".join(wire.message(wire.RESULT, data))))
    results = [assembler.add(frame) for frame in frames]
    assert results[-1] == data
    assert results[:-1] == [None] * (len(frames) - 1)


def test_a_message_that_never_ends_is_refused() -> None:
    assembler = wire.Assembler(limit=100)
    assembler.add(wire.Frame(wire.JOB, 1, bytes(60)))
    with pytest.raises(wire.WireError):
        assembler.add(wire.Frame(wire.JOB, 1, bytes(60)))
    with pytest.raises(wire.WireError):
        wire.Assembler().add(wire.Frame(wire.JOB, 2, b""))
    with pytest.raises(wire.WireError):
        list(wire.message(wire.JOB, bytes(wire.MAX_MESSAGE + 1)))


def test_an_assembler_takes_one_message_after_the_other() -> None:
    assembler = wire.Assembler(limit=10)
    assert [assembler.add(wire.Frame(wire.JOB, 0, b"12345678")) for _ in range(3)] == [b"12345678"] * 3


@given(st.integers(0, 0xFFFFFFFF), st.binary(max_size=50))
def test_numbers_and_outputs(value: int, data: bytes) -> None:
    assert wire.read_number(wire.number(value)) == value
    assert wire.read_output(wire.output(value, data)) == (value, data)


@pytest.mark.parametrize("payload", [b"", b"123", b"12345"])
def test_no_number(payload: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.read_number(payload)


def test_a_count_too_large_for_its_field_is_capped() -> None:
    assert wire.read_output(wire.output(1 << 40, b"x")) == (0xFFFFFFFF, b"x")
    with pytest.raises(wire.WireError):
        wire.read_output(b"abc")


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none() | st.lists(st.booleans())))
def test_json(value: dict[str, object]) -> None:
    assert wire.load(wire.dump(value)) == value


@pytest.mark.parametrize("data", [b"", b"[]", b"1", b"{", b"\xff", b'{"a": NaN}', b"[" * 100_000, b'{"a":' * 100_000])
def test_what_is_no_object_is_refused(data: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.load(data)


def test_a_lone_surrogate_passes() -> None:
    assert wire.load(wire.dump({"code": "\ud800"})) == {"code": "\ud800"}
    assert json.loads(wire.dump({"a": 1})) == {"a": 1}
