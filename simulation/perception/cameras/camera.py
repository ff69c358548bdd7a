"""Camera on its mount."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.perception.cameras.camera_keys import (
    lens_details,
    lens_from,
    oversampling_of,
    shutter_of,
    size_of,
)
from simulation.perception.cameras.camera_truth import CameraTruth, FrameGeometry, RowPoses
from simulation.perception.cameras.damage import damaged
from simulation.perception.cameras.image_chain import ImageChain
from simulation.perception.sensor import SensorMoment, SensorReading
from simulation.perception.sensor_settings import SensorSettings
from simulation.perception.surroundings import Surroundings
from simulation.worlds.picture_taker import PictureTaker
from simulation.worlds.row_motion import row_times
from simulation.worlds.scene import Picture
from telemetry.protocol.streams.samples import PictureSample, StreamKind

Array = npt.NDArray[np.float64]

FLAW = "damaged"


class SimulatedCamera:
    """Sends pictures, each stamped with the middle of its exposure: that of its middle row. What is
    true of them: `CameraTruth`. A camera inside a body sees that from inside."""

    def __init__(self, settings: SensorSettings, surroundings: Surroundings) -> None:
        """Raises ParameterError for a camera that cannot be, NoRendererError."""
        self._lens, self._shutter = lens_from(settings), shutter_of(settings)
        size = size_of(settings)
        try:
            self._taker = PictureTaker(
                surroundings.renderer, self._lens, size, self._shutter, oversampling_of(settings)
            )
        except ValueError as error:
            what = f"{str(error).capitalize()}."
            raise settings.error("distortion", what, "Correct the lens.") from None
        self._chain = ImageChain(settings)
        self.lasts_us = round(1e6 * (self._shutter.readout_s + self._shutter.exposure_s))
        details = {
            "size_px": list(size),
            "lens": lens_details(self._lens, size, self._shutter.readout_s),
            "stamped_after_us": self.lasts_us // 2,
            "renderer": surroundings.renderer.name,
        }
        self.description = settings.describe(StreamKind.PICTURES, details)
        self._before: _Before | None = None

    def take(self, moment: SensorMoment) -> SensorReading:
        """One picture."""
        before = self._before
        if before is not None and moment.time_us <= before.time_us:  # the flight began anew
            before = None
        if before is None:
            self._chain.begin()
        random = moment.random()
        is_damaged = bool(random.random() < moment.faults["broken"])
        path, middle_s = _MomentPath(moment), 0.5e-6 * self.lasts_us
        taken = self._taker.take(path, middle_s)
        after_s = 1e-6 * (moment.time_us - before.time_us) if before else 0.0
        pixels, how = self._chain.develop(taken.picture, moment.faults["blur_px"], after_s, random)
        last = before.pixels if before else None
        sent = damaged(pixels, last, random) if is_damaged else pixels
        rows = self._row_poses(path, middle_s)
        self._before = _Before(moment.time_us, pixels, rows)
        truth = CameraTruth(
            FrameGeometry(taken, rows, self._taker.rays, self._lens),
            before.rows if before else None,
            how.gain,
            (how.red, how.blue),
            is_damaged,
        )
        flaw = FLAW if is_damaged else ""
        return SensorReading(PictureSample(moment.stamp_us, moment.number, sent, flaw), truth)

    def _row_poses(self, path: "_MomentPath", middle_s: float) -> RowPoses:
        if not self._shutter.readout_s:
            return RowPoses(*path.poses(np.array([middle_s])))
        times = row_times(self._taker.rays.size[1], self._shutter.readout_s)
        return RowPoses(*path.poses(middle_s + times))


@dataclass(frozen=True, slots=True, eq=False)
class _Before:
    """The picture before: what a damaged one shows parts of, and where its rows were exposed."""

    time_us: int
    pixels: Picture
    rows: RowPoses


class _MomentPath:
    """Where the camera is, by seconds after the beginning of a picture. The same times are asked
    for again and again."""

    def __init__(self, moment: SensorMoment) -> None:
        self._moment = moment
        self._known: dict[bytes, tuple[Array, Array]] = {}

    def poses(self, times_s: Array) -> tuple[Array, Array]:
        """See PosesOverTime."""
        times = times_s.tobytes()
        if times not in self._known:
            poses = self._moment.poses(1e6 * times_s)
            self._known[times] = poses.position_m, poses.rotations().transpose(0, 2, 1)
        return self._known[times]
