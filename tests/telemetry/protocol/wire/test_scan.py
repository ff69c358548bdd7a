from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.protocol.wire.frame import Frame, FrameType, encode
from telemetry.protocol.wire.scan import scan
from tests.telemetry.protocol.wire.streams import (
    damaged_streams,
    decode,
    frames,
    in_order,
    scanned,
    to_bytes,
)


def assert_equals_decoder(stream: bytes) -> None:
    received, decoder = decode(stream)
    found = scanned(stream)
    assert in_order(found) == received
    assert decoder.crc_errors == found.crc_errors
    assert decoder.junk_bytes == found.junk_bytes
    assert decoder.doubtful_frames == found.doubtful_frames


@pytest.mark.slow
@given(stream=damaged_streams())
def test_the_scan_finds_what_the_decoder_finds(stream: bytes) -> None:
    assert_equals_decoder(stream)


def test_frames_of_many_kinds_stay_in_order() -> None:
    kinds = [encode(FrameType.OBJ_REQ, 1), encode(FrameType.OBJ, 1, b"abc")]
    kinds += [encode(FrameType.OBJ, 1, b"abcd"), encode(FrameType.NACK, 7, b"xy")]
    assert_equals_decoder(b"".join(kinds * 300))


@pytest.mark.parametrize("ids", [300, 1500])
def test_frames_of_hundreds_of_objects_stay_apart(ids: int) -> None:
    objects = np.random.default_rng(ids).integers(0, 1 << 32, ids).tolist()
    assert_equals_decoder(b"".join(encode(FrameType.OBJ, each, b"abc") for each in objects * 2))


def test_a_damaged_frame_far_behind_is_the_one_that_is_left_out() -> None:
    """Enough frames for two blocks of those that are taken at once, of two lengths."""
    pair, pairs = encode(FrameType.OBJ, 1, b"a") + encode(FrameType.OBJ_REQ, 2), 140_000
    stream = np.frombuffer(bytearray(pair * pairs), np.uint8)
    stream[-len(pair) + 8] ^= 1
    starts = np.arange(0, len(stream), len(pair))
    found = scan(stream, starts, np.full(pairs, len(pair)))
    for object_id, expected in (
        (1, np.arange(0, 2 * (pairs - 1), 2)),
        (2, np.append(np.arange(1, 2 * (pairs - 1), 2), 2 * (pairs - 1))),
    ):
        numbers = [group.numbers for group in found.groups if group.object_id == object_id]
        assert np.array_equal(np.concatenate(numbers), expected)
    assert (found.crc_errors, found.junk_bytes) == (1, 10)


def test_a_real_log_scans_as_it_is_decoded(shared_logs: Path) -> None:
    """Headers of records between the frames are junk for both."""
    assert_equals_decoder((shared_logs / "librepilot-next-hil.opl").read_bytes())


def test_frames_that_all_look_like_one_another_are_told_apart() -> None:
    """A frame that holds frames: only the outer one is found, unless it is damaged."""
    inner = encode(FrameType.OBJ, 5, b"inner") * 3
    outer = bytearray(encode(FrameType.OBJ, 6, inner))
    assert_equals_decoder(bytes(outer) * 2)
    outer[-1] ^= 1
    assert_equals_decoder(bytes(outer) * 2)
    assert len(scanned(bytes(outer))) == 3


@pytest.mark.slow
@given(
    sent=st.lists(frames, min_size=1, max_size=20),
    cuts=st.lists(st.integers(0, 1000), max_size=20),
)
def test_wherever_records_are_cut_all_frames_are_found(sent: list[Frame], cuts: list[int]) -> None:
    stream = b"".join(map(to_bytes, sent))
    edges = sorted({0, len(stream), *(cut % len(stream) for cut in cuts)})
    starts = np.array(edges[:-1], np.int64)
    found = scan(np.frombuffer(stream, np.uint8), starts, np.diff(edges))
    assert in_order(found) == sent
    assert (found.crc_errors, found.junk_bytes) == (0, 0)
    ends = np.cumsum([len(to_bytes(frame)) for frame in sent]) - 1
    assert found.records.tolist() == (np.searchsorted(starts, ends, "right") - 1).tolist()


@pytest.mark.slow
@given(st.lists(damaged_streams(), min_size=1, max_size=8))
def test_whole_records_are_taken_and_the_rest_is_joined_and_searched(parts: list[bytes]) -> None:
    """The control is the decoder: it is given what lies between two records of whole frames."""
    parts = [part for part in parts if part] or [b"\0"]
    edges = np.cumsum([0, *map(len, parts)])
    stream = np.frombuffer(b"".join(parts), np.uint8)
    found = scan(stream, edges[:-1], np.diff(edges))
    expected: list[Frame] = []
    errors = 0
    for stretch in stretches(parts):
        received, decoder = decode(stretch)
        expected += received
        errors += decoder.crc_errors
    assert found.crc_errors == errors
    if errors <= 16:  # beyond, good frames are doubted, by what lies before them
        assert in_order(found) == expected


def stretches(parts: list[bytes]) -> list[bytes]:
    is_whole = [decode(part)[1].junk_bytes == 0 for part in parts]
    cuts = [n for n in range(1, len(parts)) if is_whole[n - 1] or is_whole[n]]
    return [b"".join(parts[a:b]) for a, b in pairwise([0, *cuts, len(parts)])]


def test_many_records_are_followed_in_blocks_and_numbered_throughout() -> None:
    """Enough for three blocks; a frame is torn apart by two records in each thousand."""
    one, two = encode(FrameType.OBJ, 1, b"a"), encode(FrameType.OBJ_REQ, 2)
    parts = [one + two] * 998 + [one[:5], one[5:]]
    sizes = np.tile([len(part) for part in parts], 70)
    starts = np.cumsum(sizes) - sizes
    found = scan(np.frombuffer(b"".join(parts) * 70, np.uint8), starts, sizes)
    for object_id, in_a_thousand in (1, np.arange(0, 1997, 2)), (2, np.arange(1, 1997, 2)):
        numbers = [g.numbers for g in found.groups if g.object_id == object_id]
        expected = 1997 * np.arange(70)[:, np.newaxis] + in_a_thousand
        assert np.sort(np.concatenate(numbers)).tolist() == expected.ravel().tolist()
    records = np.array([*np.repeat(np.arange(998), 2), 999])
    assert (found.records.reshape(70, -1) == 1000 * np.arange(70)[:, np.newaxis] + records).all()


def test_a_whole_record_is_believed_behind_what_looks_like_the_beginning_of_a_frame() -> None:
    """The control: as one stream, the beginning swallows the frame behind it."""
    whole = encode(FrameType.OBJ, 5, b"whole")
    swallowing = encode(FrameType.OBJ, 6, bytes(3) + whole)
    torn = swallowing[: -len(whole) - 1]
    stream = torn + whole + swallowing[-1:]
    assert [f.object_id for f in in_order(scanned(stream))] == [6]
    edges = np.array([0, len(torn), len(torn) + len(whole), len(stream)])
    found = scan(np.frombuffer(stream, np.uint8), edges[:-1], np.diff(edges))
    assert [frame.object_id for frame in in_order(found)] == [5]
