"""Sensor correction: how a board turns readings into what it publishes, and back.

    accel = R ((raw - accel_bias) accel_scale - accel_temp_coeff T)
    gyro  = R (raw gyro_scale - gyro_bias - (X + X2 T) T)
    mag   = R mag_transform (raw - mag_bias)

Scale multiplies, and a bias is subtracted: before scaling for accelerometer and magnetometer,
after it for the gyro. All three live in the board's axes; R = R(BoardLevelTrim) R(BoardRotation)
turns the result into those of the airframe. T is held within temp_calibrated_extent; an extent
narrower than 0.1 deg C switches temperature off. The barometer's polynomial is subtracted from
the pressure in the same way, see telemetry.configuration.calibration.fits.thermal.

Because a board's settings are known, its correction can be taken back here. So no calibration
has to clear settings on board while it collects, and one that is cancelled leaves no trace.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.configuration.calibration.fits.result import AXES, Array, Values
from telemetry.configuration.calibration.fits.rotation import rotation_of

_NARROWEST_EXTENT = 0.1
MAG_ELEMENTS = tuple(f"r{i}c{j}" for i in range(3) for j in range(3))


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """The calibration on board. Readings are rows (n, 3), temperatures a number or (n,), deg C.

    `gyro_temp_coeff` has a row (X, X2) per axis, `extent` is (min, max).
    """

    rotation: Array
    trim: tuple[float, float]
    accel_bias: Array
    accel_scale: Array
    accel_temp_coeff: Array
    gyro_bias: Array
    gyro_scale: Array
    gyro_temp_coeff: Array
    extent: tuple[float, float]
    mag_bias: Array
    mag_transform: Array

    @property
    def to_airframe(self) -> Array:
        """R (3, 3) from the board's axes to the airframe's."""
        return rotation_of(*self.trim) @ self.rotation

    def within_extent(self, temperature: npt.ArrayLike) -> Array:
        """Temperatures as the board uses them, as a column; zeros where it uses none."""
        low, high = self.extent
        found = np.asarray(temperature, dtype=np.float64).reshape(-1, 1)
        if high - low <= _NARROWEST_EXTENT:
            return np.zeros_like(found)
        return np.clip(found, low, high)

    def accel_drift(self, temperature: npt.ArrayLike) -> Array:
        """What is subtracted from scaled accelerations for temperature, (n or 1, 3)."""
        return self.within_extent(temperature) * self.accel_temp_coeff

    def gyro_drift(self, temperature: npt.ArrayLike) -> Array:
        """What is subtracted from scaled rates for temperature, (n or 1, 3)."""
        t = self.within_extent(temperature)
        return (self.gyro_temp_coeff[:, 0] + self.gyro_temp_coeff[:, 1] * t) * t

    def raw_accel(self, published: Array, temperature: npt.ArrayLike) -> Array:
        """Raw accelerations in the board's axes from what was published."""
        scaled = _turned(published, self.to_airframe.T) + self.accel_drift(temperature)
        return scaled / self.accel_scale + self.accel_bias

    def scaled_gyro(self, published: Array, temperature: npt.ArrayLike) -> Array:
        """Raw rates times gyro_scale, in the board's axes, from what was published."""
        drift = self.gyro_drift(temperature)
        return _turned(published, self.to_airframe.T) + self.gyro_bias + drift

    def raw_mag(self, published: Array) -> Array:
        """The raw field in the board's axes from what was published."""
        back = np.linalg.inv(self.to_airframe @ self.mag_transform)
        return _turned(published, np.asarray(back, dtype=np.float64)) + self.mag_bias


def correction_from(settings: Values, mag_object: str = "RevoCalibration") -> Correction:
    """The correction these settings make; what is missing is taken as no correction.

    `mag_object` "AuxMagSettings" is for the external magnetometer, which has its own rotation and
    is not turned by the board's.
    """
    attitude = settings.get("AttitudeSettings", {})
    sensors = settings.get("AccelGyroSettings", {})
    mag = settings.get(mag_object, {})
    is_external = mag_object != "RevoCalibration"
    angles = _read(mag if is_external else attitude, "BoardRotation", ("Roll", "Pitch", "Yaw"))
    trim = np.zeros(2) if is_external else _read(attitude, "BoardLevelTrim", ("Roll", "Pitch"))
    coefficients = _read(sensors, "gyro_temp_coeff", ("X", "X2", "Y", "Y2", "Z", "Z2"))
    extent = _read(sensors, "temp_calibrated_extent", ("min", "max"))
    return Correction(
        rotation=rotation_of(*angles),
        trim=(float(trim[0]), float(trim[1])),
        accel_bias=_read(sensors, "accel_bias"),
        accel_scale=_read(sensors, "accel_scale", default=1.0),
        accel_temp_coeff=_read(sensors, "accel_temp_coeff"),
        gyro_bias=_read(sensors, "gyro_bias"),
        gyro_scale=_read(sensors, "gyro_scale", default=1.0),
        gyro_temp_coeff=coefficients.reshape(3, 2),
        extent=(float(extent[0]), float(extent[1])),
        mag_bias=_read(mag, "mag_bias"),
        mag_transform=_transform(mag),
    )


def _read(
    values: Mapping[str, float],
    field: str,
    elements: tuple[str, ...] = AXES,
    default: float = 0.0,
) -> Array:
    return np.array([values.get(f"{field}.{x}", default) for x in elements], dtype=np.float64)


def _transform(values: Mapping[str, float]) -> Array:
    if not any(f"mag_transform.{x}" in values for x in MAG_ELEMENTS):
        return np.eye(3)
    return _read(values, "mag_transform", MAG_ELEMENTS).reshape(3, 3)


def _turned(rows: Array, matrix: Array) -> Array:
    return rows @ matrix.T
