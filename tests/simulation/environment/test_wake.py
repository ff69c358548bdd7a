"""Downwash by hand: momentum, a measured jet, and who feels it."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.environment.earth import GRAVITY
from simulation.environment.wake import wakes
from simulation.records.flight import (
    ATTITUDE,
    DRIFT_TAU,
    FLIGHT,
    POSITION,
    ROTOR,
    TURN_ON,
    VELOCITY,
)
from simulation.records.interface import AXIS_LOCK, HORIZONTAL_POSITION, VERTICAL_TAKEOFF
from simulation.simulator.fleet import SimulatedFleet
from tests.simulation.flights import READY_STEPS, parked, parked_with_own_filter, thrown

PATTERN = parked().aircraft
MASS = float(PATTERN.parameters["mass"])
AREA = (
    math.pi
    * int(PATTERN.parameters["rotor_count"])
    * float(PATTERN.parameters["rotor_radius"]) ** 2
)
THRUST = MASS * GRAVITY
OUTFLOW = math.sqrt(2.0 * THRUST / (SEA_LEVEL_DENSITY * AREA))


def hovering(*places: tuple[float, float, float]) -> Any:
    """The first hovers, the others are where its wake is looked for."""
    flights = np.zeros(len(places), FLIGHT)
    flights["parameters"] = PATTERN.parameters
    state = flights["state"]
    state["air_density_ratio"] = 1.0
    state["motion"][:, POSITION : POSITION + 3] = places
    state["motion"][:, ATTITUDE] = 1.0
    state["motion"][0, ROTOR : ROTOR + 4] = 300.0
    state["specific_force"][:, 2] = -GRAVITY
    return flights


def downwards(*places: tuple[float, float, float]) -> list[float]:
    return [float(v) for v in wakes(hovering((0.0, 0.0, 0.0), *places))[1:, 2]]


def test_far_below_it_is_the_jet_that_was_measured() -> None:
    """Pope, table 5.1: u / u_J = 5.8 d / z for a nozzle of any size with the same momentum, for
    instance one of 1 cm; half of it at r = 0.094 z."""
    nozzle = 0.01
    exit_speed = math.sqrt(THRUST / (SEA_LEVEL_DENSITY * math.pi / 4.0 * nozzle**2))
    at_8, at_16, aside = downwards((0, 0, 8.0), (0, 0, 16.0), (0.094 * 8.0, 0, 8.0))
    assert at_8 == pytest.approx(5.8 * exit_speed * nozzle / 8.0, rel=1e-9)
    assert at_16 == pytest.approx(at_8 / 2.0, rel=1e-9)
    assert aside == pytest.approx(at_8 / 2.0, rel=1e-9)


def test_near_it_is_what_momentum_theory_has_far_behind_a_disc() -> None:
    """Twice the induced velocity sqrt(T / 2 rho A), and never more."""
    induced = math.sqrt(THRUST / (2.0 * SEA_LEVEL_DENSITY * AREA))
    heights = np.linspace(0.2, 9.0, 60)
    speeds = downwards(*((0.0, 0.0, float(z)) for z in heights))
    assert speeds[0] == pytest.approx(2.0 * induced, rel=1e-9)
    assert np.diff(speeds).max() <= 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("below_m", [1.0, 4.0, 12.0])
def test_its_momentum_flux_is_seven_eighths_of_the_thrust(below_m: float) -> None:
    """rho int u^2 dA over a plane, in rings; Pope: the mean flow has 85 to 90 % of the momentum."""
    radii = np.linspace(0.0, 6.0, 601)
    speeds = np.array(downwards(*((float(r), 0.0, below_m) for r in radii)))
    flux = float(np.trapezoid(SEA_LEVEL_DENSITY * speeds**2 * 2.0 * math.pi * radii, radii))
    assert flux == pytest.approx(0.857 * THRUST, rel=0.01)


def test_who_is_not_below_feels_nothing() -> None:
    assert downwards((0, 0, -5.0), (3.0, 0, 0.1), (0, 4.0, 3.0)) == pytest.approx([0] * 3, abs=1e-3)


def test_standing_rotors_feet_on_the_ground_and_wings_blow_nobody_down() -> None:
    for member in ("rotors", "ground", "wing"):
        flights = hovering((0, 0, 0), (0, 0, 3.0))
        if member == "rotors":
            flights["state"]["motion"][0, ROTOR:] = 0.0
        elif member == "ground":
            flights["output"]["touches_ground"][0] = 1
        else:
            flights["parameters"]["kind"][0] = 1
        assert not wakes(flights).any()


def test_the_wake_goes_where_the_air_goes() -> None:
    """Hovering in a wind as fast as the outflow it goes 45 degrees down the wind; so does that of
    an aircraft that flies as fast into still air."""
    for member, sign in (("wind", 1.0), ("velocity", -1.0)):
        flights = hovering((0, 0, 0), (5.0, 0, 5.0), (0, 0, 5.0))
        moving = flights["state"]["wind"] if member == "wind" else None
        if moving is None:
            moving = flights["state"]["motion"][:, VELOCITY : VELOCITY + 3]
        moving[0, 0] = sign * OUTFLOW
        on_axis, below = wakes(flights)[1:]
        assert on_axis[0] == pytest.approx(on_axis[2], rel=1e-9)
        assert np.linalg.norm(on_axis) > 100.0 * np.linalg.norm(below)


HEIGHTS = (12.0, 6.0)


def flown(north_m: float = 0.0) -> Any:
    """One holds its place at 12 m, another at 6 m and so far north; their records after 22 s."""
    pattern = parked_with_own_filter()
    fleet = SimulatedFleet([pattern.aircraft] * 2, downwash=True)
    with fleet:
        for simulator in fleet.simulators:
            simulator.record["settings"] = pattern.settings
            # GPS would have them metres apart.
            simulator.record["parameters"]["sensor_error"][:, :DRIFT_TAU] = 0.0
            simulator.record["parameters"]["sensor_error"][:, TURN_ON] = 0.0
        fleet.simulators[1].record["state"]["motion"][POSITION] = north_m
        fleet.advance(READY_STEPS)
        for simulator, height in zip(fleet.simulators, HEIGHTS, strict=True):
            command = simulator.command
            command["armed"] = 1
            command["axis_mode"][2] = AXIS_LOCK
            command["horizontal_mode"] = HORIZONTAL_POSITION
            command["north_m"], command["east_m"] = simulator.output["position"][:2]
            command["vertical_mode"] = VERTICAL_TAKEOFF
            command["down_m"] = -height
            command["velocity_down"] = -2.0
        fleet.advance(16_000)
        return fleet.records.copy()


@pytest.mark.slow
def test_one_that_hovers_below_another_turns_its_rotors_faster() -> None:
    """By hand: its rotors meet the air of the jet, so each must give its share of the weight by the
    aircraft's own law at this inflow. Beside the jet there is nothing of this."""
    below, beside = flown(), flown(4.0)
    output, p = below["output"][1], below["parameters"][1]
    place = below["output"]["true_position"]
    ratio = float(output["true_air_density_ratio"])
    jet = 5.8 * math.sqrt(4.0 / math.pi * THRUST / (SEA_LEVEL_DENSITY * ratio))
    wind = float(output["true_wind"][2])
    assert wind == pytest.approx(jet / (place[1, 2] - place[0, 2]), rel=0.02)
    speed = float(output["rotor_speed"][:4].mean())
    thrust = 4.0 * ratio * speed * (p["alpha"] * speed + p["beta"] + p["c_t1"] * wind)
    assert thrust == pytest.approx(THRUST + ratio * p["drag_force"][2] * wind**2, rel=0.01)
    assert speed > 1.05 * float(beside["output"]["rotor_speed"][1, :4].mean())
    assert beside["output"]["true_wind"][1, 2] == pytest.approx(0.0, abs=1e-3)


def falling(threads: int, block: int) -> bytes:
    """Two with their motors on, one above the other; all of them after 0.3 s."""
    with SimulatedFleet([PATTERN] * 2, threads=threads, downwash=True) as fleet:
        for simulator, height in zip(fleet.simulators, HEIGHTS, strict=True):
            thrown(simulator, height)
            simulator.command["external"] = 1
            simulator.output["actuator_command"][:4] = 1800.0
        for _ in range(300 // block):
            fleet.advance(block)
        assert fleet.records["output"]["true_wind"][1, 2] > 1.0
        return fleet.records.tobytes()


def test_threads_and_blocks_do_not_matter() -> None:
    assert falling(threads=2, block=15) == falling(threads=1, block=300)
