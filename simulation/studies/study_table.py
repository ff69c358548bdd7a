"""Table of a study: a row for each flight, in their order.

Columns: `index`, `seed`, what each has drawn, the metrics, `passed` (1 or 0), `outcome`, `reason`
and `seconds`.
"""

import hashlib
import json
import math
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.studies.distribution import Numbers, StudyError, Value
from simulation.studies.flight import FAILED, PASSED, Drawn, Flown
from simulation.studies.result_folder import ResultFolder
from telemetry.base.safe_files import whole_file
from telemetry.base.table_files import save_parquet

Column = npt.NDArray[Any]
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StudyTable:
    """Columns of one length. `parameters` and `metrics` are by name, `passed` among the latter;
    a flight without a value of a metric has NaN."""

    index: Whole
    seed: Whole
    parameters: Mapping[str, Column]
    metrics: Mapping[str, Numbers]
    outcome: Column
    reason: Column
    seconds: Numbers

    def __len__(self) -> int:
        return len(self.index)

    def columns(self) -> dict[str, Column]:
        """All of it, as it stands in the Parquet file."""
        return {
            "index": self.index,
            "seed": self.seed,
            **{name: _as_texts(column) for name, column in self.parameters.items()},
            **self.metrics,
            "outcome": self.outcome,
            "reason": self.reason,
            "seconds": self.seconds,
        }

    def digest(self) -> str:
        """SHA-256 over all values but the seconds: equal studies have equal digests."""
        taken = hashlib.sha256()
        for name, column in sorted(self.columns().items()):
            if name != "seconds":
                taken.update(f"{name}\n".encode())
                is_number = column.dtype.kind in "if"
                taken.update(column.tobytes() if is_number else "\n".join(column).encode())
        return taken.hexdigest()


class TableBuilder:
    """Takes flights in any order, and makes a table of those taken so far. Of one that was flown
    twice the first counts. Whose function returned metrics of other names than the first flight's
    did has failed."""

    def __init__(self) -> None:
        self._whole = {"index": array("q"), "seed": array("q"), "names": array("q")}
        self._seconds = array("d")
        self._outcomes: list[str] = []
        self._reasons: list[str] = []
        self._parameters: dict[str, array[float] | list[Any]] = {}
        self._metrics: dict[str, array[float]] = {}
        self._names: dict[tuple[str, ...], int] = {}
        """Each set of metrics that a flight had, by its number."""
        self._texts: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._seconds)

    def add(self, drawn: Drawn, flown: Flown) -> None:
        """Take one flight."""
        row = len(self)
        self._whole["index"].append(flown.index)
        self._whole["seed"].append(drawn.seed)
        names = tuple(flown.metrics)
        self._whole["names"].append(self._names.setdefault(names, len(self._names)))
        self._seconds.append(flown.seconds)
        self._outcomes.append(self._texts.setdefault(flown.outcome, flown.outcome))
        self._reasons.append(self._texts.setdefault(flown.reason, flown.reason))
        for name, value in drawn.values.items():
            self._parameter(name, value).append(value)  # type: ignore[arg-type]
        for name, number in flown.metrics.items():
            column = self._metrics.setdefault(name, array("d"))
            column.extend([math.nan] * (row - len(column)))
            column.append(number)

    @property
    def count_in_order(self) -> int:
        """How many flights are there from the first on, without a gap."""
        index = np.unique(np.array(self._whole["index"], np.int64))
        return int(np.argmin(np.append(index, -1) == np.arange(len(index) + 1)))

    def table(self, count: int | None = None) -> StudyTable:
        """What was taken, of the first `count` flights alone, if that is given."""
        index = np.array(self._whole["index"], np.int64)
        _, rows = np.unique(index, return_index=True)
        if count is not None:
            rows = rows[index[rows] < count]
        outcome = np.array(self._outcomes, dtype=object)[rows]
        reason = np.array(self._reasons, dtype=object)[rows]
        names = np.array(self._whole["names"], np.int64)[rows]
        self._compare_names(names, outcome, reason)
        sets = list(self._names)
        _, firsts = np.unique(names, return_index=True)
        had = dict.fromkeys(name for row in sorted(firsts) for name in sets[names[row]])
        metrics = {name: self._padded(self._metrics[name])[rows] for name in had}
        return StudyTable(
            index[rows],
            np.array(self._whole["seed"], np.int64)[rows],
            {name: _column(column)[rows] for name, column in self._parameters.items()},
            {**metrics, PASSED: (outcome == PASSED).astype(np.float64)},
            outcome,
            reason,
            np.array(self._seconds, np.float64)[rows],
        )

    def _parameter(self, name: str, value: Value) -> "array[float] | list[Any]":
        is_number = isinstance(value, int | float)
        column = self._parameters.setdefault(name, array("d") if is_number else [])
        if not is_number and isinstance(column, array):  # choices of numbers and texts
            column = self._parameters[name] = column.tolist()
        return column

    def _padded(self, column: "array[float]") -> Numbers:
        whole = np.full(len(self), np.nan)
        whole[: len(column)] = column
        return whole

    def _compare_names(self, names: Whole, outcome: Column, reason: Column) -> None:
        sets = {number: set(own) for own, number in self._names.items()}
        with_any = [number for number in names if sets[number]]
        if not with_any:
            return
        model = sets[with_any[0]]
        for number, own in sets.items():
            if other := sorted(model.symmetric_difference(own)):
                rows = (names == number) & (outcome == PASSED)
                outcome[rows] = FAILED
                reason[rows] = f"It returned other metrics than the first: {', '.join(other)}."


def save_table(table: StudyTable, folder: ResultFolder) -> None:
    """Write the Parquet file. Raises TableError and OSError."""
    with whole_file(folder.table) as fresh:
        save_parquet(table.columns(), fresh)


def _as_texts(column: Column) -> Column:
    """Texts stay, lists are written as JSON does; numbers are none."""
    if column.dtype != object:
        return column
    texts = [value if isinstance(value, str) else json.dumps(value) for value in column]
    return np.array(texts, dtype=object)


def _column(values: "array[float] | list[Any]") -> Column:
    if isinstance(values, array):
        return np.array(values, np.float64)
    column = np.empty(len(values), object)
    column[:] = values
    return column


def check_metric(table: StudyTable, name: str) -> Numbers:
    """A metric's column. Raises StudyError for one that is none."""
    if name not in table.metrics:
        raise StudyError(f"The study has no metric '{name}'; there are {', '.join(table.metrics)}.")
    return table.metrics[name]
