"""Calibration recipe: what all calibrations have in common: samples, progress and a fit."""

from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from telemetry.configuration.calibration.fits.capture import (
    CaptureProgress,
    LevelCapture,
    MountingCapture,
    RestCapture,
    SixPoseCapture,
)
from telemetry.configuration.calibration.fits.correction import correction_from
from telemetry.configuration.calibration.fits.magnetometer import MagnetometerFit
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import Array, Calibration, Values
from telemetry.recording.sample import Sample

GYRO, ACCEL, BARO = "GyroSensor", "AccelSensor", "BaroSensor"
ATTITUDE = "AttitudeState"
REST_PERIOD_MS: Final = 40


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


Capture = TypeVar("Capture", SixPoseCapture, RestCapture, LevelCapture, MountingCapture)


class RestRecipe(Generic[Capture]):
    """What the recipes have in common that need gyro and accelerometer, to know that the aircraft
    rests, and end by themselves."""

    can_finish = False
    optional = frozenset[str]()

    def __init__(self, settings: Values, capture: Capture) -> None:
        self._on_board = correction_from(settings)
        self._capture: Capture = capture

    @property
    def sources(self) -> dict[str, int]:
        """Gyro and accelerometer."""
        return dict.fromkeys((GYRO, ACCEL), REST_PERIOD_MS)

    @property
    def steps(self) -> int:
        """Rests that are taken."""
        return len(self._capture.taken)

    def take(self, sample: Sample) -> None:
        """A reading of the gyro or the accelerometer."""
        if sample.definition.name == ACCEL:
            self._capture.add_accel(sample.t, xyz(sample))
        else:
            self._capture.add_gyro(sample.t, xyz(sample))

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        return self._capture.progress(now)


def xyz(sample: Sample) -> tuple[float, float, float]:
    """The three numbers of a sensor's sample."""
    return float(sample.raw("x")), float(sample.raw("y")), float(sample.raw("z"))


def temperature(sample: Sample) -> float:
    """The sensor's own temperature in deg C; 0 where its firmware does not tell."""
    has_it = sample.definition.has_field("temperature")
    return float(sample.raw("temperature")) if has_it else 0.0
