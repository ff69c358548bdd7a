"""Which devices fly one aircraft: what the user chose, and what is there."""

import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from plugins.pilot.devices.hub import HUB, DeviceHub, InputDevice
from plugins.pilot.devices.mix import MixSetup
from plugins.pilot.devices.profile_store import ProfileStore
from plugins.pilot.devices.seat_inputs import ChosenDevice, InputChoice, SeatInputs
from telemetry.board_store import board_key
from telemetry.folders import Folders
from telemetry.vehicle.vehicle import Vehicle

FOLDER: Final = "controllers"
NOTHING: Final = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user chose, by keys of the hub: "" is the first device that is set up."""

    pilot: str = NOTHING
    student: str = NOTHING
    mix: MixSetup = field(default_factory=MixSetup)


class DeviceChoice:
    """The devices of one aircraft's seat. For the GUI thread only.

    A device that is not there any more is never replaced by another one in flight.
    """

    def __init__(self, hub: DeviceHub, store: ProfileStore) -> None:
        self.hub = hub
        self.store = store
        self.inputs = SeatInputs(hub)
        self.wanted = Wanted()
        self.aircraft = ""
        """The key of the aircraft's own profiles; "" until its board is known."""
        self._pilot = NOTHING
        self._seen: object = None

    def follow(self, *, is_flying: bool) -> None:
        """Take over what was plugged in, chosen or saved since the last call."""
        devices = self.hub.devices
        self.inputs.is_flying = is_flying
        self._choose_pilot(devices, is_flying=is_flying)
        keys = tuple(device.key for device in devices)
        seen = (keys, self._pilot, self.wanted, self.aircraft, self.store.version)
        if seen != self._seen:
            self._seen = seen
            self.inputs.choice = InputChoice(
                self._chosen(self._pilot), self._chosen(self.wanted.student), self.wanted.mix
            )

    def want(self, wanted: Wanted) -> None:
        """Choose otherwise. The instructor has the controls again."""
        if wanted != self.wanted:
            self.wanted = wanted
            self.inputs.mix.take()

    @property
    def pilot(self) -> str:
        """The key of the device that flies, there or not; "" if there is none."""
        return self._pilot

    def _choose_pilot(self, devices: tuple[InputDevice, ...], *, is_flying: bool) -> None:
        if self.wanted.pilot:
            self._pilot = self.wanted.pilot
            return
        is_there = any(device.key == self._pilot for device in devices)
        if is_there or (is_flying and self._pilot):
            return
        ready = (device.key for device in devices if self._is_ready(device))
        self._pilot = next(ready, NOTHING)

    def _is_ready(self, device: InputDevice) -> bool:
        profile = self.store.profile(device.kind, self.aircraft)
        return device.kind.by_itself and profile is not None and not profile.missing

    def _chosen(self, key: str) -> ChosenDevice | None:
        """A device with its profile; what it was if it is not there now."""
        device = self.hub.device(key)
        if device is None:
            known = (self.inputs.choice.pilot, self.inputs.choice.student)
            return next((chosen for chosen in known if chosen and chosen.key == key), None)
        profile = self.store.profile(device.kind, self.aircraft)
        return None if profile is None else ChosenDevice(key, profile)


def choice_of(vehicle: Vehicle) -> DeviceChoice:
    """The devices of an aircraft."""
    return vehicle.attachment("pilot.devices", lambda: DeviceChoice(HUB, kept_profiles()))


def aircraft_key(serial: str, source: str) -> str:
    """What an aircraft's own profiles are kept under; "" while its board is not known."""
    return board_key(bytes.fromhex(serial), source) if serial else NOTHING


def kept_profiles() -> ProfileStore:
    """The user's profiles: one store for all aircraft, so that all see what was saved."""
    return _store_in(Folders.of_user(os.environ).config / FOLDER)


@cache
def _store_in(folder: Path) -> ProfileStore:
    return ProfileStore(folder)
