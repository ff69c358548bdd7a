"""SIL controller written in Python: its methods and records.

    class Hover:
        def start(self, settings: np.void) -> None: ...
        def step(self, sensors: np.void, command: np.void) -> Actuators: ...

The records are those of the C header `lapwing_sil.h` beside this file, which says what each
member means: `sensors["gyro"][0]` is `sensors->gyro[0]`. They are only to be read, and only
until the method returns.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from simulation.sil.records import ACTUATORS, members_of

_ZERO = (0.0, 0.0, 0.0)


@dataclass(slots=True)
class Actuators:
    """What a controller decides: struct lapwing_actuators. Only `channel_us` is needed."""

    channel_us: Sequence[float]
    attitude_valid: bool = False
    position_valid: bool = False
    quaternion: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    rates: Sequence[float] = _ZERO
    gyro_bias: Sequence[float] = _ZERO
    position: Sequence[float] = _ZERO
    velocity: Sequence[float] = _ZERO
    velocity_desired: Sequence[float] = _ZERO
    attitude_desired: Sequence[float] = _ZERO
    rate_desired: Sequence[float] = _ZERO
    actuator_desired: Sequence[float] = (0.0, 0.0, 0.0, 0.0)
    landed: bool = False
    disarm_request: bool = False


class SilController(Protocol):
    """Algorithms between sensors and actuators, in fixed steps."""

    def start(self, settings: np.void) -> None:
        """Begin, or begin anew. Raise an exception to refuse these settings."""

    def step(self, sensors: np.void, command: np.void) -> Actuators:
        """One step, every settings["step_us"]."""


_SIZES = {name: sum(ACTUATORS[name].shape) for name in members_of(ACTUATORS)}
"""How many numbers a member is; 0 for a flag."""
_RECORD = struct.Struct("=" + "".join(f"{size}d" if size else "q" for size in _SIZES.values()))


def pack(actuators: Actuators) -> bytes:
    """The record's bytes; raise ValueError, TypeError or struct.error for what does not fit."""
    numbers: list[float] = []
    for name, size in _SIZES.items():
        value = getattr(actuators, name)
        if not size:
            numbers.append(bool(value))
        elif len(value) == size:
            numbers.extend(value)
        else:
            raise ValueError(f"{name} has {size} values, not {len(value)}")
    return _RECORD.pack(*numbers)
