"""Navdata of seed 002: what the aircraft's own board knows of the flight, as a stream.

Its sensors are read every 5 ms, and its stamps are exact.

Everything in it is measured or estimated on board, nothing is true. Its acceleration is what the
accelerometer feels, R^T (a - g): the seed takes the difference of two velocities instead, which has
no gravity, is in the wrong axes and half a sample late.
"""

import math
from typing import Final

import numpy as np

from simulation.files.parameter_file import Schema
from simulation.perception.sensor import SensorMoment, SensorReading
from simulation.perception.sensor_settings import SensorSettings
from simulation.perception.surroundings import Surroundings
from telemetry.protocol.streams.samples import ValueSample

NAVDATA_KEYS: Final[Schema] = {}
_NAMES: Final = (
    *(("roll", "deg"), ("pitch", "deg"), ("yaw", "deg")),
    *(("velocity ahead", "m/s"), ("velocity right", "m/s"), ("velocity down", "m/s")),
    *(("specific force x", "m/s2"), ("specific force y", "m/s2"), ("specific force z", "m/s2")),
    *(("rate x", "deg/s"), ("rate y", "deg/s"), ("rate z", "deg/s")),
    ("height by sonar", "m"),
    ("battery", "V"),
)


class Navdata:
    """Sends attitude and velocity as the filter on board has them, velocity level and along the
    heading; the newest of gyro, accelerometer, sonar and battery monitor. Truth: nothing."""

    def __init__(self, settings: SensorSettings, _: Surroundings) -> None:
        self.lasts_us = 0
        self.description = settings.describe_values(_NAMES)

    def take(self, moment: SensorMoment) -> SensorReading:
        """What the board knows now."""
        board = moment.output
        yaw = math.radians(board["attitude_deg"][2])
        north, east, down = board["velocity"]
        values = np.concatenate(
            (
                board["attitude_deg"],
                (
                    north * math.cos(yaw) + east * math.sin(yaw),
                    east * math.cos(yaw) - north * math.sin(yaw),
                    down,
                ),
                board["accel"],
                board["gyro"],
                (board["sonar_range_m"], board["battery_voltage"]),
            )
        )
        return SensorReading(ValueSample(moment.stamp_us, moment.number, values), {})
