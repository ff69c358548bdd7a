"""`lapwing firmware` over an emulated bootloader: what it prints, what it does, and exit codes."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from telemetry.base.folders import Folders
from telemetry.configuration.firmware import cli
from telemetry.configuration.firmware.image import read_image
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.protocol.links.link import Link
from telemetry.protocol.links.opening import open_link
from telemetry.protocol.links.usb_boards import BoardMode
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from tests.boards.emulated_bootloader import reference_crc
from tests.boards.firmware_files import make_code, make_opfw
from tests.boards.plugged_boards import SERIAL, PluggedBoards, usb_board
from tests.telemetry.configuration.settings.test_cli import AT, BoardLink
from tests.telemetry.protocol.session.fakes import small_board

SAID = ("--propellers-off-battery-off", "--without-settings-of", SERIAL)


class Command:
    """`boards` are plugged in; `__call__` runs a command and returns its exit code."""

    def __init__(
        self,
        folder: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("LAPWING_HOME", str(folder))
        monkeypatch.setattr(
            cli, "system_bootloaders", lambda claims: self.boards.bootloaders(claims)
        )
        self.folder = folder
        self.boards = PluggedBoards()
        self.boards.bootloader.asked_by_firmware = True
        self.boards.plug_in()
        self.folders = Folders.under(folder)
        self.file = folder / "new.opfw"
        self.file.write_bytes(make_opfw())
        self.open_link: Callable[[str], Link] = open_link
        self._capsys = capsys
        self.said = self.told = ""

    def __call__(self, *words: str | Path) -> int:
        parser = argparse.ArgumentParser()
        cli.add_commands(parser.add_subparsers())
        arguments = parser.parse_args(["firmware", *map(str, words)])
        arguments.open_link = self.open_link
        code = int(arguments.run(arguments))
        self.told, self.said = self._capsys.readouterr()
        return code

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.told)
        return found


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def firmware(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    return Command(tmp_path, capsys, monkeypatch)


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
    there, firmware.boards.boards = firmware.boards.boards, ()
    assert firmware("info") == 0  # it is away, and what waits for it is told
    assert "kept.opfw" in firmware.told
    firmware.boards.boards = there
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
    assert "0043" in firmware.said
    assert firmware("info", "usb:", "usb:0042") == 1


class AnsweringFirmware:
    """A board whose firmware answers, with what it says of itself."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.board = small_board(catalogue)
        self._catalogue = catalogue

    def says(self, **values: object) -> None:
        definition = self.board.named("FirmwareIAPObj")
        self.board.values[definition.object_id, 0] = pack_values(definition, values)

    def open(self, _address: str) -> Link:
        return BoardLink(self._catalogue, self.board)


@pytest.fixture
def answering(firmware: Command, catalogue: Catalogue) -> AnsweringFirmware:
    answering = AnsweringFirmware(catalogue)
    firmware.open_link = answering.open
    return answering


def _told_by_a_cc3d(file: bytes) -> int:
    return reference_crc(file.ljust(0x1D000 - 100, b"\xff"))


@pytest.mark.parametrize(
    ("crc", "verdict", "code"), [("right", "right", 0), ("wrong", "wrong", 1), ("", "not known", 2)]
)
def test_firmware_that_answers_is_verified_by_the_crc_that_it_tells(
    firmware: Command, answering: AnsweringFirmware, crc: str, verdict: str, code: int
) -> None:
    firmware.file.write_bytes(make_opfw(board=0x0402))
    told = {"right": _told_by_a_cc3d(firmware.file.read_bytes()), "wrong": 1, "": 0}[crc]
    answering.says(BoardType=4, BoardRevision=2, crc=told)
    assert firmware("verify", AT, firmware.file, "--json") == code
    assert firmware.json["verdict"] == verdict


def test_firmware_that_answers_is_told_and_nothing_is_begun_unless_usb_finds_it_again(
    firmware: Command, answering: AnsweringFirmware
) -> None:
    answering.says(BoardType=9, BoardRevision=3)
    assert firmware("info", AT, "--json") == 0
    assert firmware.json["board"]["mode"] == "firmware"
    assert firmware.json["board"]["code_crc"] is None
    assert firmware("upload", AT, firmware.file, SAID[0]) == 1
    assert "no serial number" in firmware.said
    answering.says(BoardType=4, BoardRevision=2)
    assert firmware("upload", AT, firmware.file, SAID[0]) == 1
    assert "is for Revolution" in firmware.said
