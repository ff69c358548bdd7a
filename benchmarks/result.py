"""Result of a benchmark: a number, and the bar it must reach on the machine of the bars."""

from dataclasses import dataclass
from enum import StrEnum


class Scaling(StrEnum):
    """How a figure follows the speed of the machine."""

    TIME = "time"
    RATE = "rate"
    NONE = "none"


# Units that follow the machine's speed; all others stand as they are.
_SCALINGS = {
    **dict.fromkeys(("s", "ms", "us", "ms/frame", "%", "% of a core"), Scaling.TIME),
    **dict.fromkeys(("steps/s", "MB/s", "M frames/s", "x real time"), Scaling.RATE),
}


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """One measurement. `bar` is None for a number that is only shown, `note` then says why."""

    name: str
    value: float
    unit: str
    bar: float | None = None
    more_is_better: bool = False
    waits: bool = False
    note: str = ""

    @property
    def scaling(self) -> Scaling:
        """By its unit, but for a time that is spent waiting, which no machine shortens."""
        return Scaling.NONE if self.waits else _SCALINGS.get(self.unit, Scaling.NONE)

    @property
    def bar_text(self) -> str:
        """As shown in a table: ">= 50"."""
        if self.bar is None:
            return self.note
        return f"{'>=' if self.more_is_better else '<='} {self.bar:g}"

    def calibrated(self, slowness: float) -> float:
        """The value as the machine of the bars would have it."""
        factor = {Scaling.TIME: 1 / slowness, Scaling.RATE: slowness, Scaling.NONE: 1.0}
        return self.value * factor[self.scaling]

    def reaches_bar(self, calibrated: float) -> bool:
        """Whether a value is good enough."""
        if self.bar is None:
            return True
        return calibrated >= self.bar if self.more_is_better else calibrated <= self.bar


def at_least(name: str, value: float, unit: str, bar: float) -> BenchmarkResult:
    """A number that should be large."""
    return BenchmarkResult(name, value, unit, bar, more_is_better=True)


def at_most(
    name: str, value: float, unit: str, bar: float, *, waits: bool = False
) -> BenchmarkResult:
    """A number that should be small; `waits` if it is waiting for something, not working."""
    return BenchmarkResult(name, value, unit, bar, waits=waits)


def beside(name: str, value: float, unit: str, source: str) -> BenchmarkResult:
    """A number for comparison; `source` says where it is from."""
    return BenchmarkResult(name, value, unit, note=source)
