"""Measurement units: how definitions spell them, how numbers show them, what converts into what.

Factors: the International System of Units and the yard and pound agreement of 1959."""

import math
from dataclasses import dataclass


class UnitError(ValueError):
    """Why one unit does not convert into another, as a sentence."""


@dataclass(frozen=True, slots=True)
class MeasurementUnit:
    """A unit as it stands beside a number: `SI value = value * factor + zero`."""

    text: str
    dimension: str
    factor: float = 1.0
    zero: float = 0.0


_DEGREE = math.pi / 180.0
_FOOT, _MILE, _NAUTICAL_MILE = 0.3048, 1609.344, 1852.0
_FAHRENHEIT = 5.0 / 9.0

_UNITS = (
    MeasurementUnit("rad", "angle"),
    MeasurementUnit("°", "angle", _DEGREE),
    MeasurementUnit("rad/s", "angular rate"),
    MeasurementUnit("°/s", "angular rate", _DEGREE),
    MeasurementUnit("m", "length"),
    MeasurementUnit("cm", "length", 0.01),
    MeasurementUnit("mm", "length", 0.001),
    MeasurementUnit("km", "length", 1000.0),
    MeasurementUnit("ft", "length", _FOOT),
    MeasurementUnit("mi", "length", _MILE),
    MeasurementUnit("NM", "length", _NAUTICAL_MILE),
    MeasurementUnit("m/s", "speed"),
    MeasurementUnit("cm/s", "speed", 0.01),
    MeasurementUnit("km/h", "speed", 1 / 3.6),
    MeasurementUnit("kt", "speed", _NAUTICAL_MILE / 3600.0),
    MeasurementUnit("mph", "speed", _MILE / 3600.0),
    MeasurementUnit("ft/s", "speed", _FOOT),
    MeasurementUnit("ft/min", "speed", _FOOT / 60.0),
    MeasurementUnit("m/s²", "acceleration"),
    MeasurementUnit("cm/s²", "acceleration", 0.01),
    MeasurementUnit("g", "acceleration", 9.80665),
    MeasurementUnit("ft/s²", "acceleration", _FOOT),
    MeasurementUnit("K", "temperature"),
    MeasurementUnit("°C", "temperature", 1.0, 273.15),
    MeasurementUnit("°F", "temperature", _FAHRENHEIT, 273.15 - 32.0 * _FAHRENHEIT),
    MeasurementUnit("Pa", "pressure"),
    MeasurementUnit("hPa", "pressure", 100.0),
    MeasurementUnit("kPa", "pressure", 1000.0),
    MeasurementUnit("inHg", "pressure", 3386.389),
    MeasurementUnit("s", "time"),
    MeasurementUnit("ms", "time", 1e-3),
    MeasurementUnit("µs", "time", 1e-6),
    MeasurementUnit("min", "time", 60.0),
    MeasurementUnit("h", "time", 3600.0),
    MeasurementUnit("V", "voltage"),
    MeasurementUnit("mV", "voltage", 1e-3),
    MeasurementUnit("A", "current"),
    MeasurementUnit("mA", "current", 1e-3),
    MeasurementUnit("mAh", "charge", 3.6),
    MeasurementUnit("Ah", "charge", 3600.0),
    MeasurementUnit("W", "power"),
    MeasurementUnit("mW", "power", 1e-3),
    MeasurementUnit("%", "share", 0.01),
    MeasurementUnit("Hz", "frequency"),
    MeasurementUnit("kHz", "frequency", 1e3),
    MeasurementUnit("MHz", "frequency", 1e6),
)
_BY_TEXT = {unit.text: unit for unit in _UNITS}
# What definitions of all releases and people write.
_SPELLINGS = {
    **dict.fromkeys(("deg", "degs", "degree", "degrees"), "°"),
    **dict.fromkeys(("deg/s", "degrees/sec"), "°/s"),
    **dict.fromkeys(("deg C", "degC", "C"), "°C"),
    **dict.fromkeys(("deg F", "degF", "F"), "°F"),
    **dict.fromkeys(("m/s^2", "m/s2"), "m/s²"),
    **dict.fromkeys(("cm/s^2", "cm/s2"), "cm/s²"),
    **dict.fromkeys(("sec", "second", "seconds"), "s"),
    **dict.fromkeys(("meters", "metres"), "m"),
    **dict.fromkeys(("us", "μs"), "µs"),
    **dict.fromkeys(("knots", "kts", "kn"), "kt"),
    **dict.fromkeys(("nm", "nmi"), "NM"),
    **dict.fromkeys(("fpm",), "ft/min"),
    **dict.fromkeys(("millibar", "mbar"), "hPa"),
    "percent": "%",
    "hz": "Hz",
    "bytes/sec": "B/s",
}
_NO_UNITS = {"function", "channel", "mode", "hex", "raw", "uavoid", "bool", "option", "-", "none"}


def short_unit(unit: str) -> str:
    """A definition's unit as it stands beside a number; what says nothing there is left out."""
    unit = _SPELLINGS.get(unit.strip(), unit.strip())
    return "" if unit in _NO_UNITS else unit


def known_unit(text: str) -> MeasurementUnit | None:
    """The unit that is spelt so; None for one that nothing is known of."""
    return _BY_TEXT.get(short_unit(text))


def conversion(source: str, target: str) -> tuple[float, float]:
    """Gain and offset that make values in `source` values in `target`.

    Raises UnitError for a unit that is not known, and for two of different dimensions.
    """
    found, wanted = known_unit(source), known_unit(target)
    if found is None or wanted is None:
        raise UnitError(f"'{source if found is None else target}' is no unit that is known")
    if found.dimension != wanted.dimension:
        raise UnitError(
            f"{found.text} is a unit of {found.dimension}, {wanted.text} of {wanted.dimension}"
        )
    return found.factor / wanted.factor, (found.zero - wanted.zero) / wanted.factor


_RATES = {
    "m": "m/s",
    "m/s": "m/s²",
    "°": "°/s",
    "°/s": "°/s²",
    "rad": "rad/s",
    "rad/s": "rad/s²",
    "": "/s",
}
_TOTALS = {rate: unit for unit, rate in _RATES.items()} | {"A": "As", "W": "J"}


def rate_of(unit: str) -> str:
    """The unit of a change per second."""
    return _RATES.get(unit, f"{unit}/s")


def total_of(unit: str) -> str:
    """The unit of what adds up over seconds."""
    return _TOTALS.get(unit, f"{unit}·s" if unit else "")
