"""EKF prediction: nominal state and covariance between measurements.

The nominal state follows the IMU at its rate: strapdown integration by trapezoids. The covariance
follows at 100 Hz with the velocity change summed up meanwhile. With f the specific force and phi
the attitude error, both in NED, and R from body to NED (error-state formulation with a global
angular error: Sola, Quaternion kinematics for the error-state Kalman filter, 2017, section 7):

    dp' = dv,   dv' = -f x phi - R da,   phi' = -R dw
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.environment.earth import GRAVITY
from simulation.estimation.ekf_state import (
    ACCEL_BIAS,
    BARO,
    GPS_DOWN_WEIGHT,
    GPS_PLACE,
    GPS_PLACE_WALK,
    GPS_SPEED,
    GYRO_BIAS,
    MAG_BIAS,
    MOVING,
    POSITION,
    SIZE,
    TURN,
    VELOCITY,
)
from simulation.mathematics.random_numbers import Whole
from simulation.mathematics.rotation import to_ned, turn
from simulation.records.interface import IMU_S

SAMPLES = 5
"""IMU samples per step of the covariance."""
_DT = SAMPLES * IMU_S
# How long errors of crooked axes are taken to last. The accelerometer's go with the force as a tilt
# does and would be taken for one, so they count for longer.
_TURN_S, _CLIMB_S = 1.0, 8.0
_NOISE_SHARE = IMU_S / 2.0  # two seconds


@njit_part
def _measure_noise(e: Any, o: Any) -> None:
    """Follow the noise there is in the IMU's samples, by their second difference: of white noise
    it has six times the variance, and of motion next to nothing."""
    gyro, accel = 0.0, 0.0
    for i in range(3):
        w, a = o["gyro"][i], o["accel"][i]
        bend = w - 2.0 * e["gyro_last"][i] + e["gyro_before"][i]
        gyro += bend * bend
        bend = a - 2.0 * e["accel_last"][i] + e["accel_before"][i]
        accel += bend * bend
        e["gyro_before"][i] = e["gyro_last"][i]
        e["accel_before"][i] = e["accel_last"][i]
    noise = e["imu_noise"]
    noise[0] += _NOISE_SHARE * (math.radians(math.radians(gyro)) / 18.0 - noise[0])
    noise[1] += _NOISE_SHARE * (accel / 18.0 - noise[1])


@njit_part
def follow_imu(e: Any, o: Any) -> None:
    """Move the nominal state on by one IMU sample.

    The sample stands at the beginning of its interval; half the difference to the one before
    stands for its change within, and what the body turns meanwhile turns the force with it.
    """
    x, w, a = e["x"], e["rate"], e["force"]
    _measure_noise(e, o)
    for i in range(3):
        w[i] = math.radians(1.5 * o["gyro"][i] - 0.5 * e["gyro_last"][i]) - x[GYRO_BIAS + i]
        a[i] = 1.5 * o["accel"][i] - 0.5 * e["accel_last"][i] - x[ACCEL_BIAS + i]
        e["gyro_last"][i] = o["gyro"][i]
        e["accel_last"][i] = o["accel"][i]
    half = 0.5 * IMU_S
    force = to_ned(
        e["q"],
        a[0] + half * (w[1] * a[2] - w[2] * a[1]),
        a[1] + half * (w[2] * a[0] - w[0] * a[2]),
        a[2] + half * (w[0] * a[1] - w[1] * a[0]),
    )
    turn(e["q"], w[0] * IMU_S, w[1] * IMU_S, w[2] * IMU_S)
    for i, f in enumerate(force):
        e["velocity_change"][i] += f * IMU_S
        change = (f + GRAVITY if i == 2 else f) * IMU_S
        x[POSITION + i] += (x[VELOCITY + i] + 0.5 * change) * IMU_S
        x[VELOCITY + i] += change
        e["moved"][i] += (e["gained"][i] + 0.5 * change) * IMU_S
        e["gained"][i] += change
    e["samples"] += 1


@njit_part
def set_rotation(e: Any) -> None:
    """Write the matrix that turns body into NED into e["rotation"]."""
    q, r = e["q"], e["rotation"]
    w, x, y, z = q[0], q[1], q[2], q[3]
    r[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    r[0, 1] = 2.0 * (x * y - w * z)
    r[0, 2] = 2.0 * (x * z + w * y)
    r[1, 0] = 2.0 * (x * y + w * z)
    r[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    r[1, 2] = 2.0 * (y * z - w * x)
    r[2, 0] = 2.0 * (x * z - w * y)
    r[2, 1] = 2.0 * (y * z + w * x)
    r[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@njit_part
def learn_gps(known: Any, e: Any) -> None:
    """Work out what one step does to the receiver's errors, from SETTINGS.sensors."""
    g = e["gps_carry"]
    g[0] = math.exp(-_DT / known["gps_speed_tau"])
    g[1] = math.exp(-_DT / known["gps_place_tau"])
    g[2] = (1.0 - g[1]) * known["gps_place_tau"]
    g[3] = known["gps_speed_sigma"] * known["gps_speed_sigma"] * (1.0 - g[0] * g[0])


@njit_part
def _carry_gps_errors(x: Any, g: Any) -> None:
    """A receiver's velocity error fades, and is what its position error grows by (seed 001)."""
    for i in range(3):
        x[GPS_PLACE + i] = g[1] * x[GPS_PLACE + i] + g[2] * x[GPS_SPEED + i]
        x[GPS_SPEED + i] *= g[0]


@njit_part
def _carry_errors(x: Any, r: Any, u: Any, g: Any) -> None:
    """Multiply the error vector `x` in place by the transition matrix of one step; `r` is the
    rotation, `u` the velocity change by specific force, NED, and `g` see `learn_gps`."""
    f0, f1, f2 = x[TURN], x[TURN + 1], x[TURN + 2]
    a0, a1, a2 = x[ACCEL_BIAS], x[ACCEL_BIAS + 1], x[ACCEL_BIAS + 2]
    w0, w1, w2 = x[GYRO_BIAS], x[GYRO_BIAS + 1], x[GYRO_BIAS + 2]
    _carry_gps_errors(x, g)
    for i in range(3):
        x[POSITION + i] += _DT * x[VELOCITY + i]
        x[VELOCITY + i] -= _DT * (r[i, 0] * a0 + r[i, 1] * a1 + r[i, 2] * a2)
        x[TURN + i] -= _DT * (r[i, 0] * w0 + r[i, 1] * w1 + r[i, 2] * w2)
    x[VELOCITY] -= u[1] * f2 - u[2] * f1
    x[VELOCITY + 1] -= u[2] * f0 - u[0] * f2
    x[VELOCITY + 2] -= u[0] * f1 - u[1] * f0


@njit_part
def _add_noise(c: Any, e: Any) -> None:
    """Add what one step makes less certain; EKFConfiguration.Q are variances of
    single IMU samples (rad/s, m/s2) and of the gyro drift's rate, of which the axes' mean counts.
    Samples that are noisier than it says, because more shakes them, count as what they are. Errors
    of GPS go with its dilution."""
    p, q, known, dilution = e["p"], c["ekf_q"], c["sensors"], e["dilution"]
    place = GPS_PLACE_WALK * GPS_PLACE_WALK * _DT
    bias = known["accel_bias_walk"] * known["accel_bias_walk"] * _DT
    field = known["mag_bias_walk"] * known["mag_bias_walk"] * _DT
    accel = max((q[3] + q[4] + q[5]) / 3.0, e["imu_noise"][1]) * IMU_S * _DT
    gyro = max((q[0] + q[1] + q[2]) / 3.0, e["imu_noise"][0]) * IMU_S * _DT
    for i in range(3):
        p[VELOCITY + i, VELOCITY + i] += accel
        p[TURN + i, TURN + i] += gyro
        p[GYRO_BIAS + i, GYRO_BIAS + i] += q[6 + i] * IMU_S * _DT
        p[ACCEL_BIAS + i, ACCEL_BIAS + i] += bias
        p[MAG_BIAS + i, MAG_BIAS + i] += field
        weight = GPS_DOWN_WEIGHT * dilution if i == 2 else dilution
        p[GPS_SPEED + i, GPS_SPEED + i] += weight * weight * e["gps_carry"][3]
        p[GPS_PLACE + i, GPS_PLACE + i] += weight * weight * place
    p[BARO, BARO] += known["baro_walk"] * known["baro_walk"] * _DT
    _add_crookedness(known, e)


@njit_part
def _add_crookedness(known: Any, e: Any) -> None:
    """Axes that are not quite the board's err with what the others feel: a gyro in turns, an
    accelerometer (whose bias is that of level flight) where the force is another than there."""
    w, f = e["rate"], e["force"]
    gyro, accel = known["gyro_crooked"], known["accel_crooked"]
    _add_felt(e, TURN, gyro * gyro * _TURN_S, (w[0], w[1], w[2]))
    _add_felt(e, VELOCITY, accel * accel * _CLIMB_S, (f[0], f[1], f[2] + GRAVITY))


@njit_part
def _add_felt(e: Any, block: Whole, share: float, felt: Any) -> None:
    """Let each body axis err with what the two others feel, `share` being the square of the part
    of it times how long that lasts: a random walk of the error squared times that long."""
    p, r = e["p"], e["rotation"]
    x, y, z = felt[0] * felt[0], felt[1] * felt[1], felt[2] * felt[2]
    for i in range(3):
        a, b, c = r[i, 0] * r[i, 0], r[i, 1] * r[i, 1], r[i, 2] * r[i, 2]
        p[block + i, block + i] += share * _DT * (a * (y + z) + b * (z + x) + c * (x + y))


@njit_part
def follow_covariance(c: Any, e: Any) -> None:
    """Move the covariance on, P <- F P F' + Q, and with it the errors of GPS, which no sample of
    the IMU moves.

    Columns are carried, then rows, and these only as far as they stand above the diagonal or on
    it; below is their mirror image, so that P is symmetric to the bit.
    """
    p, r, u, g = e["p"], e["rotation"], e["velocity_change"], e["gps_carry"]
    set_rotation(e)
    _carry_gps_errors(e["x"], g)
    for j in range(SIZE):
        _carry_errors(p[:, j], r, u, g)
    for i in range(GPS_SPEED):
        _carry_errors(p[i], r, u, g)
    for i in range(GPS_SPEED, MOVING):
        _carry_gps_errors(p[i], g)
    for i in range(MOVING):
        for j in range(i + 1, SIZE):
            p[j, i] = p[i, j]
    _add_noise(c, e)
    for i in range(3):
        u[i] = 0.0
    e["samples"] = 0
    e["ticks"] += 1
