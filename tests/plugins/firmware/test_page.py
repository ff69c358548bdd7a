"""The page Firmware in the Configure view, without an aircraft, over an emulated bootloader."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.plugin_loading.loader import find_plugins
from plugins.api import PanelContext
from plugins.configure.panel import ConfigurePanel
from plugins.firmware.page import FirmwarePage
from plugins.testing import replayed_vehicle
from telemetry.configuration.firmware.image import read_image
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.configuration.firmware.update import FirmwareUpdate
from telemetry.configuration.firmware.upload_progress import UploadProgress, UploadStage
from telemetry.protocol.bootloader.packets import State
from telemetry.protocol.links.usb_boards import BoardMode
from telemetry.vehicle.vehicle import Fleet
from tests.boards.firmware_files import make_opfw
from tests.boards.plugged_boards import SERIAL, usb_board
from tests.telemetry.configuration.firmware.firmware_bench import FirmwareBench
from widgets.theme import load_theme

PAGE = "firmware.update"


class Shown(FirmwareBench):
    """The page on a bench."""

    page: FirmwarePage

    def show(self, panel: ConfigurePanel) -> None:
        self._panel = panel
        panel.show_page(PAGE)
        self._refresh()
        page = panel.unbound.page(PAGE)
        assert isinstance(page, FirmwarePage)
        self.page = page

    def show_again(self) -> None:
        self.show(self._panel)

    def see(self) -> None:
        self.look()
        self._refresh()

    def _refresh(self) -> None:
        self._panel.refresh(0.0)
        QCoreApplication.processEvents()

    def open(self, data: bytes | None = None) -> None:
        self.page.open_file(self.write_file(data))
        self.see()

    def tick_all(self) -> None:
        for check in self.page.controls.said:
            check.setChecked(True)
        self._refresh()

    def places(self) -> list[tuple[int, int, int, int]]:
        """Where every control is, and how large."""
        controls = self.page.controls
        return [
            part.geometry().getRect()  # type: ignore[misc]
            for part in controls.findChildren(QWidget)
            if part.parentWidget() is controls
        ]


@pytest.fixture
def shown(qtbot: QtBot, tmp_path: Path) -> Iterator[Shown]:
    fleet = Fleet()
    bench = Shown(tmp_path, fleet)
    fleet.attachment("firmware.work", lambda: bench.work)
    context = PanelContext(fleet, load_theme("light"), bench.jobs, pages=find_plugins().pages)
    panel = ConfigurePanel(context)
    qtbot.addWidget(panel)
    panel.resize(1100, 640)
    panel.show()
    bench.show(panel)
    yield bench
    context.close()


def value(shown: Shown, name: str) -> str:
    facts = (*shown.page.board.facts, *shown.page.file.facts)
    return next(fact.value for fact in facts if fact.name == name)


def test_it_stands_without_an_aircraft_and_says_what_is_missing(shown: Shown) -> None:
    shown.see()
    assert shown.page.isVisible()
    assert shown.page.refusal.text() == "Plug in a board by USB."
    assert not shown.page.controls.upload.isEnabled()
    assert not shown.page.controls.start.isEnabled()


def test_a_bootloader_shows_what_it_is_and_what_can_be_done(shown: Shown) -> None:
    shown.boards.plug_in()
    shown.see()
    assert value(shown, "Board") == "Revolution (09.03)"
    assert value(shown, "Serial number") == SERIAL
    assert value(shown, "What runs") == "bootloader, starts what firmware there is within 6 s"
    assert shown.page.controls.start.isEnabled()
    assert not shown.page.controls.erase.isEnabled()  # its settings cannot be kept


def test_another_boards_file_is_shown_and_refused(shown: Shown) -> None:
    shown.boards.plug_in()
    shown.see()
    shown.open(make_opfw(board=0x0402))
    shown.tick_all()
    assert value(shown, "For the board") == "CC3D (04.02)"
    assert "is for CC3D" in shown.page.refusal.text()
    assert shown.page.refusal.property("tone") == "danger"
    assert not shown.page.controls.upload.isEnabled()
    assert "is for CC3D" in shown.page.controls.upload.toolTip()


def test_holding_the_button_uploads_and_what_was_said_counts_once(shown: Shown) -> None:
    shown.boards.plug_in()
    shown.see()
    shown.open()
    assert not shown.page.controls.upload.isEnabled()
    shown.tick_all()
    assert shown.page.controls.upload.isEnabled()
    shown.page.controls.upload.held.emit()
    shown.finish()
    shown.see()
    assert "verified by the CRC" in shown.page.state.text()
    assert shown.boards.bootloader.started is not None
    assert not any(check.isChecked() for check in shown.page.controls.said)


def test_a_yes_to_the_loss_of_settings_is_of_one_board(shown: Shown) -> None:
    shown.boards.plug_in()
    shown.see()
    shown.open()
    shown.tick_all()
    assert shown.work.refusal() == ""
    shown.boards.boards = (usb_board(serial="0042"),)
    shown.see()
    assert not shown.page.controls.without.isChecked()
    assert "0042" in shown.work.refusal()


def test_what_has_ended_is_not_told_of_another_board(shown: Shown) -> None:
    shown.boards.plug_in()
    shown.see()
    shown.open()
    shown.tick_all()
    shown.page.controls.upload.held.emit()
    shown.finish()
    shown.see()
    assert "was put on the board" in shown.page.state.text()
    shown.boards.bootloader.started = None
    shown.boards.boards = (usb_board(serial="0042"),)
    shown.see()
    assert shown.page.state.text() == ""


def test_a_chosen_board_that_is_gone_is_still_the_chosen_one(shown: Shown) -> None:
    shown.boards.plug_in()
    shown.see()
    shown.work.at_hand.choose(shown.work.at_hand.address)
    shown.boards.boards = (usb_board(serial="0042"),)
    shown.see()
    assert shown.page.controls.board.currentText() == "usb:…702043 (not plugged in)"
    assert shown.page.refusal.text() == "Plug the chosen board in, or choose another."


def test_a_bootloader_that_has_no_firmware_is_not_said_to_start_one(shown: Shown) -> None:
    shown.boards.plug_in()
    shown.boards.bootloader.state = State.JUMP_FAILED
    shown.see()
    assert value(shown, "What runs") == "bootloader, found no firmware to start"


class Posed:
    """Work with a bootloader that stands still at one instant."""

    def __init__(self, progress: UploadProgress) -> None:
        self.progress = progress

    def start(self) -> None:
        """It has begun long ago."""

    def cancel(self) -> str:
        return "" if self.progress.stage is UploadStage.WAITING else "too late"


STATES = [
    UploadProgress(UploadStage.WAITING, 0.0, None, 1, "Waiting for the board."),
    UploadProgress(UploadStage.ERASING, 0.1, 40.0, 1, "Erasing. Leave the board plugged in."),
    UploadProgress(UploadStage.SENDING, 0.5, 20.0, 3, "Sending. Leave the board plugged in."),
    UploadProgress(UploadStage.DONE, 1.0, None, 1, "It is there. " + "Very much is told. " * 20),
    UploadProgress(UploadStage.FAILED, 0.0, None, 4, "It failed. " * 20),
]


def test_nothing_that_is_told_moves_a_control(shown: Shown) -> None:
    shown.see()
    before = shown.places()
    assert len(before) > 10
    shown.boards.plug_in()
    shown.see()
    shown.open()
    for progress in STATES:
        shown.work.update = FirmwareUpdate(Posed(progress), shown.boards.clock)
        shown.see()
        assert shown.page.state.text() == progress.sentence
        assert shown.places() == before
    shown.work.update = None
    file = shown.work.file
    assert file is not None
    assert file.image is not None
    shown.boards.boards = ()
    PendingUploads(shown.folders.pending_uploads).put(SERIAL, file.image)
    shown.work.look_for_interrupted()
    shown.see()
    assert shown.places() == before


def test_cancel_says_why_it_is_too_late(shown: Shown) -> None:
    cancel = shown.page.controls.cancel
    for progress in STATES[:2]:
        shown.work.update = FirmwareUpdate(Posed(progress), shown.boards.clock)
        shown.see()
        assert cancel.isEnabled() == (progress.stage is UploadStage.WAITING)
    assert "erase has begun" in cancel.toolTip()
    assert "about 40 s left" in shown.page.controls.progress.format()


def test_rescue_waits_and_holds_the_board_that_appears(shown: Shown) -> None:
    shown.page.controls.rescue.click()
    shown.see()
    assert "unplug it and plug it in again" in shown.page.state.text()
    shown.boards.plug_in()
    shown.see()
    shown.see()
    assert value(shown, "What runs") == "bootloader, held"
    assert not shown.page.controls.rescue.isChecked()


def test_a_board_of_unknown_mode_is_shown_and_nothing_offered(shown: Shown) -> None:
    shown.boards.plug_in(BoardMode.UNKNOWN)
    shown.see()
    shown.open()
    shown.tick_all()
    assert value(shown, "What runs") == "unknown mode"
    buttons: list[QPushButton] = [shown.page.controls.upload, *shown.page.controls.starts.values()]
    assert not any(button.isEnabled() for button in buttons)


def test_what_waits_for_its_board_is_told_on_the_page_and_in_the_list(shown: Shown) -> None:
    image = read_image(make_opfw(), "kept.opfw")
    PendingUploads(shown.folders.pending_uploads).put(SERIAL, image)
    shown.page.work.look_for_interrupted()
    shown.see()
    assert "kept.opfw" in shown.page.pending.text()
    assert SERIAL in shown.page.incomplete()
    assert shown.page.controls.again.isEnabled()
    shown.page.controls.forget.click()
    shown.see()
    assert shown.page.pending.text() == ""
    assert not shown.page.controls.again.isEnabled()


def test_settings_are_not_erased_unless_the_board_is_named(shown: Shown) -> None:
    shown.boards.bootloader.flash[:8] = make_opfw()[:8]
    shown.boards.plug_in()
    shown.see()
    shown.page.controls.erase.held.emit()  # as if the button had not noticed
    assert shown.work.update is None
    shown.tick_all()
    assert shown.page.controls.erase.isEnabled()
    shown.page.controls.erase.held.emit()
    shown.finish()
    assert shown.boards.bootloader.boot == (0, 0xFA5F, 1, 0)


def test_it_stays_while_aircraft_come_and_go(shown: Shown) -> None:
    page = shown.page
    vehicle = replayed_vehicle()
    shown.fleet.add(vehicle)
    shown.see()
    assert page.isVisible()
    shown.fleet.remove(vehicle)
    shown.see()
    assert page.isVisible()
    shown.show_again()
    assert shown.page is page
