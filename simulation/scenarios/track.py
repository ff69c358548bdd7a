"""Output track of a flight: columns of the OUTPUT record, copied while it flew."""

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt
from numpy.lib.recfunctions import repack_fields

from simulation.records.interface import OUTPUT, STEP_US
from simulation.scenarios.track_columns import Columns, columns_of
from telemetry.base.table_files import frame_of, save_parquet

if TYPE_CHECKING:
    import pandas as pd

_NEW_BYTES = 1 << 18


class OutputTrack:
    """Rows of OUTPUT members, each with the number of the script's step that was being done.

    `track["true_position"]` is an array (rows, 3); units and frames are those of OUTPUT.
    """

    def __init__(self, members: Sequence[str] = ()) -> None:
        """Keep these members of OUTPUT, all by default; "step" is always among them."""
        chosen = {"step", *members}
        self._members = [name for name in OUTPUT.names or () if name in chosen or not members]
        whole = np.zeros(1, OUTPUT)
        self._parts = [repack_fields(whole[self._members])[:0]]
        self._script: list[int] = []
        self._new = bytearray()  # whole records
        is_whole = self._parts[0].dtype == OUTPUT
        self._most_new = sys.maxsize if is_whole else _NEW_BYTES  # to be cut down many at a time
        self._output: np.void | None = None
        self._bytes = memoryview(b"")  # of that record, which is usually the same one again

    def __len__(self) -> int:
        return len(self._script)

    def __getitem__(self, member: str) -> npt.NDArray[Any]:
        return self._taken_over()[member]

    @property
    def time_s(self) -> npt.NDArray[np.float64]:
        """Simulated time of each row."""
        return self["step"] * (STEP_US / 1e6)

    @property
    def script(self) -> npt.NDArray[np.int64]:
        """For each row the number of the script's step, from 0; after its end how many there are,
        -1 without one."""
        return np.array(self._script, np.int64)

    def add(self, output: np.void, script: int = -1) -> None:
        """Take one row."""
        if output is not self._output:
            self._output = output
            self._bytes = np.asarray(output).reshape(1).view(np.uint8).data
        self._new += self._bytes
        self._script.append(script)
        if len(self._new) >= self._most_new:
            self._cut_down()

    def columns(self) -> Columns:
        """All rows as one column per number: `time_s`, then the members by the names that
        `simulation.scenarios.track_columns` gives them, last `script`."""
        return {"time_s": self.time_s, **columns_of(self._taken_over()), "script": self.script}

    def frame(self) -> "pd.DataFrame":
        """The same as a DataFrame of pandas. Raises TableError without pandas."""
        return frame_of(self.columns())

    def save(self, path: Path | BinaryIO) -> None:
        """Write the same as a Parquet file, or into an open one. Raises TableError without pyarrow,
        or if the file cannot be written."""
        save_parquet(self.columns(), path)

    def digest(self) -> str:
        """SHA-256 over all rows: equal flights have equal digests."""
        return hashlib.sha256(self._taken_over().tobytes()).hexdigest()

    def _taken_over(self) -> npt.NDArray[np.void]:
        """All rows, the new ones among them."""
        self._cut_down()
        if len(self._parts) > 1:
            self._parts = [np.concatenate(self._parts)]
        return self._parts[0]

    def _cut_down(self) -> None:
        """Keep only the chosen members of the new rows."""
        if not self._new:
            return
        rows: npt.NDArray[np.void] = np.frombuffer(self._new, OUTPUT)
        kept = self._parts[0].dtype
        cut = rows if kept == OUTPUT else rows[self._members].astype(kept)
        self._parts = [*self._parts, cut] if len(self._parts[0]) else [cut]
        self._new = bytearray()
