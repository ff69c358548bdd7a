"""Boards in their bootloader, and those that wait for an upload, in the list of messages."""

from pathlib import Path

import pytest

from app.messages import Message, Messages
from app.monitoring.bootloaders import BootloaderMonitor
from telemetry.base.finding import Level
from telemetry.configuration.firmware.image import read_image
from telemetry.configuration.firmware.pending import PendingUploads
from tests.boards.firmware_files import make_opfw
from tests.boards.plugged_boards import SERIAL
from tests.telemetry.configuration.firmware.firmware_bench import FirmwareBench


class Told:
    """What a monitor says of the boards on a bench."""

    def __init__(self, folder: Path) -> None:
        self.bench = FirmwareBench(folder)
        self.shown = 0
        self._messages = Messages()
        self._monitor = BootloaderMonitor(self.bench.work, self._messages, self._show)

    def look(self) -> list[Message]:
        self.bench.look()
        self._monitor.poll()
        return self._messages.take()

    def _show(self) -> None:
        self.shown += 1


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return Told(tmp_path)


def test_a_bootloader_is_told_once_leads_to_the_page_and_is_over_when_it_goes(told: Told) -> None:
    assert told.look() == []
    told.bench.boards.plug_in()
    (there,) = told.look()
    assert "bootloader" in there.text
    assert there.lasts
    assert there.remedy is not None
    there.remedy()
    assert told.shown == 1
    assert told.look() == []
    told.bench.boards.boards = ()
    (over,) = told.look()
    assert over.is_over
    assert over.line == there.line


def test_a_board_that_waits_is_a_warning_until_it_is_forgotten(told: Told) -> None:
    pending = PendingUploads(told.bench.folders.pending_uploads)
    pending.put(SERIAL, read_image(make_opfw(), "kept.opfw"))
    told.bench.work.look_for_interrupted()
    (waits,) = told.look()
    assert waits.level is Level.WARNING
    assert SERIAL in waits.text
    assert "kept.opfw" in waits.text
    (upload,) = told.bench.work.pending
    told.bench.work.forget(upload)
    (over,) = told.look()
    assert over.is_over
