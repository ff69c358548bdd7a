"""Aircraft as the settings engine sees it: what is on board, and how to change it."""

import math
from collections.abc import Mapping
from typing import Any

from telemetry.base.board_store import board_key
from telemetry.configuration.settings.identity import Identity, identity_of
from telemetry.configuration.settings.slots import read_slot, slots_of, values_of_sample
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.protocol.objects.firmware_description import OBJECT_NAME, SIMULATOR_TAG
from telemetry.protocol.objects.metadata import Metadata
from telemetry.recording.sample import Sample, Value
from telemetry.vehicle.commands import Ticket
from telemetry.vehicle.vehicle import LinkState, Vehicle


class Aircraft:
    """Reads from a vehicle's recording, live the newest values, in a log those at its cursor;
    writes through its commands."""

    def __init__(self, vehicle: Vehicle) -> None:
        self._vehicle = vehicle
        self._identity = Identity()
        self._identity_stamp: object = None

    @property
    def is_log(self) -> bool:
        """Whether this is a flight of the past."""
        return self._vehicle.status.state is LinkState.REPLAY

    @property
    def is_complete(self) -> bool:
        """Whether all settings that the board has are known."""
        return self._vehicle.status.state in (LinkState.CONNECTED, LinkState.REPLAY)

    def sample(self, name: str, instance: int = 0) -> Sample | None:
        """The values of an object that count now."""
        vehicle = self._vehicle
        if self.is_log:
            return vehicle.recording.latest(name, vehicle.timeline.t, instance)
        track = vehicle.recording.track(name, instance)
        return track.sample_at(math.inf) if track is not None else None

    @property
    def link_address(self) -> str:
        """What opens the link that it is heard by; empty without one."""
        link = self._vehicle.link
        return link.address if link is not None else ""

    def described(self, object_id: int | None) -> ObjectDefinition | None:
        """The definition with an id, whether or not the aircraft has ever sent the object."""
        return None if object_id is None else self._vehicle.catalogue.get(object_id)

    def explain(self, name: str, f: FieldDefinition) -> str:
        """What a field is for, as a sentence; empty if nobody says."""
        return self._vehicle.catalogue.explain(name, f)

    def definition(self, name: str, instance: int = 0) -> ObjectDefinition | None:
        """This aircraft's version of an object; None where it has not sent it."""
        sample = self.sample(name, instance)
        return sample.definition if sample is not None else None

    def values(self, name: str, instance: int = 0) -> dict[str, Value]:
        """All values of an object by path; empty while they are not known."""
        sample = self.sample(name, instance)
        return dict(values_of_sample(sample)) if sample is not None else {}

    def value(self, name: str, path: str, instance: int = 0) -> Value | None:
        """One value of an object; None while it is not known, or not there."""
        sample = self.sample(name, instance)
        slot = slots_of(sample.definition).get(path) if sample is not None else None
        return read_slot(sample.row, slot) if sample is not None and slot is not None else None

    def stamp(self, name: str, instance: int = 0) -> object:
        """Something that differs when the values of an object may have changed."""
        if self.is_log:
            sample = self.sample(name, instance)
            return sample.t if sample is not None else None
        track = self._vehicle.recording.track(name, instance)
        return (track.definition.object_id, track.count) if track is not None else None

    @property
    def identity(self) -> Identity:
        """Board, serial number and firmware, as far as they are known.

        Every editor of a form asks for the board, so it is kept while it stays the same.
        """
        stamp = self.stamp(OBJECT_NAME)
        if stamp != self._identity_stamp:
            self._identity_stamp = stamp
            self._identity = identity_of(self.sample(OBJECT_NAME))
        return self._identity

    @property
    def board(self) -> int:
        """What hardware it is, as limits name it (0x0903, ...); 0 while unknown."""
        return self.identity.board

    @property
    def serial(self) -> str:
        """The board's serial number in hexadecimal; empty while unknown."""
        return self.identity.serial

    @property
    def board_key(self) -> str:
        """What tells this board from others, and whatever is kept of it is kept by."""
        return board_key(bytes.fromhex(self.serial), self._vehicle.recording.source)

    @property
    def is_simulated(self) -> bool:
        """Whether its firmware says that it is our simulator's, whatever link it answers by. Other
        firmware does not tell that it runs on a PC."""
        return self.identity.firmware == SIMULATOR_TAG

    @property
    def is_armed(self) -> bool:
        """Whether its motors may run."""
        status = self.sample("FlightStatus")
        return status is not None and status["Armed"] != "Disarmed"

    def why_read_only(self, name: str) -> str:
        """Why a station may not write an object; empty where it may."""
        definition = self.definition(name)
        if definition is None:
            return ""
        meta = self.sample(f"{name}Meta")
        is_locked = definition.gcs_readonly
        if meta is not None:
            is_locked = Metadata.unpack(meta.row.tobytes()).gcs_readonly
        return f"{name} is read-only for ground stations." if is_locked else ""

    def why_absent(self, name: str, so: str = "") -> str:
        """Why no values of an object are known, as a sentence. `so` is what it means where the
        aircraft lacks it (", so …")."""
        if self.is_log:
            return f"The log has no {name} up to its cursor."
        return f"This aircraft has no {name}{so}." if self.is_complete else "Not received yet."

    # Asking and telling

    def refusal(self) -> str | None:
        """Why nothing can be sent now, as a sentence."""
        return self._vehicle.commands.refusal()

    def ask_identity(self) -> Ticket:
        """Ask which board this is, so that `serial` tells it."""
        return self.request(OBJECT_NAME)

    def request(self, name: str, instance: int = 0) -> Ticket:
        """Ask for an object."""
        return self._vehicle.commands.request(name, instance)

    def send(self, name: str, values: Mapping[str, Any], instance: int = 0) -> Ticket:
        """Write values over what is on board; they are judged already, or were there before."""
        return self._vehicle.commands.send(name, values, instance, is_meant=True)

    def save(self, name: str, instance: int = 0) -> Ticket:
        """Have the board keep an object over a restart."""
        return self._vehicle.commands.persist("Save", name, instance)
