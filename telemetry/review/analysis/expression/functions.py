"""Expression functions: what they take, what they do, and in which unit it comes out."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from telemetry.base.measurement_units import conversion, known_unit, rate_of, short_unit, total_of
from telemetry.review.analysis.expression import filters
from telemetry.review.analysis.expression.filters import Floats, Step

Units = Sequence[str]
Operation = Callable[..., Floats]
"""A function of columns (n,) or numbers."""
MOST_ARGUMENTS = 16


@dataclass(frozen=True, slots=True)
class UnitConversion:
    """What makes a value one in another unit."""

    gain: float
    offset: float
    unit: str


@dataclass(frozen=True, slots=True)
class ExpressionFunction:
    """One function. Exactly one of `apply` (value by value), `make` (a step, from its numbers)
    and `into` (by the unit of its value and the word in quotes) is given.

    `takes` names the arguments, "..." for any number of further ones; the last `numbers` of them
    are written as numbers, larger than 0 and up to `most`. `unit` derives the unit from those of
    the values, "" is none; plain numbers are left out. An argument in degrees is made radians if
    `takes_angle`. `cost` is the time it takes, in those of an addition.
    """

    takes: tuple[str, ...]
    words: str
    apply: Operation | None = None
    make: Callable[..., Step] | None = None
    into: Callable[[str, str], UnitConversion] | None = None
    unit: Callable[[Units], str] = lambda _units: ""
    numbers: int = 0
    most: float = math.inf
    takes_angle: bool = False
    cost: int = 1

    @property
    def takes_text(self) -> bool:
        """Whether the last argument is a word in quotes."""
        return self.takes[-1].startswith('"')


def _same(units: Units) -> str:
    """The unit that all values have, "" if they differ."""
    return units[0] if len(set(units)) == 1 else ""


def _first(units: Units) -> str:
    return units[0] if units else ""


def _rad(_units: Units) -> str:
    return "rad"


def _rate(units: Units) -> str:
    return rate_of(_first(units))


def _total(units: Units) -> str:
    return total_of(_first(units))


def _into_degrees(unit: str, _text: str) -> UnitConversion:
    return _into(unit or "rad", "°/s" if _is_rate(unit) else "°")


def _into_radians(unit: str, _text: str) -> UnitConversion:
    return _into(unit or "°", "rad/s" if _is_rate(unit) else "rad")


def _is_rate(unit: str) -> bool:
    found = known_unit(unit)
    return found is not None and found.dimension == "angular rate"


def _into(unit: str, wanted: str) -> UnitConversion:
    """Into the wanted unit; what has no unit is taken to be in it."""
    return UnitConversion(*conversion(unit or wanted, wanted), short_unit(wanted))


def _norm(*values: Floats) -> Floats:
    return np.sqrt(sum(value * value for value in values))


def _smallest(*values: Floats) -> Floats:
    return reduce(np.minimum, values)


def _largest(*values: Floats) -> Floats:
    return reduce(np.maximum, values)


def _wrapped(value: Floats) -> Floats:
    return np.mod(value + 180.0, 360.0) - 180.0


def _unwrapped() -> Step:
    return filters.unwrapped(360.0)


FUNCTIONS: dict[str, ExpressionFunction] = {
    "norm": ExpressionFunction(("x", "..."), "length of a vector", _norm, unit=_same),
    "abs": ExpressionFunction(("x",), "size without sign", np.abs, unit=_first),
    "sqrt": ExpressionFunction(("x",), "square root", np.sqrt),
    "min": ExpressionFunction(
        ("x", "..."), "the smallest of several values", _smallest, unit=_same
    ),
    "max": ExpressionFunction(("x", "..."), "the largest of several values", _largest, unit=_same),
    "sign": ExpressionFunction(("x",), "-1, 0 or 1", np.sign),
    "round": ExpressionFunction(("x",), "nearest whole number", np.round, unit=_first),
    "floor": ExpressionFunction(("x",), "next lower whole number", np.floor, unit=_first),
    "exp": ExpressionFunction(("x",), "e to the power of x", np.exp),
    "log": ExpressionFunction(("x",), "natural logarithm", np.log),
    "log10": ExpressionFunction(("x",), "decimal logarithm", np.log10),
    "sin": ExpressionFunction(("x",), "sine; of degrees if x is in °", np.sin, takes_angle=True),
    "cos": ExpressionFunction(("x",), "cosine; of degrees if x is in °", np.cos, takes_angle=True),
    "tan": ExpressionFunction(("x",), "tangent; of degrees if x is in °", np.tan, takes_angle=True),
    "asin": ExpressionFunction(("x",), "arc sine in rad", np.arcsin, unit=_rad),
    "acos": ExpressionFunction(("x",), "arc cosine in rad", np.arccos, unit=_rad),
    "atan": ExpressionFunction(("x",), "arc tangent in rad", np.arctan, unit=_rad),
    "atan2": ExpressionFunction(("y", "x"), "direction of a vector in rad", np.arctan2, unit=_rad),
    "wrap": ExpressionFunction(("x",), "degrees from -180 to 180", _wrapped, unit=_first),
    "unwrap": ExpressionFunction(
        ("x",), "degrees without jumps by 360", make=_unwrapped, unit=_first
    ),
    "derivative": ExpressionFunction(
        ("x",), "change per second", make=filters.derivative, unit=_rate
    ),
    "integral": ExpressionFunction(("x",), "sum over time", make=filters.integral, unit=_total),
    "lowpass": ExpressionFunction(
        ("x", "Hz"),
        "low-pass of first order",
        make=filters.low_pass,
        unit=_first,
        numbers=1,
        cost=20,
    ),
    "highpass": ExpressionFunction(
        *(("x", "Hz"), "high-pass of first order"),
        make=filters.high_pass,
        unit=_first,
        numbers=1,
        cost=20,
    ),
    "mean": ExpressionFunction(
        *(("x", "s"), "mean of the last s seconds"),
        make=filters.moving_mean,
        unit=_first,
        numbers=1,
        cost=8,
    ),
    "median": ExpressionFunction(
        *(("x", "s"), "median of the last s seconds"),
        make=filters.moving_median,
        unit=_first,
        numbers=1,
        most=60.0,
        cost=250,
    ),
    "deg": ExpressionFunction(("x",), "in degrees; x without a unit is in rad", into=_into_degrees),
    "rad": ExpressionFunction(("x",), "in radians; x without a unit is in °", into=_into_radians),
    "convert": ExpressionFunction(("x", '"unit"'), 'in another unit, such as "km/h"', into=_into),
}

OPERATORS: dict[str, ExpressionFunction] = {
    "+": ExpressionFunction(("x", "y"), "sum", np.add, unit=_same),
    "-": ExpressionFunction(("x", "y"), "difference", np.subtract, unit=_same),
    "*": ExpressionFunction(("x", "y"), "product", np.multiply),
    "/": ExpressionFunction(("x", "y"), "quotient", np.divide),
    "^": ExpressionFunction(("x", "y"), "power", np.power),
    "negative": ExpressionFunction(("x",), "with the other sign", np.negative, unit=_first),
}
