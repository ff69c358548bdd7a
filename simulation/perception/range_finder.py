"""Range finder with a single ray: laser or infrared."""

import math
from typing import Final

import numpy as np

from simulation.files.parameter_file import NumberKey, Schema
from simulation.mathematics.rotation import to_ned
from simulation.perception.range_faults import measured_distance
from simulation.perception.sensor import SensorMoment, SensorReading
from simulation.perception.sensor_settings import SensorSettings
from simulation.perception.surroundings import Surroundings
from telemetry.protocol.streams.samples import ValueSample

RANGE_FINDER_KEYS: Final[Schema] = {
    "least_m": NumberKey(0.0, 1000.0),
    "longest_m": NumberKey(0.01, 10_000.0),
    "noise_m": NumberKey(0.0, 100.0, default=0.0),
    "noise_share": NumberKey(0.0, 1.0, default=0.0),
    "resolution_m": NumberKey(1e-6, 10.0, default=1e-3),
}
"""`noise_m` and `noise_share` of the distance are standard deviations that add up as squares."""


class RangeFinder:
    """Sends the distance along its line of sight; NaN where nothing is between `least_m` and
    `longest_m`. Truth: `range_m` (1,), inf for nothing."""

    def __init__(self, settings: SensorSettings, surroundings: Surroundings) -> None:
        settings.check_reach()
        self._values = values = settings.values
        self._rays = surroundings.rays
        told = {key: values[key] for key in ("least_m", "longest_m")}
        self.description = settings.describe_values([("range", "m")], **told)
        self.lasts_us = 0

    def take(self, moment: SensorMoment) -> SensorReading:
        """One distance."""
        values = self._values
        place, attitude = moment.motion.beginning()
        sight = np.array([to_ned(attitude.tolist(), 1.0, 0.0, 0.0)])
        true = self._rays.cast(place[None], sight, float(values["longest_m"])).range_m
        found = math.nan
        if math.isfinite(true[0]):
            spread = math.hypot(values["noise_m"], values["noise_share"] * true[0])
            found = measured_distance(float(true[0]), spread, moment)
            found = round(found / values["resolution_m"]) * values["resolution_m"]
        if not values["least_m"] <= found <= values["longest_m"]:
            found = math.nan
        sample = ValueSample(moment.stamp_us, moment.number, np.array([found]))
        return SensorReading(sample, {"range_m": true})
