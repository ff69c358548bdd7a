"""Flight of a study as values, which whoever reads a result can have without what flies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from simulation.studies.distribution import Value

Metrics = Mapping[str, float]

PASSED: Final = "passed"
FAILED: Final = "failed"
CRASHED: Final = "crashed"
DIVERGED: Final = "diverged"
ERROR: Final = "error"
LOST: Final = "lost"
OUTCOMES: Final = (PASSED, FAILED, CRASHED, DIVERGED, ERROR, LOST)
"""What can come of a flight: it missed a band, hit the ground too hard, left what physics allows,
could not be flown, or has ended the process that flew it."""

RESERVED: Final = ("index", "seed", "outcome", "reason", "seconds")
"""Names of columns that no metric can have."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A flight to be flown: its number in the study, what it has drawn, and its seed."""

    index: int
    values: Mapping[str, Value]
    seed: int


@dataclass(frozen=True, slots=True)
class Flown:
    """What came of a flight: an outcome of OUTCOMES with its reason, and the seconds that it took.
    `files` are kept beside the table, by the end of their names."""

    index: int
    metrics: Metrics
    outcome: str
    reason: str = ""
    seconds: float = 0.0
    files: Mapping[str, bytes] = field(default_factory=dict)
