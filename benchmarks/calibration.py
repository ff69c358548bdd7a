"""Speed of this machine just now, by three fixed workloads, so that figures compare elsewhere.

1.00 is the machine that the bars are stated for: an old laptop as found in the field.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np
from PySide6.QtCore import QLineF
from PySide6.QtGui import QImage, QPainter, QPen

# Milliseconds on the machine of the bars.
REFERENCE_MS = {"plain Python": 92.0, "numpy.sort": 12.0, "QPainter": 55.0}
# More disagreement than this between two calibrations, and something else was running.
MOST_DISAGREEMENT = 0.2
_ROUNDS = 5
_LINES = 2000
_IMAGE = (800, 600)
_LINE_WIDTH = 1.5


@dataclass(frozen=True, slots=True)
class MachineSpeed:
    """How long the machine took for each workload."""

    taken_ms: dict[str, float]

    @property
    def slowness(self) -> float:
        """Geometric mean of the workloads' times, 1.00 for the machine of the bars; 0.5 is fast."""
        ratios = [self.taken_ms[name] / REFERENCE_MS[name] for name in REFERENCE_MS]
        return math.prod(ratios) ** (1 / len(ratios))


def calibrate(clock: Callable[[], float] = time.perf_counter) -> MachineSpeed:
    """Time the workloads; half a second. `clock` gives seconds."""
    numbers = np.random.default_rng(1).random(1_000_000, dtype=np.float32)
    ends = np.random.default_rng(2).random((_LINES, 4)) * (*_IMAGE, *_IMAGE)
    lines = [QLineF(*end) for end in ends.tolist()]
    return MachineSpeed(
        {
            "plain Python": _median_ms(clock, lambda: sum(i * i for i in range(1_000_000))),
            "numpy.sort": _median_ms(clock, lambda: np.sort(numbers)),
            "QPainter": _median_ms(clock, lambda: _draw(lines)),
        }
    )


def disagreement(one: float, other: float) -> float:
    """By how much the larger of two slownesses exceeds the smaller, as a part of it."""
    return max(one, other) / min(one, other) - 1.0


def _median_ms(clock: Callable[[], float], work: Callable[[], object]) -> float:
    taken_s = []
    for _ in range(_ROUNDS):
        began_s = clock()
        work()
        taken_s.append(clock() - began_s)
    return median(taken_s) * 1e3


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
