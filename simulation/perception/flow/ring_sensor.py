"""The ring of cameras as a sensor on an aircraft."""

from typing import Final

import numpy as np

from simulation.files.parameter_file import Schema, WordKey
from simulation.perception.flow.image_interpolation import COUNTS
from simulation.perception.flow.picture_flow import ARITHMETICS
from simulation.perception.flow.ring import FlowRing
from simulation.perception.flow.ring_layout import LAYOUTS
from simulation.perception.sensor import SensorMoment, SensorReading
from simulation.perception.sensor_settings import SensorSettings
from simulation.perception.surroundings import Surroundings
from telemetry.protocol.streams.samples import ValueSample

FLOW_RING_KEYS: Final[Schema] = {
    "configuration": WordKey({name: i for i, name in enumerate(LAYOUTS)}, default="A"),
    "arithmetic": WordKey({a.name: i for i, a in enumerate(ARITHMETICS)}, default="int8"),
}
"""`configuration` is one of LAYOUTS; with whole numbers flow is in counts, else in pixels."""


class FlowRingSensor:
    """Sends, for each camera, how far what it sees has moved since the sample before, to the right
    and down, and 1 where that is at its limit; NaN in the first sample.

    Truth: `pictures` (cameras, rows, columns), grey, 0 to 255. What moved between two samples that
    both arrive is told even if others between them got lost.
    """

    def __init__(self, settings: SensorSettings, surroundings: Surroundings) -> None:
        values = settings.values
        layout = LAYOUTS[values["configuration"]]
        arithmetic = next(a for a in ARITHMETICS if a.name == values["arithmetic"])
        self._ring = FlowRing(surroundings.seen, layout, arithmetic, below_m=0.0)
        self.lasts_us = 0
        unit = "counts" if arithmetic.limit_counts else "px"
        columns = [("right", unit), ("down", unit), ("saturated", "")]
        cameras = range(len(layout.azimuths_rad))
        self.description = settings.describe_values(
            [(f"camera {i} {name}", unit) for i in cameras for name, unit in columns],
            azimuths_rad=list(layout.azimuths_rad),
            focal_px=list(layout.focal_px),
            counts_per_px=COUNTS,
        )

    def take(self, moment: SensorMoment) -> SensorReading:
        """The flow since the sample before."""
        ring = self._ring
        pose = moment.poses(np.zeros(1))
        ring.look(pose.position_m[0], pose.rotations()[0])
        told = np.concatenate([ring.flow, ring.saturated.any(axis=1, keepdims=True)], axis=1)
        if not ring.has_flow:
            told[:] = np.nan
        sample = ValueSample(moment.stamp_us, moment.number, told.ravel())
        return SensorReading(sample, {"pictures": ring.pictures})
