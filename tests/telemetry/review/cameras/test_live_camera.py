"""A live camera: a loopback server and a pipe stand for one, since the tests have none."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import av
import numpy as np
import pytest

from telemetry.base import clock
from telemetry.recording.video_files.frame_source import VideoError, VideoFrame
from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.review.cameras.camera_address import camera_devices, parse_camera_address
from telemetry.review.cameras.camera_recorder import (
    MOST_WAITING,
    NO_FILE,
    RETRY_S,
    CameraRecorder,
    LiveFrame,
)
from telemetry.review.cameras.live_camera import LiveCamera
from telemetry.review.flights.file_reference import fingerprint_of
from tests.telemetry.recording.video_files.barcode import SIZE, number_in, picture, write_numbered
from tests.waiting import wait_until

QUICK_S = (0.02,)


class Camera:
    """Sends numbered pictures as MJPEG over HTTP, as many as it is told to, to whoever asks."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.server.getsockname()[1]}/video.mjpg"
        self.asked: list[socket.socket] = []
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            connection.recv(65536)
            kind = b"multipart/x-mixed-replace;boundary=frame"
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: " + kind + b"\r\n\r\n")
            self.asked.append(connection)

    def film(self, first: int, is_seen: Callable[[], bool]) -> None:
        """Send pictures from this number on, one after the other, until they are seen."""
        numbers = iter(range(first, 256))
        wait_until(lambda: is_seen() or self._send(next(numbers)))

    def _send(self, number: int) -> None:
        jpeg = jpeg_of(number)
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
        self.asked[-1].sendall(head.encode() + jpeg + b"\r\n")

    def hang_up(self) -> None:
        self.asked[-1].shutdown(socket.SHUT_RDWR)
        self.asked[-1].close()

    def close(self) -> None:
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()
        for connection in self.asked:
            connection.close()
        self.thread.join()


def jpeg_of(number: int) -> bytes:
    coder = av.CodecContext.create("mjpeg", "w")
    coder.width, coder.height = SIZE
    coder.pix_fmt, coder.framerate = "yuvj420p", 30
    frame = av.VideoFrame.from_ndarray(picture(number), format="bgr24").reformat(format="yuvj420p")
    return b"".join(bytes(packet) for packet in coder.encode(frame))


def number_of(frame: LiveFrame | None) -> int | None:
    return None if frame is None else number_in(VideoFrame(frame.pixels, 0.0, 0))


@pytest.fixture
def server() -> Iterator[Camera]:
    camera = Camera()
    yield camera
    camera.close()


@contextmanager
def watching(address: str, recorder: CameraRecorder | None = None) -> Iterator[LiveCamera]:
    began_s = clock.monotonic_s() - 100.0  # the flight has gone on for 100 s
    camera = LiveCamera(
        parse_camera_address(address),
        lambda: clock.monotonic_s() - began_s,
        recorder,
        patience_s=QUICK_S,
    )
    try:
        yield camera
    finally:
        camera.close()
        assert camera.has_ended


def test_the_newest_picture_shows_and_a_lost_camera_comes_back(
    server: Camera, tmp_path: Path
) -> None:
    recorder = CameraRecorder(lambda: str(tmp_path / "flight.opl"))
    with watching(server.address, recorder) as camera:
        wait_until(lambda: len(server.asked) == 1)
        server.film(1, lambda: camera.status.frames >= 5)
        assert camera.newest is not None
        assert 100.0 < camera.newest.arrived_s < 160.0, "the flight's time"
        server.hang_up()
        wait_until(lambda: len(server.asked) == 2)
        assert camera.status.interruptions == 1
        assert "sends no more pictures" in camera.status.problem
        assert server.address in camera.status.problem
        server.film(101, lambda: (number_of(camera.newest) or 0) > 103)
        assert camera.status.problem == ""
        server.hang_up()
    first, second = recorder.parts
    assert (first.file.name, second.file.name) == ("flight_camera.mkv", "flight_camera_2.mkv")
    assert first.duration_s is not None
    assert first.first_s + first.duration_s < second.first_s, "no picture stands over the gap"
    before, after = numbers_in(first.file), numbers_in(second.file)
    assert before == list(range(before[0], before[0] + len(before)))
    assert before[0] < 101 <= after[0]
    assert len(before) + len(after) == camera.status.frames


def numbers_in(file: Path) -> list[int]:
    source = open_video([file])
    found = [number_in(source.frame_at(float(t))) for t in source.times()]
    source.close()
    assert None not in found
    return [number for number in found if number is not None]


def test_a_camera_that_is_not_there_says_so_and_ends(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with watching(f"rtsp://127.0.0.1:{port}/live") as camera:
        wait_until(lambda: "cannot be opened" in camera.status.problem)
        assert "Connection refused" in camera.status.problem
        assert camera.status.interruptions == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of Unix")
def test_a_pipe_stands_for_a_camera_and_closing_waits_for_no_writer(tmp_path: Path) -> None:
    pipe = tmp_path / "camera.pipe"
    os.mkfifo(pipe)
    with watching(str(pipe)) as camera:
        camera.close()
        assert camera.has_ended
    with watching(str(pipe)) as camera, pipe.open("wb") as writer:
        writer.writelines(jpeg_of(number) for number in range(9))
        writer.close()
        wait_until(lambda: number_of(camera.newest) == 8)


def test_a_file_plays_at_its_own_speed(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "film.mkv", 9)
    with watching(str(path)) as camera:
        wait_until(lambda: camera.status.frames >= 9)
        assert camera.newest is not None
        # Nine frames at 30 Hz: the last one comes 8/30 s after the first.
        assert camera.newest.arrived_s - 100.0 > 8 / 30


def test_it_ends_when_its_flight_is_over(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "film.mkv", 3)
    over = threading.Event()
    camera = LiveCamera(parse_camera_address(str(path)), clock.monotonic_s, None, over.is_set)
    wait_until(lambda: camera.newest is not None)
    over.set()
    wait_until(lambda: camera.has_ended)


@pytest.mark.parametrize(
    "text", ["", "/dev/sda", "v4l2:/etc/passwd", "file:///etc/passwd", "concat:a|b", "nowhere.avi"]
)
def test_what_is_no_camera_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(VideoError, match="/dev/video0"):
        parse_camera_address(text)


def test_addresses_say_how_they_are_opened() -> None:
    assert parse_camera_address("v4l2:/dev/video0").format == "v4l2"
    assert parse_camera_address("rtsp://10.0.0.2/live").options["rtsp_transport"] == "tcp"
    assert all(parse_camera_address(one).format == "v4l2" for one in camera_devices())


# ------------------------------------------------------------------------ recording


def frames(times_s: list[float]) -> list[LiveFrame]:
    return [LiveFrame(picture(at), time_s, at) for at, time_s in enumerate(times_s)]


def test_frames_are_recorded_with_the_times_at_which_they_arrived(tmp_path: Path) -> None:
    times = [50.0, 50.033, 50.12, 50.9, 51.0]
    recorder = CameraRecorder(lambda: str(tmp_path / "flight.opl"))
    for frame in frames(times):
        recorder.put(frame)
    recorder.close()
    recorder.close()
    (part,) = recorder.parts
    source = open_video([part.file])
    assert part.first_s + source.times() == pytest.approx(times, abs=0.001)
    source.close()


def test_what_was_recorded_before_the_program_was_killed_can_be_played(tmp_path: Path) -> None:
    """A copy of what is on the disk after two seconds, while the file is still being written."""
    path = tmp_path / "flight_camera.mkv"
    writer = VideoWriter(path, VideoEncoding(SIZE, encoder="mpeg4"), in_place=True)
    for number in range(60):
        writer.frame(picture(number), number / 30)
    killed = tmp_path / "killed.mkv"
    killed.write_bytes(path.read_bytes())
    seen = numbers_in(killed)
    assert seen == list(range(len(seen)))
    assert len(seen) >= 40, "at most the last moment is lost"
    known = fingerprint_of(path)
    writer.finish()
    assert len(numbers_in(path)) == 60
    assert known is not None
    assert known.fits(path), "a flight that was kept while it grew finds it again"


def test_a_recording_replaces_no_file_and_stays_when_it_is_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "flight_camera.mkv"
    writer = VideoWriter(path, VideoEncoding(SIZE, encoder="mpeg4"), in_place=True)
    writer.frame(picture(0), 0.0)
    writer.cancel()
    assert path.stat().st_size > 0
    with pytest.raises(VideoError, match="could not be written"):
        VideoWriter(path, VideoEncoding(SIZE), in_place=True)
    assert path.stat().st_size > 0


def test_a_flight_that_is_not_recorded_has_no_video_either() -> None:
    recorder = CameraRecorder(str)
    recorder.put(frames([1.0])[0])
    wait_until(lambda: recorder.error == NO_FILE)
    recorder.close()
    assert recorder.parts == ()


def test_a_full_disk_is_told_and_recording_goes_on_when_there_is_room(tmp_path: Path) -> None:
    room = [0]
    recorder = CameraRecorder(lambda: str(tmp_path / "flight.opl"), lambda _folder: room[0])
    early, late = frames([1.0, 1.5 + RETRY_S])
    recorder.put(early)
    wait_until(lambda: "is full" in recorder.error)
    room[0] = 1 << 40
    recorder.put(late)
    wait_until(lambda: recorder.error == "")
    recorder.close()
    assert [part.first_s for part in recorder.parts] == [late.arrived_s]


def test_frames_that_come_too_fast_are_counted(tmp_path: Path) -> None:
    held = threading.Event()

    def slow(_folder: Path) -> int:
        held.wait()
        return 1 << 40

    recorder = CameraRecorder(lambda: str(tmp_path / "flight.opl"), slow)
    sent = frames([float(number) for number in range(MOST_WAITING + 6)])
    for frame in sent:
        recorder.put(frame)
    assert recorder.dropped >= 5
    held.set()
    recorder.close()
    (part,) = recorder.parts
    assert len(numbers_in(part.file)) == len(sent) - recorder.dropped


def test_an_odd_size_is_cut_by_a_pixel(tmp_path: Path) -> None:
    recorder = CameraRecorder(lambda: str(tmp_path / "flight.opl"))
    recorder.put(LiveFrame(np.zeros((49, 65, 3), np.uint8), 0.0, 0))
    recorder.close()
    source = open_video([recorder.parts[0].file])
    assert source.size == (64, 48)
    source.close()
