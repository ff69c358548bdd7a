"""Calibration settings on board: those a calibration starts from, as a recording last saw them."""

from telemetry.configuration.calibration.fits.result import Values
from telemetry.recording.recording import Recording

SETTINGS_OBJECTS = (
    "AttitudeSettings",
    "AccelGyroSettings",
    "RevoCalibration",
    "AuxMagSettings",
    "RevoSettings",
    "HomeLocation",
)


def settings_at(recording: Recording, t: float) -> Values:
    """The numbers of these objects that held at `t`; objects never seen are left out."""
    found: dict[str, dict[str, float]] = {}
    for name in SETTINGS_OBJECTS:
        sample = recording.latest(name, t)
        if sample is None:
            continue
        numbers: dict[str, float] = {}
        for field in sample.definition.fields:
            for index in range(field.elements):
                path = f"{field.name}.{field.element_label(index)}"
                raw = sample.raw(path)
                numbers[path if field.elements > 1 else field.name] = float(raw)
        found[name] = numbers
    return found


def field_at_home(settings: Values) -> tuple[float, float, float]:
    """HomeLocation.Be in mGauss: north, east, down; zeros where it is not known."""
    home = settings.get("HomeLocation", {})
    north, east, down = (home.get(f"Be.{i}", 0.0) for i in range(3))
    return north, east, down
