"""A connection whose link has streams beside it, over links in memory."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from telemetry.protocol.links.link import Link
from telemetry.protocol.links.memory import MemoryLink, pair
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.streams.framing import (
    Buffers,
    ClockMessage,
    encode_clock,
    encode_sample,
    encode_streams,
)
from telemetry.protocol.streams.samples import PictureSample
from telemetry.recording.logs.world import read_world_note
from telemetry.recording.simulated_world import SimulatedWorld
from telemetry.recording.video_files.recorded_stream import RecordedStream
from telemetry.vehicle import connection
from telemetry.vehicle.connection import connect
from telemetry.vehicle.vehicle import Vehicle
from tests.telemetry.protocol.streams.samples import CAMERA, LIDAR, scan
from tests.waiting import wait_for, wait_until


class _StreamedLink:
    """A link on which nothing is said, with streams beside it."""

    can_write = True
    world, seed = "office", 3
    is_lossless = True

    def __init__(self, telemetry: MemoryLink, streams: MemoryLink) -> None:
        self.name, self.address = telemetry.name, telemetry.address
        self.read, self.write, self.close = telemetry.read, telemetry.write, telemetry.close
        self.streams = streams


class _Simulator:
    """The other ends of all links that were opened."""

    def __init__(self) -> None:
        self.ends: list[tuple[MemoryLink, MemoryLink]] = []

    def open(self, address: str) -> Link:
        near, far = pair(address)
        near_streams, far_streams = pair("streams")
        self.ends.append((far, far_streams))
        return _StreamedLink(near, near_streams)

    def say(self, buffers: Buffers) -> None:
        self.ends[-1][1].write(b"".join(bytes(buffer) for buffer in buffers))


@pytest.fixture
def simulator() -> _Simulator:
    return _Simulator()


@pytest.fixture
def vehicle(
    simulator: _Simulator, catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Vehicle]:
    monkeypatch.setattr(connection, "BACKOFF_S", (0.01,))
    vehicle = connect("memory:x", simulator.open, catalogue, tmp_path)
    wait_until(lambda: simulator.ends)
    yield vehicle
    vehicle.close()


def _scans(vehicle: Vehicle) -> list[int] | None:
    track = vehicle.recording.media("lidar")
    return None if track is None else track.numbers.tolist()


def test_its_samples_are_in_the_recording_and_beside_the_log(
    simulator: _Simulator, vehicle: Vehicle, tmp_path: Path
) -> None:
    simulator.say(encode_streams([LIDAR]))
    simulator.say(encode_sample("lidar", scan(0)))
    wait_until(lambda: _scans(vehicle) == [0])
    simulator.ends[0][0].close()  # it is opened again
    wait_until(lambda: len(simulator.ends) == 2)
    simulator.say(encode_streams([LIDAR]))
    simulator.say(encode_sample("lidar", scan(5)))
    wait_until(lambda: _scans(vehicle) == [0, 5])
    vehicle.close()
    (log,) = tmp_path.glob("*.opl")
    names = sorted(path.name for path in tmp_path.glob("*.npz"))
    assert names == [f"{log.stem}_lidar.npz", f"{log.stem}_lidar_2.npz"]
    track = vehicle.recording.media("lidar")
    assert track is not None
    assert not track.is_live
    assert vehicle.recording.world == read_world_note(log) == SimulatedWorld("office", 3)


def test_why_no_more_come_stands_in_the_flight(simulator: _Simulator, vehicle: Vehicle) -> None:
    simulator.ends[0][1].write(b"something that is no stream at all")
    event = wait_for(lambda: next(iter(vehicle.recording.events()), None))
    assert "No more pictures and scans" in event.text
    assert simulator.ends[0][0].read(0.0) != b"", "the flight goes on"


def test_why_a_sensor_has_stopped_stands_in_the_flight(
    simulator: _Simulator, vehicle: Vehicle
) -> None:
    simulator.say(encode_streams([LIDAR]))
    simulator.say(encode_clock(ClockMessage(0, 1.0, {}, {"down": "It cannot draw."})))
    event = wait_for(lambda: next(iter(vehicle.recording.events()), None))
    assert (event.kind, event.text) == ("sensor", "It cannot draw")


def test_that_a_disk_is_too_full_for_scans_stands_in_the_flight(
    simulator: _Simulator, vehicle: Vehicle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is room for the log, and less than for streams."""
    room = shutil.disk_usage(".")._replace(free=32 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: room)
    simulator.say(encode_streams([LIDAR]))
    simulator.say(encode_sample("lidar", scan(0)))
    event = wait_for(lambda: next(iter(vehicle.recording.events()), None))
    assert event.kind == "sensor"
    assert "lidar: Not recorded" in event.text
    assert "is full" in event.text


def test_a_link_may_ask_for_pictures_to_the_bit(
    simulator: _Simulator, vehicle: Vehicle, tmp_path: Path
) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (24, 32, 3), np.uint8)
    simulator.say(encode_streams([CAMERA]))
    simulator.say(encode_sample("front", PictureSample(0, 0, noise)))
    wait_until(lambda: (track := vehicle.recording.media("front")) is not None and track.count)
    vehicle.close()
    (file,) = tmp_path.glob("*_front.npz")
    recorded = RecordedStream(file)
    sample = recorded.sample(0)
    recorded.close()
    assert isinstance(sample, PictureSample)
    np.testing.assert_array_equal(sample.pixels, noise)
