"""Calibration kinds, in the order in which they build on each other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from telemetry.configuration.calibration.fits.result import Values
from telemetry.configuration.calibration.procedures.accelerometer_and_mounting import (
    MountingRecipe,
    SixSidesRecipe,
)
from telemetry.configuration.calibration.procedures.gyro_and_level import GyroRecipe, LevelRecipe
from telemetry.configuration.calibration.procedures.magnetometer import (
    MAGNETOMETERS,
    MagnetometerRecipe,
)
from telemetry.configuration.calibration.procedures.recipe import Recipe
from telemetry.configuration.calibration.procedures.thermal import ThermalRecipe
from telemetry.recording.recording import Recording


@dataclass(frozen=True, slots=True)
class CalibrationKind:
    """One calibration: its names, what it is for, how to prepare for it, and what it writes.

    `writes` are the fields by object: of one of these objects at least must be on board.
    `unsent` names fields that must not wait to be sent when it begins, since it builds on them.
    """

    id: str
    title: str
    about: str
    prepare: str
    writes: Mapping[str, tuple[str, ...]]
    make: Callable[[Values, Recording], Recipe]
    unsent: Mapping[str, tuple[str, ...]]
    is_needed: bool = True


def _field(settings: Values, recording: Recording) -> Recipe:
    sensors = [name for name in MAGNETOMETERS if MAGNETOMETERS[name] in settings]
    aux = recording.latest("AuxMagSensor", recording.last_s)
    if aux is None or not aux.definition.has_field("Status") or aux["Status"] != "Ok":
        sensors = [name for name in sensors if name != "AuxMagSensor"]
    return MagnetometerRecipe(settings, sensors or ["MagSensor"])


_ROTATION = {"AttitudeSettings": ("BoardRotation",)}
_ACCEL = {"AccelGyroSettings": ("accel_bias", "accel_scale")}
KINDS = (
    CalibrationKind(
        "mounting",
        "Board rotation",
        "Finds out how the board is mounted in the aircraft, in quarter turns.",
        "Stand the aircraft level, and have something to lean its tail against.",
        _ROTATION,
        lambda settings, _recording: MountingRecipe(settings),
        {},
        is_needed=False,
    ),
    CalibrationKind(
        "thermal",
        "Temperature",
        "Takes out what gyro, accelerometer and barometer drift by as the board warms up. "
        "Do it before the accelerometer.",
        "Cool the board, switched off, well below room temperature; then switch it on, start this "
        "at once, and leave the board untouched for some twenty minutes.",
        {
            "AccelGyroSettings": ("gyro_temp_coeff", "accel_temp_coeff", "temp_calibrated_extent"),
            "RevoSettings": ("BaroTempCorrectionPolynomial", "BaroTempCorrectionExtent"),
        },
        lambda settings, _recording: ThermalRecipe(settings, "RevoSettings" in settings),
        {},
        is_needed=False,
    ),
    CalibrationKind(
        "accelerometer",
        "Accelerometer",
        "Bias and scale of each axis, from gravity on six sides.",
        "Have a firm table. Each side counts within 30 degrees; it must be still, not square.",
        _ACCEL,
        lambda settings, _recording: SixSidesRecipe(settings),
        _ROTATION,
    ),
    CalibrationKind(
        "gyro",
        "Gyro bias",
        "What the gyro reads while nothing turns.",
        "Put the aircraft down and leave it for some seconds.",
        {"AccelGyroSettings": ("gyro_bias",)},
        lambda settings, _recording: GyroRecipe(settings),
        {},
        is_needed=False,
    ),
    CalibrationKind(
        "level",
        "Level",
        "What level flight is, also on a table that is not level: it is turned by half a turn.",
        "Stand the aircraft as it shall hover, and mark where its feet are.",
        {"AttitudeSettings": ("BoardLevelTrim",)},
        lambda settings, _recording: LevelRecipe(settings),
        {**_ROTATION, **_ACCEL},
    ),
    CalibrationKind(
        "magnetometer",
        "Magnetometer",
        "Takes iron on board out of the compass, from the Earth's field in all directions.",
        "Go outdoors, away from steel and cars, with nothing magnetic in your pockets. "
        "The home location must be set.",
        {
            "RevoCalibration": ("mag_bias", "mag_transform"),
            "AuxMagSettings": ("mag_bias", "mag_transform"),
        },
        _field,
        _ROTATION,
    ),
)


def kind_of(kind_id: str) -> CalibrationKind:
    """The calibration of that id; StopIteration is a mistake of the caller."""
    return next(kind for kind in KINDS if kind.id == kind_id)
