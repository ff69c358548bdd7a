"""Opening a board's log, whichever way its firmware keeps one."""

from collections.abc import Callable
from pathlib import Path

from telemetry.base.clock import monotonic_s
from telemetry.configuration.board_logs.errors import BoardLogError
from telemetry.configuration.board_logs.exchange import Exchange
from telemetry.configuration.board_logs.retrieval import BoardLog
from telemetry.configuration.board_logs.sectors import OBJECT_NAME as SECTORS
from telemetry.configuration.board_logs.sectors import SectorLog
from telemetry.vehicle.vehicle import Vehicle


def open_board_log(
    vehicle: Vehicle,
    folder: Path,
    clock: Callable[[], float] = monotonic_s,
    pause: Callable[[float], object] | None = None,
) -> BoardLog | SectorLog:
    """Ask which kind of log a board keeps. Raises BoardLogError if none."""
    entries, sectors = Exchange(vehicle, clock, pause).ask("DebugLogStatus", SECTORS)
    if entries is not None:
        return BoardLog(vehicle, folder, clock, pause)
    if sectors is not None:
        return SectorLog(vehicle, folder, clock, pause)
    raise BoardLogError(
        "This board keeps no log of its own: it has neither DebugLogStatus nor LoggingStats. Where "
        "its firmware has a module for it, switch that on."
    )
