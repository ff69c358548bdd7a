"""Propeller test-bench table: speed, thrust and perhaps torque, one row a point.

The first line names the columns with their units: `speed_rpm,thrust_g,torque_nm`, or
`Speed (rpm); Thrust [N]`. Other columns are ignored, so are empty lines and those that begin with
`#`. With semicolons or tabs between the values a decimal comma is understood.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.base.input_files import read_text
from telemetry.base.number_text import significant

Column = npt.NDArray[np.float64]

_TURN = 2.0 * math.pi
UNITS: Final = MappingProxyType(
    {
        "speed": {
            "rpm": _TURN / 60.0,
            "1/min": _TURN / 60.0,
            "1/s": _TURN,
            "rps": _TURN,
            "hz": _TURN,
            "rad/s": 1.0,
            "radps": 1.0,
        },
        "thrust": {
            "n": 1.0,
            "mn": 1e-3,
            "g": 9.80665e-3,
            "gf": 9.80665e-3,
            "kg": 9.80665,
            "kgf": 9.80665,
            "lbf": 4.4482216,
        },
        "torque": {"nm": 1.0, "mnm": 1e-3, "ncm": 1e-2, "kgfcm": 9.80665e-2},
    }
)
"""How many rad/s, N or Nm one of each unit is."""
_NEEDED = ("speed", "thrust")
_LEAST_ROWS = 4
_LARGEST_BYTES = 16 << 20
_SHOWN = 5
_SLOWEST_RADPS = 10.0
_LARGEST = 1e6
"""More rad/s, N or Nm than any propeller has."""


class BenchError(ValueError):
    """A table that cannot be used: file, line, what is wrong, what to do."""


@dataclass(frozen=True, slots=True)
class BenchTable:
    """Measured points: speed in rad/s, thrust in N, torque in Nm (None: not measured)."""

    speed_radps: Column
    thrust_n: Column
    torque_nm: Column | None


def read_bench_table(path: Path) -> BenchTable:
    """Read a table; raise BenchError."""
    try:
        lines = read_text(path, _LARGEST_BYTES).splitlines()
    except UnicodeDecodeError:
        raise BenchError(f"{path.name} is no text. Save the table as CSV in UTF-8.") from None
    except OSError as error:
        raise BenchError(f"{path} cannot be read ({error.strerror}). Check its path.") from None
    rows = [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not rows:
        raise BenchError(f"{path.name} is empty. Give a header line and the measured points.")
    separator = next((mark for mark in (";", "\t") if mark in rows[0][1]), ",")
    number, header = rows[0]
    columns = _columns(f"{path.name}, line {number}", header.split(separator))
    points, bad = [], []
    for number, line in rows[1:]:
        try:
            points.append(_point(line.split(separator), columns, separator))
        except BenchError as error:
            bad.append(f"line {number}: {error}")
    if bad:
        more = f" and {len(bad) - _SHOWN} more" if len(bad) > _SHOWN else ""
        raise BenchError(
            f"{path.name}: {'; '.join(bad[:_SHOWN])}{more}. "
            "Correct them, or put # before a line that is to be left out."
        )
    return _table(path, np.array(points), tuple(columns))


def _table(path: Path, points: Column, names: Sequence[str]) -> BenchTable:
    speeds = len(set(points[:, 0].tolist())) if len(points) else 0
    if speeds < _LEAST_ROWS:
        raise BenchError(
            f"{path.name} has points at {speeds} speeds; at least {_LEAST_ROWS} are needed. "
            "Measure at more speeds."
        )
    if points[:, 0].max() < _SLOWEST_RADPS:
        raise BenchError(
            f"{path.name}: no point is faster than {significant(points[:, 0].max(), 3)} rad/s. "
            "Check the unit of speed, and that no comma separates thousands."
        )
    torque = points[:, 2] if "torque" in names else None
    return BenchTable(points[:, 0], points[:, 1], torque)


def _columns(place: str, heads: list[str]) -> dict[str, tuple[int, int, float]]:
    """By quantity (speed, thrust, torque if there): its column, how many columns there are, and
    what to multiply it with."""
    found: dict[str, tuple[int, int, float]] = {}
    for index, head in enumerate(heads):
        name, unit = _name_and_unit(head)
        if name not in UNITS:
            continue
        if name in found:
            raise BenchError(f"{place}: there are two columns '{name}'. Rename one.")
        if unit not in UNITS[name]:
            wrong = f"'{unit}' is no unit of {name}" if unit else f"'{name}' has no unit"
            wanted = ", ".join(UNITS[name])
            raise BenchError(
                f"{place}: {wrong}. Use one of: {wanted}, as in {name}_{next(iter(UNITS[name]))}."
            )
        found[name] = (index, len(heads), UNITS[name][unit])
    missing = [name for name in _NEEDED if name not in found]
    if missing:
        raise BenchError(
            f"{place}: there is no column '{missing[0]}'. "
            "Name the columns like speed_rpm, thrust_n, torque_nm."
        )
    return {name: found[name] for name in UNITS if name in found}


def _name_and_unit(head: str) -> tuple[str, str]:
    """("speed", "rpm") from "speed_rpm", "Speed (rpm)", "speed [rpm]" or "Speed rpm"."""
    parts = re.match(r"\W*([a-z]+)[\s_]*[(\[]?([a-z0-9/]*)", head.strip().lower())
    return (parts[1], parts[2]) if parts else ("", "")


def _point(
    cells: list[str], columns: dict[str, tuple[int, int, float]], separator: str
) -> list[float]:
    """Speed, thrust and torque of one row in SI units."""
    values = []
    for name, (index, count, factor) in columns.items():
        if len(cells) != count:
            hint = (
                " (decimal commas need semicolons between the values)" if "," in separator else ""
            )
            raise BenchError(f"{len(cells)} values, but {count} columns{hint}")
        text = cells[index].strip().strip('"')
        try:
            value = float(text if separator == "," else text.replace(",", "."))
        except ValueError:
            raise BenchError(f"{name} is '{text}', which is no number") from None
        if not 0.0 <= value * factor <= _LARGEST:
            raise BenchError(f"{name} is {value:g}; it must be 0 or more, and possible")
        values.append(value * factor)
    return values
