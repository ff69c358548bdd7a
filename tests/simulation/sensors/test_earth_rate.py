"""Gyros that feel the Earth turn: W cos L to the north and -W sin L down (W = 15.041 deg/h)."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.environment.earth import WorldOrigin
from simulation.mathematics.rotation import set_euler
from simulation.records.flight import ATTITUDE, POSITION
from simulation.records.sensor_table import GYRO
from simulation.sensors.imu import measure_gyro
from simulation.simulator.controls import apply
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import parked

_PER_HOUR = 15.041067 / 3600.0


def _felt(latitude_deg: float, angles_deg: tuple[float, float, float], east_m: float = 0.0) -> Any:
    """What a perfect gyro of an aircraft at rest shows more with the option than without, deg/s."""
    simulator = Simulator(parked().aircraft, 1, WorldOrigin(latitude_deg, 9.43, 0.0))
    record = simulator.record
    parameters, state = record["parameters"], record["state"]
    for member in ("misalignment_deg", "cross_axis", "flicker", "vibration", "harmonics"):
        parameters[member] = 0.0
    parameters["g_sensitivity"] = 0.0
    parameters["sensor_error"][GYRO] = (0.0, 0.0, 1.0, 0.0, 1e3, 1e-12)
    simulator.advance(1)
    state["motion"][POSITION + 1] = east_m
    set_euler(state["motion"][ATTITUDE : ATTITUDE + 4], *map(math.radians, angles_deg))
    shown = []
    for is_on in (0.0, 1.0):
        apply(simulator, "gyro_earth_rate", is_on)
        slot = np.zeros(4)
        measure_gyro(parameters, simulator.world, state, 1, slot)
        shown.append(slot[:3])
    return shown[1] - shown[0]


@pytest.mark.parametrize("latitude_deg", [-35.0, 0.0, 48.946, 80.0])
def test_level_and_facing_north_it_is_the_earths(latitude_deg: float) -> None:
    latitude = math.radians(latitude_deg)
    wanted = [_PER_HOUR * math.cos(latitude), 0.0, -_PER_HOUR * math.sin(latitude)]
    assert _felt(latitude_deg, (0.0, 0.0, 0.0)) == pytest.approx(wanted, abs=1e-7)


def test_it_is_turned_into_the_body() -> None:
    """Facing east the north is on the left; nose up by 90 deg the down lies ahead of the tail."""
    latitude = math.radians(48.946)
    north, down = _PER_HOUR * math.cos(latitude), -_PER_HOUR * math.sin(latitude)
    assert _felt(48.946, (0.0, 0.0, 90.0)) == pytest.approx([0.0, -north, down], abs=1e-7)
    assert _felt(48.946, (0.0, 90.0, 0.0)) == pytest.approx([-down, 0.0, north], abs=1e-7)


def test_far_away_it_is_about_the_same_pole() -> None:
    """100 km to the east the meridian is turned by 1.03 deg."""
    felt = _felt(48.946, (0.0, 0.0, 0.0), east_m=100_000.0)
    assert math.degrees(math.atan2(-felt[1], felt[0])) == pytest.approx(1.03, abs=0.01)
