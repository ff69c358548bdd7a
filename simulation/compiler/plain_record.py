"""Plain record: dictionaries of numbers and views of arrays, as plain Python works on it.

A number of a numpy record takes several times as long to read and to reckon with as one of
Python's, with the same result: both are 64 bits wide.
"""

from collections.abc import Collection
from typing import Any

import numpy as np

_NUMBERS = {"f": float, "i": int, "u": int}


class PlainRecord(dict[str, Any]):
    """Its members by name: numbers as they were at `load`, which `store` writes back; other
    records likewise; arrays of one axis as memoryviews, of more axes as numpy's, where they are.

    What is set is converted to the member's kind, as numpy and compiled code do.
    """

    def __init__(self, record: Any, shared: Collection[str] = ()) -> None:
        """`shared`: members, of members too, that stay numpy's for functions from outside."""
        super().__init__()
        self._record = record
        self._kinds: dict[str, type] = {}
        self._inner: list[PlainRecord] = []
        for name in record.dtype.names:
            value = record[name]
            if isinstance(value, np.void) and name not in shared:
                value = PlainRecord(value, shared)
                self._inner.append(value)
            elif isinstance(value, np.ndarray) and value.ndim == 1:
                value = value.data
            elif isinstance(value, np.number):
                self._kinds[name] = _NUMBERS[value.dtype.kind]
            super().__setitem__(name, value)

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, self._kinds[name](value))

    def load(self) -> None:
        """Take the numbers that stand in the record now."""
        record = self._record
        self.update({name: kind(record[name]) for name, kind in self._kinds.items()})
        for inner in self._inner:
            inner.load()

    def store(self) -> None:
        """Write the numbers into the record."""
        record = self._record
        for name in self._kinds:
            record[name] = self[name]
        for inner in self._inner:
            inner.store()
