"""SIL configuration: the controller, its rate and its time limit."""

from dataclasses import dataclass
from typing import Final

from simulation.records.interface import STEP_US

DEFAULT_RATE_HZ: Final = 500
DEFAULT_TIMEOUT_S: Final = 1.0
_SLOWEST_HZ = 50
_LONGEST_STEP_S = 3600.0
_STEPS_PER_S = 1_000_000 // STEP_US


class SilError(ValueError):
    """A controller cannot be used at all. One sentence that says what is wrong and the remedy."""


@dataclass(frozen=True, slots=True)
class SilConfig:
    """What `--sil` asks for. `target`: see `simulation.sil.target`. Raises SilError."""

    target: str
    rate_hz: int = DEFAULT_RATE_HZ
    timeout_s: float = DEFAULT_TIMEOUT_S

    def __post_init__(self) -> None:
        if self.rate_hz < _SLOWEST_HZ or _STEPS_PER_S % self.rate_hz != 0:
            raise SilError(
                f"A controller cannot run at {self.rate_hz} Hz; give {_SLOWEST_HZ} to "
                f"{_STEPS_PER_S} Hz by which {_STEPS_PER_S} can be divided, such as 250 or 500."
            )
        if not 0.0 < self.timeout_s <= _LONGEST_STEP_S:
            raise SilError(
                f"{self.timeout_s:g} s is no time limit for a step; give more than 0, at most "
                f"{_LONGEST_STEP_S:g}."
            )
