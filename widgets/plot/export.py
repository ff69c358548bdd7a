"""Plot export: the samples of curves as a table that any spreadsheet opens."""

import csv
from pathlib import Path

import numpy as np

from telemetry.base.escaping import csv_text
from widgets.plot.peaks import Floats

Column = tuple[str, Floats, Floats]
"""A name, times and values."""


def write_csv(path: Path, columns: list[Column]) -> int:
    """Write one row per instant at which any column has a sample; return the number of rows.

    Nothing is interpolated: a column without a sample at that instant has an empty cell. Raises
    OSError.
    """
    instants = np.unique(np.concatenate([times for _, times, _ in columns] or [np.empty(0)]))
    cells = []
    for _, times, values in columns:
        column = np.full(len(instants), "", dtype=object)
        column[instants.searchsorted(times)] = [f"{value:.9g}" for value in values]
        cells.append(column)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["time_s", *(csv_text(name) for name, _, _ in columns)])
        for row, t in enumerate(instants):
            writer.writerow([f"{t:.6f}", *(column[row] for column in cells)])
    return len(instants)
