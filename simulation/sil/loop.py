"""The loop: the simulator's sensors to a controller, and its actuators back, in fixed steps.

The controller takes the place of estimation, guidance, stabilization and mixer
(COMMAND.external). It runs in lock-step in a process of its own: simulated time waits for it, so
a flight is repeatable. When it fails, the motors stand from then on and the aircraft falls as it
would; nothing else is harmed.
"""

import math
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simulation.interface import CHANNELS, COMMAND, MIXER_DISABLED, MIXER_SERVO, OUTPUT, STEP_US
from simulation.interface import SETTINGS as KERNEL_SETTINGS
from simulation.rotation import euler_of
from simulation.sil.process import DEFAULT_TIMEOUT_S, ControllerFailed, ControllerProcess
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
from simulation.sil.target import SilError, Target, find_target
from simulation.simulator import Simulator

Advance = Callable[[int], None]
ReadSticks = Callable[[], "Sticks | None"]

DEFAULT_RATE_HZ = 500
_SLOWEST_HZ = 50
_STEPS_PER_S = 1_000_000 // STEP_US
_TOLERANCE_US = 1e-6


@dataclass(frozen=True, slots=True)
class Sticks:
    """A pilot's sticks, -1..1, and the position of the flight mode switch."""

    roll: float
    pitch: float
    yaw: float
    throttle: float
    switch_position: int


@dataclass(frozen=True, slots=True)
class SilPlan:
    """What `--sil` asks for. `target`: see `simulation.sil.target`."""

    target: str
    rate_hz: int = DEFAULT_RATE_HZ
    timeout_s: float = DEFAULT_TIMEOUT_S

    def __post_init__(self) -> None:
        if not (_SLOWEST_HZ <= self.rate_hz and _STEPS_PER_S % self.rate_hz == 0):
            raise SilError(
                f"A controller cannot run at {self.rate_hz} Hz; give {_SLOWEST_HZ} to "
                f"{_STEPS_PER_S} Hz by which {_STEPS_PER_S} can be divided, such as 250 or 500."
            )
        if not 0.0 < self.timeout_s < math.inf:
            raise SilError(f"{self.timeout_s} s is no time limit for a step; give more than 0.")


class SoftwareInTheLoop:
    """A controller that flies the simulator it is attached to."""

    def __init__(self, plan: SilPlan) -> None:
        """Find, build and load the controller. Raises SilError."""
        self._folder = tempfile.TemporaryDirectory(prefix="lapwing-sil-")
        self._plan = plan
        self._process: ControllerProcess | None = None
        self._flight: _ControlledFlight | None = None
        try:
            self._target = find_target(plan.target, Path(self._folder.name))
            self._process = ControllerProcess(self._target, plan.timeout_s)
        except SilError:
            self.close()
            raise

    def attach(self, simulator: Simulator, read_sticks: ReadSticks = lambda: None) -> Advance:
        """Take over a simulator at time 0; return what is to be called instead of its `advance`.

        Attaching to another one (after a reboot) loads the controller anew.
        """
        if self._process is None or self._flight is not None:
            self._end_process()
            self._process = ControllerProcess(self._target, self._plan.timeout_s)
        self._flight = _ControlledFlight(
            simulator, self._process, read_sticks, self._target, self._plan.rate_hz
        )
        return self._flight.advance

    @property
    def failure(self) -> str:
        """Why the controller has failed, as a sentence; "" while it has not."""
        return self._flight.failure if self._flight is not None else ""

    def report(self) -> dict[str, Any]:
        """How it went, ready for JSON."""
        flight = self._flight
        return {
            "controller": self._target.name,
            "rate_hz": self._plan.rate_hz,
            "steps": flight.steps if flight is not None else 0,
            "failed": self.failure or None,
            "at_s": flight.failed_at_s if flight is not None else None,
        }

    def close(self) -> None:
        """End the controller's process. Closing twice is fine."""
        self._end_process()
        self._folder.cleanup()

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


class _ControlledFlight:
    """One simulator from time 0 on, flown by one controller."""

    def __init__(
        self,
        simulator: Simulator,
        process: ControllerProcess,
        read_sticks: ReadSticks,
        target: Target,
        rate_hz: int,
    ) -> None:
        self.steps = 0
        self.failure = ""
        self.failed_at_s: float | None = None
        self._simulator = simulator
        self._process = process
        self._read_sticks = read_sticks
        self._name = target.name
        self._period = _STEPS_PER_S // rate_hz
        self._request = np.zeros(1, STEP)
        self._sensors: Any = self._request[0]["sensors"]
        self._command: Any = self._request[0]["command"]
        self._measured = shared_members(SENSORS, OUTPUT)
        self._commanded = shared_members(SIL_COMMAND, COMMAND)
        self._returned = shared_members(ACTUATORS, OUTPUT)

    def advance(self, steps: int) -> None:
        """Simulate `steps` steps; the controller runs whenever its period has passed."""
        simulator = self._simulator
        simulator.command["external"] = 1
        while steps > 0:
            now = int(simulator.output["step"])
            if now % self._period == 0:
                self._control()
            part = min(steps, self._period - now % self._period)
            simulator.advance(part)
            steps -= part

    def _control(self) -> None:
        if self.failure:
            return
        try:
            if self.steps == 0:
                self._process.start(self._settings())
            self._fill_request()
            answer = self._process.step(self._request.tobytes())
            actuators = np.frombuffer(answer, ACTUATORS)[0]
            self._check(actuators)
        except ControllerFailed as reason:
            self._fail(str(reason))
            return
        self.steps += 1
        self._apply(actuators)

    def _settings(self) -> bytes:
        record = np.zeros(1, SIL_SETTINGS)
        row: Any = record[0]
        for name in shared_members(SIL_SETTINGS, KERNEL_SETTINGS):
            row[name] = self._simulator.settings[name]
        row["step_us"] = self._period * STEP_US
        return record.tobytes()

    def _fill_request(self) -> None:
        output, sensors, command = self._simulator.output, self._sensors, self._command
        now_us = int(output["time_us"])
        for kind in SENSOR_KINDS:
            count = f"{kind}_count"
            if count in self._measured and sensors[count] != output[count]:
                sensors[f"{kind}_time_us"] = now_us
        for name in self._measured:
            sensors[name] = output[name]
        for name in self._commanded:
            command[name] = self._simulator.command[name]
        sticks = self._read_sticks()
        command["sticks_valid"] = int(sticks is not None)
        if sticks is not None:
            command["stick_roll"], command["stick_pitch"] = sticks.roll, sticks.pitch
            command["stick_yaw"], command["stick_throttle"] = sticks.yaw, sticks.throttle
            command["switch_position"] = sticks.switch_position

    def _check(self, actuators: Any) -> None:
        """Raise ControllerFailed for numbers that no actuator can be given."""
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

    def _apply(self, actuators: Any) -> None:
        output = self._simulator.output
        output["actuator_command"] = actuators["channel_us"]
        for name in self._returned:
            output[name] = actuators[name]
        output["attitude_deg"] = [math.degrees(a) for a in euler_of(output["quaternion"].tolist())]

    def _fail(self, reason: str) -> None:
        """Motors stand, servos are centred, and nothing is estimated any more."""
        now_s = int(self._simulator.output["time_us"]) / 1e6
        self.failed_at_s = now_s
        self.failure = (
            f"The controller {self._name} failed in step {self.steps + 1} at {now_s:g} s: {reason}. "
            "Its motors stand since then; correct it and fly again."
        )
        self._process.close()
        settings, output = self._simulator.settings, self._simulator.output
        for i in range(CHANNELS):
            is_servo = settings["mixer_type"][i] == MIXER_SERVO
            output["actuator_command"][i] = settings[
                "channel_neutral" if is_servo else "channel_min"
            ][i]
        output["attitude_valid"] = output["position_valid"] = 0
        output["actuator_desired"] = (0.0, 0.0, 0.0, -1.0)
