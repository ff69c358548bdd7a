"""What a flight was, as columns: copies of the OUTPUT record taken while it flew."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.recfunctions import repack_fields

from simulation.interface import OUTPUT, STEP_US

_FIRST_ROWS = 1024


class Track:
    """Rows of OUTPUT members, each with the number of the script's step that was being done.

    `track["true_position"]` is an array (rows, 3); units and frames are those of OUTPUT.
    """

    def __init__(self, members: Sequence[str] = ()) -> None:
        """Keep these members of OUTPUT, all by default; "step" is always among them."""
        chosen = {"step", *members}
        self._members = [name for name in OUTPUT.names or () if name in chosen or not members]
        whole = np.zeros(1, OUTPUT)
        self._rows = np.zeros(_FIRST_ROWS, repack_fields(whole[self._members]).dtype)
        self._script = np.zeros(_FIRST_ROWS, np.int64)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, member: str) -> npt.NDArray[Any]:
        return self._rows[member][: self._count]

    @property
    def time_s(self) -> npt.NDArray[np.float64]:
        """Simulated time of each row."""
        return self["step"] * (STEP_US / 1e6)

    @property
    def script(self) -> npt.NDArray[np.int64]:
        """For each row the number of the script's step, from 0; -1 without one."""
        return self._script[: self._count]

    def add(self, output: np.void, script: int = -1) -> None:
        """Take one row."""
        if self._count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
            self._script = np.concatenate([self._script, np.zeros_like(self._script)])
        self._rows[self._count] = output[self._members]
        self._script[self._count] = script
        self._count += 1

    def digest(self) -> str:
        """SHA-256 over all rows: equal flights have equal digests."""
        return hashlib.sha256(self._rows[: self._count].tobytes()).hexdigest()
