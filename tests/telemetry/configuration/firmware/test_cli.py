"""`lapwing firmware` over an emulated bootloader: what it prints, what it does, and exit codes."""

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from telemetry.base.folders import Folders
from telemetry.configuration.firmware.cli import add_commands
from telemetry.configuration.firmware.image import read_image
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.protocol.links.usb_boards import BoardMode
from tests.boards.firmware_files import make_code, make_opfw
from tests.boards.plugged_boards import SERIAL, PluggedBoards, usb_board

SAID = ("--propellers-off-battery-off", "--without-settings-of", SERIAL)


class Command:
    """`boards` are plugged in; `__call__` runs a command and returns its exit code."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.boards = PluggedBoards()
        self.boards.bootloader.asked_by_firmware = True
        self.boards.plug_in()
        self.folders = Folders.under(folder)
        self.file = folder / "new.opfw"
        self.file.write_bytes(make_opfw())
        self._capsys = capsys
        self.said = self.told = ""

    def __call__(self, *words: str | Path) -> int:
        parser = argparse.ArgumentParser()
        add_commands(parser.add_subparsers())
        arguments = parser.parse_args(["firmware", *map(str, words)])
        arguments.bootloaders, arguments.folders = self.boards.bootloaders(), self.folders
        code = int(arguments.run(arguments))
        self.told, self.said = self._capsys.readouterr()
        return code

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.told)
        return found


@pytest.fixture
def firmware(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(tmp_path, capsys)


def test_a_file_and_a_board_are_told_without_touching_it(firmware: Command) -> None:
    firmware.boards.bootloader.asked_by_firmware = False
    firmware.boards.plug_in()
    assert firmware("info", "usb:", firmware.file, "--json") == 0
    assert firmware.json["file"]["board"] == "09.03"
    assert firmware.json["file"]["sha1_checked"]
    assert firmware.json["file"]["definitions"] == "unknown-hash"
    assert firmware.json["board"]["board"] == "09.03"
    assert firmware.json["board"]["serial"] == SERIAL
    assert not firmware.json["board"]["held"]
    firmware.boards.clock.advance(7.0)
    firmware.boards.bootloader.flash[:8] = make_opfw()[:8]
    firmware.boards.bootloader.tick()
    assert firmware.boards.bootloader.started is not None  # it was not held


def test_upload_verify_and_again_not_what_another_file_holds(firmware: Command) -> None:
    other = firmware.folder / "other.opfw"
    other.write_bytes(make_opfw(seed=2))
    assert firmware("verify", firmware.file) == 1
    assert firmware("upload", firmware.file, *SAID, "--json") == 0
    assert firmware.json["outcome"] == "done"
    assert firmware.json["attempts"] == 1
    firmware.boards.plug_in()
    assert firmware("verify", "usb:", firmware.file, "--json") == 0
    assert firmware.json["verdict"] == "right"
    assert firmware("verify", "usb:", other) == 1
    assert "is not what is on the board" in firmware.told


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "--propellers-off-battery-off"),
        (SAID[:1], f"--without-settings-of {SERIAL}"),
        ((*SAID[:2], "0042"), f"--without-settings-of {SERIAL}"),
    ],
)
def test_nothing_is_erased_before_every_yes_was_said(
    firmware: Command, options: tuple[str, ...], why: str
) -> None:
    assert firmware("upload", firmware.file, *options) == 1
    assert why in firmware.said
    assert firmware.boards.bootloader.erased == 0


def test_wrong_files_are_refused_by_everything(firmware: Command) -> None:
    firmware.file.write_bytes(make_opfw(board=0x0402))
    assert firmware("upload", firmware.file, *SAID) == 1
    assert "is for CC3D" in firmware.said
    bare = firmware.folder / "code.bin"
    bare.write_bytes(make_code())
    assert firmware("upload", bare, *SAID) == 1
    assert "which board" in firmware.said
    assert firmware("upload", bare, *SAID, "--board", "77.01") == 1
    assert "09.03" in firmware.said
    assert firmware.boards.bootloader.erased == 0
    assert firmware("upload", bare, *SAID, "--board", "09.03") == 0
    assert firmware.boards.bootloader.erased == 1


def test_what_was_interrupted_is_listed_and_goes_on_without_a_file(firmware: Command) -> None:
    pending = PendingUploads(firmware.folders.pending_uploads)
    pending.put(SERIAL, read_image(firmware.file.read_bytes(), "kept.opfw"))
    firmware.file.unlink()
    assert firmware("info", "--json") == 0
    assert firmware.json["interrupted"] == [{"serial": SERIAL, "file": "kept.opfw"}]
    assert firmware("upload", SAID[0]) == 0
    assert "kept.opfw" in firmware.told
    assert pending.all() == ()
    assert firmware("upload", SAID[0]) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), (0, 0, 0, 0)),
        (("--safe",), (0x5AFE, 0, 0, 0)),
        (("--erase-settings", *SAID[1:]), (0, 0xFA5F, 1, 0)),
    ],
)
def test_firmware_is_started_as_it_was_asked_for(
    firmware: Command, options: tuple[str, ...], words: tuple[int, ...]
) -> None:
    firmware.boards.bootloader.flash[:8] = make_opfw()[:8]
    assert firmware("boot", *options) == 0
    assert firmware.boards.bootloader.boot == words


def test_settings_are_not_erased_unnamed(firmware: Command) -> None:
    assert firmware("boot", "--erase-settings") == 1
    assert SERIAL in firmware.said
    assert firmware.boards.bootloader.started is None


def test_what_is_not_there_or_not_clear_is_told(firmware: Command) -> None:
    firmware.boards.boards = (usb_board(), usb_board(BoardMode.FIRMWARE, "0042"))
    assert firmware("info") == 2
    assert f"usb:{SERIAL}" in firmware.said
    assert "usb:0042" in firmware.said
    assert firmware("info", "usb:0043") == 2
    assert "usb:0043" in firmware.said
    assert firmware("info", "usb:", "usb:0042") == 1
