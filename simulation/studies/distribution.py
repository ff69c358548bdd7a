"""Distributions of what varies, as the table [vary] of a study says them, for example
`{ normal = [1.0, 0.05], limits = [0.8, 1.2] }`.

A uniform number from 0 to 1 becomes a value by the inverse of the distribution function.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Value = float | int | str | Sequence[float]
Numbers = npt.NDArray[np.float64]

_LARGEST: Final = 1e300
"""Differences of larger numbers are none any more."""
_WHATEVER: Final = (-math.inf, math.inf)


class StudyError(ValueError):
    """A study that cannot be flown. The text is one sentence for the user, with a remedy."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A family of distributions: what its numbers mean, and whether it ends by itself."""

    numbers: tuple[str, ...]
    has_ends: bool


SHAPES: Final = {
    "uniform": Shape(("least", "most"), True),
    "log_uniform": Shape(("least", "most"), True),
    "triangular": Shape(("least", "likeliest", "most"), True),
    "normal": Shape(("mean", "deviation"), False),
    "log_normal": Shape(("median", "deviation of the logarithm"), False),
}
CHOICES: Final = "choices"
_KEYS: Final = ("limits", "relative", "steps")


@dataclass(frozen=True, slots=True)
class Distribution:
    """How one thing varies. `numbers` are those of its shape, `choices` what is chosen from with
    equal chances; one of both. Between `limits` it is the same distribution, cut off. If it
    `is_relative` its values are factors on what the aircraft or its settings have. A grid has
    `steps` values of it, evenly spaced in probability, the ends among them.
    """

    shape: str
    numbers: tuple[float, ...] = ()
    choices: tuple[Value, ...] = ()
    limits: tuple[float, float] = _WHATEVER
    is_relative: bool = False
    steps: int = 0

    @property
    def ends(self) -> tuple[Value, ...]:
        """The least and the most that comes of it, or all choices."""
        if self.choices:
            return self.choices
        low, high = (self.numbers[0], self.numbers[-1]) if self._ends_by_itself else _WHATEVER
        return max(low, self.limits[0]), min(high, self.limits[1])

    @property
    def middle(self) -> Value:
        """A value from its middle, or the first choice."""
        return self.choices[0] if self.choices else float(self.values(np.array([0.5]))[0])

    @property
    def levels(self) -> int:
        """How many values a grid has of it; 0: the file does not say."""
        return len(self.choices) or self.steps

    @property
    def words(self) -> str:
        """For people: "normal: mean 1, deviation 0.05; from 0.8 to 1.2"."""
        if self.choices:
            said = f"one of {', '.join(map(str, self.choices))}"
        else:
            pairs = zip(SHAPES[self.shape].numbers, self.numbers, strict=True)
            told = ", ".join(f"{name} {number:g}" for name, number in pairs)
            said = f"{self.shape.replace('_', '-')}: {told}"
        if self.limits != _WHATEVER:
            said += f"; from {self.limits[0]:g} to {self.limits[1]:g}"
        return f"{said}; times what the aircraft has" if self.is_relative else said

    def values(self, uniform: Numbers) -> Numbers:
        """Numbers of the distribution by uniform ones from 0 to 1; of choices their places."""
        if self.choices:
            places = np.floor(np.asarray(uniform) * len(self.choices))
            return np.minimum(places, len(self.choices) - 1)
        law = self._law()
        low, high = (float(end) for end in law.cdf(self.limits))
        found: Numbers = law.ppf(low + (high - low) * np.asarray(uniform))
        return np.clip(found, *self.limits)

    def value(self, number: float) -> Value:
        """What one of `values` stands for."""
        return self.choices[int(number)] if self.choices else float(number)

    @property
    def _ends_by_itself(self) -> bool:
        return SHAPES[self.shape].has_ends

    def _law(self) -> Any:
        """The same as a distribution of SciPy, without its limits."""
        from scipy import stats

        first, last = self.numbers[0], self.numbers[-1]
        match self.shape:
            case "uniform":
                return stats.uniform(first, last - first)
            case "log_uniform":
                return stats.loguniform(first, last)
            case "triangular":
                width = last - first
                return stats.triang((self.numbers[1] - first) / width, first, width)
            case "normal":
                return stats.norm(first, last)
            case _:
                return stats.lognorm(last, scale=first)


def read_distribution(name: str, table: Any) -> Distribution:
    """What a study's file says of one thing that varies. Raises StudyError."""
    if not isinstance(table, Mapping):
        raise StudyError(f"'{name}' must be a table such as {{ uniform = [0.0, 9.0] }}.")
    shapes = [key for key in table if key not in _KEYS]
    known = (*SHAPES, CHOICES)
    if len(shapes) != 1 or shapes[0] not in known:
        named = f"'{', '.join(map(str, shapes))}'" if shapes else "no distribution"
        raise StudyError(f"'{name}' has {named}; give one of {', '.join(known)}.")
    shape = shapes[0]
    steps = table.get("steps", 0)
    if type(steps) is not int or not (steps == 0 or steps >= 2):
        raise StudyError(f"The 'steps' of '{name}' must be 2 or more values of a grid.")
    if not isinstance(table.get("relative", False), bool):
        raise StudyError(f"'relative' of '{name}' must be true or false.")
    if shape == CHOICES:
        if "limits" in table or "steps" in table:
            raise StudyError(f"'{name}' has choices; leave out 'limits' and 'steps'.")
        found = Distribution(shape, choices=_choices(name, table[shape]))
    else:
        found = Distribution(shape, _numbers(name, shape, table[shape]), (), _limits(name, table))
        _check_limits(name, found)
    return Distribution(
        found.shape, found.numbers, found.choices, found.limits, table.get("relative", False), steps
    )


def _choices(name: str, listed: Any) -> tuple[Value, ...]:
    if not isinstance(listed, list) or not listed:
        raise StudyError(f"'{name}' has no choices; list the values to choose from.")
    for choice in listed:
        if not (_is_finite(choice) or isinstance(choice, str) or _is_vector(choice)):
            raise StudyError(
                f"'{name}' cannot be {choice!r}; choices are numbers, lists of numbers, or texts."
            )
    return tuple(listed)


def _numbers(name: str, shape: str, given: Any) -> tuple[float, ...]:
    wanted = SHAPES[shape].numbers
    if not isinstance(given, list) or len(given) != len(wanted) or not all(map(_is_finite, given)):
        raise StudyError(f"'{shape}' of '{name}' takes [{', '.join(wanted)}].")
    numbers = tuple(map(float, given))
    if SHAPES[shape].has_ends and not numbers[0] < numbers[-1]:
        raise StudyError(f"'{name}' is empty: {given[0]:g} is not below {given[-1]:g}; swap them.")
    if shape == "triangular" and not numbers[0] <= numbers[1] <= numbers[2]:
        raise StudyError(f"The likeliest value of '{name}' lies outside of its ends; move it.")
    if not SHAPES[shape].has_ends and numbers[1] <= 0.0:
        raise StudyError(f"The deviation of '{name}' must be above 0.")
    if shape.startswith("log") and numbers[0] <= 0.0:
        raise StudyError(f"'{name}' has no logarithm at {given[0]:g}; give numbers above 0.")
    return numbers


def _limits(name: str, table: Mapping[str, Any]) -> tuple[float, float]:
    if "limits" not in table:
        return _WHATEVER
    given = table["limits"]
    if not isinstance(given, list) or len(given) != 2 or not all(map(_is_finite, given)):
        raise StudyError(f"The limits of '{name}' must be [least, most].")
    if not given[0] < given[1]:
        raise StudyError(f"The limits of '{name}' leave nothing between them; swap them.")
    return float(given[0]), float(given[1])


def _check_limits(name: str, found: Distribution) -> None:
    if not SHAPES[found.shape].has_ends and found.limits == _WHATEVER:
        raise StudyError(
            f"A {found.shape} distribution has no end; give '{name}' limits = [least, most]."
        )
    low, high = (float(end) for end in found._law().cdf(found.limits))
    if not high > low:
        raise StudyError(f"The limits of '{name}' leave nothing of its distribution; widen them.")


def _is_finite(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= _LARGEST


def _is_vector(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_finite, value))
