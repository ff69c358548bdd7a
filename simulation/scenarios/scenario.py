"""Scenario as plain values, read from a file by `simulation.scenarios.scenario_file`.

A scenario is a scripted flight of the whole aircraft (`steps`), or an experiment: a few lines of
Python that fly what a script cannot. Either way it ends in named metrics, and passes when each
metric lies in its band. Its negative controls are changes that must make it fail.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from simulation.autopilot.preset import DEFAULT_AIRCRAFT, Start

ACTIONS: Final = MappingProxyType(
    {
        "wait": "keep the sticks as they are for `seconds`",
        "arm": "switch on, and wait until the aircraft says it is armed",
        "disarm": "switch off, and wait until the aircraft says it is disarmed",
        "takeoff": "climb by itself to its take-off height",
        "fly": "hold the sticks in `mode` for `seconds`, or `until` an object says so",
        "hold": "hold the position for `seconds`",
        "return": "return to base, for `seconds` or until disarmed",
        "land": "land, until disarmed",
        "silence": "stop the stick stream, for `seconds` or until disarmed",
        "set": "change live controls: `values` {control: value}",
        "upload": "write objects: `objects` [{name, instance, values}]",
    }
)
"""What a step can `do`, with an explanation."""

CONTROLLER: Final = "sil"
FIRMWARE: Final = "firmware"
DIVERGED: Final = "diverged"
CRASHED: Final = "crashed"
SCRIPT: Final = "script"
"""What a negative control may fail by besides a metric: SCRIPT is a step that took too long."""


class ScenarioError(ValueError):
    """No such scenario, or one that cannot be read. The text is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class ScenarioParameter:
    """What `--set name=value` may change, from `low` to `high`; `whole` numbers only if so."""

    name: str
    title: str
    unit: str
    default: float
    low: float
    high: float
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """Where a metric has to lie, ends included."""

    low: float = -math.inf
    high: float = math.inf

    def holds(self, value: float) -> bool:
        """Whether a finite `value` lies inside."""
        return math.isfinite(value) and self.low <= value <= self.high

    def __str__(self) -> str:
        """In words: "0.5 to 1", "at most 1", "at least 3"."""
        if self.low == -math.inf:
            return "any" if self.high == math.inf else f"at most {self.high:g}"
        if self.high == math.inf:
            return f"at least {self.low:g}"
        return f"{self.low:g} to {self.high:g}"


@dataclass(frozen=True, slots=True)
class Upload:
    """An object the pilot writes to the aircraft, as a station would: values over its defaults."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    instance: int = 0


@dataclass(frozen=True, slots=True)
class Until:
    """A step ends when the aircraft's telemetry says that `object`.`field` is `value`, or a number
    not above it where `is_most`."""

    object: str
    field: str
    value: float | str
    is_most: bool = False


@dataclass(frozen=True, slots=True)
class ScenarioStep:
    """One thing the pilot (or the weather) does; which members count depends on `do`.

    `seconds` is how long "fly", "hold", "silence", "return" and "wait" take; `timeout_s` how long
    a step may take that ends by something else. Sticks are -1..1, throttle 0..1. `label` names
    the step for measures.
    """

    do: str
    seconds: float = 0.0
    timeout_s: float = 60.0
    mode: str = "Stabilized1"
    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    throttle: float = 0.0
    values: Mapping[str, float] = field(default_factory=dict)
    objects: tuple[Upload, ...] = ()
    until: Until | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of a scripted flight: what is measured, in which steps (those of that label; all
    it makes sense in without one)."""

    metric: str
    measure: str
    during: str = ""


@dataclass(frozen=True, slots=True)
class NegativeControl:
    """A change that must make the scenario fail, by `fails`: a metric, CRASHED or SCRIPT."""

    fails: str
    why: str
    set: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is flown and what has to come out.

    `test` is the identifier in the design documents, `source` where the demand comes from.
    `settings` are values of UAVObjects over the preset's, `world` live controls at time 0,
    `world_file` the name or path of the world it is flown in; "": level ground without end.
    `start`: whether the board is ready at once, or as late as firmware.
    `without_board` is why no board flies in it, in words, such as "tries a sensor alone"; "": one
    does, and a firmware may take its place.
    `seed_varies` is what another seed changes, in words; or `seed_changes_nothing` is why it does
    not.
    `values` are the parameters after `--set`; all others hold their defaults.
    """

    name: str
    title: str
    test: str = ""
    source: str = ""
    aircraft: str = DEFAULT_AIRCRAFT
    parameters: tuple[ScenarioParameter, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    world: Mapping[str, float] = field(default_factory=dict)
    world_file: str = ""
    steps: tuple[ScenarioStep, ...] = ()
    measures: tuple[Measure, ...] = ()
    bands: Mapping[str, Band] = field(default_factory=dict)
    experiment: str = ""
    figure: str = "overview"
    controls: tuple[NegativeControl, ...] = ()
    may_crash: bool = False
    start: Start = "quick"
    without_board: str = ""
    seed_varies: str = ""
    seed_changes_nothing: str = ""


def overlaid(
    objects: Mapping[str, Mapping[str, Any]], over: Mapping[str, Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    """Values of objects, by object and field, with those of `over` in their place."""
    merged = {name: {**objects.get(name, {}), **values} for name, values in over.items()}
    return {**objects, **merged}
