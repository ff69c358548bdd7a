"""What is in a board's flash, and starting it."""

from pathlib import Path

import pytest

from telemetry.configuration.firmware.board_check import (
    FlashVerdict,
    code_verdict,
    description_verdict,
    read_content,
)
from telemetry.configuration.firmware.image import read_image
from telemetry.configuration.firmware.starting import start_firmware
from telemetry.protocol.bootloader.client import Bootloader, BootloaderError
from telemetry.protocol.bootloader.packets import Boot
from tests.boards.emulated_bootloader import EmulatedBootloader
from tests.boards.emulated_packet_port import EmulatedPacketPort, Fault, Kind
from tests.boards.firmware_files import make_opfw
from tests.boards.stepped_clock import SteppedClock
from tests.telemetry.configuration.firmware.test_upload import Bench


def board_with(code: bytes, description: bytes = b"") -> tuple[EmulatedBootloader, Bootloader]:
    clock = SteppedClock()
    board = EmulatedBootloader(clock)
    board.flash[: len(code)] = code
    board.flash[board.code_size : board.code_size + len(description)] = description
    return board, Bootloader(EmulatedPacketPort(board), clock)


def test_a_file_is_on_a_board_whether_its_description_is_behind_the_code_or_not() -> None:
    file = make_opfw()
    image = read_image(file, "new.opfw")
    for code, is_right in ((file, True), (file[:-100], True), (file[:-101], False)):
        _, bootloader = board_with(code, file[-100:])
        content = read_content(bootloader)
        assert (code_verdict(image, content.device) is FlashVerdict.RIGHT) is is_right
        assert description_verdict(image, content.description) is FlashVerdict.RIGHT
        assert content.about == image.about
    other = read_image(make_opfw(seed=2), "other.opfw")
    assert code_verdict(other, content.device) is FlashVerdict.WRONG
    assert description_verdict(other, content.description) is FlashVerdict.WRONG
    too_large = read_image(make_opfw(size=5000), "large.opfw")
    assert code_verdict(too_large, content.device) is FlashVerdict.WRONG


def test_what_cannot_be_read_back_is_not_known() -> None:
    board, bootloader = board_with(b"")
    board.reads_back = False
    content = read_content(bootloader)
    assert (content.description, content.about) == (None, None)
    image = read_image(make_opfw(), "new.opfw")
    assert description_verdict(image, content.description) is FlashVerdict.NOT_KNOWN


def test_an_empty_board_says_that_there_is_nothing_to_start(tmp_path: Path) -> None:
    _, bootloader = board_with(b"")
    with pytest.raises(BootloaderError, match="no firmware"):
        start_firmware(bootloader, 0x0903, Boot.NORMAL)
    bench = Bench(tmp_path)
    bench.board.flash[: len(bench.file)] = bench.file
    lost = EmulatedPacketPort(bench.board, (Fault(Kind.LOSE, 4),))
    assert start_firmware(Bootloader(lost, bench.clock), 0x0903, Boot.SAFE)
    assert bench.board.boot == (0x5AFE, 0, 0, 0)
