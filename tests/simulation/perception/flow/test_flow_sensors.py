"""The ring and the optic-flow module as sensors of an aircraft that moves as is told by hand."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.files.parameter_file import ParameterError
from simulation.mathematics.rotation import set_euler
from simulation.perception.flow.ring import FlowRing
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.perception.surroundings import Surroundings
from simulation.worlds.make_scene import make_scene
from simulation.worlds.triangle_grid import TriangleGrid
from simulation.worlds.world_file import load_world
from telemetry.protocol.streams.samples import ValueSample

HEIGHT = 3.0


@cache
def hall() -> Surroundings:
    return Surroundings(make_scene(load_world("corridor:width_m=9,height_m=9,texture=noise")))


def samples_of(
    pose: Callable[[float], Pose], sensor: str, steps: int, block: int = 20, **changes: Any
) -> list[SuiteSample]:
    down = (0.0, -90.0, 0.0) if sensor == "px4flow" else (0.0, 0.0, 0.0)
    mount = SensorMount("flow", sensor, attitude_deg=down, changes=changes)
    path = GivenPath(pose)
    suite = PerceptionSuite(path, hall(), [mount])
    found: list[SuiteSample] = []
    suite.subscribe(found.append)
    for _ in range(steps // block):
        path.advance(block)
    assert not suite.failures
    return found


def values(sample: SuiteSample) -> Mapping[str, float]:
    assert isinstance(sample.sample, ValueSample)
    return dict(zip(sample.description.details["names"], sample.sample.values, strict=True))


def moving(
    ahead: float = 0.0, right: float = 0.0, rates: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> Callable[[float], Pose]:
    """With these speeds and rates of roll, pitch and yaw, from level and north on."""

    def pose(t: float) -> Pose:
        q = [0.0] * 4
        set_euler(q, *(rate * t for rate in rates))
        return (8.0 + ahead * t, right * t, -HEIGHT), q

    return pose


@pytest.mark.parametrize("method", ["block matching", "image interpolation"])
@pytest.mark.parametrize(
    ("ahead", "right", "rates"),
    [
        (0.8, 0.0, (0.0, 0.0, 0.0)),
        (0.0, -0.6, (0.0, 0.0, 0.0)),
        (0.0, 0.0, (0.2, 0.0, 0.0)),
        (0.0, 0.0, (0.0, -0.2, 0.0)),
        (0.4, 0.3, (-0.15, 0.1, 0.1)),
    ],
)
def test_way_and_turning_are_those_of_mavlinks_definition(
    method: str, ahead: float, right: float, rates: tuple[float, float, float]
) -> None:
    """OPTICAL_FLOW_RAD: turning about an axis makes flow about it positive, moving along y negative
    flow about x, moving along x positive flow about y (mavlink_msg_optical_flow_rad.h)."""
    changes = {"method": method, "gyro_noise_dps": 0.0, "frames_hz": 200.0}
    told = values(samples_of(moving(ahead, right, rates), "px4flow", 200, **changes)[0])
    seconds = told["integration time"] / 1e6
    assert seconds == pytest.approx(0.1)
    assert told["quality"] > 100.0
    turned = [told[f"gyro {axis}"] for axis in "xyz"]
    assert turned == pytest.approx([rate * seconds for rate in rates], abs=5e-4)
    distance = HEIGHT / math.cos(math.hypot(*rates[:2]) * seconds)
    assert told["distance"] == pytest.approx(distance, rel=1e-3)
    moved = 0.012
    assert told["flow x"] - turned[0] == pytest.approx(
        -right * seconds / HEIGHT, abs=moved / HEIGHT
    )
    assert told["flow y"] - turned[1] == pytest.approx(ahead * seconds / HEIGHT, abs=moved / HEIGHT)


def test_a_sample_of_the_module_is_stamped_with_the_end_of_its_integration() -> None:
    """PX4/Flow, main.c: the stamp of OPTICAL_FLOW_RAD is get_boot_time_us() when it is sent."""
    (first, *_) = samples_of(moving(), "px4flow", 220, frames_hz=20.0)
    assert first.sample.time_us - first.truth.time_us == 100_000


def test_without_texture_there_is_neither_flow_nor_quality() -> None:
    told = values(samples_of(moving(0.5), "px4flow", 200, feature=1e5, frames_hz=50.0)[0])
    assert told["quality"] == told["integration time"] == told["flow y"] == 0.0


def test_what_is_too_far_has_no_distance() -> None:
    told = values(samples_of(moving(), "px4flow", 200, longest_m=2.0, frames_hz=20.0)[0])
    assert told["distance"] == -1.0


def test_the_ring_tells_flow_from_its_second_sample_on() -> None:
    """Every 16 ms; turning to the right moves what all cameras see to the left."""
    first, second, *_ = samples_of(moving(rates=(0.0, 0.0, 1.0)), "cherney-ring", 40, 40)
    assert second.truth.time_us - first.truth.time_us == 16_000
    assert all(math.isnan(value) for value in values(first).values())
    told = values(second)
    assert all(-60.0 < told[f"camera {i} right"] < -10.0 for i in range(8))
    assert all(told[f"camera {i} saturated"] == 0.0 for i in range(8))
    assert second.truth.values["pictures"].shape == (8, 16, 16)
    assert second.description.details["azimuths_rad"][7] == pytest.approx(7 * math.pi / 8)


def test_a_place_that_is_no_number_is_refused() -> None:
    """Compiled code would look for it in memory that is not its own."""
    ring = FlowRing(hall().seen)
    with pytest.raises(ValueError, match="no number"):
        ring.look((math.nan, 0.0, -1.0), np.eye(3))
    with pytest.raises(ValueError, match="no number"):
        ring.look((0.0, 0.0, -1.0), np.full((3, 3), math.inf))
    with pytest.raises(ValueError, match="no number"):
        TriangleGrid(*hall().scene.triangles()).cast((math.nan, 0.0, -1.0), np.eye(3))


def test_a_sensor_that_fails_stops_neither_the_flight_nor_the_others() -> None:
    def lost(t: float) -> Pose:
        return (8.0 if t < 0.05 else math.nan, 0.0, -HEIGHT), (1.0, 0.0, 0.0, 0.0)

    path = GivenPath(lost)
    mounts = [SensorMount("ring", "cherney-ring"), SensorMount("sonar", "hector-sonar")]
    suite = PerceptionSuite(path, hall(), mounts)
    found: list[str] = []
    suite.subscribe(lambda taken: found.append(taken.description.name))
    path.advance(320)
    assert (found.count("ring"), found.count("sonar")) == (3, 3)
    assert suite.failures == [
        "The sensor 'ring' has stopped: The ring's position or attitude is no number. "
        "Start the flight anew to have it go on."
    ]


def test_flow_beyond_a_pixel_is_told_to_be_at_its_limit() -> None:
    found = samples_of(moving(rates=(0.0, 0.0, 1.0)), "cherney-ring", 64, 64, configuration="C")
    fast = samples_of(moving(rates=(0.0, 0.0, 1.6)), "cherney-ring", 64, 64, configuration="C")

    def at_limit(samples: list[SuiteSample]) -> float:
        return sum(sum(values(s)[f"camera {i} saturated"] for i in range(8)) for s in samples[1:])

    assert at_limit(fast) > at_limit(found)


def test_samples_do_not_depend_on_blocks() -> None:
    def sent(block: int) -> list[bytes]:
        samples = samples_of(moving(0.5, 0.1, (0.1, 0.0, 0.3)), "cherney-ring", 98, block)
        return [s.sample.values.tobytes() for s in samples if isinstance(s.sample, ValueSample)]

    assert sent(1) == sent(7) == sent(98)


@pytest.mark.parametrize(
    ("sensor", "changes", "message"),
    [
        ("cherney-ring", {"configuration": "D"}, "configuration"),
        ("cherney-ring", {"arithmetic": "int4"}, "arithmetic"),
        ("px4flow", {"frames_hz": 4.0}, "frames_hz"),
        ("px4flow", {"search_px": 30}, "search_px"),
    ],
)
def test_wrong_keys_are_refused(sensor: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        samples_of(moving(), sensor, 1, 1, **changes)
