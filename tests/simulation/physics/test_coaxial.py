"""The coaxial helicopter against the equations of seed 003, chapter 4.3, and its errors."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.performance import hover
from simulation.environment.earth import WorldOrigin
from simulation.files.parameter_file import ParameterError
from simulation.mathematics.rotation import euler_of, set_euler
from simulation.physics.coaxial import thrust_axis
from simulation.physics.rigid_body import derivative
from simulation.records.flight import (
    ATTITUDE,
    LOWER,
    MOTION,
    POSITION,
    RATES,
    ROTOR,
    STATE,
    UPPER,
)
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import settle_wake

UNIT_RADPS = 500.0
"""Of the seed's commands of rotor speed, whose thrust constant is 1 N."""


def wrench_of(p: np.void, **given: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Body force and moment of an aircraft at sea level with hovering rotors, after `given`:
    lower, upper (units), swash (alpha, beta), attitude (roll, pitch, yaw), rates, velocity."""
    state: Any = np.zeros(1, STATE)[0]
    motion = state["motion"]
    motion[POSITION + 2] = -100.0
    set_euler(motion[ATTITUDE : ATTITUDE + 4], *given.get("attitude", (0.0, 0.0, 0.0)))
    motion[RATES : RATES + 3] = given.get("rates", 0.0)
    motion[3:6] = given.get("velocity", 0.0)
    motion[ROTOR + LOWER] = given.get("lower", 0.3836) * UNIT_RADPS
    motion[ROTOR + UPPER] = given.get("upper", 0.3836) * UNIT_RADPS
    state["swash"] = given.get("swash", 0.0)
    state["air_density_ratio"] = 1.0
    # As steady rotors: each motor gives what its propeller takes.
    state["voltage"][:2] = motion[ROTOR : ROTOR + 2] / p["full_speed"] * p["full_voltage"]
    settle_wake(p, state)
    wrench = np.zeros(6)
    derivative(p, state, motion, np.zeros(MOTION), wrench)
    return wrench


@pytest.fixture
def mcx2() -> np.void:
    return load_aircraft("mcx2").parameters


@pytest.mark.parametrize(("alpha", "beta"), [(0.1, 0.0), (0.0, -0.2), (0.15, 0.1), (-0.3, 0.4)])
def test_the_swash_plate_tilts_the_thrust_as_its_equations_say(alpha: float, beta: float) -> None:
    """|F| = F_T, F_x = tan(alpha) F_z, F_y = -tan(beta) F_z (eq. 12 to 16)."""
    x, y, z = thrust_axis(alpha, beta)
    assert math.hypot(x, y, z) == pytest.approx(1.0)
    assert x == pytest.approx(math.tan(alpha) * z)
    assert y == pytest.approx(-math.tan(beta) * z)
    assert z < 0.0


def test_positive_pitch_pulls_back_and_positive_roll_to_the_right(mcx2: np.void) -> None:
    """Lines 124 and 125 of the seed's physics; its controller flies ahead with pitch -0.6."""
    assert wrench_of(mcx2, swash=(-0.06, 0.0))[0] > 0.0
    assert wrench_of(mcx2, swash=(0.0, 0.06))[1] > 0.0


def test_it_hovers_with_the_speed_that_the_seed_brackets(mcx2: np.void) -> None:
    """2 C W^2 = m g; the seed flies with .3835 and .384."""
    assert hover(mcx2).speed_radps / UNIT_RADPS == pytest.approx(math.sqrt(0.03 * 9.81 / 2.0))
    assert 0.3835 < hover(mcx2).speed_radps / UNIT_RADPS < 0.384


def test_a_faster_upper_rotor_turns_the_nose_right(mcx2: np.void) -> None:
    """M_z = M_u - M_l: eq. 18, and eq. 19 with its sign mended. By momentum theory with a figure of
    merit of 0.4, a unit's 1 N on 0.0284 m2 takes 3.794 m/s / (0.4 500 rad/s) = 0.01897 Nm."""
    moment = wrench_of(mcx2, upper=0.39, lower=0.38)[5]
    assert moment == pytest.approx(0.01897 * (0.39**2 - 0.38**2), rel=1e-3)
    assert wrench_of(mcx2)[5] == pytest.approx(0.0, abs=1e-12)


def test_drag_is_the_same_whichever_way_it_flies(mcx2: np.void) -> None:
    """-C |v| v; eq. 20 squares by component, 29 % too little at 45 degrees."""
    for way in ((1.0, 0.0), (math.sqrt(0.5), math.sqrt(0.5))):
        force = wrench_of(mcx2, velocity=(2.0 * way[0], 2.0 * way[1], 0.0))[:2]
        assert force == pytest.approx([-0.02 * 4.0 * way[0], -0.02 * 4.0 * way[1]])


def test_the_flybar_turns_it_upright_and_damps_it(mcx2: np.void) -> None:
    """Eq. 21 and 22 with C_R = 0.0001 Nm/rad, for small angles."""
    leaning = wrench_of(mcx2, attitude=(0.02, -0.03, 1.0))
    assert leaning[3:5] == pytest.approx([-0.02e-4, 0.03e-4], rel=1e-3)
    assert wrench_of(mcx2, rates=(1.0, 0.0, 0.0))[3] == pytest.approx(-4.02e-6)
    assert wrench_of(mcx2, rates=(0.0, 0.0, -1.0))[5] == pytest.approx(4.02e-6)


def test_without_an_arm_the_swash_plate_moves_it_and_does_not_tilt_it(mcx2: np.void) -> None:
    assert wrench_of(mcx2, swash=(-0.06, 0.05))[3:5] == pytest.approx(0.0, abs=1e-12)


def test_with_the_seeds_arm_it_tilts_far_beyond_what_its_flybar_holds(mcx2: np.void) -> None:
    """59 rad of static tilt per rad of the thrust's: 0.04 m x 0.147 N / 0.0001 Nm/rad."""
    mcx2["swash_arm"] = 0.04
    roll, pitch = wrench_of(mcx2, swash=(-0.001, 0.001))[3:5]
    assert pitch / 1e-4 / 0.001 == pytest.approx(-58.9, rel=0.01), "pulled ahead, the nose sinks"
    assert roll / 1e-4 / 0.001 == pytest.approx(58.9, rel=0.01)


def flown(change: Any = None) -> Simulator:
    """In the air at sea level, its rotors hovering, pulses from outside."""
    aircraft = load_aircraft("mcx2")
    if change is not None:
        change(aircraft.parameters)
    simulator = Simulator(aircraft, 1, WorldOrigin(46.5, 6.6, 0.0))
    motion = simulator.record["state"]["motion"]
    motion[POSITION + 2] = -1.5
    motion[ROTOR : ROTOR + 2] = 0.3836 * UNIT_RADPS
    simulator.command["external"] = 1
    simulator.output["actuator_command"][:4] = (1767.2, 1767.2, 1500.0, 1500.0)
    return simulator


def test_its_rotors_keep_their_speed_while_the_battery_empties() -> None:
    """The seed's are speed-controlled; those of other aircraft slow down."""
    simulator = flown()
    simulator.set_charge(0.2)
    simulator.advance(200)
    assert simulator.output["rotor_speed"][0] == pytest.approx(0.3836 * UNIT_RADPS, rel=1e-4)


def test_servos_may_lag() -> None:
    """A first-order lag: 63 % after its time constant."""

    def slow(p: np.void) -> None:
        p["swash_share"] = -math.expm1(-0.001 / 0.05)

    for change, expected in ((None, 0.1), (slow, 0.1 * (1.0 - math.exp(-1.0)))):
        simulator = flown(change)
        simulator.output["actuator_command"][2] = 1750.0
        simulator.advance(50)
        assert simulator.record["state"]["swash"][0] == pytest.approx(expected, rel=1e-6)


def test_a_push_swings_and_dies_away() -> None:
    simulator = flown()
    simulator.record["state"]["motion"][RATES] = 0.5
    simulator.advance(300)
    roll = euler_of(simulator.output["true_quaternion"])[0]
    assert roll > 0.1
    assert 0.0 < float(simulator.output["true_rates"][0]) < math.degrees(0.5)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("spin = [-1, 1]", "spin = [1, 1]", "turn against each other"),
        ("[0.0, 0.0, -0.07], [0.0, 0.0, -0.04]", "[0.0, 0.0, -0.04], [0.0, 0.0, -0.07]", "axis"),
        ("[0.0, 0.0, -0.07], [0.0, 0.0, -0.04]", "[0.1, 0.0, -0.07], [0.0, 0.0, -0.04]", "axis"),
        ("channel = [3, 4]\npulse_us = [1000", "channel = [3, 4]\npulse_us = [2100", "swapped"),
        ("arm_m = 0.0", "arm_mm = 40.0", "arm_m"),
        ("deflection_deg = 11.459156", "deflection_deg = 90", "not possible"),
        ("restoring_nm = 1e-4", "restoring_nm = 50.0", "restoring_nm"),
        ("[4.02e-6, 4.02e-6, 4.02e-6]", "[4.02e-6, 4.02e-6, 1.0]", "damping_nms"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = Path("resources/aircraft/mcx2.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ParameterError, match=message):
        load_aircraft(path)


def test_a_flybar_belongs_to_a_swash_plate(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    flybar = "\n[flybar]\nrestoring_nm = 1e-4\ndamping_nms = [0.0, 0.0, 0.0]\n"
    header = 'base = "crazyflie"\nname = "x"\ndescription = "x"\n'
    path.write_text(header + flybar, encoding="utf-8")
    with pytest.raises(ParameterError, match="swash_plate"):
        load_aircraft(path)
