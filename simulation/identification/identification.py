"""Identification: what a logged flight tells of wind, aircraft and sensors, and what not."""

from collections.abc import Mapping
from dataclasses import dataclass

from simulation.identification.fitted_channels import FittedChannel, explained_together
from simulation.identification.logged_flight import Floats
from simulation.identification.parameters import Parameter


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of one parameter: value and sigma are None where the flight does not tell it,
    and `reason` is why not."""

    parameter: Parameter
    value: float | None
    sigma: float | None
    reason: str = ""

    @property
    def excited(self) -> bool:
        """Whether the flight tells it."""
        return self.value is not None


@dataclass(frozen=True, slots=True, eq=False)
class Identification:
    """What was fitted to `windows` of a flight within `span_s` of its log, by `method`.

    `told` has all parameters that were asked for; `covariance` (n, n) is of those that are told,
    in their order. `channels` are those of the fitted windows, `held_out` those of the windows
    that were not fitted, flown by the same parameters; `left_out` is how many windows the simulator
    could not repeat. `refused` is why nothing is to be believed, as a sentence, None if it is.
    """

    method: str
    told: Mapping[str, Told]
    covariance: Floats
    channels: Mapping[str, FittedChannel]
    held_out: Mapping[str, FittedChannel]
    span_s: tuple[float, float]
    windows: int
    left_out: int = 0
    refused: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def values(self) -> dict[str, float]:
        """Of what is told."""
        return {name: each.value for name, each in self.told.items() if each.value is not None}

    @property
    def explained(self) -> float:
        """The share of what was logged, about the means of windows, that is repeated."""
        return explained_together(self.channels)
