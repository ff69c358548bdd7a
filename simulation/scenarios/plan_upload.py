"""Flight plans as a station uploads them: Waypoint, PathAction and PathPlan objects."""

from collections.abc import Mapping, Sequence
from typing import Any

from simulation.scenarios.scenario import Upload
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.wire.crc import crc8

Values = Mapping[str, Any]


def plan_uploads(
    catalogue: Catalogue, waypoints: Sequence[Values], actions: Sequence[Values]
) -> tuple[Upload, ...]:
    """The objects of a plan, with counts and checksum in the last of them."""
    parts = (
        *(Upload("Waypoint", values, i) for i, values in enumerate(waypoints)),
        *(Upload("PathAction", values, i) for i, values in enumerate(actions)),
    )
    crc = 0
    for part in parts:
        crc = crc8(pack_values(catalogue.find(part.name), part.values), crc)
    plan = {"WaypointCount": len(waypoints), "PathActionCount": len(actions), "Crc": crc}
    return *parts, Upload("PathPlan", plan)
