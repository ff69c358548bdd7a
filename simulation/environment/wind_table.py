"""Wind over time, from a schedule or from a recording; parsed as data, never evaluated."""

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.records.flight import WIND_ROWS
from telemetry.base.input_files import read_text

Array = npt.NDArray[np.float64]

_VELOCITY: Final = ("north_mps", "east_mps")
_DIRECTION: Final = ("speed_mps", "from_deg")
_STRONGEST_MPS: Final = 100.0
_LARGEST_BYTES: Final = 16 << 20
_FORM: Final = (
    "Begin it with the line time_s,north_mps,east_mps,down_mps (velocity of the air) or "
    "time_s,speed_mps,from_deg, and give numbers below."
)


class WindTableError(ValueError):
    """A wind that cannot be used: where, what is wrong, what to do."""


@dataclass(frozen=True, slots=True)
class WindTable:
    """Rows of time in s and velocity of the air in m/s, NED; times ascend. At most WIND_ROWS."""

    rows: Array


def wind_table(rows: Array | Sequence[Sequence[float]], source: str = "The wind") -> WindTable:
    """A table of (time, north, east, down). More rows than fit are averaged over equal times.

    Raises WindTableError for no rows, times that do not ascend, and what is no number.
    """
    table = np.array(rows, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != 4 or not len(table):
        raise WindTableError(f"{source} has no rows of time, north, east, down. Give at least one.")
    if not np.isfinite(table).all():
        bad = int(np.argmin(np.isfinite(table).all(axis=1))) + 1
        raise WindTableError(f"{source}, row {bad}: not all are numbers. Correct or remove it.")
    strongest = np.abs(table[:, 1:]).max(axis=1)
    if strongest.max() > _STRONGEST_MPS:
        bad = int(strongest.argmax()) + 1
        raise WindTableError(
            f"{source}, row {bad}: {strongest.max():g} m/s is no wind. Give at most "
            f"{_STRONGEST_MPS:g} m/s in each direction."
        )
    late = np.flatnonzero(np.diff(table[:, 0]) <= 0.0)
    if len(late):
        raise WindTableError(
            f"{source}, row {int(late[0]) + 2}: the time is not after the row above. Sort them."
        )
    return WindTable(table if len(table) <= WIND_ROWS else _thinned(table))


def read_wind(path: Path) -> WindTable:
    """A table from a CSV file, see the error's remedy for its form; lines with # are comments.

    Raises WindTableError with file, line and remedy.
    """
    try:
        lines = read_text(path, _LARGEST_BYTES).splitlines()
    except UnicodeDecodeError:
        raise WindTableError(
            f"{path.name} is no text. Give a CSV file, or --wind-series with a flight log."
        ) from None
    except OSError as error:
        raise WindTableError(f"{path} cannot be read ({error.strerror}). Check its path.") from None
    rows: list[list[float]] = []
    header: list[str] = []
    for number, cells in enumerate(csv.reader(lines), 1):
        if not cells or cells[0].lstrip().startswith("#"):
            continue
        if not header:
            header = _header(path, number, cells)
            continue
        rows.append(_row(path, number, header, cells))
    return wind_table(rows, path.name)


def wind_from_series(times_s: Array, north: Array, east: Array, down: Array | None) -> WindTable:
    """A table from a recording's series (for instance two of an .opl) sampled at the same times;
    time 0 of the flight is the first of them.

    Raises WindTableError if they do not belong together.
    """
    down = np.zeros(len(times_s)) if down is None else down
    if not len(times_s) == len(north) == len(east) == len(down):
        raise WindTableError(
            "The series of the recording differ in length. Give fields of one object."
        )
    is_new = np.diff(times_s, prepend=-np.inf) > 0.0
    rows = np.column_stack((times_s - times_s[:1].sum(), north, east, down))
    return wind_table(rows[is_new], "The recording")


def _header(path: Path, number: int, cells: list[str]) -> list[str]:
    header = [cell.strip() for cell in cells]
    known = {"time_s", "down_mps", *_VELOCITY, *_DIRECTION}
    forms = (set(_VELOCITY), set(_DIRECTION))
    unknown = [name for name in header if name not in known]
    if unknown or "time_s" not in header or not any(form <= set(header) for form in forms):
        what = f"unknown column {unknown[0]!r}" if unknown else "columns are missing"
        raise WindTableError(f"{path.name}, line {number}: {what}. {_FORM}")
    return header


def _row(path: Path, number: int, header: list[str], cells: list[str]) -> list[float]:
    try:
        row = {name: float(cell) for name, cell in zip(header, cells, strict=True)}
    except ValueError:
        raise WindTableError(
            f"{path.name}, line {number}: not one number for each column. {_FORM}"
        ) from None
    if "speed_mps" in row:
        towards = math.radians(row["from_deg"] + 180.0)
        row["north_mps"] = row["speed_mps"] * math.cos(towards)
        row["east_mps"] = row["speed_mps"] * math.sin(towards)
    return [row["time_s"], row["north_mps"], row["east_mps"], row.get("down_mps", 0.0)]


def _thinned(table: Array) -> Array:
    """Averages over WIND_ROWS equal times; a time without a row is left out."""
    times = table[:, 0]
    edges = np.linspace(times[0], times[-1], WIND_ROWS + 1)
    bins = np.clip(np.searchsorted(edges, times, "right") - 1, 0, WIND_ROWS - 1)
    count = np.bincount(bins, minlength=WIND_ROWS)
    sums = [np.bincount(bins, column, minlength=WIND_ROWS) for column in table.T]
    used = count > 0
    return np.column_stack([total[used] / count[used] for total in sums])
