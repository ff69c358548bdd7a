"""What a controller written in Python looks like.

    class Hover:
        def start(self, settings: np.void) -> None: ...
        def step(self, sensors: np.void, command: np.void) -> Actuators: ...

The records are those of the C header `lapwing_sil.h` beside this file, which says what each
member means: `sensors["gyro"][0]` is `sensors->gyro[0]`. They are only to be read, and only
until the method returns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from simulation.sil.records import ACTUATORS, members_of

_ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
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


def pack(actuators: Actuators) -> bytes:
    """The record's bytes; raise ValueError or TypeError for what does not fit."""
    record = np.zeros(1, ACTUATORS)
    row: Any = record[0]
    for name in members_of(ACTUATORS):
        value = getattr(actuators, name)
        shape = ACTUATORS[name].shape
        if shape and len(value) != shape[0]:
            raise ValueError(f"{name} has {shape[0]} values, not {len(value)}")
        row[name] = value
    return record.tobytes()
