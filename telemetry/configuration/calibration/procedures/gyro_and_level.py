"""Gyro and level calibrations, of an aircraft that stands: the gyro's bias, and what level is."""

from telemetry.configuration.calibration.fits.capture import (
    CaptureProgress,
    LevelCapture,
    RestCapture,
)
from telemetry.configuration.calibration.fits.correction import correction_from
from telemetry.configuration.calibration.fits.gyro import fit_gyro_bias
from telemetry.configuration.calibration.fits.level import fit_level
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import CalibrationError, Values
from telemetry.configuration.calibration.procedures.recipe import (
    ACCEL,
    ATTITUDE,
    GYRO,
    CalibrationChange,
    temperature,
    xyz,
)
from telemetry.recording.sample import Sample

_PERIOD_MS = 40


class GyroRecipe:
    """What the gyro reads at rest."""

    can_finish = False
    optional = frozenset[str]()
    pose = None
    hold_s = 5.0

    def __init__(self, settings: Values) -> None:
        self._on_board = correction_from(settings)
        self._capture = RestCapture(self.hold_s)

    @property
    def sources(self) -> dict[str, int]:
        """Gyro and accelerometer, which tell that it rests."""
        return dict.fromkeys((GYRO, ACCEL), _PERIOD_MS)

    @property
    def steps(self) -> int:
        """One, at the end."""
        return int(self._capture.rows is not None)

    def take(self, sample: Sample) -> None:
        """A reading of the gyro or the accelerometer."""
        reading = xyz(sample)
        if sample.definition.name == ACCEL:
            self._capture.add_accel(sample.t, reading)
            return
        self._capture.add_gyro(sample.t, reading)
        self._capture.add_row(sample.t, (*reading, temperature(sample)))

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        return self._capture.progress(now)

    def fit(self) -> tuple[CalibrationChange, ...]:
        """The bias."""
        if self._capture.rows is None:
            raise CalibrationError("It never lay still long enough.", "Put it down and repeat.")
        return (CalibrationChange("Gyro", fit_gyro_bias(self._capture.rows, self._on_board)),)


class LevelRecipe:
    """What level is, from two attitudes half a turn apart."""

    can_finish = False
    optional = frozenset[str]()
    hold_s = 4.0

    def __init__(self, settings: Values) -> None:
        self._on_board = correction_from(settings)
        self._capture = LevelCapture(self.hold_s)

    @property
    def sources(self) -> dict[str, int]:
        """The attitude, and what tells that it rests."""
        return dict.fromkeys((GYRO, ACCEL, ATTITUDE), _PERIOD_MS)

    @property
    def pose(self) -> RestPose:
        """It stands."""
        return RestPose.LEVEL

    @property
    def steps(self) -> int:
        """Readings taken, of two."""
        return len(self._capture.taken)

    @property
    def is_turning(self) -> bool:
        """Whether the first reading is taken and half a turn is wanted."""
        return len(self._capture.taken) == 1

    def take(self, sample: Sample) -> None:
        """A reading of gyro, accelerometer or attitude."""
        name, t = sample.definition.name, sample.t
        if name == ATTITUDE:
            attitude = [float(sample.raw(angle)) for angle in ("Roll", "Pitch", "Yaw")]
            self._capture.add_attitude(t, attitude)
        elif name == ACCEL:
            self._capture.add_accel(t, xyz(sample))
        else:
            self._capture.add_gyro(t, xyz(sample))

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        return self._capture.progress(now)

    def fit(self) -> tuple[CalibrationChange, ...]:
        """The trim."""
        if len(self._capture.taken) < 2:
            raise CalibrationError("One of the two readings is missing.", "Repeat both.")
        first, second = self._capture.taken
        return (CalibrationChange("Level", fit_level(first, second, self._on_board)),)
