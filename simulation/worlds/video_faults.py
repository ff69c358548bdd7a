"""What is wrong with a film: its clock, its file, its camera."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.flights.sync import LEAST_RATE, MOST_RATE

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class VideoFaults:
    """`offset` and `rate`: video time = offset + rate x log time; a film with an offset above 0
    begins so many seconds before the log, one below 0 after it. `broken` is the share of frames
    whose bytes are damaged, `truncate` the share of the file that is left.
    """

    offset: float = 0.0
    rate: float = 1.0
    broken: float = 0.0
    truncate: float = 1.0

    def __post_init__(self) -> None:
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if not low <= value <= high:  # refuses nan as well
                raise ValueError(f"{name} must be a number from {low:g} to {high:g}, not {value}")

    def video_s(self, log_s: float) -> float:
        """The time of the film at a time of the log."""
        return self.offset + self.rate * log_s

    def log_s(self, video_s: Array) -> Array:
        """The times of the log at times of the film."""
        return (video_s - self.offset) / self.rate


LIMITS: Mapping[str, tuple[float, float]] = {
    "offset": (-86_400.0, 3_600.0),
    "rate": (LEAST_RATE, MOST_RATE),
    "broken": (0.0, 1.0),
    "truncate": (0.01, 1.0),
}


def parse_numbers(text: str, known: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """`name=number,name=number`, each name once and one of `known`. Raises ValueError."""
    values: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = part.partition("=")
        name = name.strip()
        if name not in known:
            raise ValueError(f"there is no '{name}'; there are: {', '.join(known)}")
        if name in values:
            raise ValueError(f"{name} is given twice")
        try:
            values[name] = float(number)
        except ValueError:
            values[name] = math.nan
        low, high = known[name]
        if not low <= values[name] <= high:
            raise ValueError(f"{name} must be a number from {low:g} to {high:g}, not '{number}'")
    return values
