import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.frame import FrameType, encode
from telemetry.recording.logs.opl_writer import StreamSplitter
from tests.telemetry.protocol.wire.streams import damaged_streams, decode


@pytest.mark.slow
@given(damaged_streams(), st.integers(1, 40))
def test_everything_passes_in_order(stream: bytes, chunk: int) -> None:
    splitter = StreamSplitter()
    passed = [splitter.feed(stream[i : i + chunk]) for i in range(0, len(stream), chunk)]
    assert b"".join(passed) + splitter.finish() == stream


def test_no_frame_is_cut() -> None:
    stream = encode(FrameType.OBJ, 0x7421C7BA, bytes(34)) * 20
    splitter = StreamSplitter()
    for start in range(0, len(stream), 13):
        part = splitter.feed(stream[start : start + 13])
        frames, decoder = decode(part)
        assert decoder.junk_bytes == 0
        assert FrameDecoder().feed(part) == frames
