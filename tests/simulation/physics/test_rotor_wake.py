"""Induced velocity against momentum theory by hand, and that no rotor makes energy."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import aircraft_names, load_aircraft
from simulation.aircraft.performance import full_voltage, hover, rotor_in_flow, steady_speed
from simulation.autopilot.preset import load_preset
from simulation.physics.fixed_wing import propeller
from simulation.physics.propulsion import profile_torque
from simulation.physics.rotor_wake import (
    induced_flow,
    induced_ratio,
    profile_growth,
    torque_in_flow,
)
from simulation.records.flight import COAXIAL, LAW_SEED, ROTORCRAFT
from simulation.sheet.steady_flight import hover_in_wind
from telemetry.protocol.objects.catalogue import Catalogue

RHO = 1.225
INFLOWS = np.arange(-10.0, 20.1)
SHARES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.85, 1.0, 1.2)
"""Of the speed at full throttle; a rotor that the air turns may be faster."""
_PARAMETERS = {name: load_aircraft(name).parameters for name in aircraft_names()}
_ROTORCRAFT = [name for name, p in _PARAMETERS.items() if p["kind"] in (ROTORCRAFT, COAXIAL)]
_MOMENTUM = [name for name in _ROTORCRAFT if _PARAMETERS[name]["law"] != LAW_SEED]


def _area(p: Any) -> float:
    return math.pi * float(p["rotor_radius"]) ** 2


def _hovering(force: float, area: float) -> float:
    return math.sqrt(force / (2 * RHO * area))


def least_through(force: float, inflow: float, area: float) -> float:
    """The least that momentum theory lets go through a disc with this thrust, m/s: its quadratics
    for climbing and windmilling; sinking slower than that, the windmill's at its limit."""
    hovering = _hovering(force, area)
    if inflow >= 0.0:
        return inflow / 2 + math.sqrt(inflow**2 / 4 + hovering**2)
    return inflow / 2 - math.sqrt(max(inflow**2 / 4 - hovering**2, 0.0))


def made_from_nothing(p: Any) -> float:
    """The most by which any rotor speed and axial flow gives the air more than the shaft gives,
    as a share of the hover's power."""
    full, power = steady_speed(p, full_voltage(p)), hover(p).torque_nm * hover(p).speed_radps
    worst = -math.inf
    for share in SHARES:
        for inflow in INFLOWS:
            point = rotor_in_flow(p, share * full, float(inflow))
            through = least_through(point.thrust_n, float(inflow), _area(p))
            worst = max(worst, (point.thrust_n * through - point.shaft_w) / power)
    return worst


@pytest.mark.parametrize("name", _MOMENTUM)
def test_no_rotor_gives_the_air_more_than_its_shaft_gives(name: str) -> None:
    assert made_from_nothing(_PARAMETERS[name]) < 1e-9


@pytest.mark.parametrize("name", ["ar100b", "ar200", "hector"])
def test_the_seeds_law_does(name: str) -> None:
    """Negative control."""
    p = _PARAMETERS[name].copy()
    p["law"] = LAW_SEED
    assert made_from_nothing(p) > 0.2


def test_the_only_files_with_the_seeds_law_are_the_seeds() -> None:
    assert set(_ROTORCRAFT) - set(_MOMENTUM) == {"hector-seed"}


def test_the_aeroplanes_propeller_keeps_energy_too() -> None:
    """[propeller] has measured C_T(J) and C_Q(J); it is only checked, as far as it pulls."""
    p = _PARAMETERS["sea-vixen"]
    area = math.pi * float(p["propeller_diameter"]) ** 2 / 4
    for speed in (300.0, 800.0, 1300.0, 1800.0):
        for inflow in INFLOWS[INFLOWS >= 0.0]:
            force, torque = propeller(p, speed, float(inflow), RHO)
            if force > 0.0:
                through = least_through(force, float(inflow), area)
                assert force * through < torque * speed


def test_hover_takes_the_ideal_power_over_the_figure_of_merit() -> None:
    """AR100B by hand: 3.188 N on 0.1134 m2 need 3.387 m/s and 10.80 W; 0.65 makes it 16.6 W."""
    p = _PARAMETERS["ar100b"]
    point = hover(p)
    ideal = point.thrust_n * math.sqrt(point.thrust_n / (2 * RHO * _area(p)))
    assert ideal == pytest.approx(10.80, abs=0.01)
    assert ideal / (point.torque_nm * point.speed_radps) == pytest.approx(0.65, rel=1e-6)
    resting = rotor_in_flow(p, point.speed_radps, 0.0)
    assert resting.air_w == pytest.approx(ideal, rel=1e-9)
    assert resting.shaft_w == pytest.approx(ideal / 0.65, rel=1e-6)


def test_climbing_takes_the_power_of_lifting() -> None:
    """T (v1 + v_i) + P_profile with v_i = -v1 / 2 + sqrt(v1^2 / 4 + v_h^2)."""
    p = _PARAMETERS["ar200"]
    speed, climb = 200.0, 4.0
    point = rotor_in_flow(p, speed, climb)
    induced = -climb / 2 + math.sqrt(climb**2 / 4 + _hovering(point.thrust_n, _area(p)) ** 2)
    profile = profile_torque(p, speed, 1.0) * speed
    assert point.shaft_w == pytest.approx(point.thrust_n * (climb + induced) + profile, rel=1e-6)


@pytest.mark.parametrize("m", [0.0, 0.3, 1.0, 2.5])
@pytest.mark.parametrize("x", [0.0, 0.5, 2.0, 10.0])
def test_induced_velocity_solves_glauerts_equation(x: float, m: float) -> None:
    """Against the largest real root of u^4 + 2 x u^3 + (x^2 + m^2) u^2 - 1 = 0 by eigenvalues."""
    roots = np.roots([1.0, 2 * x, x * x + m * m, 0.0, -1.0])
    root = max(root.real for root in roots if abs(root.imag) < 1e-9)
    assert induced_ratio(x, m) == pytest.approx(root, rel=1e-6)


def test_fast_flight_needs_little_induced_velocity() -> None:
    """Glauert's limit v_i = T / (2 rho A V): a wing of the disc's span."""
    p = _PARAMETERS["ar100b"]
    for across in (20.0, 40.0):
        induced, _, _ = induced_flow(0.0, across, _hovering(3.19, _area(p)))
        assert induced == pytest.approx(3.19 / (2 * RHO * _area(p) * across), rel=2e-3)


def test_sinking_follows_the_measured_curve_and_then_the_windmill() -> None:
    """Leishman 2.13: about 1.39, 1.82, 2.08 at -0.5, -1, -1.5; below -2 the windmill's root."""
    for x, expected in ((-0.5, 1.39), (-1.0, 1.82), (-1.5, 2.08)):
        assert induced_ratio(x, 0.0) == pytest.approx(expected, abs=0.01)
    assert induced_ratio(-3.0, 0.0) == pytest.approx(1.5 - math.sqrt(1.25), rel=1e-9)


def test_induced_velocity_has_no_jumps() -> None:
    """Neither where the curves meet nor where the ring is blown away."""
    x, m = np.meshgrid(np.arange(-4.0, 2.0, 0.01), np.arange(0.0, 2.0, 0.05))
    u = np.vectorize(induced_ratio)(x, m)
    assert np.abs(np.diff(u, axis=1)).max() < 0.06
    assert np.abs(np.diff(u, axis=0)).max() < 0.2
    assert u.min() > 0.0


def test_the_ring_takes_the_lift_of_sinking_away_and_makes_thrust_wander() -> None:
    """At x = -1 what goes through the disc is 0.18 v_h less than in hover, not v_h less."""
    hovering = 3.4
    _, ring, wandering = induced_flow(-hovering, 0.0, hovering)
    assert -hovering + ring == pytest.approx(-0.184 * hovering, abs=0.01)
    assert wandering == pytest.approx(0.08)
    for inflow, across in ((0.0, 0.0), (3.4, 0.0), (-3 * hovering, 0.0), (-hovering, hovering)):
        assert induced_flow(inflow, across, hovering)[1:] == (0.0, 0.0)


def test_flying_across_raises_the_profile_power() -> None:
    """1 + 4.65 mu^2; the part that is the disc's own drag is not paid twice."""
    p = {"rotor_radius": 0.2, "k_d": 0.0}
    assert profile_growth(p, 8.0, 1 / 200.0) == pytest.approx(4.65 * 0.04)
    p["k_d"] = 1e-5
    assert profile_growth(p, 8.0, 1 / 200.0) == pytest.approx(2.65 * 0.04)


def test_air_from_below_turns_a_rotor_as_far_as_the_file_says() -> None:
    """Windmilling at 10 m/s through the disc from below; never more than the air gives."""
    p = _PARAMETERS["ar100b"].copy()
    profile = profile_torque(p, 200.0, 1.0)
    assert torque_in_flow(p, 200.0, (-10.0, 0.0), 1.0) == (0.0, pytest.approx(profile))
    p["windmilling"] = 0.5
    assert torque_in_flow(p, 200.0, (-10.0, 0.0), 1.0)[0] == pytest.approx(-0.5 * 10.0 / 200.0)
    p["windmilling"] = 1.0
    assert made_from_nothing(p) < 1e-9


def test_flight_across_the_disc_saves_power() -> None:
    """Translational lift: by Glauert, V = 2 v_h leaves 0.486 of the induced power; by the seeds'
    law, the negative control, nothing is saved."""
    p = _PARAMETERS["ar100b"].copy()
    across = 2.0 * rotor_in_flow(p, 300.0, 0.0).through_mps
    still, flying = rotor_in_flow(p, 300.0, 0.0), rotor_in_flow(p, 300.0, 0.0, across)
    assert flying.air_w / still.air_w == pytest.approx(0.486, abs=0.001)
    assert flying.shaft_w < 0.75 * still.shaft_w
    p["law"] = LAW_SEED
    assert rotor_in_flow(p, 300.0, 0.0, across).shaft_w == rotor_in_flow(p, 300.0, 0.0).shaft_w


@pytest.mark.slow
def test_hovering_in_moderate_wind_takes_less_power(catalogue: Catalogue) -> None:
    """The AR100B in flight; by the seeds' law it rose from 78 W to 109 W at 9 m/s. What sets in too
    strong to hold, 16 m/s at once, throws it down, where it takes nothing: it is not counted."""
    flights = list(hover_in_wind(load_preset("ar100b"), catalogue, 4.0))
    powers = [flown.power_w for flown in flights if flown.is_held]
    assert len(powers) == len(flights) - 1 == 4
    assert powers[1] < 0.9 * powers[0]
    assert powers[-1] > powers[0], "the drag of the body asks for more in the end"
