from __future__ import annotations

import gzip
import itertools
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.web.decode import PIECE, BadEncoding, Inflater, decoder


def bare(data: bytes) -> bytes:
    made = zlib.compressobj(wbits=-15)
    return made.compress(data) + made.flush()


ENCODINGS = {
    "gzip": gzip.compress,
    "x-gzip": lambda data: gzip.compress(data[: len(data) // 2]) + gzip.compress(data[len(data) // 2 :]),
    "deflate": zlib.compress,
    "deflate-bare": bare,
    "identity": lambda data: data,
    "": lambda data: data,
}


@given(st.binary(max_size=3000), st.sampled_from(sorted(ENCODINGS)), st.lists(st.integers(0, 4000), max_size=6))
def test_any_split_of_any_encoding_gives_the_bytes_back(data: bytes, name: str, cuts: list[int]) -> None:
    encoded = ENCODINGS[name](data)
    undo = decoder(name.removesuffix("-bare"))
    assert undo is not None
    bounds = [0, *sorted(min(cut, len(encoded)) for cut in cuts), len(encoded)]
    found = b"".join(
        piece for start, end in itertools.pairwise(bounds) if start != end for piece in undo.feed(encoded[start:end])
    )
    assert found == data


def test_a_bomb_comes_in_small_pieces() -> None:
    bomb = gzip.compress(b"\0" * (50 << 20))
    undo = Inflater("gzip")
    sizes = [len(piece) for _, piece in zip(range(20), undo.feed(bomb), strict=False)]
    assert len(sizes) == 20
    assert max(sizes) <= PIECE


def test_padding_after_the_last_member_is_ignored() -> None:
    undo = Inflater("gzip")
    assert b"".join(undo.feed(gzip.compress(b"abc") + b"\0" * 20)) == b"abc"
    assert list(undo.feed(b"more padding")) == []


def test_a_body_cut_short_gives_what_there_is() -> None:
    data = bytes(range(256)) * 100
    found = b"".join(Inflater("gzip").feed(gzip.compress(data)[:-200]))
    assert found
    assert data.startswith(found)


@pytest.mark.parametrize("name", ["gzip", "deflate"])
def test_what_is_not_in_its_encoding(name: str) -> None:
    with pytest.raises(BadEncoding):
        list(Inflater(name).feed(b"\xff\xfe plainly not compressed"))


def test_what_nobody_asked_for_is_passed_on() -> None:
    assert decoder("br") is None
    assert decoder("gzip, gzip") is None


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate"]))
def test_any_bytes_are_decoded_or_refused(data: bytes, name: str) -> None:
    try:
        list(Inflater(name).feed(data))
    except BadEncoding:
        pass
