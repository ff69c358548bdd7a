"""Settled position check: does the estimated position stand still before AutoTakeoff?

From its state ThrustUp on AutoTakeoff holds the place it began at, on the ground too, and gives up
3 m away from it (vtolautotakeofffsm.cpp of LibrePilot: flZeroStabiHorizontal, positionError). An
estimate that still moves makes it tilt and topple, and firmware arms all the same: a lost or fresh
fix is no alarm that forbids arming (okToArm of armhandler.c). Positions are made of fixes in three
dimensions only (filterlla.c).
"""

import math
from collections.abc import Callable
from itertools import combinations
from typing import Final

from telemetry.base.finding import Finding, error
from telemetry.recording.sample import Sample

Past = Callable[[str, float], Sample | None]
"""Gives an object as it was so many seconds ago; None where the aircraft had not sent it."""

MOST_M: Final = 1.0
"""So far it may have moved in LOOKED_BACK_S: a third of what AutoTakeoff allows, which takes about
twice that time from its start to its height."""
LOOKED_BACK_S: Final = 4.0
_LOOKS: Final = 8


def check_position_for_take_off(past: Past) -> Finding | None:
    """Why AutoTakeoff would not hold its place now; None where nothing known speaks against it."""
    fix = past("GPSPositionSensor", 0.0)
    if fix is not None and not str(fix["Status"]).startswith("Fix3D"):
        return error(
            "no-fix",
            "There is no GPS fix, and while it takes off by itself it holds its place by GPS.",
            "Wait under a clear sky. Where there is no GPS, as indoors, arm and take off by hand.",
            title="Position",
        )
    moved_m = _moved_m(past)
    if moved_m <= MOST_M:
        return None
    return error(
        "position-settling",
        f"The estimated position moved by {moved_m:.1f} m in {LOOKED_BACK_S:.0f} s while the "
        "aircraft stands, and while it takes off by itself it would steer after that.",
        "Wait until GPS and estimation have settled.",
        title="Position",
    )


def _moved_m(past: Past) -> float:
    """How far apart the positions of the last seconds are, horizontally."""
    looks = (past("PositionState", LOOKED_BACK_S * i / _LOOKS) for i in range(_LOOKS + 1))
    places = [(float(seen["North"]), float(seen["East"])) for seen in looks if seen is not None]
    return max((math.dist(a, b) for a, b in combinations(places, 2)), default=0.0)
