"""Records are found all at once as they are found one after the other."""

import random
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.recording.logs.records import read_records
from tests.telemetry.recording.logs.books import attitude, record

CHAIN = 4


def size_at(data: bytes, at: int) -> int:
    size = int.from_bytes(data[at + 4 : at + 12], "little")
    return size if at + 12 <= len(data) and size <= 0xFFFFF else 0


def is_chain(data: bytes, at: int) -> bool:
    for _ in range(CHAIN):
        size = size_at(data, at)
        at += 12 + size
        if size == 0 or at > len(data):
            return False
        if at == len(data):
            return True
    return True


def ms_at(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def one_after_the_other(data: bytes) -> tuple[list[tuple[int, int, int]], list[int], bool]:
    """(start, size, ms) of all records, which are damage, and whether the last one is cut."""
    found: list[tuple[int, int, int]] = []
    damaged: list[int] = []
    at, end = 0, len(data)
    while at < end:
        size = size_at(data, at)
        following = at + 12 + size
        if size and (following == end or (following < end and size_at(data, following))):
            found.append((at + 12, size, ms_at(data, at)))
            at = following
            continue
        fits = bool(size) and following <= end
        stop = following if fits else end
        resume = next((n for n in range(at + 1, stop) if is_chain(data, n)), None)
        if resume is not None:
            near = range(resume, min(resume + 12, stop))
            resume = min((n for n in near if is_chain(data, n)), key=lambda n: size_at(data, n))
        is_lost = size == 0 and at + 12 <= end
        if resume is not None or (not fits and is_lost and found):
            resume = end if resume is None else resume
            damaged.append(len(found))
            found.append((at, resume - at, found[-1][2] if found else ms_at(data, resume)))
            at = resume
        elif fits:
            found.append((at + 12, size, ms_at(data, at)))
            at = following
        elif is_lost:
            return [], [], False
        else:
            if at + 12 < end:
                found.append((at + 12, end - at - 12, ms_at(data, at)))
            return found, damaged, True
    return found, damaged, False


def assert_read(data: bytes) -> None:
    """In one window, and in windows that most records do not fit into or end in."""
    found, damaged, is_truncated = one_after_the_other(data)
    for window_bytes in (1 << 20, 50):
        records = read_records(np.frombuffer(data, np.uint8), window_bytes=window_bytes)
        columns = (records.starts, records.sizes, records.times_ms)
        assert list(zip(*(column.tolist() for column in columns), strict=True)) == found
        assert (records.damaged.tolist(), records.is_truncated) == (damaged, is_truncated)
        assert records.damaged_bytes == sum(found[number][1] for number in damaged)


@pytest.mark.slow
@given(
    st.lists(st.binary(min_size=1, max_size=60), max_size=12),
    st.lists(st.binary(max_size=40), max_size=12),
)
def test_a_few_records_with_garbage_between_them(
    payloads: list[bytes], garbage: list[bytes]
) -> None:
    parts = [record(n, payload) for n, payload in enumerate(payloads)]
    for position, junk in enumerate(garbage):
        parts.insert(2 * position, junk)
    assert_read(b"".join(parts))


def long_log(seed: int, damages: int) -> bytes:
    """A hundred kilobytes; some payloads are frames, or look like that, others resemble headers."""
    rng = random.Random(seed)
    payloads = (
        *(bytes(40), struct.pack("<Iq", 7, 9) * 4, rng.randbytes(33), struct.pack("<Iq", 0, 300)),
        *(b"\x01" + bytes(7), rng.randbytes(200)),
        *(attitude(1.0), attitude(2.0) + attitude(3.0), b"\x3c" * 20, b"\x3c"),
        record(3, attitude(4.0)),
    )
    parts = [record(n, rng.choice(payloads)) for n in range(2000)]
    data = bytearray(b"".join(parts))
    for _ in range(damages):
        at = rng.randrange(len(data))
        if rng.random() < 0.5:
            data[at] ^= 1 << rng.randrange(8)
        else:
            data[at:at] = rng.randbytes(rng.randrange(1, 100))
    return bytes(data)


@pytest.mark.slow
@pytest.mark.parametrize("damages", [0, 3, 60])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_long_log(seed: int, damages: int) -> None:
    assert_read(long_log(seed, damages))


@pytest.mark.parametrize("payload", [bytes(range(20)), b"\x3c" + bytes(range(20))])
def test_records_inside_a_record_are_none(payload: bytes) -> None:
    inner = b"".join(record(n, payload) for n in range(90))
    outer = b"".join(record(n, inner) for n in range(12))
    assert_read(outer)
    assert len(read_records(np.frombuffer(outer, np.uint8))) == 12
