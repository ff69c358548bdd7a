"""Home: where it is set, and setting it where the GPS says the aircraft is."""

import math
from datetime import datetime

from telemetry.configuration.calibration.fits.accelerometer import GRAVITY
from telemetry.configuration.calibration.fits.on_board import field_at_home, settings_at
from telemetry.configuration.settings.configuration import Configuration
from telemetry.earth.magnetic_model import VALID_YEARS, field_nt
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample, Value

HOME = "HomeLocation"
FIX = "GPSPositionSensor"
_PER_DEGREE = 1e7
_NT_PER_MGAUSS = 100.0
_FRESH_S = 5.0


def home_text(settings: Configuration, recording: Recording, t: float) -> str:
    """Where home is on board, and the Earth's field there."""
    if not settings.has(HOME):
        return ""
    if settings.on_board(HOME, "Set") != "True":
        return "Home is not set on board: with a GPS it is set at the first good fix."
    places = [settings.on_board(HOME, name) for name in ("Latitude", "Longitude")]
    degrees = [float(x) / _PER_DEGREE for x in places if isinstance(x, int | float)]
    north, east, down = field_at_home(settings_at(recording, t))
    dip = math.degrees(math.atan2(down, math.hypot(north, east)))
    where = ", ".join(f"{x:.5f}°" for x in degrees)
    strength = math.hypot(north, east, down)
    return f"Home is {where}; the Earth's field there is {strength:.0f} mGauss, dip {dip:.0f}°."


def good_fix(recording: Recording, t: float) -> Sample | None:
    """Where the GPS says it is, if it can be believed now."""
    fix = recording.latest(FIX, t)
    if fix is None or t - fix.t > _FRESH_S or "3D" not in str(fix["Status"]):
        return None
    return fix


def fix_text(recording: Recording, t: float) -> str:
    """What the GPS says, as a sentence."""
    fix = recording.latest(FIX, t)
    if fix is None:
        return "Nothing from a GPS yet."
    word = "a good fix" if good_fix(recording, t) is not None else "no fix in three dimensions"
    return f"The GPS has {word}, {fix['Satellites']} satellites."


def home_at(fix: Sample, now: datetime) -> dict[str, Value]:
    """HomeLocation at a fix: the place, the Earth's field by the magnetic model, and gravity.

    The altitude is that above the ellipsoid, as the magnetic model wants it too. Releases with a
    GPSPositionSensor set home so themselves (flight/modules/GPS/GPS.c, setHomeLocation) and take
    heights from it (flight/modules/StateEstimation/filterlla.c): one above sea level would put
    the aircraft off by the geoid, nearly 50 m in Europe. Outside the model's years its
    nearest year is used; the field turns slowly.
    """
    latitude, longitude = int(fix.raw("Latitude")), int(fix.raw("Longitude"))
    altitude_m = float(fix.raw("Altitude")) + float(fix.raw("GeoidSeparation"))
    year = now.year + (now.timetuple().tm_yday - 1) / 365.25
    year = min(max(year, VALID_YEARS[0]), VALID_YEARS[1])
    field = field_nt(latitude / _PER_DEGREE, longitude / _PER_DEGREE, altitude_m, year)
    be: dict[str, Value] = {f"Be.{i}": x / _NT_PER_MGAUSS for i, x in enumerate(field)}
    place: dict[str, Value] = {"Latitude": latitude, "Longitude": longitude}
    return {**place, "Altitude": altitude_m, **be, "g_e": GRAVITY, "Set": "True"}
