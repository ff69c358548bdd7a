"""Figures between two calibrations, and what several runs of them amount to."""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from statistics import median
from typing import Any

from benchmarks.calibration import MOST_BUSYNESS, MachineSpeed, calibrate
from benchmarks.result import BenchmarkResult, Scaling

# Figures that come faster than this after one another were measured together.
_TOGETHER_S = 0.05


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure of one run, how slow the machine was (1.00: the bars'), and how busy around it."""

    result: BenchmarkResult
    slowness: float
    busyness: float

    @classmethod
    def between(
        cls, result: BenchmarkResult, before: MachineSpeed, after: MachineSpeed
    ) -> "Measured":
        """A figure that was measured between two calibrations."""
        return cls(
            result,
            math.sqrt(before.slowness * after.slowness),
            max(before.busyness, after.busyness),
        )

    @property
    def is_quiet(self) -> bool:
        """Whether little else was running before and after."""
        return self.busyness <= MOST_BUSYNESS

    @property
    def calibrated(self) -> float:
        """The figure as the machine of the bars would have it."""
        return self.result.calibrated(self.slowness)

    def to_json(self) -> dict[str, Any]:
        """Between processes."""
        return asdict(self)

    @classmethod
    def from_json(cls, entry: dict[str, Any]) -> "Measured":
        """The same again."""
        return cls(BenchmarkResult(**entry["result"]), entry["slowness"], entry["busyness"])


def measure(results: Iterable[BenchmarkResult]) -> Iterator[Measured]:
    """Calibrate before and after each figure, or each group that was measured in one go."""
    before = after = calibrate()
    ended_s = time.perf_counter()
    for result in results:
        if time.perf_counter() - ended_s > _TOGETHER_S:
            before, after = after, calibrate()
        yield Measured.between(result, before, after)
        ended_s = time.perf_counter()


class Verdict(StrEnum):
    """What is said of a figure."""

    OK = "ok"
    MISSED = "MISSED"
    NOISY = "noisy"
    SHOWN = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """One figure over several runs."""

    runs: tuple[Measured, ...]

    @property
    def result(self) -> BenchmarkResult:
        """What the figure is, and its bar."""
        return self.runs[0].result

    @property
    def raw(self) -> float:
        """Median, as measured."""
        return median(run.result.value for run in self.runs)

    @property
    def calibrated(self) -> float:
        """Median, as the machine of the bars would have it."""
        return median(run.calibrated for run in self.runs)

    @property
    def spread(self) -> float:
        """From the least to the greatest run, as a part of the median; 0 where that is 0."""
        values = [run.calibrated for run in self.runs]
        return (max(values) - min(values)) / abs(self.calibrated) if self.calibrated else 0.0

    @property
    def verdict(self) -> Verdict:
        """Runs of which half were disturbed judge no figure that follows the machine's speed."""
        if self.result.bar is None:
            return Verdict.SHOWN
        disturbed = sum(not run.is_quiet for run in self.runs)
        if self.result.scaling is not Scaling.NONE and disturbed >= len(self.runs) / 2:
            return Verdict.NOISY
        return Verdict.OK if self.result.reaches_bar(self.calibrated) else Verdict.MISSED


def summarize(runs: Sequence[Sequence[Measured]]) -> list[Summary]:
    """The same figures of several runs, by their order: some name what was slowest."""
    return [Summary(figure) for figure in zip(*runs, strict=True)]


def as_table(summaries: Iterable[Summary]) -> str:
    """Aligned lines: what, raw and calibrated median, spread, bar."""
    lines = [
        f"{'':8}{'what':52}{'raw':>14}{'calibrated':>14} {'unit':12}{'spread':>8}  bar, calibrated"
    ]
    for s in summaries:
        lines.append(
            f"{s.verdict:8}{s.result.name:52}{s.raw:14,.1f}{s.calibrated:14,.1f}"
            f" {s.result.unit:12}{s.spread:8.0%}  {s.result.bar_text}"
        )
    return "\n".join(lines)
