"""Control sources: what an input device is to the station."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from plugins.pilot.devices.profile import Profile
from telemetry.flying.inputs.reading import Reading


@dataclass(frozen=True, slots=True)
class BoardJoystick:
    """A joystick that a flight controller plays: its board's serial number, "" where the system
    does not tell it, and USB product."""

    serial: str
    product_id: int


@dataclass(frozen=True, slots=True)
class DeviceKind:
    """What is known of a device before it is read.

    `guid` is the same for all of one make and model, and tells which profiles belong to them; two
    alike have the same. `axes` names its axes where their maker does. `standard` is what it flies
    by before anybody has set it up, if that is known. Of those that are chosen `by_itself` one
    flies without being picked from the list: never a program. `identity` tells it from every other
    one and is its key in the hub, where a device has one that stays the same when it comes back.
    `board` is set where a flight controller plays it.
    """

    name: str
    guid: str
    axes: tuple[str, ...] = ()
    standard: Profile | None = None
    by_itself: bool = True
    identity: str = ""
    board: BoardJoystick | None = None


class ControlSource(Protocol):
    """One device that somebody flies by. All calls come from one thread."""

    @property
    def kind(self) -> DeviceKind:
        """What it is."""

    def poll(self, now_s: float) -> Reading | None:
        """Its axes and buttons now, or None once it has vanished."""

    def close(self) -> None:
        """Let go of it. Doing so twice is fine."""


class DeviceFinder(Protocol):
    """Finds devices of one sort. All calls come from one thread."""

    def find(self, now_s: float) -> Sequence[ControlSource]:
        """The devices that have appeared since the last call; called before devices are polled."""

    def close(self) -> None:
        """Look no more. Doing so twice is fine."""
