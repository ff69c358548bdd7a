"""Flown episodes of a task: a fleet that is commanded, observed and judged, all aircraft at once.

Both kinds of environments are made of it, the single one with a fleet of one, so that a flight is
to the bit the same alone and among others. It depends on its random numbers and actions alone.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import DEFAULT_AIRCRAFT, Preset, load_preset
from simulation.learning.actions import action_mapping
from simulation.learning.columns import Array, Numbers, action_box, observation_box
from simulation.learning.corridor import CorridorTask
from simulation.learning.episode_start import EpisodeStart, Numbered
from simulation.learning.episode_variation import EpisodeVariation, Vary
from simulation.learning.flight_task import FlightTask, StepVerdict
from simulation.learning.hover import HoverTask
from simulation.learning.land import LandTask
from simulation.learning.readings import FleetReader
from simulation.learning.track import TrackTask
from simulation.mathematics.random_numbers import LARGEST_SEED
from simulation.records.flight import ROTORCRAFT
from simulation.records.interface import STEP_US
from simulation.simulator.controls import find_control
from simulation.simulator.fleet import SimulatedFleet
from simulation.simulator.flown_world import FlownWorld, open_world
from simulation.simulator.simulator import Diverged, Simulator
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue

TASKS: Final[Mapping[str, type[FlightTask]]] = {
    "Hover": HoverTask,
    "Track": TrackTask,
    "Land": LandTask,
    "Corridor": CorridorTask,
}
_OBSERVED: Final = ("truth", "estimate")
_WIND_NUMBERS: Final = 2
_MOST_THREADS: Final = 1024


@dataclass(frozen=True, slots=True)
class EpisodeOptions:
    """What environments can be made with.

    `aircraft`: a multirotor's preset, by name or file. `action`: "rates", "attitude" or
    "motors" (`simulation.learning.actions`). `observe`: "truth", or "estimate": what the board
    makes of its sensors. `control_ms`: how long an action is flown, 1 s at most, and 50 ms where
    touching ends an episode. `wind_mps`: each episode has a
    wind of up to so much, from anywhere. `turbulence_mps`: the wind at 6.1 m that stirs the air up.
    `world`: by name or folder; None: the task's own. `vary`: the file of a study, or its table
    [vary], by which each episode draws its aircraft, sensors and settings. `threads`: more than
    cores gain nothing.
    """

    aircraft: str = DEFAULT_AIRCRAFT
    action: str = "rates"
    observe: str = "truth"
    control_ms: int = 50
    wind_mps: float = 0.0
    turbulence_mps: float = 0.0
    world: str | None = None
    vary: Vary | None = None
    threads: int = 1


def episode_options(given: Mapping[str, Any]) -> EpisodeOptions:
    """The options of these names. Raises TypeError for other names, as Python does: who asks for
    pictures of any environment, as Stable-Baselines3, tries again without them after it."""
    known = [field.name for field in fields(EpisodeOptions)]
    options = {name: value for name, value in given.items() if name in known}
    if given.get("render_mode") is not None:
        raise TypeError(
            "There is no picture: leave `render_mode` out, and log `info`, which has the truth."
        )
    for name in given.keys() - options.keys() - {"render_mode"}:
        raise TypeError(f"There is no option {name!r}; give some of {', '.join(known)}.")
    return EpisodeOptions(**options)


class FlownEpisodes:
    """Episodes of `count` aircraft. `observation_columns` and `action_columns` say what is seen and
    commanded."""

    def __init__(self, count: int, task: str, options: EpisodeOptions) -> None:
        """Raises ValueError, in a sentence, for what cannot be flown."""
        self._is_begun = False
        if task not in TASKS:
            raise ValueError(f"There is no task {task!r}; give one of {', '.join(TASKS)}.")
        kind = TASKS[task]
        check_whole("num_envs", count)
        _check(options, kind.longest_action_ms)
        name = kind.world if options.world is None else options.world
        world = open_world(name) if name else None
        preset, catalogue = load_preset(options.aircraft), load_catalogue()
        pattern = _pattern(preset, catalogue, world)
        pattern.set_turbulence(options.turbulence_mps)
        vary = options.vary
        self._variation = None if vary is None else EpisodeVariation(vary, preset, catalogue)
        self.fleet = SimulatedFleet([pattern.aircraft] * count, threads=options.threads)
        if world is not None:
            for simulator in self.fleet.simulators:
                simulator.enter(world, starts=False)
        self._steps = options.control_ms * 1000 // STEP_US
        self._wind_mps, self._sees_truth = options.wind_mps, options.observe == "truth"
        self._actions = action_mapping(
            options.action, pattern.settings, pattern.record["parameters"]
        )
        self._start = EpisodeStart(pattern, self.fleet, self._actions)
        self._task = kind(count, world)
        self._reader = FleetReader(self.fleet.records)
        self._moment = self._reader.moment()
        self.observation_columns = self._task.columns
        self.action_columns = self._actions.columns
        self.observation_space = observation_box(self.observation_columns)
        self.action_space = action_box(self.action_columns)
        self._low = self.observation_space.low.astype(np.float64)
        self._high = self.observation_space.high.astype(np.float64)

    def begin(self, which: Numbered, generators: Sequence[np.random.Generator]) -> None:
        """Begin new episodes of these aircraft, each by its own generator."""
        if not len(which):
            return
        self._is_begun = True
        count = self._task.start_numbers + _WIND_NUMBERS
        seeds = np.array([g.integers(LARGEST_SEED, dtype=np.int64) for g in generators])
        numbers = np.array([g.random(count) for g in generators])
        self._start.begin(which, seeds)
        if self._variation is not None:
            self._variation.vary(self.fleet.records, which, seeds)
        motion = self._task.start(which, numbers[:, _WIND_NUMBERS:])
        self._start.lift(which, motion, self._wind(numbers))
        self._reader.renew(self._moment, which)

    def fly(
        self, actions: npt.ArrayLike, ignored: npt.NDArray[np.bool_] | None = None
    ) -> StepVerdict:
        """Fly all by these actions (n, actions), cut off at -1 and 1, for the time of one; whatever
        those of `ignored` (n,) are. Raises ValueError for what is no number, or of another shape,
        and ResetNeeded before the first `begin`."""
        if not self._is_begun:
            raise ResetNeeded("There is no episode yet; reset the environment before its steps.")
        wanted = np.array(actions, np.float64)
        shape = (len(self.fleet.records), len(self.action_columns))
        if wanted.shape != shape:
            raise ValueError(f"Actions have the shape {wanted.shape}; it must be {shape}.")
        if ignored is not None:
            wanted[ignored] = 0.0
        if not np.isfinite(wanted).all():
            raise ValueError("An action is no number; check what the policy puts out.")
        self._actions.command(self.fleet.records, np.clip(wanted, -1.0, 1.0))
        try:
            self.fleet.advance(self._steps)
        except* Diverged:
            pass  # it is broken, as the moment says
        self._moment = self._reader.moment()
        return self._task.judge(self._moment)

    def observe(self) -> Numbers:
        """(n, columns): what the policies are told now, within its bounds."""
        seen = self._moment.truth if self._sees_truth else self._reader.estimate()
        blocks = self._task.observe(seen, self._moment)
        whole = np.concatenate(blocks, axis=1)
        np.clip(np.nan_to_num(whole, copy=False), self._low, self._high, out=whole)
        return whole.astype(np.float32)

    def truth(self) -> dict[str, npt.NDArray[Any]]:
        """What is true of each now, by name with unit; row by row, frames as in `FleetReadings`."""
        moment = self._moment
        return {
            **{name: values.copy() for name, values in moment.truth._asdict().items()},
            "time_s": moment.time_s.copy(),
            "broken": moment.broken.copy(),
        }

    def close(self) -> None:
        """End the threads."""
        self.fleet.close()

    def _wind(self, numbers: Array) -> Array:
        """(m, 3): NED, m/s, by the first of the random numbers."""
        speed, way = self._wind_mps * numbers[:, 0], 2.0 * np.pi * numbers[:, 1]
        return np.column_stack([speed * np.cos(way), speed * np.sin(way), np.zeros(len(way))])


def _pattern(preset: Preset, catalogue: Catalogue, world: FlownWorld | None) -> Simulator:
    """The aircraft as it leaves the factory. Raises ValueError for one that is no multirotor."""
    pattern = factory_simulator(preset, catalogue)
    if pattern.record["parameters"]["kind"] != ROTORCRAFT:
        raise ValueError(f"{preset.name} is no multirotor; give one that is, such as ar100b.")
    if world is not None:
        pattern.enter(world)
    return pattern


def _check(options: EpisodeOptions, longest_action_ms: int) -> None:
    if options.observe not in _OBSERVED:
        raise ValueError(
            f"There is no {options.observe!r} to observe; give one of {', '.join(_OBSERVED)}."
        )
    _check_speed("wind_mps", options.wind_mps, find_control("wind_north_mps").high)
    _check_speed("turbulence_mps", options.turbulence_mps, find_control("turbulence_mps").high)
    check_whole("threads", options.threads, most=_MOST_THREADS)
    last = options.control_ms
    if not (
        isinstance(last, int | np.integer) and 1 <= last <= longest_action_ms and last % 2 == 0
    ):
        raise ValueError(
            f"An action cannot last {last} ms; give an even number of milliseconds, "
            f"at most {longest_action_ms}."
        )


def check_whole(name: str, value: object, *, most: float = math.inf) -> None:
    """Raises ValueError for what is no whole number from 1 to `most`."""
    if not (isinstance(value, int | np.integer) and 1 <= value <= most):
        limit = "" if math.isinf(most) else f" and at most {most:g}"
        raise ValueError(f"{name} cannot be {value!r}; give a whole number, at least 1{limit}.")


def _check_speed(name: str, value: object, most: float) -> None:
    if not (isinstance(value, int | float | np.number) and 0.0 <= value <= most):
        raise ValueError(f"{name} cannot be {value!r}; give a number from 0 to {most:g}.")
