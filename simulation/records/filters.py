"""Records of the filters that estimate on board: Lapwing's own and firmware's."""

from typing import Final

import numpy as np

HISTORY: Final = 64
"""Past predictions kept for comparison with delayed GPS measurements."""

EKF_STATES: Final = 25
"""States of the extended Kalman filter, see simulation.estimation.ekf_state."""

EKF: Final = np.dtype(
    [
        ("code", np.int64),  # digest of the filter's program
        ("x", np.float64, EKF_STATES),  # nominal state; attitude is in q
        ("q", np.float64, 4),
        ("p", np.float64, (EKF_STATES, EKF_STATES)),
        # --- the newest healthy state, to begin anew with ---
        ("kept", np.float64, EKF_STATES),
        ("kept_q", np.float64, 4),
        ("kept_variance", np.float64, EKF_STATES),
        # --- room for one correction: gradient, covariance times it, gain ---
        ("h", np.float64, EKF_STATES),
        ("ph", np.float64, EKF_STATES),
        ("gain", np.float64, EKF_STATES),
        # --- prediction ---
        ("rate", np.float64, 3),
        ("force", np.float64, 3),
        ("gyro_last", np.float64, 3),
        ("accel_last", np.float64, 3),
        ("gyro_before", np.float64, 3),
        ("accel_before", np.float64, 3),
        ("imu_noise", np.float64, 2),  # variance of a sample as it is seen, rad/s and m/s2
        ("rotation", np.float64, (3, 3)),
        ("velocity_change", np.float64, 3),  # by specific force, NED, for the covariance
        ("samples", np.int64),  # of the IMU since the covariance was moved on
        ("ticks", np.int64),  # steps of the covariance
        # --- what the IMU alone would have it: velocity gained, way moved, NED, and their past ---
        ("gained", np.float64, 3),
        ("moved", np.float64, 3),
        ("history_count", np.int64),
        ("history_step", np.int64, HISTORY),
        ("history_gained", np.float64, (HISTORY, 3)),
        ("history_moved", np.float64, (HISTORY, 3)),
        ("since", np.float64, (3, 3)),  # velocity, place, specific force since a measurement
        # --- measurements ---
        ("gps_seen", np.int64),
        ("baro_seen", np.int64),
        ("mag_seen", np.int64),
        ("fix", np.float64, 3),  # newest GPS position, NED from home
        ("gps_carry", np.float64, 4),  # per step, see simulation.estimation.ekf_motion.learn_gps
        ("dilution", np.float64),  # of GPS, relative to what EKFConfiguration.R is for
        ("placed", np.int64),  # there is a position
        ("baro_zero", np.float64),  # baro altitude at Down = 0
        ("refused", np.int64, 6),  # GPS velocities and positions refused in a row, NED
        ("baro_refused", np.int64),
        ("mag_mean", np.float64, 3),  # field of the newest samples, mGauss, NED
        ("mag_refused", np.int64),  # samples, until enough in a row were not
        ("mag_calm", np.int64),  # samples since that would do
        ("mag_taken", np.int64),  # one was used
    ],
    align=True,
)
"""Memory of Lapwing's own extended Kalman filter."""

INS_STATES: Final = 13
"""States of firmware's INS13, see simulation.estimation.ins13_state."""

INS: Final = np.dtype(
    [
        ("begun", np.int64),  # it has taken its settings over
        ("refused", np.int64),  # it cannot begin with them
        ("stage", np.int64),  # of the start; below 0: the covariance had to begin again
        ("ready", np.int64),
        ("x", np.float64, INS_STATES),
        ("p", np.float64, (INS_STATES, INS_STATES)),
        # --- prediction: rates rad/s, as measured and less their bias; specific force ---
        ("imu_seen", np.int64),
        ("imu_us", np.int64),
        ("interval_s", np.float64),  # of the IMU's samples, on average
        ("rate", np.float64, 3),
        ("turning", np.float64, 3),
        ("force", np.float64, 3),
        ("slope", np.float64, (4, 10)),  # RK4's derivatives
        ("between", np.float64, 10),
        ("pull", np.float64, (3, 4)),  # derivatives, see simulation.estimation.ins13_motion
        ("spin", np.float64, (4, 4)),
        ("drift", np.float64, (4, 3)),
        ("rotation", np.float64, (3, 3)),
        # --- correction, see simulation.estimation.ins13_update ---
        ("has", np.int64, 5),  # HAS_...
        ("mag", np.float64, 3),  # mGauss
        ("place", np.float64, 3),
        ("speed", np.float64, 3),
        ("height", np.float64),
        ("airspeed", np.float64),
        ("expected", np.float64, 10),
        ("bend", np.float64, (3, 4)),
        ("variance", np.float64, 10),
        ("ph", np.float64, INS_STATES),
        # --- settings that it has begun with ---
        ("first_p", np.float64, INS_STATES),
        ("q", np.float64, 9),
        ("r", np.float64, 10),
        ("fake_r", np.float64, 3),
        ("map_magnetometer", np.int64),
        ("field", np.float64, 3),  # at home, NED, of length one
        ("field_mgauss", np.float64),
        ("dip", np.float64),  # rad, from down to the field
        ("mag_deviation", np.float64, 2),
        ("baro_keep", np.float64),
        ("velocity_keep", np.float64),
        ("gps_pdop", np.float64),
        ("gps_satellites", np.int64),
        ("home", np.float64, 3),  # m from the centre of the Earth, see ...estimation.flat_earth
        ("home_rotation", np.float64, (3, 3)),
        # --- sensors, see simulation.estimation.ins13_sensors ---
        ("mag_seen", np.int64),
        ("baro_seen", np.int64),
        ("gps_seen", np.int64),
        ("airspeed_seen", np.int64),
        ("baro_done", np.int64),  # samples averaged, the first fix counted as one
        ("baro_offset", np.float64),
        ("baro_altitude", np.float64),
        ("first_down", np.float64),
        ("stood_us", np.int64),
        ("first_q", np.float64, 4),
        # --- velocity after the filter ---
        ("moved_before", np.int64),
        ("place_before", np.float64, 3),
        ("velocity_bias", np.float64, 3),
    ],
    align=True,
)
"""Memory of firmware's INS13."""

FILTER: Final = np.dtype(
    [
        ("fusion", np.int64),  # FUSION_... that runs
        ("own", np.int64),  # 1: the EKF stands behind the INS13 options, 0: INS13 itself
        ("samples", np.int64),  # IMU samples averaged before the start
        ("windows", np.int64),  # averages tried
        ("moves", np.int64),  # it moved while the newest was taken
        ("had_estimate", np.int64),  # another algorithm ran before, its height is in OUTPUT
        ("gyro_square", np.float64),
        ("accel_square", np.float64),
        ("gyro_sum", np.float64, 3),
        ("accel_sum", np.float64, 3),
        ("accel", np.float64, 3),  # low-passed
        ("mag_seen", np.int64),
        # Samples of a wrong strength in a row, see simulation.estimation.field_alarm
        ("mag_judged", np.int64),
        ("mag_warnings", np.int64),
        ("mag_errors", np.int64),
        ("baro_seen", np.int64),
        ("gps_seen", np.int64),
        ("baro_zero", np.float64),  # baro altitude at Down = 0
        ("accel_down_bias", np.float64),
        ("airspeed_seen", np.int64),
        ("history_count", np.int64),
        ("history_step", np.int64, HISTORY),
        ("history", np.float64, (HISTORY, 4)),  # position and velocity, north and east
        ("integral", np.float64, 2),  # horizontal velocity from acceleration alone
        ("history_integral", np.float64, (HISTORY, 2)),
        ("last_gps_step", np.int64),
        ("last_gps_velocity", np.float64, 2),
        ("last_gps_integral", np.float64, 2),
        ("plumb_accel", np.float64, 3),  # m/s2, low-passed for the complementary filters
        ("plumb_up", np.float64, 3),  # body axes, where up is, low-passed alike
        ("gps_differences", np.int64),  # velocity differences seen in a row
        ("tilt_error", np.float64, 2),  # rad about north and east, still to be taken out
        ("ekf", EKF),
        ("ins", INS),
    ],
    align=True,
)
