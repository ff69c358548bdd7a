"""Columns of observations and actions: what each number means, and the spaces they make."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box

Array = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SpaceColumn:
    """One number: `unit` is "" for shares and flags, `frame` "NED", "FRD" (body), "body to NED" or
    "". Of an observation `low` and `high` are its bounds, of an action what -1 and 1 mean."""

    name: str
    unit: str
    frame: str
    low: float
    high: float


def columns_of(names: Sequence[str], unit: str, frame: str, most: float) -> tuple[SpaceColumn, ...]:
    """Columns of one kind, from -`most` to `most`."""
    return tuple(SpaceColumn(name, unit, frame, -most, most) for name in names)


def observation_box(columns: Sequence[SpaceColumn]) -> Box:
    """All columns with their bounds, float32."""
    low, high = ([getattr(column, end) for column in columns] for end in ("low", "high"))
    return Box(np.array(low, np.float32), np.array(high, np.float32), dtype=np.float32)


def action_box(columns: Sequence[SpaceColumn]) -> Box:
    """Each from -1 to 1, float32."""
    return Box(-1.0, 1.0, (len(columns),), np.float32)
