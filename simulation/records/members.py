"""Record members at hand, for whoever reads them over and over.

`record["name"]` makes a new object each time; members are made once and follow the record, and
reading a number of them takes a sixth of the time.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Members = Mapping[str, npt.NDArray[Any]]
"""By name; a single number is an array without dimensions."""


def members_of(record: np.void) -> Members:
    """Members of a record that lives in an array, to be read only."""
    return _members(np.frombuffer(record, record.dtype))


def written_members_of(record: np.void) -> Members:
    """The same, to be written as in `members["name"][...] = 1.0`, a fifth of the time that
    `record["name"] = 1.0` takes."""
    return _members(np.asarray(record).reshape(1))


def _members(whole: npt.NDArray[np.void]) -> Members:
    return {name: whole[name][0, ...] for name in whole.dtype.names or ()}
