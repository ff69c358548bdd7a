"""Cruise control: thrust grows with bank, so that its vertical part stays (StabilizationSettings).

Applies to thrust by hand where the pilot chose it, and, as in the firmware, to all automatic
thrust.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import clamp, to_body
from simulation.records.interface import VERTICAL_MANUAL

_LEVEL = 1e-3
# SETTINGS.cruise_inverted_output: CruiseControlInvertedPowerOutput
_ZERO, _NORMAL = 0, 1


@njit_part
def _upright(c: Any, o: Any) -> float:
    """The cosine of the tilt that will be reached in CruiseControlPowerDelayComp seconds, which is
    what motors need to answer. The down vector of the body turns with -rates."""
    x, y, z = to_body(o["quaternion"], 0.0, 0.0, 1.0)
    slope = math.radians(o["rates"][1]) * x - math.radians(o["rates"][0]) * y
    return clamp(z + c["cruise_power_delay"] * slope, -1.0, 1.0)


@njit_part
def _factor(c: Any, upright: float) -> float:
    """1 / cos, limited; CruiseControlPowerTrim scales what exceeds 1."""
    factor = min(1.0 / max(abs(upright), _LEVEL), c["cruise_max_power_factor"])
    factor = 1.0 + (factor - 1.0) * c["cruise_power_trim"]
    if upright < c["cruise_least_upright"]:
        if c["cruise_inverted_output"] == _ZERO:
            return 0.0
        if c["cruise_inverted_output"] == _NORMAL:
            return 1.0
    return float(factor)


@njit_part
def raised_thrust(c: Any, m: Any, k: Any, o: Any) -> float:
    """The thrust to command. One below CruiseControlMinThrust stays, or motors would start."""
    thrust = k["thrust"]
    least, most = c["cruise_thrust"]
    if m["vertical_mode"] == VERTICAL_MANUAL and m["cruise"] == 0:
        return float(thrust)
    if thrust <= max(least, 0.0):
        return float(thrust)
    return clamp(thrust * _factor(c, _upright(c, o)), least, most)
