"""Opening a board's log, whichever way its firmware keeps one."""

from collections.abc import Callable
from pathlib import Path

from telemetry.base.clock import monotonic_s
from telemetry.configuration.board_logs.retrieval import STATUS, BoardLog
from telemetry.configuration.board_logs.sectors import OBJECT_NAME as SECTORS
from telemetry.configuration.board_logs.sectors import SectorLog
from telemetry.vehicle.vehicle import Vehicle

AnyBoardLog = BoardLog | SectorLog


def open_board_log(
    vehicle: Vehicle,
    folder: Path,
    clock: Callable[[], float] = monotonic_s,
    pause: Callable[[float], object] | None = None,
) -> AnyBoardLog:
    """The log as the board's release keeps it; nothing is asked yet. Arguments as of `BoardLog`."""
    release = vehicle.status.release
    names = {d.name for d in vehicle.catalogue.release(release)} if release else set()
    is_in_sectors = SECTORS in names and STATUS not in names
    return (SectorLog if is_in_sectors else BoardLog)(vehicle, folder, clock, pause)
