"""SIL exchange of each step between simulator and controller: sensors there, actuators back."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.autopilot.board import SimulatedBoard
from simulation.records.interface import (
    CHANNELS,
    COMMAND,
    MIXER_DISABLED,
    MIXER_SERVO,
    OUTPUT,
    STEP_US,
)
from simulation.records.interface import SETTINGS as KERNEL_SETTINGS
from simulation.sil.process import ControllerFailed
from simulation.sil.records import (
    ACTUATORS,
    SIL_COMMAND,
    SIL_SENSORS,
    SIL_SETTINGS,
    STEP,
    members_of,
    shared_members,
)
from simulation.simulator.simulator import Simulator

_TOLERANCE_US = 1e-6
_LEVEL = (1.0, 0.0, 0.0, 0.0)
_STICKS = ("Roll", "Pitch", "Yaw", "Throttle")


class Exchange:
    """The border of one simulator as a controller sees it: never the truth."""

    def __init__(self, simulator: Simulator, board: SimulatedBoard | None) -> None:
        """Sticks come from `board`'s ManualControlCommand, if there is a board."""
        self._simulator = simulator
        self._sticks = board["ManualControlCommand"] if board is not None else None
        self._request = np.zeros(1, STEP)
        self._answer = np.zeros(1, ACTUATORS)
        sensors, command = self._request[0]["sensors"], self._request[0]["command"]
        self._command = command
        self._measure = _copying(simulator.output, sensors, _shared(SIL_SENSORS, OUTPUT))
        self._order = _copying(simulator.command, command, _shared(SIL_COMMAND, COMMAND))
        returned = _shared(ACTUATORS, OUTPUT) | {"channel_us": "actuator_command"}
        self._drive = _copying(self._answer[0], simulator.output, returned)
        # Numbers are read and written one by one through these, a fifth of what records take.
        self._output_words = _words(simulator.output).data
        self._sensor_words = _words(sensors).data
        self._request_bytes = self._request.view(np.uint8).data
        self._answer_bytes = self._answer.view(np.uint8).data
        self._answer_words = self._answer.view(np.int64).data
        self._answer_numbers = self._answer.view(np.float64)
        self._limits: list[tuple[int, float, float]] = []

    def settings(self, period_steps: int) -> bytes:
        """The configuration, as a SIL_SETTINGS record."""
        record = np.zeros(1, SIL_SETTINGS)
        row: Any = record[0]
        for name in shared_members(SIL_SETTINGS, KERNEL_SETTINGS):
            row[name] = self._simulator.settings[name]
        row["step_us"] = period_steps * STEP_US
        self._limits = _channel_limits(self._simulator.settings)
        return record.tobytes()

    def take_command(self) -> None:
        """What is commanded now; the same for all steps until it is taken again."""
        self._order()
        self._fill_sticks()

    def request(self) -> "memoryview[int]":
        """What was measured and what is commanded, as a STEP record that the next request writes
        over."""
        output, sensors = self._output_words, self._sensor_words
        now_us = output[_TIME]
        for there, here, clock in _COUNTS:
            if sensors[here] != output[there]:
                sensors[clock] = now_us
        self._measure()
        return self._request_bytes

    def apply(self, answer: "memoryview[int]") -> None:
        """Drive the actuators and show the estimate that an ACTUATORS record holds.

        Raises ControllerFailed for numbers that no actuator can be given; nothing is applied.
        """
        self._answer_bytes[:] = answer
        numbers = self._answer_numbers.tolist()  # the pulses first
        if not math.isfinite(sum(numbers)):
            _find_what_is_not_finite(self._answer[0])
        for i, low, high in self._limits:
            if not low <= numbers[i] <= high:
                raise ControllerFailed(
                    f"it returned {numbers[i]:g} us for channel {i + 1}, which takes {low:g} to "
                    f"{high:g} us"
                )
        self._drive()
        if not self._answer_words[_ATTITUDE_VALID]:
            # Still a rotation; the attitude alarm says the rest.
            self._simulator.output["quaternion"] = _LEVEL

    def stop(self) -> None:
        """Motors stand, servos are centred, and nothing is estimated any more."""
        settings, output = self._simulator.settings, self._simulator.output
        for i in range(CHANNELS):
            is_servo = settings["mixer_type"][i] == MIXER_SERVO
            rest = settings["channel_neutral" if is_servo else "channel_min"]
            output["actuator_command"][i] = rest[i]
        output["attitude_valid"] = output["position_valid"] = 0
        output["actuator_desired"] = (0.0, 0.0, 0.0, -1.0)

    def _fill_sticks(self) -> None:
        if self._sticks is None:
            return
        command, fields = self._command, self._sticks.fields
        command["sticks_valid"] = fields["Connected"]
        for name in _STICKS:
            command[f"stick_{name.lower()}"] = fields[name]
        command["switch_position"] = fields["FlightModeSwitchPosition"]


def _find_what_is_not_finite(actuators: Any) -> None:
    """Raise ControllerFailed for the member; whole numbers may look so, and are fine."""
    for name in members_of(ACTUATORS):
        if not np.isfinite(actuators[name]).all():
            raise ControllerFailed(f"it returned a number that is not finite in {name}")


def _channel_limits(settings: Any) -> list[tuple[int, float, float]]:
    """The channels in use, with the least and the greatest pulse of each, and a bit more."""
    limits = []
    for i in range(CHANNELS):
        if settings["mixer_type"][i] != MIXER_DISABLED:
            ends = [float(settings[f"channel_{end}"][i]) for end in ("min", "neutral", "max")]
            limits.append((i, min(ends) - _TOLERANCE_US, max(ends) + _TOLERANCE_US))
    return limits


def _shared(record: np.dtype[Any], other: np.dtype[Any]) -> dict[str, str]:
    """The members that both records have, by themselves."""
    return {name: name for name in shared_members(record, other)}


def _copying(source: Any, target: Any, names: Mapping[str, str]) -> Callable[[], None]:
    """A function that copies members of a record to those of another that they are mapped to.

    All members are eight bytes wide; copying them as words is a tenth of the work.
    """
    there = np.concatenate([_words_of(source.dtype, name) for name in names])
    here = np.concatenate([_words_of(target.dtype, name) for name in names.values()])
    given, taken = _words(source), _words(target)

    def copy() -> None:
        taken[here] = given[there]

    return copy


def _words(record: Any) -> npt.NDArray[np.int64]:
    """A record as words of eight bytes, to read and to write."""
    return np.asarray(record).reshape(1).view(np.int64)


def _words_of(record: np.dtype[Any], name: str) -> range:
    """The numbers of the words that a member occupies."""
    fields: Mapping[str, Any] = record.fields or {}
    member, offset, *_ = fields[name]
    return range(offset // 8, (offset + member.itemsize) // 8)


_TIME = _words_of(OUTPUT, "time_us").start
_ATTITUDE_VALID = _words_of(ACTUATORS, "attitude_valid").start
_COUNTS = tuple(
    (
        _words_of(OUTPUT, name).start,
        _words_of(SIL_SENSORS, name).start,
        _words_of(SIL_SENSORS, f"{name.removesuffix('_count')}_time_us").start,
    )
    for name in shared_members(SIL_SENSORS, OUTPUT)
    if name.endswith("_count")
)
"""The words of each counter, in OUTPUT and in SIL_SENSORS, and of the time it moved last."""
