"""Magnetometer alarm of firmware: whether the field is as strong as at home.

LibrePilot's flight/modules/StateEstimation/filtermag.c, `checkMagValidity`, with one magnetometer:
its samples are used all the same, only INS13 does not begin with them (filterekf.c).
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.records.interface import FUSION_COMPLEMENTARY, MAG_CRITICAL, MAG_OK, MAG_WARNING

_GRACE = 5  # samples of the wrong strength in a row that are still taken for right


@njit_part
def judge_field(f: Any, o: Any, expected_mgauss: float, deviation: Any) -> None:
    """Set OUTPUT.mag_alarm by a sample not yet judged: some in a row make the alarm, one ends it.
    `deviation` are the shares of MagnetometerMaxDeviation, warning and error."""
    if o["mag_count"] == f["mag_judged"]:
        return
    f["mag_judged"] = o["mag_count"]
    m = o["mag"]
    size = math.sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2])
    error = abs(size - expected_mgauss)
    if error < deviation[0] * expected_mgauss:
        f["mag_warnings"] = f["mag_errors"] = 0
        o["mag_alarm"] = MAG_OK
    elif error < deviation[1] * expected_mgauss:
        f["mag_errors"] = 0
        if f["mag_warnings"] > _GRACE:
            o["mag_alarm"] = MAG_WARNING
        else:
            f["mag_warnings"] += 1
    elif f["mag_errors"] > _GRACE:
        o["mag_alarm"] = MAG_CRITICAL
    else:
        f["mag_errors"] += 1


@njit_part
def judge_field_at_home(c: Any, f: Any, o: Any) -> None:
    """The same by what the settings say now, for the algorithms whose chain has a magnetometer
    (stateestimation.c) and that keep no settings of their own."""
    if f["fusion"] == FUSION_COMPLEMENTARY:
        return
    b = c["home_field_mgauss"]
    size = math.sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2])
    judge_field(f, o, size, c["mag_deviation"])


@njit_part
def forget_field(f: Any) -> None:
    """Count anew, as filtermag.c, `init`; the alarm stays until a sample has been judged."""
    f["mag_warnings"] = f["mag_errors"] = 0
