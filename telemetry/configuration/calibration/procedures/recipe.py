"""Calibration recipe: what all calibrations have in common: samples, progress and a fit."""

from dataclasses import dataclass
from typing import Protocol

from telemetry.configuration.calibration.fits.capture import CaptureProgress
from telemetry.configuration.calibration.fits.magnetometer import MagnetometerFit
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import Array, Calibration
from telemetry.recording.sample import Sample

GYRO, ACCEL, BARO = "GyroSensor", "AccelSensor", "BaroSensor"
ATTITUDE = "AttitudeState"


@dataclass(frozen=True, slots=True)
class CalibrationChange:
    """One thing a calibration found, to be staged or not; `problem` says why there is none.

    `field` has what a drawing of a magnetometer's fit needs, and `before` (n, 3) its readings as
    they are with the settings on board, in units of the field's length.
    """

    title: str
    calibration: Calibration | None
    problem: str = ""
    field: MagnetometerFit | None = None
    before: Array | None = None

    @property
    def is_good(self) -> bool:
        """Whether it can be written without a second thought."""
        return self.calibration is not None and self.calibration.is_good


class Recipe(Protocol):
    """How one calibration collects and fits. Knows the settings it starts from.

    `sources` are the objects it reads, and how often it wants them in milliseconds.
    """

    @property
    def sources(self) -> dict[str, int]:
        """Object -> period in milliseconds."""

    def take(self, sample: Sample) -> None:
        """A reading of one of the sources."""

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""

    @property
    def optional(self) -> frozenset[str]:
        """Sources it can do without."""

    @property
    def hold_s(self) -> float:
        """How long each step is held still; 0 where nothing is held."""

    @property
    def steps(self) -> int:
        """How many steps are done, such as sides taken."""

    @property
    def can_finish(self) -> bool:
        """Whether it may be ended although it is not complete."""

    @property
    def pose(self) -> RestPose | None:
        """The side to lay the aircraft on now, if it matters."""

    def fit(self) -> tuple[CalibrationChange, ...]:
        """What the readings say; for a thread of its own. Raise CalibrationError."""


def xyz(sample: Sample) -> tuple[float, float, float]:
    """The three numbers of a sensor's sample."""
    return float(sample.raw("x")), float(sample.raw("y")), float(sample.raw("z"))


def temperature(sample: Sample) -> float:
    """The sensor's own temperature in deg C; 0 where its firmware does not tell."""
    has_it = sample.definition.has_field("temperature")
    return float(sample.raw("temperature")) if has_it else 0.0
