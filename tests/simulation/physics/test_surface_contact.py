"""Contact with a world's surfaces: friction by Coulomb, energy that only ever falls, and walls that
nothing passes. What is expected is worked out here by hand, from the aircraft's own numbers."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import euler_of
from simulation.physics.invariants import energy_j
from simulation.records.flight import ATTITUDE, POSITION, VELOCITY
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import in_even_gravity, parked
from tests.simulation.worlds.flown import box, world_of

Array = npt.NDArray[np.float64]
_WALL_M = 5.0
"""To the north."""


def _standing(*bodies: Any, friction: float | None = None, **start: Any) -> Simulator:
    """An aircraft whose motors are off, at the start of a world."""
    simulator = parked()
    simulator.enter(world_of(*bodies, **start))
    in_even_gravity(simulator)
    if friction is not None:
        simulator.record["parameters"]["friction"] = friction
    return simulator


def _motion(simulator: Simulator) -> Array:
    return np.array(simulator.record["state"]["motion"], np.float64)


def _thrown(simulator: Simulator, place: Any, velocity: Any, attitude: Any = (1, 0, 0, 0)) -> None:
    motion = simulator.record["state"]["motion"]
    motion[POSITION : POSITION + 3] = place
    motion[VELOCITY : VELOCITY + 3] = velocity
    motion[ATTITUDE : ATTITUDE + 4] = np.divide(attitude, np.linalg.norm(attitude))


def _watched(simulator: Simulator, steps: int, every: int = 5) -> tuple[Array, Array]:
    """The motions, and the energy in each without what is in the springs of the contact."""
    motions = []
    for _ in range(steps // every):
        simulator.advance(every)
        motions.append(_motion(simulator))
    parameters = simulator.record["parameters"]
    return np.array(motions), np.array([energy_j(parameters, motion) for motion in motions])


def test_on_level_ground_it_stands_as_without_a_world_and_does_not_creep() -> None:
    simulator, without = _standing(), in_even_gravity(parked())
    simulator.advance(1000)
    without.advance(1000)
    before = _motion(simulator)
    assert before[POSITION + 2] == pytest.approx(_motion(without)[POSITION + 2], abs=1e-9)
    simulator.advance(1000)
    after = _motion(simulator)
    assert np.abs(after[VELOCITY : VELOCITY + 3]).max() < 1e-12
    assert after[POSITION : POSITION + 3].tolist() == before[POSITION : POSITION + 3].tolist()
    assert simulator.output["touches_ground"] == 1
    assert simulator.output["crashed"] == 0


def _on_ramp(slope_deg: float, friction: float) -> Simulator:
    """Its nose down a wide slope to the north."""
    ramp = box((0.0, 0.0, -3.0), (30.0, 30.0, 1.0), (0.0, -slope_deg, 0.0))
    return _standing(ramp, friction=friction, start_m=(0.0, 0.0, -5.0))


@pytest.mark.parametrize("friction", [0.2, 0.35])
def test_on_a_slope_friction_holds_it_up_to_its_angle(friction: float) -> None:
    angle = math.degrees(math.atan(friction))
    simulator = _on_ramp(angle - 1.0, friction)
    simulator.advance(7000)
    before = _motion(simulator)
    simulator.advance(1000)
    moved = _motion(simulator)[POSITION : POSITION + 3] - before[POSITION : POSITION + 3]
    assert np.abs(moved).max() < 1e-14
    assert simulator.output["crashed"] == 0


@pytest.mark.parametrize("friction", [0.2, 0.35])
def test_on_a_steeper_slope_it_slides_as_fast_as_coulomb_says(friction: float) -> None:
    slope = math.atan(friction) + math.radians(3.0)
    simulator = _on_ramp(math.degrees(slope), friction)
    simulator.advance(400)
    speeds = []
    for _ in range(2):
        speeds.append(float(np.linalg.norm(_motion(simulator)[VELOCITY : VELOCITY + 3])))
        simulator.advance(400)
    expected = GRAVITY * (math.sin(slope) - friction * math.cos(slope))
    assert (speeds[1] - speeds[0]) / 0.4 == pytest.approx(expected, rel=0.03)
    assert _motion(simulator)[VELOCITY] > 0.0  # to the north, down the slope


def test_it_falls_on_a_step_and_comes_to_rest() -> None:
    """Two feet over the edge. With the gravity of the place, below GRAVITY."""
    simulator = parked()
    step = box((1.0, 0.0, 0.0), (2.0, 4.0, 0.3))
    simulator.enter(world_of(step, start_m=(-5.0, 0.0, 0.0)))
    assert simulator.world["gravity_excess"] < 0.0
    _thrown(simulator, (0.02, 0.0, -0.7), (0.0, 0.0, 0.0))
    _, energy = _watched(simulator, 5000)
    assert energy.max() <= energy[0] + 1e-6
    assert np.abs(_motion(simulator)[VELOCITY:ATTITUDE]).max() < 1e-9


def test_upside_down_on_its_only_point_it_is_carried_by_a_spring_and_comes_to_rest() -> None:
    """A hard stop, which carried it before, shook it by several mm/s."""
    simulator = parked(name="crazyflie")
    simulator.enter(world_of())
    _thrown(simulator, (0.0, 0.0, -0.05), (0.0, 0.0, 0.0), (0, 1, 0, 0))
    simulator.advance(3000)
    motion = _motion(simulator)
    assert -motion[POSITION + 2] < 0.012  # no farther above the ground than its point
    assert np.abs(motion[VELOCITY:ATTITUDE]).max() < 1e-6


@pytest.mark.parametrize("speed", [2.0, 20.0])
@pytest.mark.parametrize("attitude", [(1, 0, 0, 0), (1, 0.3, -0.2, 0.9)], ids=["level", "askew"])
def test_a_thin_wall_throws_it_back_with_less_energy(speed: float, attitude: Any) -> None:
    wall = box((_WALL_M + 0.005, 0.0, 0.0), (0.01, 400.0, 200.0))
    simulator = _standing(wall)
    reach = float(simulator.record["parameters"]["contact_reach"])
    away = reach + 0.1 * speed
    _thrown(simulator, (_WALL_M - away, 0.0, -80.0), (speed, 0.3 * speed, 0.0), attitude)
    motions, energy = _watched(simulator, 800)
    assert energy.max() <= energy[0] * (1.0 + 1e-9)
    north = motions[:, POSITION]
    assert north.max() > _WALL_M - reach
    assert north[-1] < north.max() - 0.02
    assert motions[-1, VELOCITY] < 0.0
    assert abs(motions[-1, VELOCITY]) < speed
    assert simulator.output["crashed"] == int(speed > 3.0)


def test_without_the_wall_it_goes_on() -> None:
    """The negative control."""
    simulator = _standing()
    _thrown(simulator, (_WALL_M - 1.0, 0.0, -80.0), (20.0, 0.0, 0.0))
    motions, _ = _watched(simulator, 800)
    assert motions[-1, POSITION] > 2.0 * _WALL_M
    assert simulator.output["crashed"] == 0


@pytest.mark.parametrize("seed", range(4))
def test_thrown_into_a_corner_it_stays_outside_and_loses_energy(seed: int) -> None:
    """Of two walls and the ground, tumbling."""
    random = np.random.default_rng(seed)
    walls = box((3.02, 0.0, 0.0), (0.04, 20.0, 9.0)), box((0.0, 3.02, 0.0), (20.0, 0.04, 9.0))
    simulator = _standing(*walls)
    velocity = (random.uniform(2, 9), random.uniform(2, 9), random.uniform(-2, 6))
    _thrown(simulator, (1.5, 1.5, -1.5), velocity, random.normal(size=4))
    motions, energy = _watched(simulator, 3000)
    assert energy.max() <= energy[0] * (1.0 + 1e-9)
    assert motions[-1, POSITION : POSITION + 2].max() < 3.0
    assert motions[-1, POSITION + 2] < 0.0


def test_it_starts_along_a_slope_with_its_nose_where_the_world_says() -> None:
    ramp = box((0.0, 0.0, -1.0), (20.0, 20.0, 1.0), (0.0, 0.0, 30.0))
    simulator = _standing(ramp, start_m=(1.0, 2.0, -3.0), heading_deg=120.0)
    simulator.advance(500)
    assert _motion(simulator)[POSITION : POSITION + 2] == pytest.approx((1.0, 2.0), abs=1e-6)
    assert simulator.output["true_position"][2] == pytest.approx(-2.155, abs=1e-3)
    assert math.degrees(euler_of(simulator.output["true_quaternion"])[2]) == pytest.approx(120.0)
    sloped = _on_ramp(10.0, 0.5)
    pitch = euler_of(sloped.output["true_quaternion"])[1]
    assert math.degrees(pitch) == pytest.approx(-10.0)
