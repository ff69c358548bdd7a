"""Air data of a track: true airspeed and angle of attack from its columns."""

import numpy as np

from simulation.scenarios.measures import Column
from simulation.scenarios.track import OutputTrack


def air_velocity(track: OutputTrack) -> Column:
    """The aircraft's true velocity through the air in body axes, m/s, rows of 3."""
    q = track["true_quaternion"]
    w, back = q[:, :1], -q[:, 1:]
    air: Column = track["true_velocity"] - track["true_wind"]
    twice = 2.0 * np.cross(back, air)
    body: Column = air + w * twice + np.cross(back, twice)
    return body


def airspeed(track: OutputTrack) -> Column:
    """True airspeed, m/s."""
    speed: Column = np.linalg.norm(air_velocity(track), axis=1)
    return speed


def angle_of_attack_deg(track: OutputTrack) -> Column:
    """Angle of attack in degrees; without airflow it means nothing."""
    body = air_velocity(track)
    angle: Column = np.degrees(np.arctan2(body[:, 2], body[:, 0]))
    return angle
