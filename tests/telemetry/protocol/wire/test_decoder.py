import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.frame import FILE_TYPES, Frame, FrameType, encode
from tests.telemetry.protocol.wire.streams import (
    damaged_streams,
    decode,
    flip_every,
    frames,
    to_bytes,
)


@pytest.mark.slow
@given(st.lists(frames))
def test_what_is_encoded_is_decoded(sent: list[Frame]) -> None:
    received, decoder = decode(b"".join(map(to_bytes, sent)))
    assert received == sent
    assert (decoder.crc_errors, decoder.junk_bytes) == (0, 0)


@pytest.mark.slow
@given(damaged_streams(), st.lists(st.integers(0, 400)))
def test_any_chunking_gives_the_same_frames(stream: bytes, cuts: list[int]) -> None:
    whole, expected = decode(stream)
    edges = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    decoder = FrameDecoder()
    pieces = [stream[a:b] for a, b in itertools.pairwise(edges)]
    received = [frame for piece in pieces for frame in decoder.feed(piece)] + decoder.finish()
    assert received == whole
    assert decoder.crc_errors == expected.crc_errors
    assert decoder.junk_bytes == expected.junk_bytes


@pytest.mark.slow
@given(damaged_streams())
def test_every_byte_is_in_a_frame_or_junk(stream: bytes) -> None:
    received, decoder = decode(stream)
    in_frames = sum(len(to_bytes(frame)) for frame in received)
    assert in_frames + decoder.junk_bytes == len(stream) == decoder.bytes
    assert decoder.pending == 0


def test_a_false_sync_takes_no_good_frame_with_it() -> None:
    good = encode(FrameType.OBJ, 0x7421C7BA, bytes(34))
    # A header that claims 200 bytes, most of which belong to the good frames behind it.
    received, decoder = decode(b"\x3c\x20\xc8\x00" + good * 8)
    assert len(received) == 8
    assert decoder.crc_errors == 1
    assert decoder.junk_bytes == 4


def test_a_frame_at_the_end_hidden_by_a_false_sync_is_found_when_the_stream_ends() -> None:
    good = encode(FrameType.ACK, 0x7421C7BA, b"\0\0")
    decoder = FrameDecoder()
    assert decoder.feed(b"\x3c\x20\xc8\x00" + good) == []
    assert decoder.pending == 4 + len(good)
    assert len(decoder.finish()) == 1


def test_file_transfer_of_other_stations_is_framed_like_all() -> None:
    stream = b"".join(encode(kind, 7, b"abc") for kind in sorted(FILE_TYPES))
    received, decoder = decode(stream)
    assert [frame.type for frame in received] == [0x28, 0x29]
    assert decoder.junk_bytes == 0


@pytest.mark.parametrize("header", ["3c250a00", "3c200700", "3c200d01", "3c60ff00"])
def test_impossible_types_and_lengths_are_no_frames(header: str) -> None:
    decoder = FrameDecoder()
    decoder.feed(bytes.fromhex(header))
    assert decoder.pending == 0
    assert decoder.junk_bytes == 4


def test_every_20th_byte_flipped_shows_nothing_that_was_not_sent() -> None:
    rng = random.Random(2)
    sent = [
        Frame(FrameType.OBJ, rng.randrange(0, 1 << 32), rng.randbytes(rng.randrange(2, 30)))
        for _ in range(3000)
    ]
    stream = b"".join(map(to_bytes, sent))
    received, decoder = decode(flip_every(stream, 20))
    assert 0 < decoder.frames < len(sent)  # short frames slip through between two flips
    assert decoder.crc_errors > (len(sent) - decoder.frames) / 2
    assert decoder.junk_bytes > len(stream) / 2
    wrong = set(received) - set(sent)
    # A checksum of eight bits lets one false sync in 256 pass; the object's length must fit too.
    assert len(wrong) <= decoder.crc_errors / 100
    intact, _ = decode(stream)
    assert intact == sent
