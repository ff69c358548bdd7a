"""Sonar: the nearest echo of a cone of rays.

A ray in the centre and others on cones around it up to the half angle (seed 001 takes nine, seed
002 cones of traces). An echo whose angle of incidence is above the limit is lost, also that of the
ray in the centre. Seed 002 prints the rule the other way round, by which all rays but an unchecked
one in the centre are dropped.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.files.parameter_file import NumberKey, Schema
from simulation.mathematics.rotation import clamp
from simulation.perception.range_faults import measured_distance
from simulation.perception.sensor import SensorMoment, SensorReading
from simulation.perception.sensor_settings import SensorSettings
from simulation.perception.surroundings import Surroundings
from simulation.sensors.sonar import cone_of_rays
from telemetry.base.rotations import matrix_of
from telemetry.protocol.streams.samples import ValueSample

Array = npt.NDArray[np.float64]

SONAR_KEYS: Final[Schema] = {
    "least_m": NumberKey(0.0, 100.0),
    "longest_m": NumberKey(0.01, 1000.0),
    "half_angle_deg": NumberKey(0.0, 89.0),
    "cones": NumberKey(0, 16, whole=True),
    "traces": NumberKey(1, 64, whole=True, default=1),
    "incidence_deg": NumberKey(0.0, 180.0),
    "noise_m": NumberKey(0.0, 10.0, default=0.0),
    "resolution_m": NumberKey(1e-6, 10.0, default=1e-3),
}
"""`cones` of `traces` rays each, evenly up to `half_angle_deg`; `incidence_deg` is the largest
angle between a ray and a surface's normal from which an echo comes back; a sensor without an echo
says `longest_m`, as those do."""


class Sonar:
    """Sends one distance. Truth: `range_m` (1,) of the nearest echo, inf for none, and `ray` (1,),
    the number of the ray it came by, 0 being the centre, -1 for none."""

    def __init__(self, settings: SensorSettings, surroundings: Surroundings) -> None:
        settings.check_reach()
        self._values = values = settings.values
        self._directions = cone_of_rays(
            math.radians(values["half_angle_deg"]), int(values["cones"]), int(values["traces"])
        )
        self._least_cosine = math.cos(math.radians(values["incidence_deg"]))
        self._rays = surroundings.rays
        self.lasts_us = 0
        told = {key: values[key] for key in ("least_m", "longest_m", "half_angle_deg")}
        self.description = settings.describe_values([("range", "m")], **told)

    def take(self, moment: SensorMoment) -> SensorReading:
        """One distance."""
        values, longest = self._values, float(self._values["longest_m"])
        place, attitude = moment.motion.beginning()
        rays = self._directions @ matrix_of(attitude).T
        origins = np.repeat(place[None], len(rays), axis=0)
        hits = self._rays.cast(origins, rays, longest)
        incidence_cosine = -np.einsum("ij,ij->i", hits.normal, rays)
        echoes = np.where(incidence_cosine >= self._least_cosine, hits.range_m, np.inf)
        nearest = int(np.argmin(echoes))
        true, found, ray = float(echoes[nearest]), longest, -1
        if math.isfinite(true):
            found = measured_distance(true, values["noise_m"], moment)
            found = round(found / values["resolution_m"]) * values["resolution_m"]
            found, ray = clamp(found, values["least_m"], longest), nearest
        sample = ValueSample(moment.stamp_us, moment.number, np.array([found]))
        return SensorReading(sample, {"range_m": np.array([true]), "ray": np.array([ray])})
