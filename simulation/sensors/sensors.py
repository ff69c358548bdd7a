"""What the sensors deliver: truth plus turn-on offset, drift, white noise, range, resolution.

y = y_true + b + w: the drift b is Gauss-Markov with exact discretisation, so its statistics do
not depend on the sample rate; w is white. Each sensor has its own random streams. An error model
is [WHITE, DRIFT, DRIFT_TAU, TURN_ON, RANGE, RESOLUTION].
"""

import math
from typing import Any

import numpy as np

from simulation.environment.atmosphere import altitude_m, pressure_pa, temperature_k
from simulation.interface import GPS_FIX_3D, GPS_NO_FIX
from simulation.noise import Whole, gauss_markov, gaussian_pair
from simulation.records import (
    ATTITUDE,
    DRIFT,
    DRIFT_TAU,
    GPS_QUEUE,
    POSITION,
    RANGE,
    RATES,
    RESOLUTION,
    TURN_ON,
    VELOCITY,
    WHITE,
)
from simulation.rotation import clamp, to_body
from telemetry.compiled import njit_part

# Periods in steps.
IMU_PERIOD = 2
MAG_PERIOD = 10
BARO_PERIOD = 20
BATTERY_PERIOD = 50

_IMU_DT = IMU_PERIOD * 0.001
# Random streams; each takes three numbers, one per axis. Numpy's integers, because numba compiles
# a function anew for every Python constant it is called with.
_GYRO, _ACCEL, _MAG, _BARO, _GPS_VELOCITY, _GPS_POSITION, _SATELLITES = np.arange(0, 28, 4)
_TURN_ON_STREAM = np.int64(0x200)


@njit_part
def quantise(value: float, limit: float, resolution: float) -> float:
    """`value` saturated at +-limit and rounded to a multiple of `resolution`."""
    return math.floor(clamp(value, -limit, limit) / resolution + 0.5) * resolution


@njit_part
def _turn_on_axes(seed: int, stream: Whole, model: Any, bias: Any) -> None:
    """Row 0 of `bias` is the offset of this run, row 1 the drift, begun where it may stand."""
    for i in range(3):
        n, m = gaussian_pair(seed, _TURN_ON_STREAM + stream + i, i)
        bias[0, i] = model[TURN_ON] * n
        bias[1, i] = model[DRIFT] * m


@njit_part
def turn_on(p: Any, s: Any) -> None:
    """Draw the offsets this run starts with."""
    seed = s["seed"]
    _turn_on_axes(seed, _GYRO, p["gyro_error"], s["gyro_bias"])
    _turn_on_axes(seed, _ACCEL, p["accel_error"], s["accel_bias"])
    _turn_on_axes(seed, _MAG, p["mag_error"], s["mag_bias"])
    n, _ = gaussian_pair(seed, _TURN_ON_STREAM + _BARO, _BARO)
    s["baro_bias"] = p["baro_error"][DRIFT] * n


@njit_part
def _measure(true: float, model: Any, error: float) -> float:
    return quantise(true + error, model[RANGE], model[RESOLUTION])


@njit_part
def _axis_error(seed: int, k: Any, model: Any, bias: Any, law: Any) -> float:
    """Error of one axis of sample k[0], whose drift moves on; `k` is (sample, stream, axis) and
    `law` (time between samples, deviation of the white noise)."""
    sample, stream, axis = k
    n, m = gaussian_pair(seed, stream, sample)
    drift = gauss_markov(bias[1, axis], model[DRIFT], model[DRIFT_TAU], law[0], m)
    bias[1, axis] = drift
    return float(bias[0, axis] + drift + law[1] * n)


@njit_part
def sample_imu(p: Any, s: Any, o: Any, k: int) -> None:
    """Gyro in deg/s and accelerometer in m/s2, sample number `k`."""
    gyro, accel = p["gyro_error"], p["accel_error"]
    rate = 1.0 / math.sqrt(_IMU_DT)
    seed = s["seed"]
    for i in range(3):
        law = (_IMU_DT, gyro[WHITE] * rate)
        error = _axis_error(seed, (k, _GYRO + i, i), gyro, s["gyro_bias"], law)
        o["gyro"][i] = _measure(math.degrees(s["motion"][RATES + i]), gyro, error)
        law = (_IMU_DT, accel[WHITE] * rate)
        error = _axis_error(seed, (k, _ACCEL + i, i), accel, s["accel_bias"], law)
        o["accel"][i] = _measure(s["specific_force"][i], accel, error)
    o["imu_count"] += 1


@njit_part
def field_at(w: Any, s: Any) -> tuple[float, float, float]:
    """The Earth's field where the aircraft is, mGauss, NED."""
    field, slope, x = w["field_mgauss"], w["field_gradient"], s["motion"]
    a, b, c = x[POSITION], x[POSITION + 1], x[POSITION + 2]
    return (
        field[0] + slope[0, 0] * a + slope[1, 0] * b + slope[2, 0] * c,
        field[1] + slope[0, 1] * a + slope[1, 1] * b + slope[2, 1] * c,
        field[2] + slope[0, 2] * a + slope[1, 2] * b + slope[2, 2] * c,
    )


@njit_part
def sample_mag(p: Any, w: Any, s: Any, o: Any, k: int) -> None:
    """Magnetometer in mGauss, body axes."""
    model = p["mag_error"]
    north, east, down = field_at(w, s)
    body = to_body(s["motion"][ATTITUDE : ATTITUDE + 4], north, east, down)
    law = (MAG_PERIOD * 0.001, model[WHITE])
    for i in range(3):
        error = _axis_error(s["seed"], (k, _MAG + i, i), model, s["mag_bias"], law)
        o["mag"][i] = _measure(body[i], model, error)
    o["mag_count"] += 1


@njit_part
def sample_baro(p: Any, w: Any, s: Any, o: Any, k: int) -> None:
    """Barometer: the pressure of the standard atmosphere at true altitude plus error."""
    model = p["baro_error"]
    n, m = gaussian_pair(s["seed"], _BARO, k)
    s["baro_bias"] = gauss_markov(
        s["baro_bias"], model[DRIFT], model[DRIFT_TAU], BARO_PERIOD * 0.001, m
    )
    true = w["altitude"] - s["motion"][POSITION + 2]
    altitude = altitude_m(pressure_pa(true, w["weather_warmer"], w["weather_pressure"]))
    felt = _measure(altitude, model, s["baro_bias"] + model[WHITE] * n)
    pressure = pressure_pa(felt)
    o["baro_pressure_kpa"] = pressure * 0.001
    o["baro_temperature_c"] = temperature_k(true, w["weather_warmer"]) - 273.15
    o["baro_altitude_m"] = altitude_m(pressure)
    o["baro_count"] += 1


@njit_part
def sample_gps(p: Any, w: Any, s: Any, k: int) -> None:
    """Take a GPS measurement and put it on its way; `deliver_gps` shows it after the delay.

    The velocity error is what the position error grows by, as in real receivers.
    """
    model = p["gps_velocity_error"]
    dt = p["gps_period"] * 0.001
    forget = math.exp(-dt / p["gps_position_tau"])
    slot = s["gps_queue"][k % GPS_QUEUE]
    x = s["motion"]
    for i in range(3):
        n, m = gaussian_pair(s["seed"], _GPS_VELOCITY + i, k)
        weight = 2.0 if i == 2 else 1.0  # satellites are only above: height is worse
        bias = gauss_markov(s["gps_velocity_bias"][i], model[DRIFT], model[DRIFT_TAU], dt, m)
        s["gps_velocity_bias"][i] = bias
        slot[3 + i] = x[VELOCITY + i] + weight * (bias + model[WHITE] * n)
        error = s["gps_position_bias"][i] * forget
        error += (1.0 - forget) * p["gps_position_tau"] * bias
        s["gps_position_bias"][i] = error
        n, m = gaussian_pair(s["seed"], _GPS_POSITION + i, k)
        slot[i] = x[POSITION + i] + weight * (error + p["gps_position_white"] * n)
    slot[2] = w["altitude"] - slot[2]


@njit_part
def deliver_gps(p: Any, w: Any, s: Any, o: Any, k: int) -> None:
    """Show GPS measurement number `k`: degrees rounded to 1e-7 as on the wire, metres, m/s."""
    o["gps_count"] += 1
    if k * p["gps_period"] < p["gps_first_fix"] or w["gps_lost"] != 0:
        o["gps_status"] = GPS_NO_FIX
        o["gps_satellites"] = 0
        o["gps_pdop"] = o["gps_hdop"] = o["gps_vdop"] = 99.99
        return
    slot = s["gps_queue"][k % GPS_QUEUE]
    scale = w["metres_per_degree"]
    o["gps_latitude_deg"] = quantise(w["latitude_deg"] + slot[0] / scale[0], 90.0, 1e-7)
    o["gps_longitude_deg"] = quantise(w["longitude_deg"] + slot[1] / scale[1], 180.0, 1e-7)
    o["gps_altitude_m"] = slot[2]
    for i in range(3):
        o["gps_velocity"][i] = slot[3 + i]
    n, _ = gaussian_pair(s["seed"], _SATELLITES, k * p["gps_period"] // 10_000)
    satellites = max(4.0, math.floor(p["gps_satellites"] + n + 0.5))
    o["gps_status"] = GPS_FIX_3D
    o["gps_satellites"] = int(satellites)
    o["gps_hdop"] = 8.0 / satellites
    o["gps_vdop"] = 14.0 / satellites
    o["gps_pdop"] = math.sqrt(8.0 * 8.0 + 14.0 * 14.0) / satellites


@njit_part
def sample_sensors(p: Any, w: Any, s: Any, o: Any, step: int) -> None:
    """Everything but the IMU that is due at this step."""
    if step % MAG_PERIOD == 0:
        sample_mag(p, w, s, o, step // MAG_PERIOD)
    if step % BARO_PERIOD == 0:
        sample_baro(p, w, s, o, step // BARO_PERIOD)
    if step % p["gps_period"] == 0:
        sample_gps(p, w, s, step // p["gps_period"])
    sent = step - p["gps_delay"]
    if sent >= 0 and sent % p["gps_period"] == 0:
        deliver_gps(p, w, s, o, sent // p["gps_period"])
    if step % BATTERY_PERIOD == 0:
        o["battery_count"] += 1
