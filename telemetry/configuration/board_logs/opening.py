"""Opening a board's log, whichever way its firmware keeps one."""

from collections.abc import Callable
from pathlib import Path

from telemetry.base.clock import monotonic_s
from telemetry.configuration.board_logs.board_log import BoardLog
from telemetry.configuration.board_logs.entry_log import EntryLog
from telemetry.configuration.board_logs.exchange import BoardExchange
from telemetry.configuration.board_logs.logged_objects import has_file_log
from telemetry.configuration.board_logs.sector_log import SectorLog
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.vehicle.vehicle import Vehicle


def open_board_log(
    vehicle: Vehicle,
    folder: Path,
    clock: Callable[[], float] = monotonic_s,
    pause: Callable[[float], object] | None = None,
) -> BoardLog:
    """The log as this board keeps it, where its settings are known; nothing is asked yet.
    Arguments as of `BoardLog` and `BoardExchange`."""
    kind: type[BoardLog] = SectorLog if has_file_log(configuration_of(vehicle)) else EntryLog
    return kind(BoardExchange(vehicle, clock, pause), folder)
