"""Excitation: what a log cannot tell, whatever is fitted to it, and why.

A fit finds a sigma for everything, and where only noise moves, what it goes by is less than what
any model is wrong by. So there is a least of motion for each parameter.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from simulation.identification.groups import DELAY, DRAG, INERTIA, MOTOR, THRUST
from simulation.identification.logged_flight import LoggedFlight
from simulation.identification.parameters import AXES, PARAMETERS
from simulation.identification.windows import LEAST_TURNING_DPS, Windows, turning_dps
from simulation.records.flight import MOTOR_LAG_SPEED

_QUICK_HZ: Final = 240.0
"""From which on motors' lag and dead time are told: 250 Hz with some jitter."""
_LEAST_SPREAD_MPS: Final = 1.0
_LEAST_TURNS: Final = 3
"""Windows in which an axis has to turn unevenly."""
_MOVES: Final = ("quickly.", "axis.", "apart.")
"""How reasons end for which another manoeuvre is the remedy."""


def why_untold(flight: LoggedFlight, p: np.void, windows: Windows) -> dict[str, str]:
    """By the names of parameters, those that no fit of this log could tell."""
    by_group = dict(_by_group(flight, p, windows))
    turned = (turning_dps(flight, windows) >= LEAST_TURNING_DPS).sum(axis=0) >= _LEAST_TURNS
    if not turned[:2].any():
        by_group.setdefault(MOTOR, "Nothing turned quickly.")
        by_group.setdefault(DELAY, "Nothing turned quickly.")
    untold = {}
    for q in PARAMETERS:
        reason = by_group.get(q.group, "")
        if q.group == INERTIA and not turned[_axis(q.name)]:
            reason = "It hardly turned about this axis."
        if reason:
            untold[q.name] = f"{reason} {q.excite}" if reason.endswith(_MOVES) else reason
    return untold


def _by_group(flight: LoggedFlight, p: np.void, windows: Windows) -> Iterator[tuple[str, str]]:
    slowest = min(flight.pulses.rate_hz, flight.gyro.rate_hz)
    if slowest < _QUICK_HZ:
        reason = (
            f"It takes gyro and motors at 250 Hz or more; this log has {slowest:.0f} Hz. Record "
            "on board, or by a quick link, with the telemetry preset 'for tuning'."
        )
        yield MOTOR, reason
        yield DELAY, reason
    if flight.voltage is None and p["motor_model"] != MOTOR_LAG_SPEED:
        yield (
            THRUST,
            "The log has no battery voltage (FlightBatteryState), which decides how much the "
            "motors give. Record it.",
        )
    speeds = flight.velocity.at(windows.middle_s)[:, :2]
    if float(np.linalg.norm(speeds.std(axis=0))) < _LEAST_SPREAD_MPS:
        yield DRAG, "At one ground speed wind and drag cannot be told apart."


def _axis(name: str) -> int:
    return AXES.index(name.rpartition("_")[2])
