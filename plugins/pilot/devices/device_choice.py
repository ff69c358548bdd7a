"""Device choice: which devices fly one aircraft, what the user chose, and what is there."""

import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Final

from plugins.pilot.devices.aircraft_inputs import AircraftInputs, FlownDevice, InputChoice
from plugins.pilot.devices.chosen_devices import NOTHING, ChosenDevices, chosen_devices_store
from plugins.pilot.devices.hub import HUB, DeviceHub, InputDevice
from plugins.pilot.devices.own_joystick import OwnJoystick
from plugins.pilot.devices.profile_store import ProfileStore
from plugins.pilot.devices.source import BoardJoystick
from telemetry.base.board_store import BoardStore
from telemetry.base.folders import Folders
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.flying.controls import controls_of
from telemetry.vehicle.vehicle import Vehicle

FOLDER: Final = "controllers"


class DeviceChoice:
    """The devices of one aircraft. For the GUI thread only.

    A device that is not there any more is never replaced by another one in flight.
    """

    def __init__(
        self,
        hub: DeviceHub,
        store: ProfileStore,
        read_aircraft: Callable[[], str] = lambda: NOTHING,
        kept: BoardStore[ChosenDevices] | None = None,
        is_own: Callable[[BoardJoystick | None], bool] = lambda _board: False,
    ) -> None:
        """`read_aircraft` gives the key of the aircraft's own profiles, "" until that is known;
        `kept` is where what is chosen is kept for it; `is_own` tells the joystick that its own
        board plays, which never flies it."""
        self.hub = hub
        self.store = store
        self.inputs = AircraftInputs(hub)
        self.chosen = ChosenDevices()
        self.aircraft = NOTHING
        """What `read_aircraft` said last."""
        self._read_aircraft = read_aircraft
        self._kept = kept if kept is not None else chosen_devices_store(None)
        self._is_own = is_own
        self._pilot = NOTHING
        self._seen: object = None

    def usable(self, devices: Iterable[InputDevice]) -> tuple[InputDevice, ...]:
        """Those that may fly this aircraft."""
        return tuple(device for device in devices if not self._is_own(device.kind.board))

    def follow(self, *, is_flying: bool) -> None:
        """Take over what was plugged in, chosen or saved since the last call; while the aircraft
        is flown no device changes what its axes mean."""
        devices = self.usable(self.hub.devices)
        self.inputs.is_flying = is_flying
        self._follow_aircraft()
        self._choose_pilot(devices, is_flying=is_flying)
        keys = tuple(device.key for device in devices)
        seen = (keys, self._pilot, self.chosen, self.aircraft, self.store.version, is_flying)
        if seen != self._seen:
            self._seen = seen
            pilot, student = (
                self._chosen(key, is_flying=is_flying) for key in (self._pilot, self.chosen.student)
            )
            self.inputs.choice = InputChoice(pilot, student, self.chosen.mix)

    def choose(self, chosen: ChosenDevices) -> None:
        """Choose otherwise. The instructor has the controls again."""
        if chosen != self.chosen:
            self.chosen = chosen
            self.hub.chosen |= {chosen.pilot, chosen.student}
            self.inputs.mix.take()
            if self.aircraft:
                self._kept.put(self.aircraft, chosen if self._can_be_kept(chosen) else None)

    def _follow_aircraft(self) -> None:
        """Once the board is known, want what was chosen for it last time."""
        aircraft = self._read_aircraft()
        if aircraft == self.aircraft:
            return
        self.aircraft = aircraft
        kept = self._kept.get(aircraft) if aircraft else None
        if kept is not None and self.chosen == ChosenDevices():
            self.chosen = kept

    def _can_be_kept(self, chosen: ChosenDevices) -> bool:
        """Not what could be another one next time: of two alike, or a program."""
        devices = [self.hub.device(key) for key in (chosen.pilot, chosen.student) if key]
        return all(
            device is not None and device.kind.by_itself and device.key == device.kind.guid
            for device in devices
        )

    @property
    def pilot(self) -> str:
        """The key of the device that flies, there or not; "" if there is none."""
        return self._pilot

    def _choose_pilot(self, devices: tuple[InputDevice, ...], *, is_flying: bool) -> None:
        if self.chosen.pilot:
            self._pilot = self.chosen.pilot
            return
        is_there = any(device.key == self._pilot for device in devices)
        if is_there or (is_flying and self._pilot):
            return
        ready = (device.key for device in devices if self._is_ready(device))
        self._pilot = next(ready, NOTHING)

    def _is_ready(self, device: InputDevice) -> bool:
        profile = self.store.profile(device.kind, self.aircraft)
        return device.kind.by_itself and profile is not None and not profile.missing

    def _chosen(self, key: str, *, is_flying: bool) -> FlownDevice | None:
        """A device with its profile; what it was if it is not there now, or is flown by."""
        known = (self.inputs.choice.pilot, self.inputs.choice.student)
        before = next((chosen for chosen in known if chosen and chosen.key == key), None)
        device = self.hub.device(key)
        if device is not None and self._is_own(device.kind.board):
            return None
        if device is None or (is_flying and before is not None):
            return before
        profile = self.store.profile(device.kind, self.aircraft)
        return None if profile is None else FlownDevice(key, profile)


def choice_of(vehicle: Vehicle) -> DeviceChoice:
    """The devices of an aircraft, connected to its controls."""
    return vehicle.attachment("pilot.devices", lambda: _choice(vehicle))


def _choice(vehicle: Vehicle) -> DeviceChoice:
    folder = Folders.of_user(os.environ).config / FOLDER / "aircraft"
    store = chosen_devices_store(folder)
    is_own = OwnJoystick(vehicle).is_own
    choice = DeviceChoice(HUB, kept_profiles(), lambda: aircraft_of(vehicle), store, is_own)
    controls_of(vehicle).inputs.connect(choice.inputs)
    return choice


def aircraft_of(vehicle: Vehicle) -> str:
    """What an aircraft's own profiles are kept under; "" while its board is not known."""
    aircraft = configuration_of(vehicle).aircraft
    return aircraft.board_key if aircraft.serial else NOTHING


def kept_profiles() -> ProfileStore:
    """The user's profiles: one store for all aircraft, so that all see what was saved."""
    return _store_in(Folders.of_user(os.environ).config / FOLDER)


@cache
def _store_in(folder: Path) -> ProfileStore:
    return ProfileStore(folder)
