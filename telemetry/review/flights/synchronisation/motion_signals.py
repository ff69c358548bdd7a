"""Motion signals of a video, as columns over the medium's time.

Camera frame: x right, y down, z forward along the optical axis. A camera that is mounted straight
looks along the aircraft's nose: FRD's (x, y, z) are then the camera's (z, x, y), and each rotation
is positive in the sense in which roll, pitch and yaw of the aircraft are.

The medium's time is that of the frames' presentation, the first frame being 0. With a rolling
shutter that is when the middle row is exposed. What is measured is as old as the rows in which it
was seen: most points lie near a horizon in the upper half, which made 25 ms from the first row to
the last 4 to 6 ms early on simulated films. `PictureMotion.exposed_s` puts that right.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.ndimage import uniform_filter1d

from telemetry.review.flights.synchronisation.kept_points import PointSteps

_Column = npt.NDArray[np.float64]

_ROWS_SMOOTHED = 31


@dataclass(frozen=True, slots=True, eq=False)
class PictureMotion:
    """How a camera turned, frame by frame, and how it stood where the horizon was seen.

    Not every frame has a row: broken and repeated ones have none, nor have those that were passed
    over where frames come often. Row i is about the time from `times_s[i - 1]` to `times_s[i]`,
    whatever lies between.

    `times_s` (n,) ascends strictly. `rotation_rad` (n, 3) is the rotation vector that takes the
    camera of row i - 1 to that of row i, in the camera frame of row i - 1: divided by the
    time between it is the mean angular rate of the camera, as a gyro there would read it. Hence a
    direction far away that was p in row i - 1 is exp(-rotation) p in row i. Positive x: the
    picture's content moves down (nose up); positive y: it moves left (turning right); positive z:
    it turns counter-clockwise (right side down, roll to the right). It scales with what was
    assumed of the field of view; z does not.

    `sigma_rad` (n,) is the standard error of one axis of the rotation, inf where it could not be
    measured; where no horizon is seen it does not count that flying along over near ground is taken
    for pitch and yaw (0.2 rad/s in a simulated flight with the camera 60 degrees down). Its
    `quality` (n,) goes from 0, not measured (`rotation_rad` is then zero, not a finding), to 1. Row
    0 has no frame before it and quality 0.

    `horizon_roll_rad` (n,) is how the camera is rolled against the horizon in the picture, within
    +-pi, positive with its right side down: the horizon then rises towards the right.
    `horizon_pitch_rad` (n,) is how far the optical axis points above it. Both are nan where no
    horizon was found, or none looked for, and `horizon_quality` (n,) is 0 there, at most 1.

    `row` (n,) is where in the picture the points were seen, on average: -0.5 in the first row, 0 in
    the middle, 0.5 in the last; nan where nothing was measured.

    `brightness` (n,) is the mean of a row's picture, 0 black to 1 white; empty where it was not
    measured.

    `skipped` counts the frames that have no row because they were broken or repeated. `steps` are
    the points themselves, of a part of the steps; None where nobody kept them.
    """

    times_s: _Column
    rotation_rad: _Column
    sigma_rad: _Column
    quality: _Column
    horizon_roll_rad: _Column
    horizon_pitch_rad: _Column
    horizon_quality: _Column
    row: _Column
    skipped: int = 0
    brightness: _Column = field(default_factory=lambda: np.empty(0))
    steps: PointSteps | None = None

    def exposed_s(self, shutter_s: float) -> _Column:
        """When what each row of this tells was seen (n,), in the medium's time, by a camera that
        takes `shutter_s` from the first row of a picture to the last. Smoothed over a second, in
        which no more than the scatter of the points changes, so that times go on ascending."""
        known = np.flatnonzero(np.isfinite(self.row))
        if not shutter_s or not len(known):
            return self.times_s
        row = np.interp(np.arange(len(self.row)), known, self.row[known])
        seen_s: _Column = self.times_s + shutter_s * uniform_filter1d(
            row, _ROWS_SMOOTHED, mode="nearest"
        )
        return seen_s


@dataclass(frozen=True, slots=True, eq=False)
class SoundPitch:
    """How loud a sound track is and how high, window by window.

    `times_s` (n,) are the middles of the windows in the medium's time. `energy_db` (n,) is the
    mean power against full scale, -inf for silence. `pitch_hz` (n,) is the fundamental of what
    sounds periodic, a motor or propeller, nan where nothing does; its `quality` (n,) says how far
    its harmonics stand above what lies between them, 0 to 1. It may be off by a whole factor, the
    same over a stretch: what turns (shaft, blade, commutation) is not known.
    """

    times_s: _Column
    pitch_hz: _Column
    energy_db: _Column
    quality: _Column
