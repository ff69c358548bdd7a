"""What passes between simulator and controller each step: sensors there, actuators back."""

import math
from typing import Any

import numpy as np

from simulation.autopilot.board import Board
from simulation.interface import CHANNELS, COMMAND, MIXER_DISABLED, MIXER_SERVO, OUTPUT, STEP_US
from simulation.interface import SETTINGS as KERNEL_SETTINGS
from simulation.rotation import euler_of
from simulation.sil.process import ControllerFailed
from simulation.sil.records import (
    ACTUATORS,
    SENSOR_KINDS,
    SENSORS,
    SIL_COMMAND,
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

    def __init__(self, simulator: Simulator, board: Board | None) -> None:
        """Sticks come from `board`'s ManualControlCommand, if there is a board."""
        self._simulator = simulator
        self._sticks = board["ManualControlCommand"] if board is not None else None
        self._request = np.zeros(1, STEP)
        self._sensors: Any = self._request[0]["sensors"]
        self._command: Any = self._request[0]["command"]
        self._measured = shared_members(SENSORS, OUTPUT)
        self._kinds = tuple(kind for kind in SENSOR_KINDS if f"{kind}_count" in self._measured)
        self._commanded = shared_members(SIL_COMMAND, COMMAND)
        self._returned = shared_members(ACTUATORS, OUTPUT)

    def settings(self, period_steps: int) -> bytes:
        """The configuration, as a SIL_SETTINGS record."""
        record = np.zeros(1, SIL_SETTINGS)
        row: Any = record[0]
        for name in shared_members(SIL_SETTINGS, KERNEL_SETTINGS):
            row[name] = self._simulator.settings[name]
        row["step_us"] = period_steps * STEP_US
        return record.tobytes()

    def request(self) -> bytes:
        """What was measured and what is commanded now, as a STEP record."""
        output, sensors, command = self._simulator.output, self._sensors, self._command
        now_us = int(output["time_us"])
        for kind in self._kinds:
            if sensors[f"{kind}_count"] != output[f"{kind}_count"]:
                sensors[f"{kind}_time_us"] = now_us
        sensors["time_us"] = now_us
        for name in self._measured:
            sensors[name] = output[name]
        for name in self._commanded:
            command[name] = self._simulator.command[name]
        self._fill_sticks()
        return self._request.tobytes()

    def apply(self, answer: bytes) -> None:
        """Drive the actuators and show the estimate that an ACTUATORS record holds.

        Raises ControllerFailed for numbers that no actuator can be given; nothing is applied.
        """
        actuators: Any = np.frombuffer(answer, ACTUATORS)[0]
        self._check(actuators)
        output = self._simulator.output
        output["actuator_command"] = actuators["channel_us"]
        for name in self._returned:
            output[name] = actuators[name]
        if not output["attitude_valid"]:
            output["quaternion"] = _LEVEL  # still a rotation; the attitude alarm says the rest
        output["attitude_deg"] = [math.degrees(a) for a in euler_of(output["quaternion"].tolist())]

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

    def _check(self, actuators: Any) -> None:
        for name in members_of(ACTUATORS):
            if not np.isfinite(actuators[name]).all():
                raise ControllerFailed(f"it returned a number that is not finite in {name}")
        settings = self._simulator.settings
        for i in range(CHANNELS):
            if settings["mixer_type"][i] == MIXER_DISABLED:
                continue
            ends = [float(settings[f"channel_{end}"][i]) for end in ("min", "neutral", "max")]
            pulse = float(actuators["channel_us"][i])
            if not min(ends) - _TOLERANCE_US <= pulse <= max(ends) + _TOLERANCE_US:
                raise ControllerFailed(
                    f"it returned {pulse:g} us for channel {i + 1}, "
                    f"which takes {min(ends):g} to {max(ends):g} us"
                )
