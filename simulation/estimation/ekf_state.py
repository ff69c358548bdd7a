"""EKF state vector: the order of the states, and how errors wander.

Fifteen states of the vehicle (seed 001, 3.4) and ten of its sensors whose errors are no white
noise: leaving those out would make the filter far too sure of itself. All are errors of a nominal
state; attitude is a small rotation about north, east and down, so that it does not depend on how
the body turns.
"""

import numpy as np

# First rows of blocks of three, numpy's integers so that a function is compiled once for all. Those
# that the passing of time moves come first: only rows of theirs change then.
(
    POSITION,  # m, NED from home
    VELOCITY,  # m/s, NED
    TURN,  # rad about NED
    GPS_SPEED,  # m/s, NED: slow error of GPS velocity
    GPS_PLACE,  # m, NED: slow error of GPS position, grows by that of velocity
    GYRO_BIAS,  # rad/s, body
    ACCEL_BIAS,  # m/s2, body
    MAG_BIAS,  # mGauss, body
    BARO,  # m, down: weather since the start
) = np.arange(0, 27, 3)
MOVING = int(GYRO_BIAS)
SIZE = 25

# How the sensors err stands in SETTINGS.sensors; EKFConfiguration has no fields for it.
GPS_HDOP = 0.8  # the horizontal dilution of precision with which the errors of GPS are as there
GPS_PLACE_WALK = 0.01  # m/root s
GPS_DOWN_WEIGHT = 2.0  # satellites are only above: height is worse
