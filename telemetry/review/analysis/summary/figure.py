"""Summary figures: numbers or words with unit, digits and level, in sections."""

import math
from dataclasses import dataclass

from telemetry.base.finding import Level


@dataclass(frozen=True, slots=True)
class SummaryFigure:
    """One number, in SI units or those of its field, or a word. `digits` are those behind the
    point that the sensor can know; `note` says what it was measured by, or what it means."""

    name: str
    value: float | str
    unit: str = ""
    digits: int = 0
    note: str = ""
    level: Level = Level.INFO

    @property
    def text(self) -> str:
        """The value with its unit, as it is shown."""
        if isinstance(self.value, str):
            return self.value
        number = f"{self.value:.{self.digits}f}".replace("-", "−")
        return f"{number} {self.unit}" if self.unit else number


@dataclass(frozen=True, slots=True)
class SummarySection:
    """Figures about one thing; empty where nothing of it was recorded, which `missing` says."""

    title: str
    figures: tuple[SummaryFigure, ...]
    missing: str = ""


def known(*figures: SummaryFigure | None) -> tuple[SummaryFigure, ...]:
    """Those that are there and are numbers."""
    return tuple(
        figure
        for figure in figures
        if figure is not None and (isinstance(figure.value, str) or math.isfinite(figure.value))
    )
