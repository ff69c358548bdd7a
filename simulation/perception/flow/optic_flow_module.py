"""An optic-flow module that looks down, such as PX4Flow: camera, gyro and processor on one board.

It integrates over the time of a sample, as MAVLink's OPTICAL_FLOW_RAD (message 106) has it: flow
about the x axis is what is seen moving to the right in radians (rolling to the right makes it
positive, moving to the right negative), about the y axis what moves to the tail (turning the nose
up and moving ahead make it positive), and how far the gyro turned meanwhile, to be subtracted:
height x (flow y - gyro y) is the way ahead, height x (gyro x - flow x) the way to the right.
The stamp is that of the end of this time, as PX4Flow's firmware has it, which reads its clock when
it sends (main.c); who wants the middle goes back by half of the integration time.

It is mounted so that it looks down with the top of its picture ahead: attitude_deg [0, -90, 0].
"""

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.program import reference_to
from simulation.files.parameter_file import NumberKey, Schema, WordKey
from simulation.perception.flow.block_matching import BLOCKS, SIDE, match_blocks
from simulation.perception.flow.picture_flow import INT16, REAL
from simulation.perception.flow.ring import FlowRing
from simulation.perception.flow.ring_layout import RingLayout
from simulation.perception.sensor import SensorMoment, SensorReading
from simulation.perception.sensor_settings import SensorSettings
from simulation.perception.surroundings import Surroundings
from telemetry.protocol.streams.samples import ValueSample

Array = npt.NDArray[np.float64]

OPTIC_FLOW_KEYS: Final[Schema] = {
    "method": WordKey({"block matching": 0, "image interpolation": 1}, default="block matching"),
    "frames_hz": NumberKey(1.0, 2000.0),
    "focal_px": NumberKey(5.0, 1e4),
    "search_px": NumberKey(1, 8, whole=True, default=4),
    "feature": NumberKey(0.0, 1e5, default=40.0),
    "value": NumberKey(0.0, 1e6, default=5000.0),
    "gyro_noise_dps": NumberKey(0.0, 100.0, default=0.0),
    "gyro_bias_dps": NumberKey(-100.0, 100.0, default=0.0),
    "longest_m": NumberKey(0.01, 1000.0, default=5.0),
}
"""`frames_hz` pictures a second of 64 x 64 pixels, whose focal length is `focal_px`; search window,
least texture and largest difference of a square as PX4Flow's parameters; its gyro's noise per
picture and its bias, of all axes; and how far its sonar reaches."""
_NAMES: Final = (
    ("integration time", "us"),
    ("flow x", "rad"),
    ("flow y", "rad"),
    ("gyro x", "rad"),
    ("gyro y", "rad"),
    ("gyro z", "rad"),
    ("quality", ""),
    ("distance", "m"),
)


class OpticFlowModule:
    """Sends integrated flow and turning, quality (0 to 255) and the distance along its line of
    sight, -1 where there is nothing within `longest_m`. Only pictures in which flow was found
    count, with the gyro of the same time. Truth: `flow_px` (pictures, 2), to the right and down.
    """

    def __init__(self, settings: SensorSettings, surroundings: Surroundings) -> None:
        self._values = values = settings.values
        self._steps = round(values["frames_hz"] / values["rate_hz"])
        if self._steps < 1:
            what = "'frames_hz' is below 'rate_hz': a sample would have no picture."
            raise settings.error("frames_hz", what, f"Give at least {values['rate_hz']:g}.")
        self._period_us = 1e6 / values["rate_hz"] / self._steps
        self.lasts_us = math.floor(self._period_us * self._steps)
        view = 2.0 * math.atan(0.5 * SIDE / values["focal_px"])
        layout = RingLayout((0.0,), SIDE, SIDE, SIDE, view, 0.0)
        self._matches = values["method"] == "block matching"
        self._rays = surroundings.rays
        self._ring = FlowRing(surroundings.seen, layout, INT16 if self._matches else REAL, 0.0)
        self._array = np.zeros(1, BLOCKS)
        self._blocks: Any = self._array[0]
        self._blocks["search"], self._blocks["feature"] = values["search_px"], values["feature"]
        self._blocks["value"] = values["value"]
        self.description = settings.describe_values(_NAMES, stamped_after_us=self.lasts_us)

    def take(self, moment: SensorMoment) -> SensorReading:
        """What it saw from the beginning of the sample to its end."""
        times = np.minimum(np.arange(self._steps + 1) * self._period_us, self.lasts_us)
        poses = moment.poses(times)
        turns = poses.rotations()
        turned = self._gyro(turns, moment)
        found: list[tuple[float, float, int]] = []
        for place, turn in zip(poses.position_m, turns, strict=True):
            self._ring.look(place, turn)
            found.append(self._moved())
        flow = np.array(found[1:])
        counts = flow[:, 2] > 0
        told = np.zeros(len(_NAMES))
        told[0] = self._period_us * np.count_nonzero(counts)
        if counts.any():
            told[1:3] = flow[counts, :2].sum(axis=0) / self._values["focal_px"]
            told[3:6] = turned[counts].sum(axis=0)
            told[6] = math.floor(flow[counts, 2].mean())
        told[7] = self._distance(poses.position_m[-1], turns[-1])
        sample = ValueSample(moment.stamp_us, moment.number, told)
        return SensorReading(sample, {"flow_px": flow[:, :2]})

    def _moved(self) -> tuple[float, float, int]:
        """Pixels to the right and down since the picture before, and its quality."""
        ring, blocks = self._ring, self._blocks
        if not self._matches:
            right, down = ring.flow[0]
            return float(right), float(down), 255 if ring.has_flow else 0
        blocks["before"] = blocks["now"]
        blocks["now"] = ring.pictures.ravel()
        match_blocks.run(reference_to(self._array))
        return float(blocks["flow"][0]), float(blocks["flow"][1]), int(blocks["quality"])

    def _gyro(self, turns: Array, moment: SensorMoment) -> Array:
        """(pictures, 3): how far it turned about ahead, right and down from one to the next."""
        between = np.einsum("nji,njk->nik", turns[:-1], turns[1:])
        x = 0.5 * (between[:, 2, 1] - between[:, 1, 2])  # about the line of sight
        y = 0.5 * (between[:, 0, 2] - between[:, 2, 0])
        z = 0.5 * (between[:, 1, 0] - between[:, 0, 1])
        true = np.stack([-z, y, x], axis=1)  # its z axis points to the tail
        noise = self._values["gyro_noise_dps"] * moment.random().standard_normal(true.shape)
        rates = np.radians(noise + self._values["gyro_bias_dps"])
        return np.asarray(true + rates * self._period_us * 1e-6)

    def _distance(self, place: Array, turn: Array) -> float:
        hits = self._rays.cast(place[None], turn[None, :, 0], float(self._values["longest_m"]))
        range_m = float(hits.range_m[0])
        return range_m if math.isfinite(range_m) else -1.0
