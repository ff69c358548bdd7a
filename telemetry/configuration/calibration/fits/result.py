"""Calibration result: the values to write, how good they are, or why there are none."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.base.number_text import significant

Array = npt.NDArray[np.float64]
Values = Mapping[str, Mapping[str, float]]
"""Object -> path of a field's element ("accel_bias.X") -> value, as Commands.send takes them."""

AXES = ("X", "Y", "Z")


class CalibrationError(Exception):
    """The readings allow no calibration. The text says what is wrong, `remedy` what to do."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem} {remedy}")
        self.problem = problem
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Quality:
    """One figure with the settings on board and with the new ones, over the same readings."""

    what: str
    before: float
    after: float
    unit: str

    @property
    def text(self) -> str:
        """Both figures in words, or the one where they cannot differ."""
        before, after = (
            f"{significant(figure, 2)} {self.unit}" for figure in (self.before, self.after)
        )
        if self.before == self.after:
            return f"{self.what}: {after}"
        return f"{self.what}: {before} before, {after} after"


@dataclass(frozen=True, slots=True)
class Calibration:
    """The values a fit found, and a sentence on how good they are.

    `is_good` is False where they can be written but should be looked at first.
    """

    values: Values
    quality: tuple[Quality, ...]
    verdict: str
    is_good: bool = True


def axis_values(field: str, numbers: Array) -> dict[str, float]:
    """Values of a field with the elements X, Y, Z."""
    return {f"{field}.{axis}": float(x) for axis, x in zip(AXES, numbers, strict=True)}


def checked_rows(rows: npt.ArrayLike, columns: int, least: int, what: str) -> Array:
    """`rows` as an array of shape (n, columns); raise CalibrationError if they are too few or
    not numbers."""
    found = np.asarray(rows, dtype=np.float64)
    if found.ndim != 2 or found.shape[1] != columns or len(found) < least:
        count = len(found) if found.ndim else 0
        raise CalibrationError(
            f"Only {count} readings of the {what} arrived, {least} are needed.",
            "Check that the link is up and the rate of this object is not zero, then repeat.",
        )
    if not np.isfinite(found).all():
        raise CalibrationError(
            f"The {what} sent values that are not numbers.",
            "Restart the board; if it goes on, the sensor is broken.",
        )
    return found
