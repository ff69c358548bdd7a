"""Units of measurement: how definitions spell them, how they stand beside numbers, what converts
into what. Factors: the International System of Units and the yard and pound agreement of 1959.
"""

import math
from dataclasses import dataclass


class UnitError(ValueError):
    """Why one unit does not convert into another, as a sentence."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as it stands beside a number: `SI value = value * factor + zero`."""

    text: str
    dimension: str
    factor: float = 1.0
    zero: float = 0.0


_DEGREE = math.pi / 180.0
_FOOT, _MILE, _NAUTICAL_MILE = 0.3048, 1609.344, 1852.0
_FAHRENHEIT = 5.0 / 9.0

_UNITS = (
    Unit("rad", "angle"),
    Unit("°", "angle", _DEGREE),
    Unit("rad/s", "angular rate"),
    Unit("°/s", "angular rate", _DEGREE),
    Unit("m", "length"),
    Unit("cm", "length", 0.01),
    Unit("mm", "length", 0.001),
    Unit("km", "length", 1000.0),
    Unit("ft", "length", _FOOT),
    Unit("mi", "length", _MILE),
    Unit("NM", "length", _NAUTICAL_MILE),
    Unit("m/s", "speed"),
    Unit("cm/s", "speed", 0.01),
    Unit("km/h", "speed", 1 / 3.6),
    Unit("kt", "speed", _NAUTICAL_MILE / 3600.0),
    Unit("mph", "speed", _MILE / 3600.0),
    Unit("ft/s", "speed", _FOOT),
    Unit("ft/min", "speed", _FOOT / 60.0),
    Unit("m/s²", "acceleration"),
    Unit("cm/s²", "acceleration", 0.01),
    Unit("g", "acceleration", 9.80665),
    Unit("ft/s²", "acceleration", _FOOT),
    Unit("K", "temperature"),
    Unit("°C", "temperature", 1.0, 273.15),
    Unit("°F", "temperature", _FAHRENHEIT, 273.15 - 32.0 * _FAHRENHEIT),
    Unit("Pa", "pressure"),
    Unit("hPa", "pressure", 100.0),
    Unit("kPa", "pressure", 1000.0),
    Unit("inHg", "pressure", 3386.389),
    Unit("s", "time"),
    Unit("ms", "time", 1e-3),
    Unit("µs", "time", 1e-6),
    Unit("min", "time", 60.0),
    Unit("h", "time", 3600.0),
    Unit("V", "voltage"),
    Unit("mV", "voltage", 1e-3),
    Unit("A", "current"),
    Unit("mA", "current", 1e-3),
    Unit("mAh", "charge", 3.6),
    Unit("Ah", "charge", 3600.0),
    Unit("W", "power"),
    Unit("mW", "power", 1e-3),
    Unit("%", "share", 0.01),
    Unit("Hz", "frequency"),
    Unit("kHz", "frequency", 1e3),
    Unit("MHz", "frequency", 1e6),
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


def known_unit(text: str) -> Unit | None:
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


def units_like(text: str) -> tuple[str, ...]:
    """All units that one converts into, as they are written."""
    unit = known_unit(text)
    same = (other for other in _UNITS if unit is not None and other.dimension == unit.dimension)
    return tuple(other.text for other in same)


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
