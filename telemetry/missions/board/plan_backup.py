"""Plan backup: the plan that a board had before an upload that has not ended.

It is on disk before the board is changed, so that the next upload can still give it back after a
crash of the station."""

from pathlib import Path

from telemetry.base.board_store import BoardStore, board_key
from telemetry.base.safe_files import Json
from telemetry.missions.board.encoding import PlanImage
from telemetry.recording.sample import Sample

KeptPlans = BoardStore[PlanImage]


def plan_backups(folder: Path | None) -> KeptPlans:
    """Plans by board, on disk or (None) in memory."""
    return BoardStore(folder, _pack, _parse)


def board_of(identity: Sample | None, source: str) -> str:
    """What tells the board from others; `source` is that of its recording."""
    known = identity is not None and identity.definition.has_field("CPUSerial")
    return board_key(bytes(identity["CPUSerial"]) if known and identity else b"", source)


def _pack(image: PlanImage) -> Json:
    return {
        "waypoints": [row.hex() for row in image.waypoints],
        "actions": [row.hex() for row in image.actions],
    }


def _parse(value: Json) -> PlanImage:
    return PlanImage(
        tuple(bytes.fromhex(row) for row in value["waypoints"]),
        tuple(bytes.fromhex(row) for row in value["actions"]),
    )
