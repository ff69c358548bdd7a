"""Excitation: what a log cannot tell, whatever is fitted to it, and why.

A fit finds a sigma for everything, and where only noise moves, what it goes by is less than what
any model is wrong by. So there is a least of motion for each parameter.
"""

from typing import Final

import numpy as np

from simulation.identification.groups import DELAY, MOTOR, THRUST
from simulation.identification.logged_flight import LoggedFlight
from simulation.identification.parameters import AXES, PARAMETERS
from simulation.identification.windows import LEAST_TURNING_DPS, Windows, turning_dps
from simulation.records.flight import MOTOR_LAG_SPEED
from telemetry.configuration.board_logs.rate_preset import TITLE

_QUICK_HZ: Final = 240.0
"""From which on motors' lag and dead time are told: 250 Hz with some jitter."""
_LEAST_SPREAD_MPS: Final = 1.0
_LEAST_TURNS: Final = 3
"""Windows in which an axis has to turn unevenly."""


def why_untold(flight: LoggedFlight, p: np.void, windows: Windows) -> dict[str, str]:
    """By the names of parameters, those that no fit of this log could tell."""
    unrecorded, unmoved = _unrecorded(flight, p), _unmoved(flight, windows)
    untold = {q.name: f"{unmoved[q.name]} {q.excite}" for q in PARAMETERS if q.name in unmoved}
    return {**untold, **{q.name: unrecorded[q.group] for q in PARAMETERS if q.group in unrecorded}}


def _unrecorded(flight: LoggedFlight, p: np.void) -> dict[str, str]:
    """Groups for which the log lacks something, with what to record."""
    found = {}
    slowest = min(flight.pulses.rate_hz, flight.gyro.rate_hz)
    if slowest < _QUICK_HZ:
        found[MOTOR] = found[DELAY] = (
            f"It takes gyro and motors at 250 Hz or more; this log has {slowest:.0f} Hz. Record "
            f"on board, or by a quick link, with the telemetry preset '{TITLE}'."
        )
    if flight.voltage is None and p["motor_model"] != MOTOR_LAG_SPEED:
        found[THRUST] = (
            "The log has no battery voltage (FlightBatteryState), which decides how much the "
            "motors give. Record it."
        )
    return found


def _unmoved(flight: LoggedFlight, windows: Windows) -> dict[str, str]:
    """Parameters for which the flight was too steady."""
    found = {}
    turned = (turning_dps(flight, windows) >= LEAST_TURNING_DPS).sum(axis=0) >= _LEAST_TURNS
    for row, axis in enumerate(AXES):
        if not turned[row]:
            found[f"torque_per_inertia_{axis}"] = "It hardly turned about this axis."
    if not turned[:2].any():
        found["motor_time_constant_ms"] = found["dead_time_ms"] = "Nothing turned quickly."
    speeds = flight.velocity.at(windows.middle_s)[:, :2]
    if float(np.linalg.norm(speeds.std(axis=0))) < _LEAST_SPREAD_MPS:
        found["drag_per_mass"] = "At one ground speed wind and drag cannot be told apart."
    return found
