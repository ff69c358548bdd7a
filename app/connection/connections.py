"""Connections to aircraft: the places there are, opening and closing them, recording each.

Glue between the plugins' kinds of link and telemetry's connections. No Qt.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path

from app.connection.armed import objection_to_leaving
from app.messages import Message, Messages
from app.preferences import AUTOMATIC, Preferences, PreferenceStore
from plugins.api import Device, LinkKind, resolve
from telemetry.base.finding import Level
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.configuration.settings.temporary_settings import temporary_settings_of
from telemetry.protocol.links.link import Link, LinkError, notice_of, remark_of
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.config import SessionConfig
from telemetry.vehicle.connection import BoardFolders, connect
from telemetry.vehicle.vehicle import Fleet, LinkState, Vehicle

SIMULATOR = "sim"
_BESIDE = "{new} is connected beside {active}, which stays the active one. Ctrl+Tab chooses."

Connect = Callable[[str, Callable[[str], Link]], Vehicle]
"""Opens a connection to an address and returns its vehicle at once; a worker does the rest."""


def start_address(wanted: str, simulated: Callable[[], Sequence[Device]]) -> str:
    """Where to connect when the station starts, "" for nowhere. `wanted` are the preferences'
    words; `simulated` gives the simulated aircraft, of which the first one is AUTOMATIC."""
    if wanted != AUTOMATIC:
        return wanted
    return next((device.address for device in simulated()), "")


@dataclass(frozen=True, slots=True)
class ConnectionPlace:
    """Somewhere to connect to: a device that is there now, or an address used before."""

    address: str
    title: str
    group: str


class Connections:
    """All connections of the station, for the GUI thread. Nothing here blocks."""

    def __init__(
        self,
        fleet: Fleet,
        kinds: Sequence[LinkKind],
        connect: Connect,
        jobs: Executor,
        messages: Messages,
        preferences: PreferenceStore,
    ) -> None:
        self._fleet = fleet
        self._kinds = {kind.scheme: kind for kind in kinds}
        self._connect = connect
        self._jobs = jobs
        self._messages = messages
        self._preferences = preferences
        self._addresses: dict[Vehicle, str] = {}
        self._opened: dict[Vehicle, Link] = {}
        self._closing: list[Future[None]] = []
        self._last_address = ""

    @property
    def kinds(self) -> tuple[LinkKind, ...]:
        """The ways to reach an aircraft."""
        return tuple(self._kinds.values())

    def address_of(self, vehicle: Vehicle | None) -> str:
        """The address a vehicle is connected at, "" for one from a file."""
        return self._addresses.get(vehicle, "") if vehicle else ""

    def start_address(self) -> str:
        """Where to connect when the station starts, "" for nowhere."""
        return start_address(self._preferences.current.connect_at_start, self._simulated)

    def simulator_address(self) -> str:
        """The first simulated aircraft, "" where there is none."""
        return start_address(AUTOMATIC, self._simulated)

    def open(self, address: str) -> Vehicle | None:
        """Connect. A connection to the same address is chosen as the active one instead.

        A new one does not take the place of a live active one, which is told. What is wrong with
        the address is told as a message, and None is returned.
        """
        address = address.strip()
        scheme = address.partition(":")[0]
        kind = self._kinds.get(scheme)
        if kind is None or scheme == address:
            self._messages.report(self._unknown(address), Level.WARNING)
            return None
        for vehicle, known in list(self._addresses.items()):
            is_up = vehicle.status.state is not LinkState.DISCONNECTED
            if is_up and _is_at(vehicle, known, address):
                self._messages.report(self._fleet.choose(vehicle), Level.WARNING)
                return vehicle
            if known == address:
                self.forget(vehicle)
        try:
            vehicle = self._connect(address, resolve(kind.open))
        except (LinkError, OSError, ValueError) as error:
            self._messages.report(str(error), Level.WARNING)
            return None
        self._addresses[vehicle] = address
        self._last_address = address
        self._fleet.add(vehicle)
        active = self._fleet.active
        if active is not None and active is not vehicle:
            self._messages.tell(_BESIDE.format(new=vehicle.name, active=active.name))
        self._messages.report(self._preferences.remember(address), Level.WARNING)
        return vehicle

    def disconnect(self, vehicle: Vehicle) -> None:
        """End a connection. Its flight stays to be looked at until it is forgotten."""
        vehicle.timeline.end_live()
        self._closing.append(self._jobs.submit(vehicle.close))

    def forget(self, vehicle: Vehicle) -> None:
        """Take a vehicle out of the station, disconnecting it first where needed."""
        if vehicle in self._fleet.vehicles:
            self._fleet.remove(vehicle)
        self._addresses.pop(vehicle, None)
        self._opened.pop(vehicle, None)
        self._closing.append(self._jobs.submit(vehicle.close))

    def ask_to_disconnect(self, vehicle: Vehicle) -> None:
        """End a connection as the user wishes; ask first while the aircraft is armed."""
        self._ask(vehicle, "Disconnecting", "Disconnect anyway", self.disconnect)

    def ask_to_forget(self, vehicle: Vehicle) -> None:
        """Take a vehicle out as the user wishes; ask first while the aircraft is armed."""
        self._ask(vehicle, "Closing it", "Close it anyway", self.forget)

    def _ask(
        self, vehicle: Vehicle, act: str, remedy: str, go_on: Callable[[Vehicle], None]
    ) -> None:
        objection = objection_to_leaving([vehicle], act)
        if not objection:
            go_on(vehicle)
            return
        self._messages.put(
            Message(
                objection,
                Level.ERROR,
                remedy_title=remedy,
                remedy=lambda: go_on(vehicle),
                refusal_title="Stay",
            )
        )

    def toggle(self) -> None:
        """Disconnect the active vehicle, or connect to where it, or the last one, was.

        Without any of them, connect to the simulator.
        """
        active = self._fleet.active
        address = self.address_of(active)
        if active is not None and address and active.status.state is not LinkState.DISCONNECTED:
            self.ask_to_disconnect(active)
            return
        remembered = (*self._preferences.current.remembered, self.simulator_address())
        self.open(address or self._last_address or self.start_address() or remembered[0])

    def poll(self) -> None:
        """Look at what ended meanwhile; call it on the tick."""
        for future in [future for future in self._closing if future.done()]:
            self._closing.remove(future)
            future.result()
        for vehicle in self._addresses:
            self._tell_notice(vehicle)

    def _tell_notice(self, vehicle: Vehicle) -> None:
        link = vehicle.link
        if link is not None and self._opened.get(vehicle) is not link:
            self._opened[vehicle] = link
            self._messages.report(notice_of(link), Level.WARNING)
            self._messages.tell(remark_of(link))

    def find_places(self) -> "Future[tuple[ConnectionPlace, ...]]":
        """Look for devices, off the GUI thread; remembered addresses follow them."""
        return self._jobs.submit(self._places, self._preferences.current.remembered)

    def close(self) -> None:
        """End all connections and wait for them."""
        for vehicle in self._fleet.vehicles:
            vehicle.close()
            self._fleet.remove(vehicle)
        self._addresses.clear()
        for future in self._closing:
            future.result()
        self._closing.clear()

    def _places(self, remembered: Sequence[str]) -> tuple[ConnectionPlace, ...]:
        kinds = sorted(self._kinds.values(), key=lambda kind: kind.scheme == SIMULATOR)
        found = [  # what is plugged in comes first: there are many simulated aircraft
            ConnectionPlace(device.address, device.title, kind.title)
            for kind in kinds
            for device in self._devices(kind)
        ]
        listed = {place.address for place in found}
        used = [ConnectionPlace(a, a, "Used before") for a in remembered if a not in listed]
        return (*found, *used)

    def _simulated(self) -> Sequence[Device]:
        kind = self._kinds.get(SIMULATOR)
        return self._devices(kind) if kind else ()

    def _devices(self, kind: LinkKind) -> Sequence[Device]:
        if not kind.devices:
            return ()
        try:
            devices: Sequence[Device] = resolve(kind.devices)()
        except (LinkError, OSError, ValueError, ImportError) as error:
            self._messages.tell(f"{kind.title}: {error}")
            return ()
        return devices

    def _unknown(self, address: str) -> str:
        examples = ", ".join(kind.example for kind in self._kinds.values() if kind.example)
        return (
            f"{address!r} is not an address, so nothing was opened. "
            f"Write it like one of these: {examples}."
        )


def _is_at(vehicle: Vehicle, known: str, address: str) -> bool:
    """Whether a connection that was asked for by `known` is to `address`: "usb:" became that of a
    board, and is any board again."""
    at = vehicle.link.address if vehicle.link is not None else known
    return address in (known, at) or (address.endswith(":") and at.startswith(address))


def make_connect(
    catalogue: Callable[[], Catalogue],
    preferences: Callable[[], Preferences],
    usual_folder: Path,
    kept: BoardFolders,
    settings_folder: Path,
    drafts: DraftStore,
) -> Connect:
    """Return a function that opens a connection with the present preferences.

    Flights are recorded in the folder that the user chose, otherwise in `usual_folder`. What
    is kept of boards is in the folders `kept`, settings that are to be given back in
    `settings_folder`, what is staged for them in `drafts`.
    """

    def connect_with_preferences(address: str, open_link: Callable[[str], Link]) -> Vehicle:
        chosen = preferences()
        folder = chosen.recording_folder
        vehicle = connect(
            address,
            open_link,
            catalogue(),
            Path(folder).expanduser() if folder else usual_folder,
            SessionConfig(link_loss_s=chosen.link_loss_s),
            kept,
        )
        configuration_of(vehicle).draft_store = drafts
        temporary_settings_of(vehicle, settings_folder)
        return vehicle

    return connect_with_preferences
