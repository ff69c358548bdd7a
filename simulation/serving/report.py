"""Simulator report, which the operator of a served flight is shown.

Loads nothing heavy: the station reads it too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class SimulatorReport:
    """The flight as its operator commands it.

    The wind is the velocity of the air at the aircraft in m/s, NED; where it is and how it lies
    its telemetry tells. `factor` is how fast time has really passed since the last report.
    `world` is the name or path of the world it flies in, "" for level ground without end.
    `values` are the controls that were set, `link` the faults of the radio; `sensor_faults` all
    that the sensors which look at the world can have ("front.lost"), as their files say.
    """

    time_s: float
    speed: float
    factor: float
    wind_north_mps: float
    wind_east_mps: float
    wind_down_mps: float
    has_crashed: bool
    trouble: str
    world: str
    values: Mapping[str, float]
    link: Mapping[str, float]
    sensor_faults: Mapping[str, float]


def report_from(words: Any) -> SimulatorReport:
    """A report as it came over the wire. Raises ValueError for anything else."""
    names = {entry.name: entry.type for entry in fields(SimulatorReport)}
    if not isinstance(words, dict) or set(words) != set(names):
        raise ValueError("it is no report of a simulator")
    for name, kind in names.items():
        if not _IS_OF[kind](words[name]):
            raise ValueError(f"{name} of the simulator's report cannot be {words[name]!r:.40}")
    return SimulatorReport(**words)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_number, value.values()))


_IS_OF: Mapping[Any, Callable[[Any], bool]] = {
    float: _is_number,
    bool: lambda value: isinstance(value, bool),
    str: lambda value: isinstance(value, str),
    Mapping[str, float]: _is_table,
}
