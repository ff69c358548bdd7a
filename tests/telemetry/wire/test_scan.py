from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from telemetry.wire.frame import FrameType, encode
from telemetry.wire.scan import FrameTable, scan
from tests.telemetry.wire.streams import damaged_streams, decode


def assert_equals_decoder(stream: bytes, table: FrameTable) -> None:
    frames, decoder = decode(stream)
    assert [frame.object_id for frame in frames] == table.ids.tolist()
    assert [frame.type for frame in frames] == table.types.tolist()
    bodies = [
        stream[offset + 8 : offset + length]
        for offset, length in zip(table.offsets.tolist(), table.lengths.tolist(), strict=True)
    ]
    assert [frame.body for frame in frames] == bodies
    assert decoder.crc_errors == table.crc_errors
    assert decoder.junk_bytes == table.junk_bytes


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@given(stream=damaged_streams())
def test_the_scan_finds_what_the_decoder_finds(compiled: bool, stream: bytes) -> None:
    assert_equals_decoder(stream, scan(np.frombuffer(bytearray(stream), np.uint8), compiled))


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_tables_grow_with_many_short_frames(compiled: bool) -> None:
    stream = encode(FrameType.OBJ_REQ, 1) * 500
    table = scan(np.frombuffer(bytearray(stream), np.uint8), compiled)
    assert_equals_decoder(stream, table)
    assert len(table) == 500


def test_a_real_log_scans_alike_both_ways(shared_logs: Path) -> None:
    stream = (shared_logs / "librepilot-next-hil.opl").read_bytes()
    assert_equals_decoder(stream, scan(np.frombuffer(bytearray(stream), np.uint8), compiled=True))
