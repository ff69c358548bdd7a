"""Program records: numbers, and arrays that compiled code finds by where they are in memory."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import IS_COMPILING, njit_part
from simulation.compiler.program import Memory, Program, reference_to, wholes_at

Arrays = Mapping[str, npt.NDArray[Any]]
"""Contiguous; their members of a record are where they are in memory."""
_NO_ARRAYS: Final[Arrays] = MappingProxyType({})
_NO_NUMBERS: Final[Mapping[str, Any]] = MappingProxyType({})


class ProgramTables:
    """Arrays and numbers that stay as they are. `memory` is for compiled code: the record
    `record_at(memory, record)`, as long as this is kept. Any number of threads may read it."""

    def __init__(self, record: "np.dtype[Any]", arrays: Arrays, **numbers: Any) -> None:
        self._arrays, self._numbers = arrays, numbers
        self._record = np.zeros(1, record)
        if IS_COMPILING:
            for name, number in numbers.items():
                self._record[name] = number
            for name, array in arrays.items():
                self._record[name] = array.ctypes.data
        self.memory: Memory = self._record.ctypes.data if IS_COMPILING else self.plain()

    def plain(self) -> dict[str, Any]:
        """The record for plain Python, whose own numbers are faster than those of arrays."""
        return {**self._numbers, **{name: array.tolist() for name, array in self._arrays.items()}}


class ProgramCall:
    """Keeps the record of one program that is called over and over, with numbers and arrays that
    stay the same."""

    def __init__(
        self, program: Program, record: "np.dtype[Any]", numbers: Mapping[str, Any], arrays: Arrays
    ) -> None:
        self._program = program
        batch = np.zeros(1, record)
        self._members = {name: batch[name][0, ...] for name in record.names or ()}
        self._given: Any = reference_to(batch) if IS_COMPILING else {}
        self._kept = arrays
        self._set(numbers, arrays)

    def run(self, numbers: Mapping[str, Any] = _NO_NUMBERS, arrays: Arrays = _NO_ARRAYS) -> None:
        """Run it with these besides."""
        self._set(numbers, arrays)
        self._program.run(self._given)

    def _set(self, numbers: Mapping[str, Any], arrays: Arrays) -> None:
        if not IS_COMPILING:
            self._given |= {**numbers, **{name: a.reshape(-1) for name, a in arrays.items()}}
            return
        members = self._members
        for name, number in numbers.items():
            members[name][...] = number
        for name, array in arrays.items():
            members[name][...] = array.ctypes.data


def packed_bytes(numbers: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Bytes (n,) for `byte_at`: eight to a whole number, the first the lowest."""
    padded = np.zeros(-(-len(numbers) // 8) * 8, np.uint8)
    padded[: len(numbers)] = numbers
    return padded.view("<i8").astype(np.int64)


@njit_part
def byte_at(memory: Memory, number: int) -> int:
    """One of `packed_bytes`."""
    return int((wholes_at(memory)[number >> 3] >> (8 * (number & 7))) & 255)
