"""Home position: setting it where the GPS says the aircraft is, or at a place."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from telemetry.base.earth.magnetic_model import VALID_YEARS, field_nt
from telemetry.configuration.calibration.fits.accelerometer import GRAVITY
from telemetry.configuration.calibration.fits.board_settings import field_at_home, settings_at
from telemetry.configuration.settings.configuration import Configuration
from telemetry.recording.flight_state import newest, read_flight_state
from telemetry.recording.gps_fix import GPS
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
    return _home(latitude, longitude, altitude_m, now)


@dataclass(frozen=True, slots=True)
class PlacedHome:
    """HomeLocation for a place without a fix of its own. `basis` says whose altitude it has."""

    values: Mapping[str, Value]
    basis: str


def home_at_place(
    recording: Recording, place: tuple[float, float], t: float, now: datetime
) -> PlacedHome | None:
    """HomeLocation at a latitude and a longitude in degrees, as high as the aircraft's GPS says
    that it stands, else as the home before; None where neither is known.

    Tau Labs and dRonin, whose HomeLocation holds a SeaLevelPressure, too, take a fix's altitude
    above the sea as it is (flight/Modules/Attitude/attitude.c, check_home_location); the others
    add the GeoidSeparation (see `home_at`).
    """
    before = recording.latest(HOME, t)
    if before is None:
        return None
    is_set = _set_word(before)
    fix = newest(recording, GPS, t)
    if fix is not None and t - fix.t <= _FRESH_S and "3D" in str(fix["Status"]):
        is_sea = before.definition.has_field("SeaLevelPressure")
        separation_m = 0.0 if is_sea else float(fix.raw("GeoidSeparation"))
        altitude_m = float(fix.raw("Altitude")) + separation_m
        basis = f"as high as the GPS says that the aircraft is ({fix['Altitude']:.0f} m)"
    elif before["Set"] == is_set:
        altitude_m, basis = float(before.raw("Altitude")), "as high as home was before"
    else:
        return None
    latitude, longitude = (round(degrees * _PER_DEGREE) for degrees in place)
    values = _home(latitude, longitude, altitude_m, now) | {"Set": is_set}
    known = {p: v for p, v in values.items() if before.definition.has_field(p.partition(".")[0])}
    return PlacedHome(known, basis)


def why_no_home(settings: Configuration, recording: Recording, t: float) -> str:
    """Why home cannot be put to a place now, as a sentence; empty where it can."""
    if not settings.has(HOME):
        return "The aircraft has told no HomeLocation."
    if settings.has(HOME, "ECEF"):
        return "This release keeps home in several forms at once. Have the GPS set it."
    armed = read_flight_state(recording, t).armed
    if armed != "Disarmed":
        return "It is armed." if armed else "It does not say whether it is disarmed."
    if settings.is_busy:
        return "Other settings are on their way."
    if settings.refusal:
        return settings.refusal
    fix = newest(recording, GPS, t)
    if fix is None and str(settings.on_board(HOME, "Set")).upper() != "TRUE":
        return "No altitude is known: wait for a fix of the GPS."
    return ""


def _set_word(home: Sample) -> str:
    """How a release says that home is set."""
    options = home.definition.field_named("Set").options
    return next(option for option in options if option.upper() == "TRUE")


def _home(latitude: int, longitude: int, altitude_m: float, now: datetime) -> dict[str, Value]:
    year = now.year + (now.timetuple().tm_yday - 1) / 365.25
    year = min(max(year, VALID_YEARS[0]), VALID_YEARS[1])
    field = field_nt(latitude / _PER_DEGREE, longitude / _PER_DEGREE, altitude_m, year)
    be: dict[str, Value] = {f"Be.{i}": x / _NT_PER_MGAUSS for i, x in enumerate(field)}
    place: dict[str, Value] = {"Latitude": latitude, "Longitude": longitude}
    return {**place, "Altitude": altitude_m, **be, "g_e": GRAVITY, "Set": "True"}
