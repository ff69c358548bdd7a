"""INS13 state vector: thirteen numbers, in the order of firmware's EKFConfiguration.

LibrePilot's flight/libraries/insgps13state.c. The attitude is the quaternion itself, four numbers
with a covariance of four, normalised after each step; the accelerometers have no bias of their own.
"""

POSITION = 0  # 3: m, NED from home
VELOCITY = 3  # 3: m/s, NED
TURN = 6  # 4: quaternion body to NED, scalar first
GYRO_BIAS = 10  # 3: rad/s, body
SIZE = 13
MOVING = GYRO_BIAS
"""Rows that the passing of time moves come first."""

# Rows of measurements, in the order of EKFConfiguration.R and in which they are used.
GPS_PLACE = 0  # 3: m, NED from home
GPS_SPEED = 3  # 3: m/s, NED
FIELD = 6  # 3: body, of length one
HEIGHT = 9  # m, up
MEASUREMENTS = 10

# INS.has: what has been measured since it was used last.
HAS_MAG, HAS_BARO, HAS_PLACE, HAS_SPEED, HAS_AIRSPEED = range(5)
