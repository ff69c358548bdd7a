"""Sensor knowledge of the estimators on board, as from data sheets.

No UAVObject says how late a receiver is or how slowly its error wanders, so the aircraft's file is
read once, as constants in the firmware would be. Faults and changes in flight stay unknown to them,
but for the noise of the IMU's samples, which the Kalman filter sees for itself (`ekf_motion`).
Also unknown are the gyro's g-sensitivity beyond the bias it makes in level flight, and the 1/f
floor, which is less than EKFConfiguration.Q lets biases wander.
"""

import math
from typing import Final

import numpy as np

from simulation.records.flight import DRIFT, DRIFT_TAU, TURN_ON, WHITE
from simulation.records.interface import IMU_S, STEP_S
from simulation.records.sensor_table import ACCEL, BARO, GPS, GPS_VELOCITY, GYRO, MAG

_USUAL_MAG_S: Final = 0.01
_USUAL_BARO_S: Final = 0.02
"""Periods of sensors that are not fitted."""
_LEVEL: Final = 9.81
"""m/s2, what an accelerometer feels in level flight."""
_CURRENTS: Final = 0.09
"""mGauss/root s: what currents near by add to the wander of a magnetometer."""


def know_sensors(settings: np.void, parameters: np.void) -> None:
    """Fill SETTINGS.sensors from an aircraft's PARAMETERS.

    A Gauss-Markov error of deviation s and time constant T begins to wander with s sqrt(2 / T) per
    root second. The receiver's position error e_p' = -e_p / T_p + e_v, driven by the velocity's
    (s_v, T_v), has the stationary variance s_v^2 T_p^2 T_v / (T_p + T_v) and with it the covariance
    s_v^2 T_p T_v / (T_p + T_v).
    """
    known, model = settings["sensors"], parameters["sensor_error"]
    known["gps_delay"] = parameters["sensor_delay"][GPS]
    known["mag_period_s"] = int(parameters["sensor_period"][MAG]) * STEP_S or _USUAL_MAG_S
    known["baro_period_s"] = int(parameters["sensor_period"][BARO]) * STEP_S or _USUAL_BARO_S
    known["gyro_variance"] = 3.0 * float(model[GYRO][WHITE]) ** 2 / IMU_S
    known["accel_variance"] = 3.0 * float(model[ACCEL][WHITE]) ** 2 / IMU_S
    known["gyro_crooked"] = _crooked(parameters, GYRO)
    known["accel_crooked"] = crooked = _crooked(parameters, ACCEL)
    known["accel_bias_sigma"] = math.hypot(
        model[ACCEL][TURN_ON], model[ACCEL][DRIFT], _LEVEL * crooked
    )
    known["accel_bias_walk"] = _wander(model[ACCEL])
    known["mag_bias_sigma"] = math.hypot(model[MAG][TURN_ON], model[MAG][DRIFT])
    known["mag_bias_walk"] = math.hypot(_wander(model[MAG]), _CURRENTS)
    known["baro_walk"] = _wander(model[BARO])
    sigma, tau = float(model[GPS_VELOCITY][DRIFT]), float(model[GPS_VELOCITY][DRIFT_TAU])
    place_tau = float(parameters["gps_position_tau"])
    covariance = sigma * sigma * place_tau * tau / (place_tau + tau)
    known["gps_speed_sigma"], known["gps_speed_tau"] = sigma, tau
    known["gps_place_sigma"] = math.sqrt(covariance * place_tau)
    known["gps_place_tau"] = place_tau
    known["gps_speed_place"] = covariance


def _crooked(parameters: np.void, sensor: int) -> float:
    """Deviation of the share of another axis that each of its axes feels: of an accelerometer that
    stays about level a bias, of a gyro an error that comes and goes with each turn."""
    turned = math.radians(float(parameters["misalignment_deg"][sensor]))
    return math.hypot(turned, float(parameters["cross_axis"][sensor]))


def _wander(model: np.ndarray) -> float:
    return float(model[DRIFT]) * math.sqrt(2.0 / float(model[DRIFT_TAU]))
