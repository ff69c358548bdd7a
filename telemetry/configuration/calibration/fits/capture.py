"""Calibration capture: readings at rest of six sides, of one, around half a turn, of two rests.

State machines without clocks: every call is passed the time in seconds. They decide by themselves
when the aircraft is still, take what they need and say what they want next.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.configuration.calibration.fits.poses import RestPose, pose_of
from telemetry.configuration.calibration.fits.rest_detector import RestDetector
from telemetry.configuration.calibration.fits.result import Array
from telemetry.configuration.calibration.fits.rotation import angle_between

_HALF_TURN_TOLERANCE_DEG = 20.0
_FAR_DEG = 45.0


@dataclass(frozen=True, slots=True)
class CaptureProgress:
    """Where a collection stands: `share` of the whole and `hold` of the present step, 0 to 1;
    what to do next, and what is wrong at the moment (empty if nothing)."""

    share: float
    hold: float
    wanted: str
    trouble: str
    is_complete: bool


class Hold:
    """Rows taken without a break; complete after `hold_s` seconds and `least` of them."""

    def __init__(self, hold_s: float, least: int) -> None:
        self._hold_s, self._least = hold_s, least
        self._times: list[float] = []
        self._rows: list[Array] = []

    def add(self, t: float, row: npt.ArrayLike) -> None:
        """Take a row; one with anything that is not a number is left out."""
        reading = np.asarray(row, dtype=np.float64)
        if np.isfinite(reading).all():
            self._times.append(t)
            self._rows.append(reading)

    def restart(self) -> None:
        """Forget what was taken."""
        self._times.clear()
        self._rows.clear()

    @property
    def share(self) -> float:
        """How much of it is there, 0 to 1."""
        if not self._rows:
            return 0.0
        lasted = (self._times[-1] - self._times[0]) / self._hold_s
        return min(lasted, len(self._rows) / self._least, 1.0)

    @property
    def rows(self) -> Array:
        """What was taken, (n, columns)."""
        return np.array(self._rows)


class CaptureAtRest:
    """What all that is collected at rest has in common: a movement starts a rest again."""

    def __init__(self, hold_s: float, least: int) -> None:
        self._still = RestDetector()
        self._hold = Hold(hold_s, least)

    def add_gyro(self, t: float, rates: npt.ArrayLike) -> None:
        """A reading of the gyro (3,), deg/s."""
        self._still.add_gyro(t, rates)

    def add_accel(self, t: float, accel: npt.ArrayLike) -> None:
        """A reading of the accelerometer (3,), m/s2."""
        self._still.add_accel(t, accel)

    def _is_wanted(self) -> bool:
        """Whether this rest is one to take."""
        return True

    def _add(self, t: float, row: npt.ArrayLike) -> Array | None:
        """Add a row to the present rest; all of them, (n, columns), once they are complete."""
        if self._still.trouble(t) or not self._is_wanted():
            self._hold.restart()
            return None
        self._hold.add(t, row)
        if self._hold.share < 1.0:
            return None
        rows = self._hold.rows
        self._hold.restart()
        return rows


class SixPoseCapture(CaptureAtRest):
    """Readings of the accelerometer on all six sides, each taken as soon as it lies still.

    Sixty of them know the mean to 0.01 m/s2 where each is off by 0.08.
    """

    def __init__(self, hold_s: float = 3.0, least: int = 60) -> None:
        super().__init__(hold_s, least)
        self.taken: dict[RestPose, Array] = {}
        """Pose -> rows (n, 4): acceleration along x, y, z in m/s2 and temperature in deg C."""
        self._pose: RestPose | None = None

    def add_accel(self, t: float, accel: npt.ArrayLike, temperature: float = 0.0) -> None:
        """A reading of the accelerometer (3,), m/s2, at `temperature` deg C."""
        super().add_accel(t, accel)
        pose = None if self._still.trouble(t) else pose_of(self._still.mean_accel())
        if pose is not self._pose:
            self._pose = pose
            self._hold.restart()
        if pose is None or pose in self.taken:
            return
        rows = self._add(t, (*np.asarray(accel), temperature))
        if rows is not None:
            self.taken[pose] = rows

    def forget(self, pose: RestPose) -> None:
        """Take this side again."""
        self.taken.pop(pose, None)

    def wanted(self) -> RestPose | None:
        """The side to lay it on next; None when all are taken."""
        if self._pose is not None and self._pose not in self.taken:
            return self._pose
        return next((pose for pose in RestPose if pose not in self.taken), None)

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        wanted = self.wanted()
        if wanted is None:
            return CaptureProgress(1.0, 1.0, "All six sides are taken.", "", True)
        trouble = self._still.trouble(now)
        if not trouble and self._pose is None:
            trouble = "It lies between two sides."
        elif not trouble and self._pose in self.taken:
            trouble = "This side is done."
        text = "Hold it." if wanted is self._pose else f"Lay it {wanted.value}."
        if wanted is RestPose.LEVEL and wanted is not self._pose:
            text = "Stand it level."
        share = (len(self.taken) + self._hold.share) / len(RestPose)
        return CaptureProgress(share, self._hold.share, text, trouble, False)


class RestCapture(CaptureAtRest):
    """Rows of any kind taken while the aircraft rests."""

    def __init__(self, hold_s: float = 5.0, least: int = 40) -> None:
        super().__init__(hold_s, least)
        self.taken: list[Array] = []
        """What was collected, (n, columns), once it is complete."""

    def add_row(self, t: float, row: npt.ArrayLike) -> None:
        """A row of what is to be collected."""
        if not self.taken and (rows := self._add(t, row)) is not None:
            self.taken.append(rows)

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        if self.taken:
            return CaptureProgress(1.0, 1.0, "Done.", "", True)
        trouble = self._still.trouble(now)
        share = 0.0 if trouble else self._hold.share
        return CaptureProgress(share, share, "Leave it where it stands.", trouble, False)


class TwoRests(CaptureAtRest):
    """What is taken in one rest and, the aircraft turned meanwhile, in another one."""

    def __init__(self, hold_s: float, least: int) -> None:
        super().__init__(hold_s, least)
        self.taken: list[Array] = []

    def _add_to_two(self, t: float, row: npt.ArrayLike) -> None:
        if len(self.taken) < 2 and (rows := self._add(t, row)) is not None:
            self.taken.append(rows)

    def _of_two(self, wanted: str, trouble: str) -> CaptureProgress:
        share = (len(self.taken) + self._hold.share) / 2.0
        return CaptureProgress(share, self._hold.share, wanted, trouble, False)


class LevelCapture(TwoRests):
    """Attitudes at rest on one spot, and again after half a turn on it: rows (n, 3) of roll,
    pitch, yaw in degrees."""

    def __init__(self, hold_s: float = 4.0, least: int = 30) -> None:
        super().__init__(hold_s, least)
        self._yaw = 0.0

    def add_attitude(self, t: float, attitude: npt.ArrayLike) -> None:
        """Roll, pitch, yaw (3,) in degrees as the board estimates them."""
        row = np.asarray(attitude, dtype=np.float64)
        if np.isfinite(row).all():
            self._yaw = float(row[2])
            self._add_to_two(t, row)

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        if len(self.taken) == 2:
            return CaptureProgress(1.0, 1.0, "Both readings are taken.", "", True)
        trouble = self._still.trouble(now)
        wanted = "Stand it level and leave it."
        if not self._is_wanted():
            wanted = "Turn it on the spot until the nose points the other way."
            trouble = trouble or f"Turned by {self._turned():.0f} of 180 degrees."
        elif self.taken:
            wanted = "Leave it there."
        return self._of_two(wanted, trouble)

    def _turned(self) -> float:
        first = np.radians(self.taken[0][:, 2])
        mean = np.degrees(np.arctan2(np.sin(first).mean(), np.cos(first).mean()))
        return float(abs((self._yaw - mean + 180.0) % 360.0 - 180.0))

    def _is_wanted(self) -> bool:
        return not self.taken or self._turned() >= 180.0 - _HALF_TURN_TOLERANCE_DEG


class MountingCapture(TwoRests):
    """Readings of the accelerometer, rows (n, 3) in m/s2, level and with the nose up, of an
    aircraft whose board may lie any way.

    Which pose it is cannot be told from readings before the mounting is known. So the first rest
    is taken as level, and the next one, far from it, as nose up.
    """

    def add_accel(self, t: float, accel: npt.ArrayLike) -> None:
        """A reading of the accelerometer (3,), m/s2."""
        super().add_accel(t, accel)
        self._add_to_two(t, accel)

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        if len(self.taken) == 2:
            return CaptureProgress(1.0, 1.0, "Both poses are taken.", "", True)
        wanted = "Turn it nose up, on its tail." if self.taken else "Stand it level and leave it."
        trouble = self._still.trouble(now)
        if not trouble and not self._is_wanted():
            trouble = "It is not turned yet."
        return self._of_two(wanted, trouble)

    def _is_wanted(self) -> bool:
        if not self.taken:
            return True
        first = np.asarray(self.taken[0].mean(axis=0))
        return angle_between(first, self._still.mean_accel()) > _FAR_DEG
