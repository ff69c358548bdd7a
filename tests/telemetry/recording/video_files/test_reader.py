"""The picture on screen at a time, told by the number in the picture."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest

from telemetry.recording.video_files.decoder import PictureDecoder
from telemetry.recording.video_files.frame_source import (
    DecodingLeft,
    FrameSource,
    VideoError,
    VideoFrame,
)
from telemetry.recording.video_files.reader import VideoFileReader, open_packets, open_video
from telemetry.recording.video_files.start_time import started
from telemetry.recording.video_files.writer import VideoEncoding
from tests.telemetry.recording.video_files.avi_surgery import packed, put_together, take_apart
from tests.telemetry.recording.video_files.barcode import (
    SIZE,
    number_in,
    picture,
    write_h264,
    write_numbered,
)
from tests.telemetry.recording.video_files.track_header import (
    MIRRORED,
    ON_ITS_SIDE,
    UPSIDE_DOWN,
    UPSIDE_DOWN_IN_A_MIRROR,
    turn,
)

_VARIABLE = [0.0, 0.03, 0.1, 0.11, 0.3, 0.35, 0.36, 0.6, 0.9, 0.91, 1.0, 1.5]


@pytest.fixture(scope="session")
def all_kinds(folder: Path, xvid: Path, h264: Path) -> dict[str, Path]:
    b_frames = VideoEncoding(SIZE, key_every=24, b_frames=2)
    unpacked = write_numbered(folder / "b.avi", 61, b_frames)
    head, chunks, _ = take_apart(unpacked)
    together = folder / "packed.avi"
    together.write_bytes(put_together(head, packed(chunks)))
    return {
        "xvid": xvid,
        "h264": h264,
        "long gop": write_numbered(folder / "gop.avi", 120, VideoEncoding(SIZE, key_every=250)),
        "long gop h264": write_numbered(
            folder / "gop.mp4", 120, VideoEncoding(SIZE, key_every=250, b_frames=3)
        ),
        "mjpeg": write_numbered(folder / "mjpeg.avi", 20, VideoEncoding(SIZE, encoder="mjpeg")),
        "mjpeg mov": write_numbered(folder / "j.mov", 20, VideoEncoding(SIZE, encoder="mjpeg")),
        "b-frames": unpacked,
        "packed": together,
        "h264 mkv": write_numbered(folder / "b.mkv", 50, b_frames),
        "h264 avi": write_h264(folder / "h264.avi", 40),
        "h264 ts": write_h264(folder / "h264.ts", 40),
        "variable mp4": write_numbered(folder / "v.mp4", _VARIABLE),
        "variable mkv": write_numbered(folder / "v.mkv", _VARIABLE, b_frames),
    }


KINDS = (
    "xvid",
    "h264",
    "long gop",
    "long gop h264",
    "mjpeg",
    "mjpeg mov",
    "b-frames",
    "packed",
    "h264 mkv",
    "h264 avi",
    "h264 ts",
    "variable mp4",
    "variable mkv",
)


_TASKS = Path("/proc/self/task")
_COUNTS = {
    "xvid": 60,
    "h264": 60,
    "long gop": 120,
    "long gop h264": 120,
    "b-frames": 61,
    "packed": 61,
}


def _shown(video: FrameSource, numbers: Sequence[int]) -> list[int | None]:
    """The numbers in the pictures shown a little after these frames begin."""
    times = video.times()
    return [number_in(video.frame_at(times[number] + 0.002)) for number in numbers]


@pytest.mark.parametrize("kind", KINDS)
def test_the_picture_is_exact_in_any_order(all_kinds: dict[str, Path], kind: str) -> None:
    video = open_video([all_kinds[kind]])
    forward = list(range(len(video.times())))
    jumping = random.Random(4).choices(forward, k=30)
    stepping = [at for at in jumping[:5] for at in (at, max(at - 1, 0), at)]
    for numbers in (forward, forward[::-1], jumping, stepping):
        assert _shown(video, numbers) == numbers
    report = video.report
    assert (report.frames_missing, report.frames_damaged, report.warnings) == (0, 0, ())
    video.close()


@pytest.mark.parametrize("kind", KINDS)
def test_times_begin_at_zero_and_are_those_written(all_kinds: dict[str, Path], kind: str) -> None:
    video = open_video([all_kinds[kind]])
    count = len(video.times())
    written = _VARIABLE if "variable" in kind else [number / 30 for number in range(count)]
    assert count == {
        "xvid": 60,
        "h264": 60,
        "long gop": 120,
        "long gop h264": 120,
        "b-frames": 61,
        "packed": 61,
    }.get(kind, len(written))
    assert video.times() == pytest.approx(written, abs=1e-3)
    frame = video.frame_at(video.times()[5])
    assert frame is not None
    assert (frame.number, frame.time_s) == (5, video.times()[5])
    video.close()


def test_packed_pictures_are_shown_at_other_times_by_who_trusts_the_container(
    all_kinds: dict[str, Path],
) -> None:
    """The control of the packed file: FFmpeg's own times are not all right."""
    with av.open(str(all_kinds["packed"])) as container:
        numbers = {
            frame.pts: number_in(VideoFrame(frame.to_ndarray(format="bgr24"), None, -1))
            for frame in container.decode(video=0)
        }
    assert sum(number != pts for pts, number in numbers.items()) > 0


def test_the_number_in_the_picture_tells_a_frame_from_its_neighbour(xvid: Path) -> None:
    """The control of all these tests: one frame off is seen."""
    video = open_video([xvid])
    frames = [video.frame_at(time_s - 1 / 30) for time_s in video.times()[1:]]
    assert [number_in(frame) for frame in frames] == list(range(59))
    torn = video.frame_at(0.5)
    assert torn is not None
    torn.pixels[:16] = picture(201)[:16]
    assert number_in(torn) is None
    video.close()


def test_nothing_is_on_screen_before_and_after(xvid: Path) -> None:
    video = open_video([xvid])
    assert video.frame_at(-0.001) is None
    assert number_in(video.frame_at(0.0)) == 0
    assert number_in(video.frame_at(video.duration_s - 0.001)) == 59
    assert video.frame_at(video.duration_s) is None
    assert video.frame_at(float("nan")) is None
    assert video.duration_s == pytest.approx(2.0)
    video.close()


def test_a_time_with_a_rounding_error_is_that_frame_s(xvid: Path) -> None:
    video = open_video([xvid])
    for time_s in (video.times()[7] - 1e-9, 0.1 + 4 / 30 + 1e-12 - 1e-9):
        assert number_in(video.frame_at(time_s)) == 7
    video.close()


def test_little_memory_changes_no_picture(all_kinds: dict[str, Path]) -> None:
    video = open_video([all_kinds["long gop"]], cache_mb=0.03)
    backwards = list(range(50, 30, -1))
    assert _shown(video, backwards) == backwards
    video.close()


@pytest.mark.parametrize("kind", ["long gop", "h264", "h264 ts", "packed"])
def test_going_on_from_where_another_jump_ended_changes_no_picture(
    all_kinds: dict[str, Path], kind: str
) -> None:
    """With room for hardly a picture, so that all of them are decoded."""
    video = open_video([all_kinds[kind]], cache_mb=0.01)
    count = len(video.times())
    ends = [share * count // 60 for share in (10, 40, 25, 12, 42, 14, 44, 27, 59, 29, 16, 46, 0)]
    assert [number_in(video.frame(at)) for at in ends] == ends
    video.close()


@pytest.mark.parametrize("kind", ["long gop", "long gop h264"])
def test_in_order_every_packet_is_read_once(
    all_kinds: dict[str, Path], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last pictures come out of a decoder together; none of them needs the way once more."""
    packets = open_packets(all_kinds[kind])
    read = packets.packets
    taken: list[int] = []

    def counted(first: int) -> Iterator["av.Packet[Any]"]:
        for packet in read(first):
            taken.append(int(packet.pts or 0))
            yield packet

    monkeypatch.setattr(packets, "packets", counted)
    decoder = PictureDecoder(packets, cache_bytes=1)
    rows = np.argsort(packets.index.times_s)
    assert all(decoder.picture(int(row)) is not None for row in rows)
    assert taken == list(range(len(rows)))
    packets.close()


def _decoding_threads() -> int:
    names = [(task / "comm").read_text(encoding="ascii") for task in _TASKS.iterdir()]
    return sum(name.startswith("av:mpeg4") for name in names)


@pytest.mark.skipif(not _TASKS.exists(), reason="threads of the system are listed on Linux only")
def test_of_many_files_two_keep_their_threads_and_a_closed_one_none(tmp_path: Path) -> None:
    video = open_video([write_numbered(tmp_path / f"{n}.avi", 3, first=3 * n) for n in range(7)])
    before = _decoding_threads()
    assert _shown(video, range(21)) == list(range(21))
    assert 0 < _decoding_threads() - before <= 2 * 4
    video.close()
    assert _decoding_threads() <= before, "those of other tests may end meanwhile"


def test_files_of_a_loop_recording_are_one_medium(tmp_path: Path) -> None:
    files = [
        write_numbered(tmp_path / "1.avi", 20, first=0),
        write_numbered(tmp_path / "2.avi", 15, first=20),
        write_numbered(tmp_path / "3.mp4", 10, first=35),
    ]
    video = open_video(files)
    assert video.borders == pytest.approx((20 / 30, 35 / 30), abs=1e-3)
    assert video.duration_s == pytest.approx(45 / 30, abs=1e-3)
    assert video.times() == pytest.approx(np.arange(45) / 30, abs=1e-3)
    for numbers in (list(range(45)), list(range(44, -1, -1))):
        assert _shown(video, numbers) == numbers
        frames = [video.frame(number) for number in numbers]
        assert [frame.number for frame in frames if frame] == numbers
    assert video.report.files == tuple(files)
    assert video.report.frames_found == 45
    video.close()


def test_a_report_says_what_a_file_is(xvid: Path, h264: Path) -> None:
    video = open_video([xvid])
    report = video.report
    assert (report.size, report.codec, report.has_sound) == (SIZE, "mpeg4", True)
    assert (report.frames_announced, report.frames_found) == (60, 60)
    assert (report.duration_s, report.rate_hz) == (pytest.approx(2.0), pytest.approx(30.0))
    assert report.started is None
    video.close()
    video = open_video([h264])
    assert (video.report.codec, video.report.has_sound) == ("h264", True)
    video.close()


@pytest.mark.parametrize(
    ("date", "name", "expected"),
    [
        ("", "20111202_114530.avi", "2011-12-02T11:45:30"),
        ("", "2011-12-02 11.45.avi", "2011-12-02T11:45:00"),
        ("", "VID_2011_1202_114530_003.AVI", "2011-12-02T11:45:30"),
        ("", "SUNP0012.AVI", None),
        ("", "20119902_114530.avi", None),
        ("Fri Dec  2 11:45:30 2011", "SUNP0012.AVI", "2011-12-02T11:45:30"),
        ("2011-12-02T11:45:30.000000Z", "a.mp4", "2011-12-02T11:45:30+00:00"),
        ("1970-01-01T00:00:00.000000Z", "a.mp4", None),
        ("1904-01-01 00:00:00", "20111202_114530.mp4", "2011-12-02T11:45:30"),
        ("nonsense", "b.mp4", None),
    ],
)
def test_when_it_was_begun(date: str, name: str, expected: str | None) -> None:
    found = started(date, name)
    assert (found and found.isoformat()) == expected


@pytest.mark.parametrize(
    ("matrix", "as_shown"),
    [
        (UPSIDE_DOWN, lambda pixels: pixels[::-1, ::-1]),
        (ON_ITS_SIDE, lambda pixels: np.rot90(pixels, 3)),
        (MIRRORED, lambda pixels: pixels[:, ::-1]),
        (UPSIDE_DOWN_IN_A_MIRROR, lambda pixels: pixels[::-1]),
    ],
)
def test_a_camera_that_hangs_otherwise_is_shown_upright(
    tmp_path: Path,
    matrix: tuple[int, ...],
    as_shown: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.uint8]],
) -> None:
    path = write_numbered(tmp_path / "a.mp4", 10)
    plain = open_video([path])
    before = plain.frame(4)
    plain.close()
    turn(path, matrix)
    video = open_video([path])
    after = video.frame(4)
    assert before is not None
    assert after is not None
    assert np.array_equal(after.pixels, as_shown(before.pixels))
    assert video.size == (after.pixels.shape[1], after.pixels.shape[0])
    video.close()


def test_the_key_before_a_far_frame_is_there_first(all_kinds: dict[str, Path]) -> None:
    video = open_video([all_kinds["long gop h264"]])
    far_s = float(video.times()[100])
    assert number_in(video.nearby_at(far_s)) == 0
    assert number_in(video.frame_at(far_s)) == 100
    assert video.nearby_at(far_s + 1 / 30) is None, "that comes next"
    assert video.nearby_at(-1.0) is None
    video.close()
    often = open_video([all_kinds["h264 mkv"]])
    assert often.nearby_at(float(often.times()[40])) is None, "its key is near"
    often.close()


@pytest.mark.slow
def test_few_frames_of_many_bytes_are_far_from_their_key_too(
    tmp_path: Path, all_kinds: dict[str, Path]
) -> None:
    """A file's bytes are its pictures', but for what FFmpeg passes over at its end."""
    padded = tmp_path / "padded.mkv"
    padded.write_bytes(all_kinds["h264 mkv"].read_bytes() + bytes(30_000_000))
    video = open_video([padded])
    far_s = float(video.times()[5])
    assert number_in(video.nearby_at(far_s)) == 0
    assert number_in(video.frame_at(far_s)) == 5
    video.close()


def test_decoding_that_is_left_ends_and_goes_on_where_it_was(all_kinds: dict[str, Path]) -> None:
    video = open_video([all_kinds["long gop h264"]])
    times, asked = video.times(), iter([False] * 20)
    with pytest.raises(DecodingLeft):
        video.frame_unless(float(times[100]), lambda: next(asked, True))
    assert next(asked, None) is None, "it is asked between pictures"
    for number in (100, 30, 110):
        assert number_in(video.frame_unless(float(times[number]), lambda: False)) == number
    assert video.frame_unless(video.duration_s, lambda: True) is None
    video.close()


def test_what_is_decoded_on_the_way_to_a_frame_comes_before_it_after_the_same_key(
    all_kinds: dict[str, Path],
) -> None:
    video = open_video([all_kinds["long gop h264"]])
    times = video.times()
    assert video.is_on_way(float(times[20]), float(times[100]))
    assert video.is_on_way(float(times[20]), float(times[20]))
    assert not video.is_on_way(float(times[100]), float(times[20]))
    assert not video.is_on_way(-1.0, float(times[20]))
    video.close()
    often = open_video([all_kinds["h264 mkv"]])
    assert not often.is_on_way(0.0, float(often.times()[-1])), "there are keys between"
    often.close()


def test_a_stream_without_times_is_refused(tmp_path: Path) -> None:
    """How fast its pictures follow each other stands nowhere, and a guess would be a wrong time."""
    with pytest.raises(VideoError, match="Convert it to MP4"):
        open_video([write_h264(tmp_path / "raw.h264", 5)])


def test_no_files_are_no_video() -> None:
    with pytest.raises(VideoError, match="Choose"):
        open_video([])


def test_it_is_a_frame_source(xvid: Path) -> None:
    video: FrameSource = open_video([xvid])
    assert isinstance(video, VideoFileReader)
    video.close()
    video.close()
