"""What the extended Kalman filter estimates: the order of its states, and how errors wander.

Fifteen states of the vehicle (seed 001, 3.4) and ten of its sensors whose errors are no white
noise: leaving those out would make the filter far too sure of itself. All are errors of a nominal
state; attitude is a small rotation about north, east and down, so that it does not depend on how
the body turns.
"""

import numpy as np

# First rows of blocks of three, numpy's integers so that a function is compiled once for all.
(
    POSITION,  # m, NED from home
    VELOCITY,  # m/s, NED
    TURN,  # rad about NED
    GYRO_BIAS,  # rad/s, body
    ACCEL_BIAS,  # m/s2, body
    MAG_BIAS,  # mGauss, body
    GPS_SPEED,  # m/s, NED: slow error of GPS velocity
    GPS_PLACE,  # m, NED: slow error of GPS position, grows by that of velocity
    BARO,  # m, down: weather since the start
) = np.arange(0, 27, 3)
SIZE = 25

# How sensors of this class err; EKFConfiguration has no fields for it.
ACCEL_BIAS_SIGMA = 0.06  # m/s2
ACCEL_BIAS_WALK = 0.002  # (m/s2)/root s
MAG_BIAS_SIGMA = 3.5  # mGauss
MAG_BIAS_WALK = 0.1  # mGauss/root s: currents near by
BARO_WALK = 0.055  # m/root s: weather
# GPS, with a horizontal dilution of precision of GPS_HDOP; errors grow in proportion to it.
GPS_HDOP = 0.8
GPS_SPEED_SIGMA = 0.03  # m/s
GPS_SPEED_TAU = 20.0  # s
GPS_PLACE_TAU = 60.0  # s
GPS_PLACE_SIGMA = 0.9  # m: what that velocity error adds up to, forgotten within the time above
GPS_SPEED_PLACE = 0.0135  # m2/s: covariance of the two, sigma^2 tau_p tau_v / (tau_p + tau_v)
GPS_PLACE_WALK = 0.01  # m/root s
GPS_DOWN_WEIGHT = 2.0  # satellites are only above: height is worse
