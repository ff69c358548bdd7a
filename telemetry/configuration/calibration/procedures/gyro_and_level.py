"""Gyro and level calibrations, of an aircraft that stands: the gyro's bias, and what level is."""

from telemetry.configuration.calibration.fits.capture import LevelCapture, RestCapture
from telemetry.configuration.calibration.fits.gyro import fit_gyro_bias
from telemetry.configuration.calibration.fits.level import fit_level
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import CalibrationError, Values
from telemetry.configuration.calibration.procedures.recipe import (
    ACCEL,
    ATTITUDE,
    REST_PERIOD_MS,
    CalibrationChange,
    RestRecipe,
    temperature,
    xyz,
)
from telemetry.recording.sample import Sample


class GyroRecipe(RestRecipe[RestCapture]):
    """What the gyro reads at rest."""

    pose = None
    hold_s = 5.0

    def __init__(self, settings: Values) -> None:
        super().__init__(settings, RestCapture(self.hold_s))

    def take(self, sample: Sample) -> None:
        """A reading of the gyro or the accelerometer."""
        super().take(sample)
        if sample.definition.name != ACCEL:
            self._capture.add_row(sample.t, (*xyz(sample), temperature(sample)))

    def fit(self) -> tuple[CalibrationChange, ...]:
        """The bias."""
        if not self._capture.taken:
            raise CalibrationError("It never lay still long enough.", "Put it down and repeat.")
        return (CalibrationChange("Gyro", fit_gyro_bias(self._capture.taken[0], self._on_board)),)


class LevelRecipe(RestRecipe[LevelCapture]):
    """What level is, from two attitudes half a turn apart."""

    pose = RestPose.LEVEL
    hold_s = 4.0

    def __init__(self, settings: Values) -> None:
        super().__init__(settings, LevelCapture(self.hold_s))

    @property
    def sources(self) -> dict[str, int]:
        """The attitude, and what tells that it rests."""
        return {**super().sources, ATTITUDE: REST_PERIOD_MS}

    @property
    def is_turning(self) -> bool:
        """Whether the first reading is taken and half a turn is wanted."""
        return self.steps == 1

    def take(self, sample: Sample) -> None:
        """A reading of gyro, accelerometer or attitude."""
        if sample.definition.name == ATTITUDE:
            attitude = [float(sample.raw(angle)) for angle in ("Roll", "Pitch", "Yaw")]
            self._capture.add_attitude(sample.t, attitude)
        else:
            super().take(sample)

    def fit(self) -> tuple[CalibrationChange, ...]:
        """The trim."""
        if self.steps < 2:
            raise CalibrationError("One of the two readings is missing.", "Repeat both.")
        first, second = self._capture.taken
        return (CalibrationChange("Level", fit_level(first, second, self._on_board)),)
