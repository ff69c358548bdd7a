"""Wind by drag, against accelerations worked out by the equation of drag."""

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.performance import hover_speed
from simulation.environment.earth import GRAVITY
from simulation.identification.logged_flight import LoggedFlight, Signal
from simulation.identification.wind_by_drag import drag_of_wind, wind_by_drag
from simulation.identification.windows import Windows

_SECONDS = 40
_BIAS = (0.05, -0.04)


def _hover(wind: tuple[float, float], turns: float) -> tuple[LoggedFlight, Windows]:
    """Level over one place, turning evenly, with what drag -(D |u| + d) u / m of body and discs
    does to an accelerometer with a bias."""
    p = load_aircraft("ar100b").parameters
    thrust = float(p["mass"]) * GRAVITY / 4.0
    speed = hover_speed(p, thrust)
    discs = 4.0 * (
        float(p["k_d"]) * speed + thrust * float(p["flapping"]) / (speed * float(p["rotor_radius"]))
    )
    times = np.arange(0.0, _SECONDS, 0.02)
    yaw = 2.0 * np.pi * turns * times / _SECONDS
    ahead = -(wind[0] * np.cos(yaw) + wind[1] * np.sin(yaw))
    right = -(-wind[0] * np.sin(yaw) + wind[1] * np.cos(yaw))
    brake = -(float(p["drag_force"][0]) * np.hypot(*wind) + discs) / float(p["mass"])
    felt = np.column_stack(
        [brake * ahead + _BIAS[0], brake * right + _BIAS[1], np.full(len(times), -GRAVITY)]
    )
    zero = np.zeros_like(yaw)
    attitude = np.column_stack([np.cos(yaw / 2), zero, zero, np.sin(yaw / 2)])
    still = Signal(times, np.zeros((len(times), 3)))
    flight = LoggedFlight(
        still,
        Signal(times, felt),
        Signal(times, attitude),
        still,
        True,
        Signal(times, np.full((len(times), 4), 1500.0)),
        None,
        None,
        0.0,
    )
    begin = 1000 * np.arange(1, _SECONDS - 2)
    return flight, Windows(0.0, begin, begin + 1000)


@pytest.mark.parametrize("wind", [(3.0, -2.0), (-6.0, 5.0), (0.0, 1.0)])
def test_a_turn_tells_the_wind_from_the_bias(wind: tuple[float, float]) -> None:
    flight, windows = _hover(wind, turns=1.0)
    found, covariance = wind_by_drag(flight, load_aircraft("ar100b").parameters, windows, 0.1)
    assert found == pytest.approx(wind, abs=0.1)
    assert np.sqrt(np.diag(covariance)).max() < 0.2


def test_without_a_turn_it_is_as_uncertain_as_the_bias() -> None:
    """Negative control: by d(a)/d(u) = (2 D u + d) / m, a bias of 0.1 m/s2 is 0.4 m/s of 3 m/s."""
    flight, windows = _hover((3.0, 0.0), turns=0.0)
    _, covariance = wind_by_drag(flight, load_aircraft("ar100b").parameters, windows, 0.1)
    assert np.sqrt(covariance[0, 0]) == pytest.approx(0.42, abs=0.06)


def test_without_an_aircraft_the_drag_is_told_with_its_direction() -> None:
    wind = (3.0, -2.0)
    flight, windows = _hover(wind, turns=1.0)
    drag, covariance = drag_of_wind(flight, windows, 0.1)
    assert np.arctan2(drag[1], drag[0]) == pytest.approx(np.arctan2(wind[1], wind[0]), abs=0.02)
    assert np.sqrt(np.diag(covariance)).max() < 0.1
