"""SIL records that controller and simulator exchange: the header `lapwing_sil.h` as dtypes.

The header says what each member means, in which unit and frame. Members that the simulation's
own records (`simulation.records.interface`) have too bear the same names there.
"""

from typing import Any, Final

import numpy as np

from simulation.records.interface import CHANNELS
from simulation.records.sensor_table import SENSORS, Member

ABI: Final = 1
"""LAPWING_SIL_ABI of the header that these records mirror."""

SIL_SETTINGS: Final = np.dtype(
    [
        ("step_us", np.int64),
        ("rate_pid", np.float64, (3, 4)),
        ("attitude_pi", np.float64, (3, 3)),
        ("maximum_rate", np.float64, 3),
        ("altitude_hold_position_p", np.float64),
        ("altitude_hold_velocity_pid", np.float64, 4),
        ("altitude_hold_rate", np.float64),
        ("altitude_hold_thrust", np.float64, 3),
        ("mixer_type", np.int64, CHANNELS),
        ("mixer_vector", np.float64, (CHANNELS, 5)),
        ("channel_min", np.float64, CHANNELS),
        ("channel_neutral", np.float64, CHANNELS),
        ("channel_max", np.float64, CHANNELS),
        ("home_set", np.int64),
        ("home_latitude_deg", np.float64),
        ("home_longitude_deg", np.float64),
        ("home_altitude_m", np.float64),
        ("home_declination_deg", np.float64),
    ],
    align=True,
)
"""struct lapwing_settings."""


def _sensor_members() -> dict[str, Member]:
    """Each counter is followed by the time at which it moved last, and by what it counts."""
    members: dict[str, Member] = {"time_us": ("time_us", np.int64)}
    for sensor in SENSORS:
        if sensor.is_for_controllers and sensor.counter:
            time = f"{sensor.counter.removesuffix('_count')}_time_us"
            counted = ((sensor.counter, np.int64), (time, np.int64), *sensor.members)
            members |= {member[0]: member for member in counted}
    return members


SIL_SENSORS: Final = np.dtype(list(_sensor_members().values()), align=True)
"""struct lapwing_sensors."""

SIL_COMMAND: Final = np.dtype(
    [
        ("armed", np.int64),
        ("axis_mode", np.int64, 3),
        ("axis_setpoint", np.float64, 3),
        ("vertical_mode", np.int64),
        ("thrust", np.float64),
        ("down_m", np.float64),
        ("velocity_down", np.float64),
        ("horizontal_mode", np.int64),
        ("north_m", np.float64),
        ("east_m", np.float64),
        ("velocity_north", np.float64),
        ("velocity_east", np.float64),
        ("end_speed", np.float64),
        ("sticks_valid", np.int64),
        ("stick_roll", np.float64),
        ("stick_pitch", np.float64),
        ("stick_yaw", np.float64),
        ("stick_throttle", np.float64),
        ("switch_position", np.int64),
    ],
    align=True,
)
"""struct lapwing_command."""

ACTUATORS: Final = np.dtype(
    [
        ("channel_us", np.float64, CHANNELS),
        ("attitude_valid", np.int64),
        ("position_valid", np.int64),
        ("quaternion", np.float64, 4),
        ("rates", np.float64, 3),
        ("gyro_bias", np.float64, 3),
        ("position", np.float64, 3),
        ("velocity", np.float64, 3),
        ("velocity_desired", np.float64, 3),
        ("attitude_desired", np.float64, 3),
        ("rate_desired", np.float64, 3),
        ("actuator_desired", np.float64, 4),
        ("landed", np.int64),
        ("disarm_request", np.int64),
    ],
    align=True,
)
"""struct lapwing_actuators."""

STEP: Final = np.dtype([("sensors", SIL_SENSORS), ("command", SIL_COMMAND)], align=True)
"""What a controller is given each step, in one piece."""


def members_of(record: np.dtype[Any]) -> tuple[str, ...]:
    """The names of a record's members, in order."""
    return record.names or ()


def shared_members(record: np.dtype[Any], other: np.dtype[Any]) -> tuple[str, ...]:
    """The members that both records have."""
    there = set(members_of(other))
    return tuple(name for name in members_of(record) if name in there)
