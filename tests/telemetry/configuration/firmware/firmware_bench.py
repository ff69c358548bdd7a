"""Firmware work over boards that are plugged in, with jobs done at once and a stepped clock."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

from telemetry.base.folders import Folders
from telemetry.configuration.firmware.before import Consent
from telemetry.configuration.firmware.claimed_port import ClaimedPort
from telemetry.configuration.firmware.work import FirmwareWork
from telemetry.vehicle.vehicle import Fleet
from tests.boards.emulated_packet_port import EmulatedPacketPort
from tests.boards.firmware_files import make_opfw
from tests.boards.plugged_boards import SERIAL, PluggedBoards
from tests.immediate import ImmediateJobs
from tests.waiting import wait_for


class FirmwareBench:
    """`work` is what is tested. Boards wait without waiting: their clock is stepped instead."""

    def __init__(
        self,
        folder: Path,
        fleet: Fleet | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.folder = folder
        self.boards = PluggedBoards()
        self._clock = clock or self.boards.clock
        self.jobs = ImmediateJobs()
        self.fleet = fleet or Fleet()
        self.folders = Folders.under(folder)
        self.work = self.begin()

    def begin(self) -> FirmwareWork:
        """The station is started anew."""
        return FirmwareWork(
            self.fleet,
            self.jobs,
            self.boards.bootloaders(self.folders.pending_uploads),
            self.folders,
            self._clock,
            self._wait,
        )

    def claim(self) -> ClaimedPort:
        """Another program speaks to the board."""
        port = EmulatedPacketPort(self.boards.bootloader)
        return ClaimedPort(self.folders.pending_uploads, SERIAL, lambda: port)

    def _wait(self, seconds: float) -> None:
        """Time passes for the board; who waits lets other threads go on."""
        self.boards.clock.advance(seconds)
        Event().wait(0.001)

    def look(self) -> None:
        """Time enough to look at the boards again, and to ask one of them."""
        for _ in range(3):
            self.boards.clock.advance(0.6)
            self.work.poll()

    def write_file(self, data: bytes | None = None, name: str = "new.opfw") -> Path:
        path = self.folder / name
        path.write_bytes(data or make_opfw())
        return path

    def open_file(self, data: bytes | None = None, name: str = "new.opfw") -> None:
        self.work.open_file(self.write_file(data, name))
        self.work.poll()

    def say_all(self) -> None:
        self.work.consent = Consent(True, True, self.work.board_name)

    def finish(self) -> None:
        """Until what is under way has ended."""

        def has_ended() -> bool | None:
            self.work.poll()
            return None if self.work.is_busy else True

        wait_for(has_ended)
