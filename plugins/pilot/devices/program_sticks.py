"""Program sticks: the source behind UDP and scripts, whose sticks a program writes."""

from collections.abc import Sequence
from typing import Final

from plugins.pilot.devices.default_profiles import program_profile
from plugins.pilot.devices.source import DeviceKind
from telemetry.flying.inputs.reading import Reading
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS

GONE_S: Final = 1.0
"""A program that has said nothing for so long is gone. It flies nothing long before that."""


class ProgramSticks:
    """A device whose axes and buttons somebody else writes, from any thread: roll, pitch, yaw and
    throttle, each -1..1, then what else there is. It is gone once it is closed, or after a second
    without a word, and there again when it is written.
    """

    def __init__(self, name: str, guid: str, identity: str = "") -> None:
        self.kind = DeviceKind(
            name,
            guid,
            tuple(map(str.title, STICK_CONTROLS)),
            program_profile(),
            by_itself=False,
            identity=identity,
        )
        self._reading: Reading | None = None

    def write(self, axes: Sequence[float], buttons: Sequence[bool], now_s: float) -> None:
        """Say where everything is now. The latest counts."""
        self._reading = Reading(tuple(axes), tuple(buttons), now_s)

    def poll(self, now_s: float) -> Reading | None:
        reading = self._reading
        if reading is None or now_s - reading.read_s > GONE_S:
            return None
        return reading

    def close(self) -> None:
        self._reading = None
