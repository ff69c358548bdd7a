"""Which pictures of H.264 may be left out on the way to another one."""

from pathlib import Path

import av

from telemetry.recording.video_files.h264 import is_reference, length_bytes
from telemetry.recording.video_files.writer import VideoEncoding
from tests.telemetry.recording.video_files.barcode import SIZE, write_numbered


def test_what_ffmpeg_skips_as_well_is_no_reference(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "a.mp4", 40, VideoEncoding(SIZE, key_every=40, b_frames=3))
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        context = stream.codec_context
        width = length_bytes("h264", context.extradata)
        assert width == 4
        context.skip_frame = "NONREF"
        packets = [packet for packet in container.demux(stream) if packet.size]
        kept = [packet.pts for packet in packets if is_reference(memoryview(packet), width)]
        shown = [frame.pts for packet in [*packets, None] for frame in context.decode(packet)]
    assert 10 < len(kept) < 30
    assert sorted(kept) == shown


def test_what_cannot_be_told_may_be_leaned_on() -> None:
    assert length_bytes("mpeg4", b"\1\0\0\0\3") == 0
    assert length_bytes("h264", None) == 0
    assert length_bytes("h264", b"\0\0\0\1\x67") == 0, "start codes"
    assert length_bytes("h264", b"\1\0\0\0\xfd") == 2
    assert is_reference(b"\0\0\0\1\x01", 0)
    assert is_reference(b"", 4)
    assert is_reference(b"\0\0\0\x7f", 4)
    assert not is_reference(b"\0\0\0\2\x09\x10\0\0\0\1\x01", 4), "a delimiter, then a slice"
    assert is_reference(b"\0\0\0\2\x09\x10\0\0\0\1\x41", 4)
