"""Speed of this machine, by three fixed workloads, so that figures compare elsewhere.

1.00 is the machine on which README's table of speeds was measured. Each workload takes two
milliseconds, so that some of its rounds fall between what else is running: the best round repeats
within 5 %, and how far the median lies above it tells how busy the machine was.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

import numpy as np
from PySide6.QtCore import QLineF
from PySide6.QtGui import QImage, QPainter, QPen

# Milliseconds on the machine of the bars.
REFERENCE_MS = {"plain Python": 1.85, "numpy.cumsum": 2.0, "QPainter": 2.3}
# A median that lies further above the best round than this, and something else was running.
MOST_BUSYNESS = 0.2
_ROUNDS = 60
_NUMBERS = 600_000
_LINES = 200
_IMAGE = (800, 600)
_LINE_WIDTH = 1.5


@dataclass(frozen=True, slots=True)
class MachineSpeed:
    """How long the machine took for each workload: every round, in milliseconds."""

    taken_ms: Mapping[str, tuple[float, ...]]

    @property
    def slowness(self) -> float:
        """Geometric mean of the best rounds, 1.00 for the machine of the bars; 0.5 is fast."""
        return _geometric_mean(
            [min(self.taken_ms[name]) / REFERENCE_MS[name] for name in REFERENCE_MS]
        )

    @property
    def busyness(self) -> float:
        """By how much the median round exceeds the best one, as a part of it; 0 is quiet."""
        return (
            _geometric_mean([median(taken) / min(taken) for taken in self.taken_ms.values()]) - 1.0
        )


def calibrate(clock: Callable[[], float] = time.perf_counter) -> MachineSpeed:
    """Time the workloads in turn; half a second. `clock` gives seconds."""
    numbers = np.random.default_rng(1).random(_NUMBERS)
    ends = np.random.default_rng(2).random((_LINES, 4)) * (*_IMAGE, *_IMAGE)
    lines = [QLineF(*end) for end in ends.tolist()]
    workloads = {
        "plain Python": lambda: sum(i * i for i in range(50_000)),
        "numpy.cumsum": lambda: np.cumsum(numbers),
        "QPainter": lambda: _draw(lines),
    }
    rounds = [[_taken_ms(clock, work) for work in workloads.values()] for _ in range(_ROUNDS)]
    return MachineSpeed(dict(zip(workloads, zip(*rounds, strict=True), strict=True)))


def _taken_ms(clock: Callable[[], float], work: Callable[[], object]) -> float:
    began_s = clock()
    work()
    return (clock() - began_s) * 1e3


def _geometric_mean(ratios: list[float]) -> float:
    return math.prod(ratios) ** (1 / len(ratios))


def _draw(lines: list[QLineF]) -> None:
    image = QImage(*_IMAGE, QImage.Format.Format_RGB32)
    image.fill(0)
    pen = QPen()
    pen.setWidthF(_LINE_WIDTH)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.drawLines(lines)
    painter.end()
