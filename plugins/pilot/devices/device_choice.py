"""Device choice of one aircraft: what the user chose, and what is there."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from plugins.pilot.devices.hub import HUB, DeviceHub, InputDevice
from plugins.pilot.devices.pilot_inputs import ChosenDevice, InputChoice, PilotInputs
from plugins.pilot.devices.profile_store import ProfileStore
from plugins.pilot.devices.wanted import NOTHING, Wanted, wanted_store
from telemetry.base.board_store import BoardStore, board_key
from telemetry.base.folders import Folders
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.vehicle.vehicle import Vehicle

FOLDER: Final = "controllers"


class DeviceChoice:
    """The devices of one aircraft's seat. For the GUI thread only.

    A device that is not there any more is never replaced by another one in flight.
    """

    def __init__(
        self,
        hub: DeviceHub,
        store: ProfileStore,
        read_aircraft: Callable[[], str] = lambda: NOTHING,
        kept: BoardStore[Wanted] | None = None,
    ) -> None:
        """`read_aircraft` gives the key of the aircraft's own profiles, "" until that is known;
        `kept` is where what is wanted is kept for it."""
        self.hub = hub
        self.store = store
        self.inputs = PilotInputs(hub)
        self.wanted = Wanted()
        self.aircraft = NOTHING
        """What `read_aircraft` said last."""
        self._read_aircraft = read_aircraft
        self._kept = kept if kept is not None else wanted_store(None)
        self._pilot = NOTHING
        self._seen: object = None

    def follow(self, *, is_flying: bool) -> None:
        """Take over what was plugged in, chosen or saved since the last call; while the aircraft
        is flown no device changes what its axes mean."""
        devices = self.hub.devices
        self.inputs.is_flying = is_flying
        self._follow_aircraft()
        self._choose_pilot(devices, is_flying=is_flying)
        keys = tuple(device.key for device in devices)
        seen = (keys, self._pilot, self.wanted, self.aircraft, self.store.version, is_flying)
        if seen != self._seen:
            self._seen = seen
            pilot, student = (
                self._chosen(key, is_flying=is_flying) for key in (self._pilot, self.wanted.student)
            )
            self.inputs.choice = InputChoice(pilot, student, self.wanted.mix)

    def want(self, wanted: Wanted) -> None:
        """Choose otherwise. The instructor has the controls again."""
        if wanted != self.wanted:
            self.wanted = wanted
            self.inputs.mix.take()
            if self.aircraft:
                self._kept.put(self.aircraft, wanted if self._can_be_kept(wanted) else None)

    def _follow_aircraft(self) -> None:
        """Once the board is known, want what was wanted for it last time."""
        aircraft = self._read_aircraft()
        if aircraft == self.aircraft:
            return
        self.aircraft = aircraft
        kept = self._kept.get(aircraft) if aircraft else None
        if kept is not None and self.wanted == Wanted():
            self.wanted = kept

    def _can_be_kept(self, wanted: Wanted) -> bool:
        """Not what could be another one next time: of two alike, or a program."""
        devices = [self.hub.device(key) for key in (wanted.pilot, wanted.student) if key]
        return all(
            device is not None and device.kind.by_itself and device.key == device.kind.guid
            for device in devices
        )

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

    def _chosen(self, key: str, *, is_flying: bool) -> ChosenDevice | None:
        """A device with its profile; what it was if it is not there now, or is flown by."""
        known = (self.inputs.choice.pilot, self.inputs.choice.student)
        before = next((chosen for chosen in known if chosen and chosen.key == key), None)
        device = self.hub.device(key)
        if device is None or (is_flying and before is not None):
            return before
        profile = self.store.profile(device.kind, self.aircraft)
        return None if profile is None else ChosenDevice(key, profile)


def choice_of(vehicle: Vehicle) -> DeviceChoice:
    """The devices of an aircraft."""
    return vehicle.attachment("pilot.devices", lambda: _choice(vehicle))


def _choice(vehicle: Vehicle) -> DeviceChoice:
    folder = Folders.of_user(os.environ).config / FOLDER / "aircraft"
    return DeviceChoice(HUB, kept_profiles(), lambda: aircraft_of(vehicle), wanted_store(folder))


def aircraft_of(vehicle: Vehicle) -> str:
    """What an aircraft's own profiles are kept under; "" while its board is not known."""
    serial = configuration_of(vehicle).aircraft.serial
    return board_key(bytes.fromhex(serial), vehicle.recording.source) if serial else NOTHING


def kept_profiles() -> ProfileStore:
    """The user's profiles: one store for all aircraft, so that all see what was saved."""
    return _store_in(Folders.of_user(os.environ).config / FOLDER)


@cache
def _store_in(folder: Path) -> ProfileStore:
    return ProfileStore(folder)
