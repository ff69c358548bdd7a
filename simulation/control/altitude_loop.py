"""Altitude loop: AltitudeHold and AltitudeVario, at every new velocity (altitudeloop.cpp).

The firmware reckons with 1/500 s a run, whatever the sensors' rate; here they have it. It begins
with the stick as thrust, at the velocity that was asked for before: a new one is a step. While it
is idle it begins anew at every run.
"""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.control.velocity_pid import run_pid, start_pid
from simulation.mathematics.rotation import clamp
from simulation.records.interface import IMU_S, VERTICAL_HOLD

_DOWN = 2


@njit_part
def _desired(c: Any, m: Any, o: Any) -> float:
    """The velocity down to fly, m/s."""
    desired = m["velocity_down"]
    if m["vertical_mode"] == VERTICAL_HOLD:
        desired = c["altitude_hold_position_p"] * (m["down_m"] - o["position"][_DOWN])
    most = c["altitude_hold_rate"]
    return clamp(desired, -most, most)


@njit_part
def hold_height(c: Any, m: Any, k: Any, o: Any, idle: bool) -> None:
    """One run: set the thrust."""
    starts = m["vertical_starts"]
    begins = idle or (starts != k["altitude_starts"] if starts != 0 else k["was_height_held"] == 0)
    desired = k["altitude_sink"] if begins and starts != 0 else _desired(c, m, o)
    k["altitude_sink"] = _desired(c, m, o)
    o["velocity_desired"][_DOWN] = desired
    low, neutral, high = c["altitude_hold_thrust"]
    sample, law = (desired, o["velocity"][_DOWN], IMU_S), (neutral, -1.0)
    memory, gains = k["altitude_pid"], c["altitude_hold_velocity_pid"]
    if begins:
        first = m["start_thrust"] if starts != 0 else clamp(k["thrust"], low, high)
        start_pid(gains, memory, sample, law, first)
        k["altitude_starts"] = starts
    k["thrust"] = run_pid(gains, memory, sample, law, (low, high))
    k["was_height_held"] = 1
