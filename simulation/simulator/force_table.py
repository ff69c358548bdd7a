"""Force table: force and moment over time or over the state of flight; data, never evaluated."""

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import njit_part
from simulation.simulator.external_force import ExternalForce, ForceError, compiled_force
from telemetry.base.input_files import read_text

Column = npt.NDArray[np.float64]

OVER: Final = (
    "time_s",
    "height_m",
    "airspeed_mps",
    "angle_of_attack_deg",
    "angle_of_slip_deg",
)
"""What a table may be over: its first column. Height is that above the world's origin."""
_WHERE: Final = MappingProxyType(
    {
        **{f"force_{axis}_n": ("force", i) for i, axis in enumerate("xyz")},
        **{f"force_{axis}_n": ("force_ned", i) for i, axis in enumerate(("north", "east", "down"))},
        **{f"point_{axis}_m": ("point", i) for i, axis in enumerate("xyz")},
        **{f"moment_{axis}_nm": ("moment", i) for i, axis in enumerate("xyz")},
    }
)
"""The columns that say what acts, and their places in EXTERNAL_FORCE; what is left out is 0."""
_MEMBERS: Final = ("force", "force_ned", "point", "moment")
_MOST_ROWS: Final = 100_000
_MOST_BYTES: Final = 32_000_000
_FORM: Final = (
    f"Begin it with a line of columns: one of {', '.join(OVER)}, then any of {', '.join(_WHERE)}; "
    "and give numbers below."
)


@dataclass(frozen=True, slots=True)
class ForceTable:
    """What acts, by rows: `over` is an index of OVER and `places` (rows) ascend in it; `acting`
    (rows, 12) has force, NED force, point and moment as in EXTERNAL_FORCE."""

    over: int
    places: Column
    acting: Column


def table_force(table: ForceTable) -> ExternalForce:
    """The table as a force. Between rows it changes in straight lines, beyond them it stays."""
    return compiled_force(_looking_up(table.over, table.places, table.acting))


def read_force_table(path: Path) -> ForceTable:
    """A table in a CSV file; lines with # are comments. Raises ForceError with file and remedy."""
    try:
        lines = read_text(path, _MOST_BYTES).splitlines()
    except UnicodeDecodeError:
        raise ForceError(f"{path.name} is no text. Give a CSV file.") from None
    except OSError as error:
        raise ForceError(f"{path} cannot be read ({error.strerror}). Check its path.") from None
    header: list[str] = []
    rows: list[list[float]] = []
    for number, cells in enumerate(csv.reader(lines), 1):
        if not cells or cells[0].lstrip().startswith("#"):
            continue
        if not header:
            header = [cell.strip() for cell in cells]
            continue
        try:
            rows.append([float(cell) for _, cell in zip(header, cells, strict=True)])
        except ValueError:
            what = "not one number for each column"
            raise ForceError(f"{path.name}, line {number}: {what}. {_FORM}") from None
    if len(set(header)) < len(header):
        raise ForceError(f"{path.name}: a column stands there twice. {_FORM}")
    table = np.array(rows, np.float64).reshape(len(rows), len(header))
    return force_table(dict(zip(header, table.T, strict=True)), path.name)


def force_table(columns: Mapping[str, npt.ArrayLike], source: str = "The table") -> ForceTable:
    """A table of columns of equal length: the first says over what they are, see OVER, in ascending
    order, the others what acts. Raises ForceError."""
    over = next(iter(columns), "")
    unknown = [name for name in columns if name not in (over, *_WHERE)]
    if over not in OVER or unknown or len(columns) < 2:
        what = f"unknown column '{unknown[0]}'" if unknown else "columns are missing"
        raise ForceError(f"{source}: {what}. {_FORM}")
    rows = np.column_stack([np.asarray(column, np.float64) for column in columns.values()])
    _check(rows, source)
    acting = np.zeros((len(rows), 3 * len(_MEMBERS)))
    for name, values in zip(list(columns)[1:], rows.T[1:], strict=True):
        member, axis = _WHERE[name]
        acting[:, 3 * _MEMBERS.index(member) + axis] = values
    return ForceTable(OVER.index(over), rows[:, 0].copy(), acting)


def _check(rows: Column, source: str) -> None:
    if not 0 < len(rows) <= _MOST_ROWS:
        raise ForceError(f"{source} has {len(rows)} rows. Give it 1 to {_MOST_ROWS}.")
    if not np.isfinite(rows).all():
        bad = int(np.argmin(np.isfinite(rows).all(axis=1))) + 1
        raise ForceError(f"{source}, row {bad}: not all are numbers. Correct or remove it.")
    late = np.flatnonzero(np.diff(rows[:, 0]) <= 0.0)
    if len(late):
        raise ForceError(
            f"{source}, row {int(late[0]) + 2}: its first column is not above that of the row "
            "before. Sort them."
        )


def _looking_up(over: int, places: Column, acting: Column) -> Callable[[Any], None]:
    """`places` ascend, `acting` has a row for each."""
    last = len(places) - 1

    def look_up(e: Any) -> None:
        place = min(max(_argument(e, over), places[0]), places[last])
        low, high = 0, last
        while high - low > 1:
            middle = (low + high) // 2
            if places[middle] <= place:
                low = middle
            else:
                high = middle
        way = places[high] - places[low]
        share = (place - places[low]) / way if way > 0.0 else 0.0
        for i in range(3):
            e["force"][i] = acting[low, i] + share * (acting[high, i] - acting[low, i])
            k = 3 + i
            e["force_ned"][i] = acting[low, k] + share * (acting[high, k] - acting[low, k])
            k = 6 + i
            e["point"][i] = acting[low, k] + share * (acting[high, k] - acting[low, k])
            k = 9 + i
            e["moment"][i] = acting[low, k] + share * (acting[high, k] - acting[low, k])

    return look_up


@njit_part
def _argument(e: Any, over: int) -> float:
    """What the table is over, in the order of OVER."""
    if over == 0:
        return float(e["time_s"])
    if over == 1:
        return -float(e["position"][2])
    air = e["air_velocity"]
    speed = math.sqrt(air[0] * air[0] + air[1] * air[1] + air[2] * air[2])
    if over == 2 or speed == 0.0:
        return speed
    if over == 3:
        return math.degrees(math.atan2(air[2], air[0]))
    return math.degrees(math.asin(air[1] / speed))
