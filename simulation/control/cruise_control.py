"""Cruise control: thrust grows with bank, so that its vertical part stays (StabilizationSettings).

Applies to thrust by hand where the pilot chose it, and to all automatic thrust. The law is that of
LibrePilot's cruisecontrol.c; CruiseControlInvertedThrustReversing is not.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.control.outer_loop import OUTER_PERIOD
from simulation.mathematics.rotation import clamp
from simulation.records.interface import STEP_S

_RUN_S = OUTER_PERIOD * STEP_S
_LEVEL = 2e-5
_STRONG = 0.7
"""Thrust above which a change at CruiseControlMaxAngle is begun early."""
# SETTINGS.cruise_inverted_output: CruiseControlInvertedPowerOutput
_ZERO, _NORMAL = 0, 1


@njit_part
def _factor(c: Any, angle_deg: float) -> float:
    """1 / cos, of which CruiseControlPowerTrim scales what exceeds 1; limited."""
    upright = max(abs(math.cos(math.radians(angle_deg))), _LEVEL)
    factor = 1.0 + (1.0 / upright - 1.0) * c["cruise_power_trim"]
    return float(min(factor, c["cruise_max_power_factor"]))


@njit_part
def _limited(c: Any, thrust: float) -> float:
    return clamp(thrust, c["cruise_thrust"][0], c["cruise_thrust"][1])


@njit_part
def _raised(c: Any, factor: float, thrust: float) -> float:
    """One not above CruiseControlMinThrust stays, or motors would start."""
    return _limited(c, thrust * factor) if thrust > c["cruise_thrust"][0] else thrust


@njit_part
def _lead_deg(c: Any, thrust: float, rate_dps: float) -> float:
    """How far before the largest angle motors are told to change, so that they have done half of
    it there: by what share of their range they change."""
    most = c["cruise_max_angle_deg"]
    stroke = 0.0
    raised = _raised(c, _factor(c, most), thrust)
    if c["cruise_inverted_output"] == _ZERO:
        stroke = raised - _limited(c, 0.0)
    elif c["cruise_inverted_output"] == _NORMAL:
        stroke = raised - _limited(c, thrust)
    span = max(c["cruise_thrust"][1] - c["cruise_thrust"][0], 1e-3)
    return float(stroke / span * 0.5 * c["cruise_power_delay"] * abs(rate_dps))


@njit_part
def set_cruise_factor(c: Any, k: Any, o: Any) -> None:
    """Once per attitude loop: what thrust will be raised by."""
    roll, pitch = o["attitude_deg"][0], o["attitude_deg"][1]
    upright = math.cos(math.radians(roll)) * math.cos(math.radians(pitch))
    angle = math.degrees(math.acos(clamp(upright, -1.0, 1.0)))
    rate_dps = (angle - k["cruise_angle"]) / _RUN_S
    k["cruise_angle"] = angle
    thrust, most = k["thrust_wanted"], c["cruise_max_angle_deg"]
    factor = 1.0
    if thrust > 0.0:
        if thrust > _STRONG and abs(angle - most) <= _lead_deg(c, thrust, rate_dps):
            angle = most + (0.01 if rate_dps >= 0.0 else -0.01)
        factor = _factor(c, angle)
    if angle >= most:
        if c["cruise_inverted_output"] == _ZERO:
            factor = 0.0
        elif c["cruise_inverted_output"] == _NORMAL:
            factor = 1.0
    k["cruise_factor"] = factor


@njit_part
def raised_thrust(c: Any, k: Any, thrust: float) -> float:
    """The thrust to command."""
    return _raised(c, k["cruise_factor"], thrust)
