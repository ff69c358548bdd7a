"""The same bits, compiled or not, in blocks of any size, and from a snapshot on."""

import hashlib
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.perception.given_path import GivenPath
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.records.flight import VELOCITY
from simulation.records.interface import (
    AXIS_ATTITUDE,
    AXIS_LOCK,
    FUSION_COMPLEMENTARY_MAG_GPS,
    FUSION_INS13,
    HORIZONTAL_POSITION,
    VERTICAL_MANUAL,
    VERTICAL_TAKEOFF,
)
from simulation.simulator.external_force import compiled_force
from simulation.simulator.flown_world import FlownWorld
from simulation.simulator.simulator import Simulator
from simulation.worlds.world import WindZone
from telemetry.base.installation import ROOT
from tests.simulation.flights import parked
from tests.simulation.perception.paths import digest, winding
from tests.simulation.perception.rooms import room
from tests.simulation.worlds.flown import box, world_of

STEPS = 1190  # no fewer: every line that flights of 1400 run through, they run through
CASES = {
    "quadrotor, complementary": ("ar100b", FUSION_COMPLEMENTARY_MAG_GPS),
    "quadrotor, Kalman": ("ar100b", FUSION_INS13),
    "hexacopter, Kalman": ("ar100x6", FUSION_INS13),
    "lagging motors": ("crazyflie", FUSION_COMPLEMENTARY_MAG_GPS),
    "coaxial": ("mcx2", FUSION_COMPLEMENTARY_MAG_GPS),
    "commanded": ("ardrone", FUSION_COMPLEMENTARY_MAG_GPS),
    "fixed wing": ("sea-vixen", FUSION_INS13),
    "in a world": ("hector", FUSION_COMPLEMENTARY_MAG_GPS),
}
PLAIN = {
    "quadrotor, complementary": (STEPS, 280),
    "quadrotor, Kalman": (350, 210),
    "hexacopter, Kalman": (210, 210),
    "lagging motors": (350, 210),
    "coaxial": (210, 140),
    "commanded": (140, 140),
    "fixed wing": (STEPS, STEPS),
    "in a world": (70, 140),
}
"""Steps on the ground and after that in plain Python, where a step takes two milliseconds. Together
they run through every line that twice STEPS of each run through, measured by coverage."""


def tether(e: Any) -> None:
    """A rope to a post, and a state of its own that follows the height."""
    e["state_rate"][0] = e["position"][2] - e["state"][0]
    e["point"][2] = 0.05
    for i in range(3):
        e["force_ned"][i] = -0.02 * e["position"][i] - 0.01 * e["velocity"][i] * e["air_density"]
    e["moment"][2] = 1e-5 * e["state"][0] * e["rates"][2] + 1e-9 * e["rotor_speed"][1]


def corner() -> FlownWorld:
    """Two thin walls beside the start, and a draught."""
    walls = box((0.6, 0.0, 0.0), (0.02, 9.0, 9.0)), box((0.0, 0.6, 0.0), (9.0, 0.02, 9.0))
    draught = WindZone("draught", (0.0, 0.0, -1.0), (0.2, 0.2, 4.0), (0.0, 2.0, -1.0), 1.0)
    return world_of(*walls, wind_zones=(draught,))


def standing(case: str) -> Simulator:
    """Set up in stirred air, with an early fix."""
    aircraft, fusion = CASES[case]
    simulator = parked(11, aircraft)
    simulator.settings["fusion_algorithm"] = fusion
    if case == "lagging motors":
        simulator.act_with(compiled_force(tether))
    if case == "in a world":
        simulator.enter(corner())
    simulator.set_wind(3.0, -2.0)
    simulator.set_turbulence(5.0)
    simulator.record["parameters"]["gps_first_fix"] = 400
    return simulator


def take_off(simulator: Simulator) -> None:
    command = simulator.command
    command["armed"] = 1
    if simulator.aircraft.name == "sea-vixen":
        command["axis_mode"][:] = AXIS_ATTITUDE
        command["vertical_mode"] = VERTICAL_MANUAL
        command["thrust"] = 1.0
        return
    if simulator.flown_world is not None:  # into the corner
        simulator.record["state"]["motion"][VELOCITY : VELOCITY + 3] = (6.0, 4.0, -2.0)
    command["axis_mode"][:] = (AXIS_ATTITUDE, AXIS_ATTITUDE, AXIS_LOCK)
    command["vertical_mode"] = VERTICAL_TAKEOFF
    command["down_m"] = -5.0
    command["velocity_down"] = -1.0
    command["horizontal_mode"] = HORIZONTAL_POSITION


def flown(case: str, block: int, steps: tuple[int, int] = (STEPS, STEPS)) -> str:
    """The hash of a flight of so many steps on the ground, and as many as the second after that."""
    simulator = standing(case)
    for act, count in zip((None, take_off), steps, strict=True):
        if act is not None:
            act(simulator)
        for _ in range(count // block):
            simulator.advance(block)
    return hashlib.sha256(simulator.snapshot()).hexdigest()


def interpreted() -> dict[str, str]:
    """The hashes of all cases in plain Python, in a process of its own: many seconds."""
    script = (
        "import json; from tests.simulation.test_determinism import PLAIN, flown, scanned\n"
        "hashes = {case: flown(case, 70, PLAIN[case]) for case in PLAIN}\n"
        "print(json.dumps({**hashes, 'scans': scanned()}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "LAPWING_PLAIN_PYTHON": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    hashes: dict[str, str] = json.loads(done.stdout)
    return hashes


def scanned() -> str:
    """The hash of what a lidar sends that is carried through a room, and of the truth."""
    path = GivenPath(winding)
    changes = {"rays": 271, "reach_m": 6.0, "ray_loss": 0.1}  # so that some are not heard
    suite = PerceptionSuite(path, room(), [SensorMount("front", "utm-30lx", changes=changes)])
    found: list[SuiteSample] = []
    suite.subscribe(found.append)
    path.advance(150)
    return digest(found)


@pytest.mark.parametrize("case", CASES)
def test_the_flight_does_not_depend_on_the_block_size(case: str) -> None:
    assert len({flown(case, 1), flown(case, 7), flown(case, STEPS)}) == 1


@pytest.mark.slow
@pytest.mark.long
def test_compiled_and_interpreted_flights_are_bit_identical() -> None:
    compiled = {case: flown(case, 10, PLAIN[case]) for case in CASES}
    assert interpreted() == {**compiled, "scans": scanned()}


def test_the_cases_are_different_flights() -> None:
    """Negative control: the hash sees what differs."""
    assert len({flown(case, STEPS) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES)
def test_it_goes_on_from_a_snapshot(case: str) -> None:
    simulator = standing(case)
    take_off(simulator)
    simulator.advance(STEPS)
    middle = simulator.snapshot()
    simulator.advance(STEPS)
    end = simulator.snapshot()
    other = standing(case)
    other.restore(middle)
    assert other.snapshot() == middle
    other.advance(STEPS)
    assert other.snapshot() == end


def test_a_snapshot_of_another_program_is_refused() -> None:
    simulator = standing("quadrotor, Kalman")
    simulator.advance(10)
    before = simulator.snapshot()
    with pytest.raises(ValueError, match="another version"):
        simulator.restore(before[:-1])
    simulator.record["state"]["code"] += 1
    with pytest.raises(ValueError, match="other equations"):
        simulator.restore(simulator.snapshot())
