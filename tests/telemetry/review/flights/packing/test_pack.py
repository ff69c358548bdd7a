"""A packed flight opens elsewhere as it was; any tool reads it, and nothing is left half made."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.recording.logs.definitions import definitions_path
from telemetry.recording.logs.reader import LogReading, read_log
from telemetry.recording.recorded_streams import attach_streams, streams_beside
from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import lens_of
from telemetry.review.flights.flight import FlightContent, FlightVideo
from telemetry.review.flights.lapwing_file import read_flight
from telemetry.review.flights.packing.contents import FlightToPack, PackageError
from telemetry.review.flights.packing.manifest import Videos
from telemetry.review.flights.packing.pack import PackSummary, pack_flight
from telemetry.review.flights.packing.small_video import scaled, small_size
from telemetry.review.flights.packing.unpack import unpack_package
from telemetry.review.playback.sound import open_sound
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, saved
from tests.telemetry.recording.video_files.barcode import picture
from tests.telemetry.review.flights.packing.rich_flight import LENS, OWN, RichFlight, rich_flight


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> RichFlight:
    return rich_flight(tmp_path_factory.mktemp("rich"))


@pytest.fixture(scope="module")
def package(rich: RichFlight, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("packed") / "windy.lapwingz"
    assert packed(rich, out).notices == ()
    return out


@pytest.fixture(scope="module")
def folder(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it was unpacked, on another machine."""
    folder = tmp_path_factory.mktemp("elsewhere") / "in" / "windy"
    folder.parent.mkdir()
    unpack_package(package, folder)
    return folder


def packed(
    rich: RichFlight,
    out: Path,
    videos: Videos = "copy",
    progress: Callable[[float], object] = lambda _share: None,
) -> PackSummary:
    content = read_flight(rich.file).content
    return pack_flight(out, FlightToPack(rich.file, rich.log, content), OWN, videos, progress)


def named(content: FlightContent) -> FlightContent:
    """Without what says where files are."""
    return replace(
        content,
        logs=tuple(replace(one, path=Path(one.path.name)) for one in content.logs),
        streams=tuple(replace(one, path=Path(one.path.name)) for one in content.streams),
        videos=tuple(
            replace(one, files=tuple(Path(path.name) for path in one.files))
            for one in content.videos
        ),
        fingerprints={},
        as_read={},
    )


def columns(reading: LogReading) -> dict[str, bytes]:
    """All that a log holds, with what was noted and recorded beside it."""
    recording = reading.recording
    found = {
        f"{track.definition.name}:{track.instance}": track.times.tobytes()
        + b"".join(
            np.ascontiguousarray(
                recording.series(f"{track.definition.name}.{one.name}")[1]
            ).tobytes()
            for one in track.definition.fields
            if one.elements == 1
        )
        for track in recording.tracks()
        if track.instance == 0
    }
    found["events"] = repr(recording.events()).encode()
    found["world"] = repr(recording.world).encode()
    found["media"] = b"".join(one.times.tobytes() for one in recording.media_tracks())
    return found


def read_all(log: Path, catalogue: Catalogue = CATALOGUE) -> dict[str, bytes]:
    reading = read_log(log, catalogue)
    assert attach_streams(reading.recording, streams_beside(log)) == ()
    assert len(reading.recording.media_tracks()) == 2
    return columns(reading)


def test_it_opens_on_another_machine_as_it_was(rich: RichFlight, folder: Path) -> None:
    there, here = read_flight(rich.file), read_flight(folder / "windy.lapwing")
    assert here.problem == ""
    assert named(here.content) == named(there.content)
    assert len({*here.content.fingerprints.values()}) == len({*there.content.fingerprints.values()})
    files = [*here.content.fingerprints]
    assert all(path.is_file() and path.is_relative_to(folder) for path in files)
    assert read_all(here.log) == read_all(rich.log, OWN)


def test_without_the_definitions_it_would_not(rich: RichFlight, folder: Path) -> None:
    """A negative control: the custom object is in nobody else's catalogue."""
    log = read_flight(folder / "windy.lapwing").log
    assert read_log(log, CATALOGUE).info.unknown_frames == 0
    aside = definitions_path(log).rename(definitions_path(log).with_name("aside"))
    try:
        assert read_log(log, CATALOGUE).info.unknown_frames == 5
    finally:
        aside.rename(definitions_path(log))


def test_any_tool_reads_it_and_its_hashes(package: Path, rich: RichFlight) -> None:
    with zipfile.ZipFile(package) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        manifest = json.loads(archive.read("manifest.json"))
        for one in manifest["files"]:
            data = archive.read(one["path"])
            assert hashlib.sha256(data).hexdigest() == one["sha256"]
            assert len(data) == one["bytes"]
        definitions = json.loads(archive.read("definitions.json"))
        assert archive.read("logs/flight.opl") == rich.log.read_bytes()
    assert names == ["manifest.json", *(one["path"] for one in manifest["files"])]
    assert manifest["product"].startswith("Lapwing")
    assert {one["what"] for one in manifest["files"]} == {
        *("flight", "objects", "log", "definitions", "events", "world", "stream", "video")
    }
    releases = {one["name"]: one["releases"] for one in definitions["definitions"]}
    assert releases["KiteLine"] == []
    assert DEFAULT_RELEASE in releases["AttitudeState"]
    assert str(rich.log.parent).encode() not in package.read_bytes()


def test_all_definitions_are_read_as_such(folder: Path, tmp_path: Path) -> None:
    """By whoever has a log with the same objects and nothing else."""
    log = saved(tmp_path, (folder / "logs" / "flight.opl").read_bytes())
    (folder / "definitions.json").rename(definitions_path(log))
    try:
        assert read_log(log, CATALOGUE).info.unknown_frames == 0
    finally:
        definitions_path(log).rename(folder / "definitions.json")


def test_the_same_flight_makes_the_same_bytes(
    package: Path, rich: RichFlight, tmp_path: Path
) -> None:
    packed(rich, tmp_path / "again.lapwingz")
    assert (tmp_path / "again.lapwingz").read_bytes() == package.read_bytes()


def test_left_out_videos_are_found_beside_the_folder(rich: RichFlight, tmp_path: Path) -> None:
    summary = packed(rich, tmp_path / "windy.lapwingz", "none")
    assert {one.name for one in summary.manifest.left_out} >= {"GOPR.avi", "landing.avi"}
    unpack_package(tmp_path / "windy.lapwingz", tmp_path / "windy")
    flight = tmp_path / "windy" / "windy.lapwing"
    assert [bool(one.problem) for one in read_flight(flight).content.videos] == [True] * 3
    landing = tmp_path / "landing.avi"
    landing.write_bytes(rich.content.videos[1].files[0].read_bytes())
    assert read_flight(flight).content.videos[1].files == (landing,)
    landing.write_bytes(b"another film")
    assert read_flight(flight).content.videos[1].problem


@pytest.mark.slow
def test_a_small_video_has_every_frame_at_its_time(tmp_path: Path) -> None:
    log = saved(tmp_path, *attitudes(20))
    times = [0.0, 0.033, 0.0667, 0.1, 0.2, 0.4004]
    film = tmp_path / "film.mkv"
    big = VideoEncoding((1152, 768), encoder="ffv1", sound_hz=8000)
    write_wide(film, times, big)
    lens = replace(LENS, focal_px=(1000.0, 1010.0), centre_px=(577.5, 383.5))
    video = FlightVideo("film", (film,), camera=lens)
    flight = FlightToPack(tmp_path / "x.lapwing", log, FlightContent(videos=(video,)))
    summary = pack_flight(tmp_path / "x.lapwingz", flight, CATALOGUE, "small")
    assert [one.what for one in summary.manifest.files].count("small video") == 1
    unpack_package(tmp_path / "x.lapwingz", tmp_path / "x")
    (small,) = read_flight(tmp_path / "x" / "x.lapwing").content.videos
    before, after = open_video([film]), open_video(small.files)
    assert after.size == (636, 424)
    assert np.abs(after.times() - before.times()).max() < 2e-5
    assert after.duration_s == pytest.approx(before.duration_s, abs=2e-5)
    assert open_sound(small.files).rate_hz == 8000
    assert small.files[0].stat().st_size < film.stat().st_size
    edges = np.array([[-0.5, -0.5], [1151.5, 767.5], [575.5, 383.5]])
    full, little = lens_of(lens, before.size), lens_of(small.camera, after.size)
    shrunk = (edges + 0.5) * (after.size[0] / before.size[0]) - 0.5
    np.testing.assert_allclose(little.directions(shrunk), full.directions(edges), atol=1e-9)


def test_a_video_that_is_small_already_stays_as_it_is(tmp_path: Path) -> None:
    log, film = saved(tmp_path, *attitudes(20)), tmp_path / "film.mp4"
    tiny = VideoEncoding((32, 32))
    with VideoWriter(film, tiny) as writer:
        writer.frame(np.zeros((32, 32, 3), np.uint8), 0.0)
    video = FlightVideo("film", (film,))
    flight = FlightToPack(tmp_path / "x.lapwing", log, FlightContent(videos=(video,)))
    summary = pack_flight(tmp_path / "x.lapwingz", flight, CATALOGUE, "small")
    assert summary.notices == ("film is packed as it is: a copy would be no smaller.",)
    unpack_package(tmp_path / "x.lapwingz", tmp_path / "x")
    (copy,) = read_flight(tmp_path / "x" / "x.lapwing").content.videos
    assert copy.files[0].read_bytes() == film.read_bytes()


def write_wide(path: Path, times: list[float], encoding: VideoEncoding) -> None:
    pixels = np.kron(picture(1), np.ones((encoding.size[1] // 64, encoding.size[0] // 96, 1)))
    with VideoWriter(path, encoding) as writer:
        for time_s in times:
            writer.frame(pixels.astype(np.uint8), time_s)
            writer.sound(np.zeros(266, np.float32))


@pytest.mark.parametrize(
    ("full", "small"),
    [((1920, 1080), (640, 360)), ((1280, 960), (640, 480)), ((320, 240), (320, 240)),
     ((2704, 1520), (612, 344))],
)  # fmt: skip
def test_small_sides_are_even_and_of_the_same_shape(
    full: tuple[int, int], small: tuple[int, int]
) -> None:
    assert small_size(full) == small


def test_a_lens_that_was_not_calibrated_stays() -> None:
    assert scaled(CameraSettings(80.0), (1920, 1080), (640, 360)) == CameraSettings(80.0)


class CancelledError(Exception):
    """As a job is called off."""


@pytest.mark.parametrize("at", [0.1, 0.6, 1.0])
def test_called_off_it_leaves_nothing(rich: RichFlight, tmp_path: Path, at: float) -> None:
    def cancel(share: float) -> None:
        if share >= at:
            raise CancelledError

    with pytest.raises(CancelledError):
        packed(rich, tmp_path / "x.lapwingz", progress=cancel)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_what_was_there(rich: RichFlight, tmp_path: Path) -> None:
    (tmp_path / "x.lapwingz").write_bytes(b"before")
    with no_file_over(20_000), pytest.raises(OSError, match="too large"):
        packed(rich, tmp_path / "x.lapwingz")
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"x.lapwingz": b"before"}


def test_nor_does_unpacking_onto_one_leave_anything(package: Path, tmp_path: Path) -> None:
    with no_file_over(5000), pytest.raises(OSError, match="too large"):
        unpack_package(package, tmp_path / "windy")
    assert list(tmp_path.iterdir()) == []


@contextmanager
def no_file_over(size: int) -> Iterator[None]:
    """Writing more fails, as on a full disk."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_that_changes_meanwhile_is_told(rich: RichFlight, tmp_path: Path) -> None:
    log = saved(tmp_path, *attitudes(50))
    flight = FlightToPack(tmp_path / "x.lapwing", log, FlightContent())

    def change(share: float) -> None:
        if share >= 0.5 and log.read_bytes()[100:101] != b"\xff":
            data = bytearray(log.read_bytes())
            data[100] = 0xFF
            log.write_bytes(data)

    with pytest.raises(PackageError, match="changed while it was packed"):
        pack_flight(tmp_path / "x.lapwingz", flight, CATALOGUE, progress=change)
    assert not (tmp_path / "x.lapwingz").exists()


def test_a_log_that_grows_is_packed_as_far_as_it_was(tmp_path: Path) -> None:
    log = saved(tmp_path, *attitudes(50))
    size = log.stat().st_size
    flight = FlightToPack(tmp_path / "x.lapwing", log, FlightContent())

    def grow(_share: float) -> None:
        with log.open("ab") as file:
            file.write(attitudes(1, 9000)[0])

    pack_flight(tmp_path / "x.lapwingz", flight, CATALOGUE, progress=grow)
    unpack_package(tmp_path / "x.lapwingz", tmp_path / "x")
    stored = read_flight(tmp_path / "x" / "x.lapwing")
    assert stored.problem == ""
    assert stored.log.stat().st_size == size < log.stat().st_size


def test_it_is_never_written_over_a_file_of_the_flight(tmp_path: Path) -> None:
    log = saved(tmp_path, *attitudes(50))
    flight = FlightToPack(tmp_path / "x.lapwing", log, FlightContent())
    with pytest.raises(Exception, match="is a file of this flight"):
        pack_flight(log, flight, CATALOGUE)
