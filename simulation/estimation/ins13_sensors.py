"""INS13's sensors: what stands before the filter in firmware's chain, in the same order.

LibrePilot's flight/modules/StateEstimation: filtermag.c (`field_alarm`), filterair.c knows the
airspeed, filterlla.c says where a fix lies (or filterstationary.c, indoors, that it is at home),
filterbaro.c what the barometer shows above home. GPS is late and is taken as it comes.

The height above home is the barometer's, less an offset that the first fix sets and that later ones
move in 300 s or so (RevoSettings.BaroGPSOffsetCorrectionAlpha): what the first one is off is
believed.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.estimation.airspeed_filter import thinness
from simulation.estimation.flat_earth import place_from_home
from simulation.estimation.ins13_state import (
    HAS_AIRSPEED,
    HAS_BARO,
    HAS_MAG,
    HAS_PLACE,
    HAS_SPEED,
)
from simulation.records.interface import GPS_FIX_2D, GPS_FIX_3D, MAG_OK

FULL_BARO_SAMPLES = 500
"""As many does firmware average before it has a height (filterbaro.c, INIT_CYCLES): ten seconds."""
QUICK_BARO_SAMPLES = 50
"""As many do here, unless firmware's start is asked for."""
_BARO_SHARE = 0.02  # of a sample then
_STATIONARY_US = 100_000


@njit_part
def take_sensors(c: Any, n: Any, o: Any, uses_gps: bool) -> None:
    """Note in the INS record what has been measured since the last IMU sample."""
    _take_mag(n, o)
    _take_airspeed(n, o)
    is_placed = uses_gps and _take_fix(c, n, o)
    _take_baro(c, n, o, is_placed, uses_gps)
    if not uses_gps:
        _stand_still(n, o)


@njit_part
def _take_mag(n: Any, o: Any) -> None:
    if o["mag_count"] == n["mag_seen"]:
        return
    n["mag_seen"] = o["mag_count"]
    n["has"][HAS_MAG] = 1
    for i in range(3):
        n["mag"][i] = o["mag"][i]
    if o["mag_alarm"] != MAG_OK and n["ready"] == 0:
        n["has"][HAS_MAG] = 0


@njit_part
def _take_airspeed(n: Any, o: Any) -> None:
    if o["airspeed_count"] == n["airspeed_seen"]:
        return
    n["airspeed_seen"] = o["airspeed_count"]
    n["has"][HAS_AIRSPEED] = 1
    calibrated = math.sqrt(2.0 * max(o["airspeed_pressure_pa"], 0.0) / SEA_LEVEL_DENSITY)
    n["airspeed"] = thinness(o) * calibrated


@njit_part
def _take_fix(c: Any, n: Any, o: Any) -> bool:
    """True if there is a new place. The velocity is taken of any fix (UBX.c), the place where the
    fix is good enough by GPSSettings."""
    if o["gps_count"] == n["gps_seen"]:
        return False
    n["gps_seen"] = o["gps_count"]
    if o["gps_status"] >= GPS_FIX_2D:
        n["has"][HAS_SPEED] = 1
        for i in range(3):
            n["speed"][i] = o["gps_velocity"][i]
    if not _is_good(c, n, o):
        return False
    n["has"][HAS_PLACE] = 1
    place = place_from_home(n, o["gps_latitude_deg"], o["gps_longitude_deg"], o["gps_altitude_m"])
    n["place"][0], n["place"][1], n["place"][2] = place
    return True


@njit_part
def _is_good(c: Any, n: Any, o: Any) -> bool:
    """filterlla.c; a receiver that says nothing of its dilution of precision is believed."""
    return bool(
        c["home_set"] != 0
        and o["gps_status"] >= GPS_FIX_3D
        and o["gps_satellites"] >= n["gps_satellites"]
        and o["gps_pdop"] < n["gps_pdop"]
    )


@njit_part
def _take_baro(c: Any, n: Any, o: Any, is_placed: bool, uses_gps: bool) -> None:
    is_new = o["baro_count"] != n["baro_seen"]
    n["baro_seen"] = o["baro_count"]
    if n["baro_done"] < c["baro_samples"]:
        _begin_baro(n, o, is_new, is_placed, uses_gps)
        return
    if is_placed:
        keep = n["baro_keep"]
        now = n["baro_altitude"] + n["place"][2]
        n["baro_offset"] = keep * n["baro_offset"] + (1.0 - keep) * now
    if is_new:
        n["baro_altitude"] = o["baro_altitude_m"]
        n["height"] = o["baro_altitude_m"] - n["baro_offset"]
        n["has"][HAS_BARO] = 1


@njit_part
def _begin_baro(n: Any, o: Any, is_new: bool, is_placed: bool, uses_gps: bool) -> None:
    """Average what the barometer shows at the height of the first fix.

    Of fewer samples than firmware takes, see SETTINGS.baro_samples, the mean is as good as its
    low-pass of FULL_BARO_SAMPLES, so that early ones weigh more.
    """
    if n["baro_done"] == 0 and is_placed:
        n["first_down"] = n["place"][2]
        n["baro_done"] = 1
    if not is_new or (n["baro_done"] == 0 and uses_gps):
        return
    now = o["baro_altitude_m"] + n["first_down"]
    samples = n["baro_done"]
    share = max(_BARO_SHARE, 1.0 / samples) if samples > 0 else 1.0
    n["baro_offset"] += share * (now - n["baro_offset"])
    n["baro_altitude"] = o["baro_altitude_m"]
    n["baro_done"] += 1


@njit_part
def _stand_still(n: Any, o: Any) -> None:
    """filterstationary.c: indoors it is at home and at rest, ten times a second."""
    if o["time_us"] - n["stood_us"] <= _STATIONARY_US:
        return
    n["stood_us"] = o["time_us"]
    n["has"][HAS_PLACE] = n["has"][HAS_SPEED] = 1
    for i in range(3):
        n["place"][i] = n["speed"][i] = 0.0
