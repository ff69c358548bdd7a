"""The checksum of many rows at once, against that of the protocol, byte by byte."""

import numpy as np
import pytest

from telemetry.protocol.wire.crc import crc8, has_crc


@pytest.mark.parametrize("size", range(8, 288, 8))
def test_rows_end_with_their_checksum(size: int) -> None:
    rows = np.random.default_rng(size).integers(0, 256, (300, size), np.uint8)
    heads = np.random.default_rng(1).integers(0, 2**64, len(rows), np.uint64)
    heads[::3] <<= np.uint64(8 * (size % 7 + 1))  # not all eight bytes
    befores = [int(head).to_bytes(8, "little") for head in heads]
    whole = zip(befores, rows.tolist(), strict=True)
    rows[:, -1] = [crc8(before + bytes(row[:-1])) for before, row in whole]
    assert has_crc(rows, heads).all()
    bits = np.random.default_rng(2).integers(0, 8 * size, len(rows))
    rows[np.arange(len(rows)), bits // 8] ^= np.uint8(1) << (bits % 8).astype(np.uint8)
    assert not has_crc(rows, heads).any()
    assert not has_crc(rows[:0], heads[:0]).any()
