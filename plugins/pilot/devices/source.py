"""What an input device says, and what the transmitter asks of devices."""

from dataclasses import dataclass
from typing import Protocol

from telemetry.vehicle.sticks import Sticks


@dataclass(frozen=True, slots=True)
class Reading:
    """Where a device's axes (-1..1) and buttons were at `read_s` on the monotonic clock.

    A device that says nothing by itself while nothing moves was seen to be there at `read_s`; one
    that repeats itself (UDP, a script) said it then, and is stale if it does not go on.
    """

    axes: tuple[float, ...]
    buttons: tuple[bool, ...]
    read_s: float


class ControlSource(Protocol):
    """One device that somebody flies by. All calls come from one thread.

    `guid` is the same for devices of one make, and tells which profile belongs to them; two alike
    have the same.
    """

    @property
    def name(self) -> str:
        """What it calls itself, for the screen."""

    @property
    def guid(self) -> str:
        """Which make and model it is."""

    def poll(self, now_s: float) -> Reading | None:
        """Its axes and buttons now, or None once it has vanished."""

    def close(self) -> None:
        """Let go of it. Doing so twice is fine."""


@dataclass(frozen=True, slots=True)
class DeviceInput:
    """What the devices chosen for an aircraft ask for: sticks without switches, read at `read_s`.

    `stops` asks for motors off, now, whatever the sticks come from.
    """

    sticks: Sticks
    name: str
    read_s: float
    stops: bool = False


class DeviceInputs(Protocol):
    """The devices of one seat. All calls come from the transmitter's thread."""

    def read(self, now_s: float) -> DeviceInput | None:
        """What they ask for, or None while none is there, or one that is needed has vanished."""

    def close(self) -> None:
        """Let go of them. Doing so twice is fine."""
