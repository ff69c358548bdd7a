"""Device inputs of one aircraft: which one flies, whose student, and what their buttons ask for."""

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from plugins.pilot.devices.buttons import GIVE_CONTROL, STOP, TAKE_CONTROL, ButtonWatch
from plugins.pilot.devices.hub import DeviceHub
from plugins.pilot.devices.mix import Mix, MixSetup
from plugins.pilot.devices.profile import Profile, sticks_of
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.inputs.reading import Reading
from telemetry.vehicle.sticks import STICKS_FRESH_S, Sticks

PRESS_COUNTS_S: Final = 0.5
"""What a button has asked for and nobody has seen to for so long is not done any more."""
_MOST_COMMANDS: Final = 16


@dataclass(frozen=True, slots=True)
class FlownDevice:
    """A device, by its key in the hub, and what it flies by."""

    key: str
    profile: Profile


@dataclass(frozen=True, slots=True)
class InputChoice:
    """Who flies: a device, and with it a student's, if there is one."""

    pilot: FlownDevice | None = None
    student: FlownDevice | None = None
    mix: MixSetup = field(default_factory=MixSetup)


class AircraftInputs:
    """What the chosen devices ask for.

    `choice` is written by the GUI thread as a whole; `read` is the transmitter's. The instructor's
    device is the pilot's: without it nothing flies. What buttons ask for waits for `take_commands`;
    an emergency stop does not wait.
    """

    def __init__(self, hub: DeviceHub) -> None:
        self.choice = InputChoice()
        self.mix = Mix(MixSetup())
        self.is_flying = False
        """Whether the aircraft is armed: its devices are read more often then."""
        self._hub = hub
        self._watch = ButtonWatch()
        self._watched = ""
        self._commands: deque[tuple[float, str]] = deque(maxlen=_MOST_COMMANDS)
        self._has_joined = False

    def open(self) -> "AircraftInputs":
        """Have devices read, until they are closed."""
        if not self._has_joined:
            self._hub.join()
        self._has_joined = True
        return self

    def read(self, now_s: float) -> DeviceInput | None:
        """See `DeviceInputs`."""
        choice = self.choice
        if self.is_flying:
            self._hub.hurry()
        self.mix.setup = choice.mix
        pilot = choice.pilot
        device = self._hub.device(pilot.key) if pilot else None
        if pilot is None or device is None or not _is_sound(device.reading):
            self._watch.forget()
            return None
        name, read_s = device.kind.name, device.reading.read_s
        if self._watched != pilot.key:
            self._watch, self._watched = ButtonWatch(), pilot.key
        stops = self._follow_buttons(pilot.profile, device.reading, now_s)
        sticks = sticks_of(pilot.profile, device.reading)
        if sticks is None:  # a box of buttons has an emergency stop too
            return DeviceInput(Sticks(), name, read_s, stops) if stops else None
        return DeviceInput(self.mix.step(sticks, self._student(choice, now_s)), name, read_s, stops)

    def present(self) -> Sticks | None:
        """Where the sticks of the pilot's device are, whether they fly or not; None without one."""
        pilot = self.choice.pilot
        device = self._hub.device(pilot.key) if pilot else None
        if pilot is None or device is None or not _is_sound(device.reading):
            return None
        return sticks_of(pilot.profile, device.reading)

    def take_commands(self, now_s: float) -> Iterator[str]:
        """What buttons have asked for since the last call, once each."""
        while self._commands:
            pressed_s, command = self._commands.popleft()
            if now_s - pressed_s < PRESS_COUNTS_S:
                yield command

    def close(self) -> None:
        if self._has_joined:
            self._hub.leave()
        self._has_joined = False
        self._watch.forget()
        self._commands.clear()

    def _follow_buttons(self, profile: Profile, reading: Reading, now_s: float) -> bool:
        """Note what is asked for; returns whether that is an emergency stop. What a device that
        hangs said last holds no button down."""
        if now_s - reading.read_s > STICKS_FRESH_S:
            self._watch.forget()
            return False
        asked = self._watch.step(profile.buttons, reading, now_s)
        for command in asked:
            if command == TAKE_CONTROL:
                self.mix.take()
            elif command == GIVE_CONTROL:
                self.mix.give()
            elif command != STOP:
                self._commands.append((now_s, command))
        return STOP in asked

    def _student(self, choice: InputChoice, now_s: float) -> Sticks | None:
        """Where the student's sticks are, while they are fresh."""
        device = self._hub.device(choice.student.key) if choice.student else None
        if choice.student is None or device is None:
            return None
        if now_s - device.reading.read_s > STICKS_FRESH_S or not _is_sound(device.reading):
            return None
        return sticks_of(choice.student.profile, device.reading)


def _is_sound(reading: Reading) -> bool:
    return all(map(math.isfinite, reading.axes))
