"""Thermal calibration, while a cold board warms up and is not touched."""

from collections.abc import Callable

from telemetry.configuration.calibration.fits.capture import CaptureProgress
from telemetry.configuration.calibration.fits.correction import correction_from
from telemetry.configuration.calibration.fits.result import Calibration, CalibrationError, Values
from telemetry.configuration.calibration.fits.thermal import (
    fit_accel_temperature,
    fit_baro_temperature,
    fit_gyro_temperature,
)
from telemetry.configuration.calibration.fits.thermal_capture import (
    LEAST_SPAN_DEG_C,
    ThermalCapture,
)
from telemetry.configuration.calibration.procedures.recipe import (
    ACCEL,
    BARO,
    GYRO,
    CalibrationChange,
    temperature,
    xyz,
)
from telemetry.recording.sample import Sample

_NOTE_EVERY_S = 1.0


class ThermalRecipe:
    """Drift of gyro, accelerometer and, where there is one, barometer."""

    pose = None
    steps = 0
    optional = frozenset((BARO,))
    hold_s = 0.0

    def __init__(self, settings: Values, has_baro: bool) -> None:
        self._settings = settings
        self._has_baro = has_baro
        self.capture = ThermalCapture()
        self.course: list[tuple[float, float]] = []
        """Seconds since the first reading and the temperature in deg C, one a second."""
        self.pressure_unit = ""
        """That of the barometer's readings, which releases differ in."""
        self._began_s = 0.0

    @property
    def sources(self) -> dict[str, int]:
        """Twenty readings a second to see that it rests; the barometer is slower."""
        baro = {BARO: 200} if self._has_baro else {}
        return {GYRO: 50, ACCEL: 50, **baro}

    @property
    def can_finish(self) -> bool:
        """Once the temperature has risen enough, though it still rises."""
        return self.capture.span > LEAST_SPAN_DEG_C and not self.capture.is_spoiled

    def take(self, sample: Sample) -> None:
        """A reading of gyro, accelerometer or barometer."""
        name, t = sample.definition.name, sample.t
        if name == GYRO:
            self.capture.add_gyro(t, xyz(sample), temperature(sample))
            self._note(t)
        elif name == ACCEL:
            self.capture.add_accel(t, xyz(sample), temperature(sample))
        else:
            pressure, warmth = float(sample.raw("Pressure")), float(sample.raw("Temperature"))
            self.capture.add_baro(t, pressure, warmth)
            self.pressure_unit = sample.definition.field_named("Pressure").units

    def progress(self, now: float) -> CaptureProgress:
        """Where it stands at `now`."""
        return self.capture.progress(now)

    def fit(self) -> tuple[CalibrationChange, ...]:
        """Gyro, accelerometer and barometer; raise CalibrationError if none of them can be."""
        capture = self.capture
        if capture.is_spoiled:
            raise CalibrationError(
                "The board was moved while it warmed up.", "Let it cool down and begin again."
            )
        on_board = correction_from(self._settings)
        parts = [
            _part("Gyro", lambda: fit_gyro_temperature(capture.rows("gyro"), on_board)),
            _part("Accelerometer", lambda: fit_accel_temperature(capture.rows("accel"), on_board)),
        ]
        if len(capture.rows("baro")):
            parts.append(
                _part(
                    "Barometer", lambda: fit_baro_temperature(capture.rows("baro"), self._settings)
                )
            )
        if all(part.calibration is None for part in parts):
            raise CalibrationError("Nothing could be fitted.", parts[0].problem)
        return tuple(parts)

    def _note(self, t: float) -> None:
        if not self.course:
            self._began_s = t
        at = t - self._began_s
        if not self.course or at - self.course[-1][0] >= _NOTE_EVERY_S:
            self.course.append((at, self.capture.temperature))


def _part(title: str, fit: Callable[[], Calibration]) -> CalibrationChange:
    try:
        return CalibrationChange(title, fit())
    except CalibrationError as error:
        return CalibrationChange(title, None, str(error))
