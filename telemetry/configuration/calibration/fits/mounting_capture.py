"""Board mounting capture: gravity in two poses of an aircraft, level and nose up.

The board may lie any way in it.

Which pose it is cannot be told from readings before the mounting is known. So the first rest is
taken as level, and the next one, far from it, as nose up.
"""

import numpy as np
import numpy.typing as npt

from telemetry.configuration.calibration.fits.capture import CaptureProgress, Hold
from telemetry.configuration.calibration.fits.rest_detector import RestDetector
from telemetry.configuration.calibration.fits.result import Array
from telemetry.configuration.calibration.fits.rotation import angle_between

_FAR_DEG = 45.0


class MountingCapture:
    """Readings of the accelerometer, rows (n, 3) in m/s2, level and with the nose up."""

    def __init__(self, hold_s: float = 3.0, least: int = 40) -> None:
        self.taken: list[Array] = []
        """None, one or both: level, nose up."""
        self._still = RestDetector()
        self._hold = Hold(hold_s, least)

    def add_gyro(self, t: float, rates: npt.ArrayLike) -> None:
        """A reading of the gyro (3,), deg/s."""
        self._still.add_gyro(t, rates)

    def add_accel(self, t: float, accel: npt.ArrayLike) -> None:
        """A reading of the accelerometer (3,), m/s2."""
        self._still.add_accel(t, accel)
        if len(self.taken) == 2:
            return
        if self._still.trouble(t) or not self._is_another_pose():
            self._hold.restart()
            return
        self._hold.add(t, accel)
        if self._hold.share >= 1.0:
            self.taken.append(self._hold.rows)
            self._hold.restart()

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        if len(self.taken) == 2:
            return CaptureProgress(1.0, 1.0, "Both poses are taken.", "", True)
        wanted = "Turn it nose up, on its tail." if self.taken else "Stand it level and leave it."
        trouble = self._still.trouble(now)
        if self.taken and not trouble and not self._is_another_pose():
            trouble = "It is not turned yet."
        share = (len(self.taken) + self._hold.share) / 2.0
        return CaptureProgress(share, self._hold.share, wanted, trouble, False)

    def _is_another_pose(self) -> bool:
        if not self.taken:
            return True
        first = np.asarray(self.taken[0].mean(axis=0))
        return angle_between(first, self._still.mean_accel()) > _FAR_DEG
