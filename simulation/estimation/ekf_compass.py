"""EKF compass: the magnetometer's heading, where its field is the Earth's.

A field is judged by its size and dip, which no heading changes, against HomeLocation.Be and by what
the filter knows of iron and tilt. Steel near by that turns the field about the vertical changes
neither; but then the heading jumps and no gyro has turned. The mean of a second is judged as well,
with less noise: of a field that rises by 1 mGauss/s no sample is strange. What is refused moves
nothing: the gyros carry the heading on, and its variance grows by what they may be off. Some of
what rises so slowly still passes for the aircraft's own iron and turns a hover's heading: by up to
6 deg of twelve directions at 1 mGauss/s, by 4 deg at 0.3, there without an alarm.

What is refused for PATIENCE_S is no passing disturbance. A strange size or dip is then the
aircraft's own iron: its variance becomes as large as what is seen, and it is learned; where no
sample was ever taken, the first heading was made of the same field and is forgotten as well. With
size and dip of the Earth's, field and heading are doubted alike, and what flight shows of the
heading decides. A field that is only turned, from the start on, is believed until then.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.estimation.ekf_measurements import tilt_variance
from simulation.estimation.ekf_state import MAG_BIAS, TURN
from simulation.estimation.ekf_update import correct, forget, predicted_variance
from simulation.mathematics.rotation import to_ned, wrap_pi
from simulation.records.interface import MAG_WARNING

PATIENCE_S = 120.0
"""The gyros hold the heading to a degree or two for as long."""
_ALARM_S = 1.0  # of refusals in a row
_GATE2, _STRICT_GATE2 = 16.0, 9.0
"""Beyond four deviations it is not the Earth's, and beyond three after one such."""
_CALM = 25  # samples in a row
_AVERAGED = 50.0  # samples, of which the mean is judged as well
_MODEL = 1.5  # mGauss: how far the field of a place is off its model (WMM, error model)
_BEND_RAD = 2.0  # error of second order of heading, per rad2 of tilt variance
_LEAST_FIELD2 = 400.0  # mGauss2, horizontal
_UNKNOWN = 1.0  # rad2
_UNSURE = math.radians(10.0) * math.radians(10.0)


@njit_shared
def use_mag(c: Any, e: Any, o: Any) -> None:
    """Use the heading of every second magnetometer sample, which is often enough for a gyro of
    today; it may not touch roll and pitch."""
    if o["mag_count"] < e["mag_seen"] + 2:
        return
    e["mag_seen"] = o["mag_count"]
    x, m, b, home = e["x"], o["mag"], MAG_BIAS, c["home_field_mgauss"]
    square = home[0] * home[0] + home[1] * home[1]
    if square < _LEAST_FIELD2:
        return
    north, east, down = to_ned(e["q"], m[0] - x[b], m[1] - x[b + 1], m[2] - x[b + 2])
    mean = _average(e, north, east, down)
    strange = _strangeness(c, e, (north, east, down), 1.0)
    strange = max(strange, _strangeness(c, e, mean, _AVERAGED))
    if strange > 0.0:
        _refuse_field(c, e, strange)
        return
    innovation = _innovation(c, north, east)
    lasting = _innovation(c, mean[0], mean[1])
    _set_heading_gradient(home, square, e)
    bend = _BEND_RAD * tilt_variance(e)
    noise, known = 0.5 * (c["ekf_r"][6] + c["ekf_r"][7]) / square, predicted_variance(e)
    variance = noise + bend * bend
    limit, lasting_limit = known + variance, known + noise / _AVERAGED + bend * bend
    squares = innovation * innovation, lasting * lasting
    if max(squares[0] / limit, squares[1] / lasting_limit) > _gate2(e):
        _refuse_heading(c, e, max(squares[0], squares[1]), square)
    elif _is_calm(e):
        _set_heading_gradient(home, square, e)
        correct(e, innovation, variance, False)


@njit_part
def _average(e: Any, north: float, east: float, down: float) -> Any:
    """The field as it has been on average, _AVERAGED samples long."""
    mean, keep = e["mag_mean"], 1.0 - 2.0 / (_AVERAGED + 1.0)
    if mean[0] == 0.0 and mean[1] == 0.0 and mean[2] == 0.0:
        keep = 0.0
    mean[0] = keep * mean[0] + (1.0 - keep) * north
    mean[1] = keep * mean[1] + (1.0 - keep) * east
    mean[2] = keep * mean[2] + (1.0 - keep) * down
    return mean


@njit_part
def _innovation(c: Any, north: float, east: float) -> float:
    """How far the heading that a field tells is from the filter's, rad."""
    return float(wrap_pi(math.radians(c["home_declination_deg"]) - math.atan2(east, north)))


@njit_part
def _gate2(e: Any) -> float:
    """Squared number of deviations within which a sample is the Earth's."""
    return _GATE2 if e["mag_refused"] == 0 else _STRICT_GATE2


@njit_part
def _is_calm(e: Any) -> bool:
    """Whether a sample may be used: after one was refused, not before some in a row would do. Of a
    disturbance just outside of the gate noise brings in every few."""
    e["mag_calm"] += 1
    if e["mag_refused"] != 0 and e["mag_calm"] < _CALM:
        return False
    e["mag_refused"] = 0
    e["mag_taken"] = 1
    return True


@njit_part
def _strangeness(c: Any, e: Any, field: Any, averaged: float) -> float:
    """How far a field, the average of so many samples, is off the Earth's, mGauss; 0 if size and
    dip are within what noise, iron and tilt make of it."""
    home, down = c["home_field_mgauss"], field[2]
    across = math.sqrt(field[0] * field[0] + field[1] * field[1])
    level = math.sqrt(home[0] * home[0] + home[1] * home[1])
    size = math.sqrt(level * level + home[2] * home[2])
    noise = (c["ekf_r"][6] + c["ekf_r"][7] + c["ekf_r"][8]) / 3.0 / averaged + _MODEL * _MODEL
    longer = math.sqrt(across * across + down * down) - size
    deeper = size * (math.atan2(down, across) - math.atan2(home[2], level))
    _set_iron_gradient(e, home[0] / size, home[1] / size, home[2] / size)
    gate2 = _gate2(e)
    is_strange = longer * longer > gate2 * (predicted_variance(e) + noise)
    sine, cosine = home[2] / size, level / size
    _set_iron_gradient(e, -sine * home[0] / level, -sine * home[1] / level, cosine)
    e["h"][TURN] = -size * home[1] / level
    e["h"][TURN + 1] = size * home[0] / level
    bend = size * tilt_variance(e)
    is_bent = deeper * deeper > gate2 * (predicted_variance(e) + noise + bend * bend)
    return math.sqrt(longer * longer + deeper * deeper) if is_strange or is_bent else 0.0


@njit_part
def _set_iron_gradient(e: Any, north: float, east: float, down: float) -> None:
    """Gradient by the aircraft's iron of the field along this direction, NED."""
    h, r = e["h"], e["rotation"]
    for k in range(3):
        h[MAG_BIAS + k] = north * r[0, k] + east * r[1, k] + down * r[2, k]


@njit_part
def _set_heading_gradient(field: Any, square: float, e: Any) -> None:
    """Gradient of the heading the field B at home implies, errors being phi and, in body, db:
    phi_down - (B_down / B_h^2) (B_h . phi_h) - (B_north db_east - B_east db_north) / B_h^2, where
    `square` is B_h^2.

    Taken of B and not of what is measured, or the noise in it would pass for information.
    """
    h, north, east = e["h"], field[0], field[1]
    _set_iron_gradient(e, east / square, -north / square, 0.0)
    h[TURN] = -field[2] * north / square
    h[TURN + 1] = -field[2] * east / square
    h[TURN + 2] = 1.0


@njit_part
def _is_out_of_patience(c: Any, e: Any) -> bool:
    """Count one more sample refused."""
    e["mag_refused"] += 1
    e["mag_calm"] = 0
    return bool(_refused_s(c, e) > PATIENCE_S)


@njit_part
def _refused_s(c: Any, e: Any) -> float:
    """For how long samples have been refused, every second one being looked at."""
    return float(2.0 * c["sensors"]["mag_period_s"] * e["mag_refused"])


@njit_part
def _refuse_field(c: Any, e: Any, strange: float) -> None:
    """Size or dip are off by this, mGauss."""
    is_settled = e["mag_taken"] != 0
    if _is_out_of_patience(c, e) or not is_settled:
        _doubt_iron(e, strange * strange)
        if not is_settled:
            forget(e, TURN + 2, _UNKNOWN)


@njit_part
def _refuse_heading(c: Any, e: Any, innovation2: float, square: float) -> None:
    """The heading is off by this, rad2, in a field whose horizontal part has this `square`."""
    if _is_out_of_patience(c, e):
        _doubt_iron(e, innovation2 * square)
        forget(e, TURN + 2, innovation2)


@njit_part
def _doubt_iron(e: Any, variance: float) -> None:
    """Let the aircraft's iron be unknown, each axis with this variance, mGauss2."""
    e["mag_refused"] = 0
    for i in range(3):
        forget(e, MAG_BIAS + i, variance)


@njit_part
def show_heading(c: Any, e: Any, o: Any) -> None:
    """Say that the compass is refused, and that the heading is known to less than ten degrees."""
    if _refused_s(c, e) > _ALARM_S:
        o["mag_alarm"] = max(o["mag_alarm"], MAG_WARNING)
    o["estimate_warning"] = int(e["p"][TURN + 2, TURN + 2] > _UNSURE)
