"""Short flights of the bare simulation, without the autopilot's objects."""

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.environment.air import motion_through_air
from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import to_body
from simulation.physics.rotor_wake import move_wake
from simulation.records.flight import ATTITUDE, POSITION, RATES, SCRATCH, VELOCITY
from simulation.records.interface import (
    AXIS_LOCK,
    HORIZONTAL_POSITION,
    VERTICAL_HOLD,
    VERTICAL_TAKEOFF,
)
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import load_catalogue

Array = npt.NDArray[np.float64]
READY_STEPS = 6000
"""Until the filters have started and GPS has a fix."""


def parked(seed: int = 1, name: str = "ar100b") -> Simulator:
    """An aircraft on the ground, or in its thrower's hand, as it leaves the factory; at time 0."""
    pattern = _as_built(name)
    simulator = Simulator(pattern.aircraft, seed)
    simulator.record["settings"] = pattern.settings
    return simulator


def parked_with_own_filter(seed: int = 1, name: str = "ar100b") -> Simulator:
    """The same with Lapwing's own Kalman filter in the place of firmware's INS13."""
    simulator = parked(seed, name)
    simulator.settings["own_filter"] = 1
    return simulator


@cache
def _as_built(name: str) -> Simulator:
    """Never flown, only copied: some tests need aircraft by the hundred."""
    return factory_simulator(load_preset(name), load_catalogue())


def in_even_gravity(simulator: Simulator) -> Simulator:
    """With 9.81 m/s2 wherever it is, for sums to the last digit."""
    simulator.world["gravity_excess"], simulator.world["gravity_slope"] = 0.0, 0.0
    simulator.record["state"]["gravity_excess"] = 0.0
    return simulator


def thrown(
    simulator: Simulator,
    height_m: float,
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    rates: tuple[float, float, float] = (0.0, 0.0, 0.0),
    roll_deg: float = 0.0,
) -> Simulator:
    """Put it into the air with this NED velocity, body rates in rad/s and roll."""
    motion = simulator.record["state"]["motion"]
    motion[POSITION + 2] = -height_m
    motion[VELOCITY : VELOCITY + 3] = velocity
    motion[RATES : RATES + 3] = rates
    half = 0.5 * math.radians(roll_deg)
    motion[ATTITUDE : ATTITUDE + 4] = (math.cos(half), math.sin(half), 0.0, 0.0)
    return simulator


def settle_wake(p: np.void, state: np.void) -> None:
    """Let the wakes of the rotors come to rest in the motion of a state as it is: what it feels is
    set so that its velocity through the air does not change in body axes."""
    motion, felt = state["motion"], state["specific_force"]
    ahead, right, down, *_ = motion_through_air(state, motion)
    weight = np.array(to_body(motion[ATTITUDE : ATTITUDE + 4], 0.0, 0.0, GRAVITY))
    felt[:] = np.cross(motion[RATES : RATES + 3], (ahead, right, down)) - weight
    for _ in range(60):
        move_wake(p, state, np.zeros(1, SCRATCH)[0], 0)


def take_off(simulator: Simulator, height_m: float = 10.0) -> None:
    """Wait for GPS, arm, climb and reach the height above the ground; then hold."""
    simulator.advance(READY_STEPS - int(simulator.output["step"]))
    command = simulator.command
    command["armed"] = 1
    command["axis_mode"][2] = AXIS_LOCK
    command["horizontal_mode"] = HORIZONTAL_POSITION
    command["north_m"], command["east_m"] = simulator.output["position"][:2]
    command["vertical_mode"] = VERTICAL_TAKEOFF
    command["down_m"] = float(simulator.output["position"][2]) - height_m
    command["velocity_down"] = -2.0
    simulator.advance(int(1000 * height_m / 2.0) + 5000)
    command["vertical_mode"] = VERTICAL_HOLD


def track(simulator: Simulator, seconds: float, member: str, every: int = 20) -> Array:
    """Rows of an OUTPUT member over that time."""
    rows = []
    for _ in range(int(seconds * 1000) // every):
        simulator.advance(every)
        rows.append(np.array(simulator.output[member], dtype=np.float64))
    return np.array(rows)
