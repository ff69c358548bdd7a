"""Flight task: where episodes begin, what is observed, what is rewarded, and when they end."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from simulation.learning.columns import Array, SpaceColumn, columns_of
from simulation.learning.episode_start import Numbered, StartMotion
from simulation.learning.readings import FleetMoment, FleetReadings
from simulation.simulator.flown_world import FlownWorld

POSITION_NAMES = ("north", "east", "down")


class StepVerdict(NamedTuple):
    """Of n aircraft: the `reward` (n,) of a step, and which have come to an end (n,)."""

    reward: Array
    ended: npt.NDArray[np.bool_]


class FlightTask(ABC):
    """A task of n aircraft at once. It keeps what differs from episode to episode, by aircraft."""

    longest_steps: ClassVar[int]
    """After so many an episode is cut off."""
    longest_action_ms: ClassVar[int] = 1000
    world: ClassVar[str] = ""
    """It flies in by default; "": over level ground."""
    start_numbers: ClassVar[int]
    """How many random numbers, from 0 to 1, a start takes."""

    def __init__(self, count: int, world: FlownWorld | None) -> None:
        self.columns: tuple[SpaceColumn, ...] = ()

    @abstractmethod
    def start(self, which: Numbered, numbers: Array) -> StartMotion:
        """Begin these m aircraft anew by `numbers` (m, start_numbers)."""

    @abstractmethod
    def observe(self, seen: FleetReadings, moment: FleetMoment) -> tuple[Array, ...]:
        """The values of `columns`, in blocks side by side: `seen` is what the policy may know of
        the motion."""

    @abstractmethod
    def judge(self, moment: FleetMoment) -> StepVerdict:
        """What the last step was worth, and who has come to an end."""


def between(low: Array | float, high: Array | float, share: Array) -> Array:
    """The number that lies at `share`, 0 to 1, of the way from `low` to `high`."""
    return low + (high - low) * share


def spread(most: Array | float, share: Array) -> Array:
    """The number that lies at `share`, 0 to 1, of the way from -`most` to `most`."""
    return between(-most, most, share)


def error_columns(most_m: float) -> tuple[SpaceColumn, ...]:
    """Of the way to a target, NED."""
    return columns_of([f"target_{name}" for name in POSITION_NAMES], "m", "NED", most_m)


def distances(ways: Array) -> Array:
    """How long each of n ways (n, 3) is."""
    north, east, down = ways.T  # summed in one order, however many there are
    return np.asarray(np.sqrt(north * north + east * east + down * down))
