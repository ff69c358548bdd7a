"""GPS receiver: the velocity's error is what the position's error grows by (seed 001, 3.3).

    e_p' = -e_p / tau_p + e_v

e_v is the lasting part of the velocity's error. Its white noise is left out: summed up it would
depend on the sample rate, and come to centimetres. Both errors are as large as the satellites in
view allow: the file's figures hold for TEN of them, with which a receiver knows its place to about
a metre (seed 004); with n they are (TEN / n)^2 times that, and so are the dilutions of precision.
That law is an assumption. Satellites are only above, so height is twice as wrong.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.earth import convergence, place_on_earth
from simulation.mathematics.random_numbers import Whole, gaussian_pair
from simulation.records.flight import DRIFT, DRIFT_TAU, POSITION, VELOCITY
from simulation.records.interface import GPS_FIX_3D, GPS_NO_FIX, STEP_S
from simulation.records.sensor_table import GPS, GPS_VELOCITY
from simulation.sensors.error_model import draw_errors, measured, quantise

TEN = 10.0
LEAST_SATELLITES = 4
_VERTICAL = 2.0
HDOP, VDOP = 0.8, 1.4  # with ten satellites
_WANDER_S = 10.0
_SATELLITES_STREAM, _START_STREAM = 0x300, 0x310
_START = 0


@njit_part
def count_satellites(w: Any, s: Any, time_s: float) -> float:
    """How many are in view: about as many as the world says, changing every ten seconds, less those
    that something hides."""
    n, _ = gaussian_pair(s["seed"], _SATELLITES_STREAM, int(time_s / _WANDER_S))
    seen = (w["gps_satellites"] + 0.7 * n) * (1.0 - s["sky_covered"])
    return float(max(math.floor(seen + 0.5), 0.0))


@njit_part
def dilution(satellites: float) -> float:
    """Errors with that many satellites, relative to those with TEN."""
    share = TEN / max(satellites, 1.0)
    return share * share


@njit_part
def begin_fix(p: Any, w: Any, s: Any) -> None:
    """Begin with errors as they are after a long time: e_p has the variance s^2 T^2 t / (T + t)
    and the covariance s^2 T t / (T + t) with the drift of e_v, whose deviation is s and time t."""
    model, long = p["sensor_error"][GPS_VELOCITY], p["gps_position_tau"]
    s["gps_keep"] = math.exp(-p["sensor_period"][GPS] * STEP_S / long)
    slope = long * model[DRIFT_TAU] / (long + model[DRIFT_TAU])
    spread = model[DRIFT] * math.sqrt(slope * (long - slope))
    for i in range(3):
        n, _ = gaussian_pair(s["seed"], _START_STREAM + i, _START)
        weight = _VERTICAL if i == 2 else 1.0
        own = weight * (slope * s["drift"][GPS_VELOCITY, i] + spread * n)
        s["gps_position_error"][i] = dilution(w["gps_satellites"]) * own


@njit_shared
def measure_fix(p: Any, w: Any, s: Any, k: Whole, slot: Any) -> None:
    """North, east, down in metres and the velocity in m/s; then the satellites.

    The white noise of the position has been drawn by the caller; it is no part of e_p.
    """
    dt = p["sensor_period"][GPS] * STEP_S
    satellites = count_satellites(w, s, k * dt)
    draw_errors(p, s, GPS_VELOCITY, k, w["sensor_noise"][GPS] * dilution(satellites))
    gain = (1.0 - s["gps_keep"]) * p["gps_position_tau"]
    x, error = s["motion"], s["gps_position_error"]
    for i in range(3):
        lasting = s["offset"][GPS_VELOCITY, i] + s["drift"][GPS_VELOCITY, i]
        if i == 2:
            lasting *= _VERTICAL
            s["error"][GPS_VELOCITY, i] *= _VERTICAL
            s["error"][GPS, i] *= _VERTICAL
        error[i] = s["gps_keep"] * error[i] + gain * lasting
        jump = w["gps_jump"][i] if i < 2 else 0.0
        slot[i] = measured(p, s, GPS, i, x[POSITION + i] + error[i] + jump)
        slot[3 + i] = measured(p, s, GPS_VELOCITY, i, x[VELOCITY + i])
    slot[6] = satellites


@njit_part
def _show_no_fix(o: Any) -> None:
    o["gps_status"] = GPS_NO_FIX
    o["gps_satellites"] = 0
    o["gps_pdop"] = o["gps_hdop"] = o["gps_vdop"] = 99.99


@njit_shared
def show_fix(p: Any, w: Any, o: Any, step: int, slot: Any) -> None:
    """Deliver a fix: degrees rounded to 1e-7 as on the wire, metres; m/s to the Earth's north and
    east there."""
    satellites = slot[6]
    if step < p["gps_first_fix"] or w["gps_lost"] != 0 or satellites < LEAST_SATELLITES:
        _show_no_fix(o)
        return
    latitude, longitude = place_on_earth(w, slot[0], slot[1])
    o["gps_latitude_deg"] = quantise(latitude, 90.0, 1e-7)
    o["gps_longitude_deg"] = quantise(longitude, 180.0, 1e-7)
    o["gps_altitude_m"] = w["altitude"] - slot[2]
    turned = convergence(w, latitude, longitude)
    sine, cosine = math.sin(turned), math.cos(turned)
    o["gps_velocity"][0] = cosine * slot[3] - sine * slot[4]
    o["gps_velocity"][1] = sine * slot[3] + cosine * slot[4]
    o["gps_velocity"][2] = slot[5]
    wide = dilution(satellites)
    o["gps_status"] = GPS_FIX_3D
    o["gps_satellites"] = int(satellites)
    o["gps_hdop"] = HDOP * wide
    o["gps_vdop"] = VDOP * wide
    o["gps_pdop"] = math.sqrt(HDOP * HDOP + VDOP * VDOP) * wide


@njit_part
def show_supplied_fix(o: Any, supplied: Any) -> None:
    """Deliver the fix that a station supplies; its velocity comes by an object of its own."""
    o["gps_latitude_deg"] = supplied[0]
    o["gps_longitude_deg"] = supplied[1]
    o["gps_altitude_m"] = supplied[2]
    o["gps_status"] = int(supplied[3])
    o["gps_satellites"] = int(supplied[4])
    o["gps_pdop"] = supplied[5]
    o["gps_hdop"] = supplied[6]
    o["gps_vdop"] = supplied[7]
