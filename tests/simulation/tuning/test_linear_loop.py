"""Margins of linearised loops, against equations by hand and against flights."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.records.interface import IMU_S, SETTINGS
from simulation.tuning.conditions import Condition
from simulation.tuning.flown_steps import StepFlights
from simulation.tuning.gains import GainSet, gains_of, stacked
from simulation.tuning.linear_loop import LinearAircraft, linear_aircraft, margins
from telemetry.protocol.objects.catalogue import load_catalogue

_DEAD_S = 0.02


def _settings() -> Any:
    """Without filters."""
    settings = np.zeros(1, SETTINGS)[0]
    settings["derivative_share"] = settings["derivative_gamma"] = 1.0
    return settings


def _gains(kp: float, angle: float = 0.0) -> GainSet:
    rate, attitude = np.zeros((3, 4)), np.zeros((3, 3))
    rate[:, 0], attitude[:, 0] = kp, angle
    return stacked([GainSet(rate, attitude)])


def _integrator(acceleration: float = 1.0) -> LinearAircraft:
    return LinearAircraft(np.full(3, acceleration), np.zeros(3), 0.0, _DEAD_S, 0.0)


def test_integrator_with_dead_time() -> None:
    """K/s e^(-s T): |L| = 1 at w = K, so PM = 90 deg - K T; -180 deg at w = pi / (2 T), so
    GM = pi / (2 K T)."""
    late_s, k = _DEAD_S + 0.5 * IMU_S, 10.0
    found = margins(_integrator(), _settings(), _gains(k))
    assert found.phase_deg[0] == pytest.approx(90.0 - math.degrees(k * late_s), abs=0.3)
    assert found.gain_db[0] == pytest.approx(
        20.0 * math.log10(math.pi / (2.0 * k * late_s)), abs=0.1
    )


def test_lag_at_its_corner() -> None:
    """K / (s (1 + s tau)) with K tau = root 2 crosses 1 at w = 1 / tau, where the phase is -135."""
    tau_s = 0.1
    aircraft = LinearAircraft(np.ones(3), np.zeros(3), tau_s, 0.0, 0.0)
    found = margins(aircraft, _settings(), _gains(math.sqrt(2.0) / tau_s))
    lost = math.degrees(0.5 * IMU_S / tau_s)
    assert found.phase_deg[0] == pytest.approx(45.0 - lost, abs=0.3)


def test_too_much_gain_and_the_wrong_sign_are_not_stable() -> None:
    too_much = math.pi / (2.0 * (_DEAD_S + 0.5 * IMU_S)) * 1.2
    assert (margins(_integrator(), _settings(), _gains(too_much)).gain_db < 0.0).all()
    assert (margins(_integrator(), _settings(), _gains(10.0)).gain_db > 0.0).all()
    backwards = margins(_integrator(-1.0), _settings(), _gains(10.0))
    assert (np.minimum(backwards.gain_db, backwards.phase_deg) < 0.0).all()


def test_holding_an_angle_costs_phase() -> None:
    rate = margins(_integrator(), _settings(), _gains(10.0))
    angle = margins(_integrator(), _settings(), _gains(10.0, angle=3.0))
    assert (angle.phase_deg < rate.phase_deg - 5.0).all()


@pytest.mark.slow
def test_flights_swing_where_margins_end() -> None:
    """AR100B without Kd in calm air: gains within the margin keep quiet, those beyond it swing up
    until the motors are at their ends."""
    preset, catalogue = load_preset("ar100b"), load_catalogue()
    simulator = factory_simulator(preset, catalogue)
    present = gains_of(simulator.settings)
    tried = []
    for factor in (2.0, 10.0):
        rate = present.rate_pid.copy()
        rate[:2, 2] = 0.0
        rate[:2, :2] *= factor
        tried.append(GainSet(rate, present.attitude_pi))
    gains = stacked(tried)
    aircraft = linear_aircraft(simulator.record["parameters"], simulator.settings)
    found = margins(aircraft, simulator.settings, gains)
    assert found.gain_db[0].min() > 3.0
    assert found.gain_db[1].min() < -3.0
    calm = Condition({}, 0.0, 0.0, 1.0, seed=5)
    noise = StepFlights(preset, catalogue, [calm]).fly(gains).actuator_noise[:, 0]
    assert noise[0] < 0.01
    assert noise[1] > 0.1
