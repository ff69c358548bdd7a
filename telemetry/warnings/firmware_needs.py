"""Firmware needs of a value: whether this aircraft's firmware can ever tell it.

A firmware is known by its release's definitions, and a board by what it answered: a station asks
for the metadata of every object of the release, which firmware built without an object refuses
(UAVTalk, uavtalk.c: receiveObject answers with a NACK for an id that is not registered).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.metadata import metaobject
from telemetry.recording.flight_state import RENAMED
from telemetry.vehicle.vehicle import LinkState, Vehicle

_KNOWN = (LinkState.CONNECTED, LinkState.REPLAY)


@dataclass(frozen=True, slots=True)
class FirmwareNeed:
    """An object under one of its names, with one of these fields."""

    objects: tuple[str, ...]
    fields: tuple[str, ...]

    @property
    def words(self) -> str:
        """As it is called today."""
        return f"{self.objects[0]}.{self.fields[0]}"


def field_need(path: str) -> FirmwareNeed:
    """What the path of a field needs: "Object[instance].Field.element"."""
    head, _, rest = path.partition(".")
    name = head.partition("[")[0]
    others = next((group for group in RENAMED if name in group), ())
    names = (name, *(other for other in others if other != name))
    return FirmwareNeed(names, (rest.partition(".")[0],))


def why_never_told(vehicle: Vehicle, needs: Iterable[FirmwareNeed]) -> str:
    """A sentence, and below it what the firmware does not have; "" as long as it may tell it."""
    status = vehicle.status
    if status.state not in _KNOWN or not vehicle.catalogue.ids(status.release):
        return ""
    missing = [need.words for need in needs if not _may_be_told(vehicle, need)]
    if not missing:
        return ""
    return "\n".join(
        ("Not told by this firmware, so that it stays silent.", *dict.fromkeys(missing))
    )


def _may_be_told(vehicle: Vehicle, need: FirmwareNeed) -> bool:
    definitions = [_on_board(vehicle, name) for name in need.objects]
    return any(
        definition is not None and any(definition.has_field(field) for field in need.fields)
        for definition in definitions
    )


def _on_board(vehicle: Vehicle, name: str) -> ObjectDefinition | None:
    """This aircraft's version of an object, as far as it may have one."""
    track = vehicle.recording.track(name)
    if track is not None:
        return track.definition
    catalogue, status = vehicle.catalogue, vehicle.status
    found = catalogue.named(name, catalogue.ids(status.release), status.release)
    has_answered_all = status.state is LinkState.CONNECTED and 0 < status.total <= status.fetched
    if found is None or not has_answered_all:
        return found
    meta_id = metaobject(found).object_id
    return found if vehicle.recording.track(meta_id) is not None else None
