"""Device inputs: what the transmitter asks of the devices that fly one aircraft."""

from dataclasses import dataclass
from typing import Protocol

from telemetry.vehicle.sticks import Sticks


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
    """What is read by a transmitter. All calls come from its thread."""

    def read(self, now_s: float) -> DeviceInput | None:
        """What they ask for, or None while none is there, or one that is needed has vanished."""

    def close(self) -> None:
        """Let go of them. Doing so twice is fine."""


class AircraftDevices(DeviceInputs, Protocol):
    """The devices of one aircraft, as whoever knows devices provides them."""

    def open(self) -> object:
        """Have devices read until they are closed; from any thread. Opening twice is fine."""

    def present(self) -> Sticks | None:
        """Where the sticks of the pilot's device are, whether they fly or not; None without one."""
