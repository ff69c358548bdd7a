"""Short flights of the Sea Vixen without the autopilot's objects."""

import math
from typing import Any

from simulation.records.interface import (
    AXIS_ATTITUDE,
    AXIS_MANUAL,
    HORIZONTAL_NONE,
    HORIZONTAL_WING,
    VERTICAL_MANUAL,
    VERTICAL_PATH,
    VERTICAL_TAKEOFF,
)
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import parked, parked_with_own_filter


def held(seed: int = 1, has_own_filter: bool = False) -> Simulator:
    """The Sea Vixen in the thrower's hand at time 0, configured as it leaves the factory, or with
    Lapwing's own filter in the place of firmware's INS13."""
    return (parked_with_own_filter if has_own_filter else parked)(seed, "sea-vixen")


def by_hand(simulator: Simulator, thrust: float, pitch_deg: float = 0.0) -> None:
    """Command attitude and thrust directly, wings level."""
    command = simulator.command
    command["armed"] = 1
    command["horizontal_mode"] = HORIZONTAL_NONE
    command["vertical_mode"] = VERTICAL_MANUAL
    command["axis_mode"][:] = (AXIS_ATTITUDE, AXIS_ATTITUDE, AXIS_MANUAL)
    command["axis_setpoint"][:] = (0.0, pitch_deg, 0.0)
    command["thrust"] = thrust


def cruising(
    north: float = 14.0,
    east: float = 0.0,
    height_m: float = 60.0,
    seed: int = 1,
    has_own_filter: bool = False,
) -> Simulator:
    """Thrown, climbed, and flying with this velocity over ground at about this height."""
    simulator = held(seed, has_own_filter)
    return launch(simulator, north, east, height_m)


def launch(simulator: Simulator, north: float, east: float, height_m: float) -> Simulator:
    """Wait for GPS, throw it, climb, and cruise for a while."""
    simulator.advance(6000)
    command = simulator.command
    command["armed"] = 1
    command["horizontal_mode"] = HORIZONTAL_WING
    command["vertical_mode"] = VERTICAL_TAKEOFF
    command["velocity_north"] = 14.0
    command["down_m"] = -height_m
    while simulator.output["position"][2] > 5.0 - height_m:
        simulator.advance(20)
    command["vertical_mode"] = VERTICAL_PATH
    command["velocity_north"], command["velocity_east"] = north, east
    simulator.advance(15_000)
    return simulator


def air_velocity(output: Any) -> tuple[float, float]:
    """True airspeed in m/s and true angle of attack in degrees."""
    w, x, y, z = output["true_quaternion"].tolist()
    north, east, down = (output["true_velocity"] - output["true_wind"]).tolist()
    ahead = (1 - 2 * (y * y + z * z)) * north + 2 * (x * y + w * z) * east
    ahead += 2 * (x * z - w * y) * down
    below = 2 * (x * z + w * y) * north + 2 * (y * z - w * x) * east
    below += (1 - 2 * (x * x + y * y)) * down
    speed = math.sqrt(north * north + east * east + down * down)
    return speed, math.degrees(math.atan2(below, ahead))
