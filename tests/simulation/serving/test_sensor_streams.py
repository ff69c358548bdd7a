"""A served aircraft looks at its world and sends what it sees, without the flight waiting."""

import itertools
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.perception.surroundings import Surroundings
from simulation.serving.real_time_flight import RealTimeFlight
from simulation.serving.sensor_streams import ServedStreams
from simulation.simulator.flown_world import open_world
from simulation.worlds.film_error import NoRendererError
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.streams.samples import StreamDescription, StreamSample
from tests.simulation.perception.rooms import room
from tests.simulation.serving.test_real_time_flight import Sink
from tests.waiting import wait_until

MOUNT = SensorMount("down", "lidar-lite-v3", attitude_deg=(0.0, -90.0, 0.0))


class _Sent:
    """Keeps what is sent; `can_go_on` holds up who sends."""

    is_read = True

    def __init__(self) -> None:
        self.announced: list[tuple[str, ...]] = []
        self.numbers: list[int] = []
        self.stamps_us: list[int] = []
        self.clock: list[tuple[int, float]] = []
        self.stopped: Mapping[str, str] = {}
        self.can_go_on = threading.Event()
        self.is_closed = False

    def announce(self, descriptions: Sequence[StreamDescription]) -> None:
        self.announced.append(tuple(one.name for one in descriptions))

    def put(self, description: StreamDescription, sample: StreamSample) -> None:
        self.can_go_on.wait()
        self.numbers.append(sample.number)
        self.stamps_us.append(sample.time_us)

    def tell_clock(self, now_us: int, speed: float, stopped: Mapping[str, str]) -> None:
        self.clock.append((now_us, speed))
        self.stopped = stopped

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def sent() -> _Sent:
    return _Sent()


def _fly(preset: Preset, catalogue: Catalogue, sent: _Sent, at: dict[int, float]) -> ServedStreams:
    """A second of flight; `at` some naps the speed changes, and at 30 it is reset."""
    streams = ServedStreams(sent, Surroundings(room()), [MOUNT])
    sink, naps = Sink([0.02] * 50), iter(range(100))

    def attend(flight: RealTimeFlight) -> None:
        nap = next(naps)
        flight.speed = at.get(nap, flight.speed)
        if nap == 30:
            flight.reset()
        streams.attend(flight)

    flight = RealTimeFlight(
        lambda: streams.power_up(Autopilot(AutopilotConfig(preset), catalogue)),
        sink,
        lambda: sink.now_s,
        attend=attend,
    )
    with pytest.raises(LinkClosed):
        flight.run()
    return streams


def test_a_sender_that_hangs_does_not_hold_up_the_flight(
    preset: Preset, catalogue: Catalogue, sent: _Sent
) -> None:
    streams = _fly(preset, catalogue, sent, {})  # it comes to its end though nothing is sent
    assert sent.numbers == []
    sent.can_go_on.set()
    wait_until(lambda: sent.numbers)  # how many depends on how far behind the looking was
    streams.close()
    assert sent.is_closed


def test_streams_are_announced_again_and_time_is_told_anew_with_every_start(
    preset: Preset, catalogue: Catalogue, sent: _Sent
) -> None:
    sent.can_go_on.set()
    _fly(preset, catalogue, sent, {10: 0.0, 15: 2.0}).close()
    assert sent.announced == [("down",), ("down",)]
    speeds = [speed for _, speed in sent.clock]
    assert speeds[0] == 1.0
    assert 0.0 in speeds
    assert speeds[-1] == 2.0
    after_reset = next(i for i in range(1, len(speeds)) if sent.clock[i][0] < sent.clock[i - 1][0])
    assert sent.clock[after_reset][0] == 0
    told = [now_us for now_us, _ in sent.clock[after_reset:]]
    assert max(b - a for a, b in itertools.pairwise(told)) <= 240_000


def test_a_fault_of_a_sensor_lasts_for_the_next_aircraft_too(
    preset: Preset, catalogue: Catalogue, sent: _Sent
) -> None:
    sent.can_go_on.set()
    streams = ServedStreams(sent, Surroundings(room()), [MOUNT])
    streams.power_up(Autopilot(AutopilotConfig(preset), catalogue))
    with pytest.raises(ValueError, match="no sensor mounted as 'front'; there are: down"):
        streams.set_fault("front", "lost", 1.0)
    with pytest.raises(ValueError, match="down has no fault 'loss'; it has: lost"):
        streams.set_fault("down", "loss", 1.0)
    assert streams.sensor_faults()["down.scale"] == 1.0
    streams.set_fault("down", "clock_offset_ms", 5000.0)
    autopilot = streams.power_up(Autopilot(AutopilotConfig(preset), catalogue))
    autopilot.simulator.advance(100)
    wait_until(lambda: sent.stamps_us)
    streams.close()
    assert min(sent.stamps_us) >= 5_000_000


BEAM = """title = "A beam over the start"
[ground]
reach_m = 50.0
[boxes.beam]
position_m = [0.0, 0.0, -1.0]
size_m = [4.0, 0.5, 0.5]
[starts.here]
position_m = [0.0, 0.0, 0.0]
"""


def test_a_sensor_that_begins_inside_of_something_is_told_once(
    preset: Preset, catalogue: Catalogue, sent: _Sent, tmp_path: Path
) -> None:
    (tmp_path / "world.toml").write_text(BEAM)
    world = open_world(str(tmp_path))
    buried = replace(MOUNT, name="mast", position_m=(0.0, 0.0, -1.1))
    below = replace(MOUNT, name="low", position_m=(0.0, 0.0, -0.5))
    aside = replace(MOUNT, name="aside", position_m=(0.0, 0.5, -1.1))
    told: list[str] = []
    streams = ServedStreams(sent, Surroundings(world.scene), [buried, below, aside], told.append)
    for _ in range(2):
        streams.power_up(Autopilot(AutopilotConfig(preset, world=world), catalogue))
    streams.close()
    (sentence,) = told
    assert "The sensor 'mast' begins inside 'beam'" in sentence
    assert "Choose another start" in sentence


def test_where_nothing_can_be_drawn_the_others_look_and_the_camera_is_told(
    preset: Preset, catalogue: Catalogue, sent: _Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(around: Surroundings) -> None:
        raise NoRendererError("There is no OpenGL; install libegl1.")

    monkeypatch.setattr(Surroundings, "renderer", property(none))
    sent.can_go_on.set()
    told: list[str] = []
    mounts = [MOUNT, SensorMount("front", "price-camera")]
    streams = ServedStreams(sent, Surroundings(room()), mounts, told.append)
    sink = Sink([0.02] * 20)
    flight = RealTimeFlight(
        lambda: streams.power_up(Autopilot(AutopilotConfig(preset), catalogue)),
        sink,
        lambda: sink.now_s,
        attend=streams.attend,
    )
    with pytest.raises(LinkClosed):
        flight.run()
    wait_until(lambda: sent.numbers)
    streams.close()
    assert sent.announced == [("down",)]
    why = "The sensor 'front' sends nothing. There is no OpenGL; install libegl1."
    assert told == [why]
    assert sent.stopped == {"front": why}
    assert not any(name.startswith("front.") for name in streams.sensor_faults())
