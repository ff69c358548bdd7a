"""Damaged files: what can be shown is shown at its own time, the rest is counted, nothing hangs."""

import struct
from collections.abc import Callable
from pathlib import Path

import av
import pytest

from telemetry.recording.video_files.frame_source import VideoError, VideoFrame
from telemetry.recording.video_files.reader import VideoFileReader, open_video
from telemetry.recording.video_files.writer import VideoEncoding
from tests.telemetry.recording.video_files.avi_surgery import (
    VIDEO,
    headers_of_video,
    in_two_segments,
    put_together,
    take_apart,
    with_broken_content,
    with_broken_headers,
)
from tests.telemetry.recording.video_files.barcode import SIZE, number_in, write_numbered

Open = Callable[[bytes], VideoFileReader]
BROKEN = (8, 21, 30, 47)


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    def write_and_open(data: bytes) -> VideoFileReader:
        path = tmp_path / "damaged.avi"
        path.write_bytes(data)
        return open_video([path])

    return write_and_open


_INTO_S = 0.002
"""Looked at a little after a frame begins: Matroska rounds times to milliseconds."""


def _wrong(video: VideoFileReader, count: int = 60) -> list[int]:
    """Places n / 30 s that show another number as if it were theirs, neither marked as damaged
    nor with the time of the number in the picture."""
    wrong = []
    for place in range(count):
        frame = video.frame_at(place / 30 + _INTO_S)
        number = number_in(frame)
        if frame is None or number is None or frame.is_damaged:
            continue
        if frame.time_s != pytest.approx(number / 30, abs=0.001) or number > place:
            wrong.append(place)
    return wrong


def _right(video: VideoFileReader, count: int = 60) -> int:
    """How many places show their own number."""
    return sum(number_in(video.frame_at(place / 30 + _INTO_S)) == place for place in range(count))


def test_broken_pictures_are_shown_marked_and_counted(xvid: Path, opened: Open) -> None:
    video = opened(with_broken_content(xvid.read_bytes(), BROKEN))
    assert _wrong(video) == []
    frames = [video.frame_at(place / 30) for place in range(60)]
    marked = {place for place, frame in enumerate(frames) if frame and frame.is_damaged}
    torn = {place for place, frame in enumerate(frames) if number_in(frame) != place}
    assert video.report.frames_damaged == len(BROKEN)
    assert torn <= marked
    assert marked == {*range(8, 12), *range(21, 24), *range(30, 36), 47}
    video.close()


def test_pictures_without_their_start_code_keep_their_place(xvid: Path, opened: Open) -> None:
    head, chunks, _ = take_apart(xvid)
    seen = -1
    for at, (name, content) in enumerate(chunks):
        seen += name == VIDEO
        if name == VIDEO and seen in BROKEN:
            chunks[at] = (name, b"\xa5" * len(content))
    video = opened(put_together(head, chunks))
    assert _wrong(video) == []
    assert video.report.frames_announced == 60
    assert video.report.frames_damaged == len(BROKEN)
    assert video.duration_s == pytest.approx(2.0)
    video.close()


def test_what_is_decoded_side_by_side_is_doubted_only_if_it_leans_on_damage(
    xvid: Path, opened: Open
) -> None:
    """Frame 47 is the last before a key; threads tell of it when they are at frames behind."""
    head, chunks, _ = take_apart(xvid)
    at = [number for number, (name, _) in enumerate(chunks) if name == VIDEO][47]
    chunks[at] = (VIDEO, b"\xa5" * len(chunks[at][1]))
    video = opened(put_together(head, chunks))
    frames = [video.frame_at(place / 30) for place in (45, 50, 51)]
    assert [frame and frame.is_damaged for frame in frames] == [False, False, False]
    video.close()


def test_empty_chunks_keep_the_picture_before_with_its_own_time(xvid: Path, opened: Open) -> None:
    head, chunks, _ = take_apart(xvid)
    seen = -1
    for at, (name, _) in enumerate(chunks):
        seen += name == VIDEO
        if name == VIDEO and seen in (11, 23, 59):  # the last before a key: nothing leans on them
            chunks[at] = (name, b"")
    video = opened(put_together(head, chunks))
    assert _wrong(video) == []
    assert _right(video) == 57
    assert number_in(video.frame_at(23 / 30)) == 22
    report = video.report
    assert (report.frames_announced, report.frames_found, report.frames_missing) == (60, 57, 3)
    assert video.duration_s == pytest.approx(2.0)
    video.close()


def test_broken_chunk_headers_shift_nothing_where_there_is_an_index(
    xvid: Path, opened: Open
) -> None:
    video = opened(with_broken_headers(xvid.read_bytes(), BROKEN))
    assert (_wrong(video), _right(video)) == ([], 60)
    video.close()


def test_broken_chunk_headers_shift_what_ffmpeg_shows(xvid: Path, tmp_path: Path) -> None:
    """The control of the test before."""
    path = tmp_path / "a.avi"
    path.write_bytes(with_broken_headers(xvid.read_bytes(), BROKEN))
    with av.open(str(path)) as container:
        frames = [
            VideoFrame(frame.to_ndarray(format="bgr24"), None, frame.pts)
            for frame in container.decode(video=0)
        ]
    assert sum(number_in(frame) not in (None, frame.number) for frame in frames) > 10


def test_a_missing_index_is_made_up_for_and_told(xvid: Path, opened: Open) -> None:
    head, chunks, _ = take_apart(xvid)
    video = opened(put_together(head, chunks, has_index=False))
    assert (_wrong(video), _right(video)) == ([], 60)
    assert "has no index" in video.report.warnings[0]
    video.close()


def test_an_index_of_another_file_is_not_believed(xvid: Path, opened: Open) -> None:
    data = bytearray(xvid.read_bytes())
    at = data.rindex(b"idx1") + 8
    for entry in range(at, len(data) - 15, 16):
        offset = struct.unpack_from("<I", data, entry + 8)[0]
        struct.pack_into("<I", data, entry + 8, offset + 4)
    video = opened(bytes(data))
    assert (_wrong(video), _right(video)) == ([], 60)
    video.close()


def test_a_file_beyond_a_gigabyte_has_segments(xvid: Path, opened: Open) -> None:
    head, chunks, _ = take_apart(xvid)
    video = opened(in_two_segments(head, chunks, len(chunks) // 3))
    assert (_wrong(video), _right(video)) == ([], 60)
    assert video.report.warnings == ()
    video.close()


def test_a_truncated_file_shows_what_it_has(xvid: Path, opened: Open) -> None:
    data = xvid.read_bytes()
    video = opened(data[: headers_of_video(data)[40] + 11])
    assert (_wrong(video), _right(video)) == ([], 40)
    report = video.report
    assert (report.frames_announced, report.frames_found, report.frames_missing) == (60, 40, 20)
    assert any("ends early" in words for words in report.warnings)
    assert video.frame_at(1.5) is None
    video.close()


def test_a_camera_without_power_leaves_no_sizes(xvid: Path, opened: Open) -> None:
    head, chunks, _ = take_apart(xvid)
    data = bytearray(put_together(head, chunks, has_index=False))
    data[4:8] = bytes(4)
    data[data.index(b"movi") - 4 : data.index(b"movi")] = bytes(4)
    video = opened(bytes(data))
    assert (_wrong(video), _right(video)) == ([], 60)
    video.close()


@pytest.mark.parametrize("number", [0, 1, 2, 20, 41, 59])
def test_without_index_and_headers_no_picture_is_shown_at_a_wrong_time(
    xvid: Path, opened: Open, number: int
) -> None:
    head, chunks, _ = take_apart(xvid)
    video = opened(with_broken_headers(put_together(head, chunks, has_index=False), (number,)))
    assert _wrong(video) == []
    assert _right(video) >= number
    report = video.report
    assert report.frames_found + report.frames_missing == 60
    assert any("unknown" in words or "ends early" in words for words in report.warnings)
    video.close()


@pytest.mark.parametrize("part", [0.9, 0.6])
def test_a_truncated_mkv_shows_what_it_has(tmp_path: Path, part: float) -> None:
    path = write_numbered(tmp_path / "a.mkv", 60, VideoEncoding(SIZE, b_frames=2, key_every=12))
    data = path.read_bytes()
    path.write_bytes(data[: round(len(data) * part)])
    video = open_video([path])
    assert _wrong(video) == []
    assert len(video.times()) - 3 <= _right(video) < 60
    video.close()


def test_a_wrong_extension_does_not_matter(tmp_path: Path, xvid: Path, h264: Path) -> None:
    for source, name in ((xvid, "a.mp4"), (h264, "b.avi"), (xvid, "log.opl")):
        path = tmp_path / name
        path.write_bytes(source.read_bytes())
        video = open_video([path])
        assert _right(video) == 60
        video.close()


def _without_pictures(xvid: Path) -> bytes:
    head, chunks, _ = take_apart(xvid)
    return put_together(head, [one for one in chunks if one[0] != VIDEO])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (lambda xvid, h264: b"Dear diary,\nno video today.\n" * 50, "is not a video"),
        (lambda xvid, h264: b"", "is not a video"),
        (lambda xvid, h264: b"RIFF\xff\xff\xff\xffAVI ", "is not a video"),
        (lambda xvid, h264: b"RIFF\0\0\0\0AVI LIST\0\0\0\0hdrl", "is not a video"),
        (lambda xvid, h264: _without_pictures(xvid), "holds no pictures"),
        (lambda xvid, h264: put_together(take_apart(xvid)[0], []), "holds no pictures"),
        (lambda xvid, h264: h264.read_bytes()[:3000], "is not a video"),
    ],
    ids=["text", "empty", "riff", "header", "sound only", "no frames", "mp4 without its end"],
)
def test_what_is_no_video_says_so(
    xvid: Path, h264: Path, opened: Open, content: Callable[[Path, Path], bytes], words: str
) -> None:
    with pytest.raises(VideoError, match=rf"damaged.avi {words}.*\."):
        opened(content(xvid, h264))


@pytest.mark.parametrize("size", [(0, 0), (96, -(2**31)), (2**30, 64)])
def test_a_size_that_cannot_be_is_not_believed(
    xvid: Path, opened: Open, size: tuple[int, int]
) -> None:
    data = bytearray(xvid.read_bytes())
    struct.pack_into("<ii", data, data.index(b"strf") + 12, *size)
    try:
        video = opened(bytes(data))
    except VideoError:
        return
    assert _wrong(video) == []  # FFmpeg has found it in the pictures
    video.close()


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux says it so")
def test_a_picture_that_says_to_be_huge_takes_no_memory(xvid: Path, opened: Open) -> None:
    """ISO/IEC 14496-2, 6.2.3: 13 bits of width and as many of height, marker bits around them.
    FFmpeg takes 60 MB for each of its threads before it looks at them."""
    data = xvid.read_bytes()
    header = data.index(b"\0\0\1\x20")
    length = 16
    bits = int.from_bytes(data[header : header + length], "big")
    width, height = SIZE
    sizes = (1 << 13 | width) << 14 | 1 << 13 | height
    shift = next(n for n in range(8 * length) if bits >> n & ((1 << 28) - 1) == sizes)
    huge = (bits | ((1 << 28) - 1) << shift).to_bytes(length, "big")
    video = opened(data[:header] + huge + data[header + length :])
    before_mb = _resident_mb()
    assert video.frame_at(0.0) is None
    assert _resident_mb() - before_mb < 30
    assert number_in(video.frame_at(1.0)) == 30, "from the next key on"
    video.close()


def test_a_file_that_is_not_there_and_a_folder_are_said(tmp_path: Path) -> None:
    with pytest.raises(VideoError, match="Choose where it is now"):
        open_video([tmp_path / "none.avi"])
    with pytest.raises(VideoError, match=r"cannot be read"):
        open_video([tmp_path])


def test_a_file_that_goes_away_is_a_message(tmp_path: Path, xvid: Path) -> None:
    path = tmp_path / "gone.avi"
    path.write_bytes(xvid.read_bytes())
    video = open_video([path], cache_mb=0.001)
    assert number_in(video.frame_at(0.0)) == 0
    path.write_bytes(b"")  # the card is pulled: what was there reads as nothing
    with pytest.raises(VideoError, match=r"gone\.avi has changed or gone"):
        video.frame_at(59 / 30)
    video.close()
    with pytest.raises(VideoError, match=r"gone\.avi cannot be read"):
        video.frame_at(0.5)
