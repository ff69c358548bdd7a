"""Contents of an aircraft sheet, as plain data."""

from dataclasses import dataclass
from typing import Any

from simulation.scenarios.figure import Axes
from telemetry.base.number_text import significant


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One figure of an aircraft: what, how much, in which unit, and how it was found."""

    name: str
    value: float
    unit: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        """Value and unit."""
        return f"{significant(self.value, 3)} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class AircraftSheet:
    """The whole page."""

    title: str
    description: str
    rows: tuple[SheetRow, ...]
    axes: tuple[Axes, ...]

    def as_lines(self) -> list[str]:
        """For a terminal."""
        lines = [f"{row.name:24}{row.text:>16}  {row.note}".rstrip() for row in self.rows]
        return [f"{self.title}: {self.description}", "", *lines]

    def as_dict(self) -> dict[str, Any]:
        """For another program."""
        rows = {row.name: {"value": row.value, "unit": row.unit} for row in self.rows}
        return {"aircraft": self.title, "sheet": rows}
