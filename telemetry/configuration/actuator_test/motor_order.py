"""Motor order: which motor is on which output, found by moving one output after the other.

What was found moves the weights of the mixer to the right outputs. They are moved as they are on
board, never worked out anew.
"""

from dataclasses import replace
from typing import Any

from telemetry.configuration.airframe.airframe import Airframe
from telemetry.configuration.airframe.mixer import Mixer, write_mixer
from telemetry.configuration.airframe.motor_pairing import matching_outputs
from telemetry.protocol.objects.definition import ObjectDefinition


def why_not_find_order(mixer: Mixer, frame: Airframe | None) -> str:
    """What stands against finding the order of the motors; empty if nothing."""
    if frame is None or len(frame.motors) < 2:
        return "This airframe has no motors that could be mixed up."
    if len(mixer.motors) != len(frame.motors):
        return (
            f"{len(mixer.motors)} outputs drive motors, but {frame.title} has "
            f"{len(frame.motors)}. Set up the airframe first."
        )
    if matching_outputs(mixer, frame) is None:
        return (
            f"The mixer does not fit {frame.title}, so its motors cannot be told apart. "
            "Take over the frame's vectors on the page Airframe first."
        )
    return ""


class OrderFinder:
    """Goes through the outputs with motors. Raises ValueError where `why_not_find_order` has a
    reason against it."""

    def __init__(self, mixer: Mixer, frame: Airframe) -> None:
        match = matching_outputs(mixer, frame)
        if match is None or len(mixer.motors) != len(frame.motors):
            raise ValueError(why_not_find_order(mixer, frame))
        self.frame = frame
        self.found: dict[str, int] = {}
        """The output (from 1) that turns the frame's motor of that name."""
        self._mixer = mixer
        self._mixed = match.outputs
        self._todo = sorted(channel.output for channel in mixer.motors)

    @property
    def current(self) -> int:
        """The output to move now, from 1; 0 when all are found."""
        return self._todo[0] if self._todo else 0

    @property
    def is_complete(self) -> bool:
        """Whether every motor has its output."""
        return not self._todo

    @property
    def is_in_order(self) -> bool:
        """Whether all motors are where the mixer has them."""
        return self.is_complete and self.found == dict(self._mixed)

    def place(self, name: str) -> None:
        """The current output turns the motor `name`; one that was there is asked for again.

        Raises KeyError for a motor the frame does not have.
        """
        if name not in self._mixed:
            raise KeyError(name)
        if self.is_complete:
            return
        output = self._todo.pop(0)
        before = self.found.get(name)
        if before is not None:
            self._todo.append(before)
        self.found[name] = output

    def mixer(self) -> Mixer:
        """The mixer with every motor's weights on the output that turns it."""
        new_place = {self._mixed[name]: output for name, output in self.found.items()}
        moved = [
            replace(channel, output=new_place.get(channel.output, channel.output))
            for channel in self._mixer.channels
        ]
        moved.sort(key=lambda channel: channel.output)
        return replace(self._mixer, channels=tuple(moved))

    def changes(self, definition: ObjectDefinition) -> dict[str, Any]:
        """The fields of MixerSettings of the outputs with motors, for that order."""
        fields = write_mixer(self.mixer(), definition)
        outputs = {channel.output for channel in self._mixer.motors}
        names = {f"Mixer{output}{part}" for output in outputs for part in ("Type", "Vector")}
        return {name: value for name, value in fields.items() if name in names}
