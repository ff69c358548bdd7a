"""Actions: numbers from -1 to 1 as commands to the board, for a whole fleet at once.

"rates": body rates and thrust, flown by the rate loop on board with the preset's gains. "attitude":
roll and pitch in the place of their rates, by its attitude loop. "motors": the pulse of each motor;
the board estimates, but does not control.
"""

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from simulation.aircraft.performance import hover_pulse_us, hover_thrust
from simulation.learning.columns import Array, SpaceColumn
from simulation.records.interface import AXIS_ATTITUDE, AXIS_RATE

_FASTEST_DEGPS: Final = 120.0
_FASTEST_YAW_DEGPS: Final = 90.0
_STEEPEST_DEG: Final = 30.0


class ActionMapping(Protocol):
    """How actions become commands."""

    columns: tuple[SpaceColumn, ...]
    """What -1 and 1 mean; 0 is the middle, and of `thrust` what carries the aircraft."""

    def prepare(self, flight: Any) -> None:
        """Set a FLIGHT up, so that copies of it obey, and hover until they are commanded."""

    def command(self, records: "npt.NDArray[Any]", actions: Array) -> None:
        """Command each of an array of FLIGHT by its row of `actions`, within -1 and 1."""


class StabilizedActions:
    """Roll, pitch and yaw flown by loops on board, and thrust by hand."""

    def __init__(
        self, modes: Sequence[int], axes: Sequence[SpaceColumn], hover_thrust: float
    ) -> None:
        self.columns = (*axes, SpaceColumn("thrust", "share of full throttle", "", 0.0, 1.0))
        self._modes = tuple(modes)
        self._reach = np.array([axis.high for axis in axes])
        self._hover = hover_thrust

    def prepare(self, flight: Any) -> None:
        command = flight["command"]
        command["axis_mode"] = self._modes
        command["thrust"] = self._hover

    def command(self, records: "npt.NDArray[Any]", actions: Array) -> None:
        command = records["command"]
        command["axis_setpoint"] = actions[:, :3] * self._reach
        share = actions[:, 3]
        room = np.where(share < 0.0, self._hover, 1.0 - self._hover)
        command["thrust"] = self._hover + room * share


class MotorActions:
    """The pulse of each motor, between those at no and at full power."""

    def __init__(self, settings: Any, parameters: Any) -> None:
        channels = parameters["rotor_channel"][: int(parameters["rotor_count"])]
        self._channels = np.unique(channels)
        low = settings["channel_neutral"][self._channels]
        high = settings["channel_max"][self._channels]
        self._middle, self._reach = 0.5 * (low + high), 0.5 * (high - low)
        self._hover_us = hover_pulse_us(parameters)
        self.columns = tuple(
            SpaceColumn(f"motor_{i + 1}", "us", "", float(a), float(b))
            for i, a, b in zip(self._channels.tolist(), low, high, strict=True)
        )

    def prepare(self, flight: Any) -> None:
        command = flight["command"]
        command["outputs_supplied"] = 1
        command["outputs"][self._channels] = self._hover_us

    def command(self, records: "npt.NDArray[Any]", actions: Array) -> None:
        pulses = self._middle + self._reach * actions
        records["command"]["outputs"][:, self._channels] = pulses


_RATES: Final = tuple(
    SpaceColumn(f"{axis}_rate", "deg/s", "FRD", -most, most)
    for axis, most in (
        ("roll", _FASTEST_DEGPS),
        ("pitch", _FASTEST_DEGPS),
        ("yaw", _FASTEST_YAW_DEGPS),
    )
)
_ANGLES: Final = tuple(
    SpaceColumn(axis, "deg", "body to NED", -_STEEPEST_DEG, _STEEPEST_DEG)
    for axis in ("roll", "pitch")
)
ACTIONS: Final = ("rates", "attitude", "motors")
"""The names of the mappings."""


def action_mapping(name: str, settings: Any, parameters: Any) -> ActionMapping:
    """The one of that name for an aircraft with these SETTINGS and PARAMETERS. Raises ValueError
    for another name."""
    if name == "motors":
        return MotorActions(settings, parameters)
    thrust = hover_thrust(parameters, settings)
    if name == "rates":
        return StabilizedActions((AXIS_RATE,) * 3, _RATES, thrust)
    if name == "attitude":
        modes = (AXIS_ATTITUDE, AXIS_ATTITUDE, AXIS_RATE)
        return StabilizedActions(modes, (*_ANGLES, _RATES[2]), thrust)
    raise ValueError(f"There are no actions {name!r}; give one of {', '.join(ACTIONS)}.")
