"""What passes between simulator and controller each step: sensors there, actuators back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.autopilot.board import SimulatedBoard
from simulation.interface import CHANNELS, COMMAND, MIXER_DISABLED, MIXER_SERVO, OUTPUT, STEP_US
from simulation.interface import SETTINGS as KERNEL_SETTINGS
from simulation.rotation import attitude_deg_of
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
from simulation.simulator import Simulator

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
        self._sensors: Any = self._request[0]["sensors"]
        self._command: Any = self._request[0]["command"]
        measured = shared_members(SIL_SENSORS, OUTPUT)
        self._clocks = tuple(
            (name, f"{name.removesuffix('_count')}_time_us")
            for name in measured
            if name.endswith("_count")
        )
        commanded = shared_members(SIL_COMMAND, COMMAND)
        words = self._request.view(np.int64)
        head = SIL_SENSORS.itemsize // 8
        self._measure = _copying(simulator.output, OUTPUT, words[:head], SIL_SENSORS, measured)
        self._order = _copying(simulator.command, COMMAND, words[head:], SIL_COMMAND, commanded)
        self._returned = shared_members(ACTUATORS, OUTPUT)
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

    def request(self) -> bytes:
        """What was measured and what is commanded now, as a STEP record."""
        output, sensors = self._simulator.output, self._sensors
        now_us = int(output["time_us"])
        for counter, clock in self._clocks:
            if sensors[counter] != output[counter]:
                sensors[clock] = now_us
        self._measure()
        self._order()
        self._fill_sticks()
        return self._request.tobytes()

    def apply(self, answer: bytes) -> None:
        """Drive the actuators and show the estimate that an ACTUATORS record holds.

        Raises ControllerFailed for numbers that no actuator can be given; nothing is applied.
        """
        actuators: Any = np.frombuffer(answer, ACTUATORS)[0]
        if not np.isfinite(np.frombuffer(answer, np.float64)).all():
            _find_what_is_not_finite(actuators)
        self._check_pulses(actuators["channel_us"].tolist())
        output = self._simulator.output
        output["actuator_command"] = actuators["channel_us"]
        for name in self._returned:
            output[name] = actuators[name]
        if not output["attitude_valid"]:
            output["quaternion"] = _LEVEL  # still a rotation; the attitude alarm says the rest
        attitude_deg_of(output["quaternion"].tolist(), output["attitude_deg"])

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
        command, row = self._command, self._sticks.row
        command["sticks_valid"] = row["Connected"]
        for name in _STICKS:
            command[f"stick_{name.lower()}"] = row[name]
        command["switch_position"] = row["FlightModeSwitchPosition"]

    def _check_pulses(self, pulses: list[float]) -> None:
        for i, low, high in self._limits:
            if not low - _TOLERANCE_US <= pulses[i] <= high + _TOLERANCE_US:
                raise ControllerFailed(
                    f"it returned {pulses[i]:g} us for channel {i + 1}, "
                    f"which takes {low:g} to {high:g} us"
                )


def _find_what_is_not_finite(actuators: Any) -> None:
    """Raise ControllerFailed for the member; whole numbers may look so, and are fine."""
    for name in members_of(ACTUATORS):
        if not np.isfinite(actuators[name]).all():
            raise ControllerFailed(f"it returned a number that is not finite in {name}")


def _channel_limits(settings: Any) -> list[tuple[int, float, float]]:
    """The channels in use, with the least and the greatest pulse of each."""
    limits = []
    for i in range(CHANNELS):
        if settings["mixer_type"][i] != MIXER_DISABLED:
            ends = [float(settings[f"channel_{end}"][i]) for end in ("min", "neutral", "max")]
            limits.append((i, min(ends), max(ends)))
    return limits


def _copying(
    source: np.void,
    source_type: np.dtype[Any],
    target: npt.NDArray[np.int64],
    target_type: np.dtype[Any],
    names: Sequence[str],
) -> Callable[[], None]:
    """A function that copies these members from a record to the words of another.

    All members are eight bytes wide; copying them as words is a tenth of the work.
    """
    there = _words_of(source_type, names)
    here = _words_of(target_type, names)
    words = np.frombuffer(source, np.int64)

    def copy() -> None:
        target[here] = words[there]

    return copy


def _words_of(record: np.dtype[Any], names: Sequence[str]) -> npt.NDArray[np.intp]:
    """The numbers of the eight-byte words that these members occupy."""
    fields: Mapping[str, Any] = record.fields or {}
    words: list[int] = []
    for name in names:
        member, offset, *_ = fields[name]
        words.extend(range(offset // 8, (offset + member.itemsize) // 8))
    return np.array(words, dtype=np.intp)
