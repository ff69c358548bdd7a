"""Divergence check: a motion that no aircraft can have ends the simulation.

Limits are far beyond what flies. A value that is no number fails every comparison, so it is
beyond each limit too. A command that is no number ends it before the step it is given for, whatever
it commands: a motor, a servo, an attitude or a place.
"""

import math
from typing import Any, Final

from simulation.compiler.decorators import njit_part, side_by_side
from simulation.records.flight import ATTITUDE, MOTION, POSITION, RATES, ROTOR, VELOCITY

# STATE.diverged: what is beyond its limit.
(
    DIVERGED_POSITION,
    DIVERGED_VELOCITY,
    DIVERGED_ATTITUDE,
    DIVERGED_RATES,
    DIVERGED_ROTOR,
    DIVERGED_COMMAND,
) = range(1, 7)

POSITION_LIMIT_M: Final = 1e6
VELOCITY_LIMIT_MPS: Final = 1e4
ATTITUDE_LIMIT: Final = 1.0 + 1e-9  # of a component of a quaternion of length one
RATES_LIMIT: Final = 1e4  # rad/s
ROTOR_LIMIT: Final = 1e5  # rad/s


@njit_part
def check_command(m: Any, s: Any, o: Any) -> None:
    """Set `diverged` if something in COMMAND, or a pulse, is no number: a sum of which one summand
    is none is none."""
    total = m["thrust"] + m["throttle_stick"] + m["down_m"] + m["velocity_down"]
    total += m["north_m"] + m["east_m"] + m["velocity_north"] + m["velocity_east"]
    total += m["end_speed"]
    for i in range(len(m["axis_setpoint"])):
        total += m["axis_setpoint"][i]
    if m["outputs_supplied"] != 0:
        for i in range(len(m["outputs"])):
            total += m["outputs"][i]
    else:
        for i in range(len(o["actuator_command"])):
            total += o["actuator_command"][i]
    if math.isnan(total):
        s["diverged"] = DIVERGED_COMMAND


@njit_part
def keep_motion(s: Any, scratch: Any) -> None:
    """Remember the motion before a step."""
    for i in range(MOTION):
        scratch["before"][i] = s["motion"][i]


@njit_part
def check_motion(s: Any, scratch: Any) -> None:
    """Set `diverged` and return to the motion before the step if this one cannot be."""
    what = _beyond_limit(s["motion"])
    if what != 0:
        s["diverged"] = what
        for i in range(MOTION):
            s["motion"][i] = scratch["before"][i]


@njit_part
def _beyond_limit(x: Any) -> int:
    """What is beyond its limit, causes before their effects; 0 if nothing is."""
    if _count_beyond(x[ROTOR:MOTION], ROTOR_LIMIT) > 0:
        return DIVERGED_ROTOR
    if not _are_within(x[RATES:ROTOR], RATES_LIMIT):
        return DIVERGED_RATES
    if not _are_within(x[ATTITUDE:RATES], ATTITUDE_LIMIT):
        return DIVERGED_ATTITUDE
    if not _are_within(x[VELOCITY:ATTITUDE], VELOCITY_LIMIT_MPS):
        return DIVERGED_VELOCITY
    return 0 if _are_within(x[POSITION:VELOCITY], POSITION_LIMIT_M) else DIVERGED_POSITION


@njit_part
def _count_beyond(values: Any, limit: float) -> int:
    """How many are beyond a limit: in no more time than it takes to find one."""
    count = 0
    for i in side_by_side(len(values)):
        count += 0 if abs(values[i]) <= limit else 1
    return count


@njit_part
def _are_within(values: Any, limit: float) -> bool:
    for i in range(len(values)):  # noqa: SIM110 - generators cannot be compiled
        if not abs(values[i]) <= limit:
            return False
    return True
