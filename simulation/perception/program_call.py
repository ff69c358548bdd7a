"""Program call: a program on numbers and arrays, as it is called over and over."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import IS_COMPILING
from simulation.compiler.program import Program, reference_to


class ProgramCall:
    """Keeps the record of one program, with numbers and arrays that stay the same."""

    def __init__(
        self,
        program: Program,
        record: "np.dtype[Any]",
        numbers: Mapping[str, Any],
        arrays: Mapping[str, npt.NDArray[Any]],
    ) -> None:
        """`arrays` are contiguous; their members of the record are where they are in memory."""
        self._program = program
        batch = np.zeros(1, record)
        self._reference = reference_to(batch)
        self._members = {name: batch[name][0, ...] for name in record.names or ()}
        self._plain: dict[str, Any] = {}
        self._kept = arrays
        self._set(numbers, arrays)

    def run(self, numbers: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Run it with these besides."""
        self._set(numbers, arrays)
        if IS_COMPILING:
            self._program.run(self._reference)
        else:
            self._program.run(self._plain)

    def _set(self, numbers: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        if not IS_COMPILING:
            self._plain.update(numbers)
            self._plain.update({name: array.reshape(-1) for name, array in arrays.items()})
            return
        members = self._members
        for name, number in numbers.items():
            members[name][...] = number
        for name, array in arrays.items():
            members[name][...] = array.ctypes.data
