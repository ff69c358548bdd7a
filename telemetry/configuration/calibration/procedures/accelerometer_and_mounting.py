"""Accelerometer and board mounting calibrations, by gravity on several sides."""

from telemetry.configuration.calibration.fits.accelerometer import GRAVITY, fit_accelerometer
from telemetry.configuration.calibration.fits.capture import MountingCapture, SixPoseCapture
from telemetry.configuration.calibration.fits.mounting import fit_mounting
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import CalibrationError, Values
from telemetry.configuration.calibration.procedures.recipe import (
    ACCEL,
    CalibrationChange,
    RestRecipe,
    temperature,
    xyz,
)
from telemetry.recording.sample import Sample

_PLAUSIBLE_G = (9.7, 9.9)


class SixSidesRecipe(RestRecipe[SixPoseCapture]):
    """Bias and scale of the accelerometer from six sides."""

    hold_s = 3.0

    def __init__(self, settings: Values) -> None:
        super().__init__(settings, SixPoseCapture(self.hold_s))
        gravity = settings.get("HomeLocation", {}).get("g_e", GRAVITY)
        is_plausible = _PLAUSIBLE_G[0] <= gravity <= _PLAUSIBLE_G[1]
        self._gravity = gravity if is_plausible else GRAVITY

    @property
    def pose(self) -> RestPose | None:
        """The side wanted next."""
        return self._capture.wanted()

    @property
    def taken(self) -> frozenset[RestPose]:
        """The sides that are done."""
        return frozenset(self._capture.taken)

    def take(self, sample: Sample) -> None:
        """A reading of the gyro or the accelerometer."""
        if sample.definition.name == ACCEL:
            self._capture.add_accel(sample.t, xyz(sample), temperature(sample))
        else:
            super().take(sample)

    def fit(self) -> tuple[CalibrationChange, ...]:
        """Bias and scale."""
        found = fit_accelerometer(self._capture.taken, self._on_board, self._gravity)
        return (CalibrationChange("Accelerometer", found),)


class MountingRecipe(RestRecipe[MountingCapture]):
    """How the board is mounted, from level and nose up."""

    hold_s = 3.0

    def __init__(self, settings: Values) -> None:
        super().__init__(settings, MountingCapture(self.hold_s, 40))

    @property
    def pose(self) -> RestPose:
        """The pose wanted now."""
        return RestPose.NOSE_UP if self._capture.taken else RestPose.LEVEL

    def fit(self) -> tuple[CalibrationChange, ...]:
        """The rotation in quarter turns."""
        if self.steps < 2:
            raise CalibrationError("One of the two poses is missing.", "Repeat both.")
        level, nose_up = self._capture.taken
        mounting = fit_mounting(level, nose_up, self._on_board)
        return (CalibrationChange("Board rotation", mounting.calibration),)
