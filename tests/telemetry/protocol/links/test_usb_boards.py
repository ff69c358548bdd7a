"""What is listed of USB, put together to boards. Numbers are those of pios_usb_defs.h."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from telemetry.protocol.links.hid import HidAccess, HidDevice
from telemetry.protocol.links.usb_boards import BoardMode, UsbBoard, present_boards
from tests.boards.hid_entries import SERIAL, SerialEntry, hid_entries

OTHER = "0F0E0D0C0B0A090807060504"
FIRMWARE, BOOTLOADER, UNKNOWN = BoardMode.FIRMWARE, BoardMode.BOOTLOADER, BoardMode.UNKNOWN


def _access(*entries: Mapping[str, Any]) -> HidAccess:
    def no_opening(path: bytes) -> HidDevice:
        raise AssertionError(f"{path!r} was opened")

    return HidAccess(lambda: entries, no_opening)


def _boards(entries: Sequence[Mapping[str, Any]], *ports: SerialEntry) -> list[UsbBoard]:
    return list(present_boards(_access(*entries), ports))


def test_hid_and_serial_port_of_a_board_are_one() -> None:
    [board] = _boards(hid_entries(), SerialEntry())
    assert board == UsbBoard(
        SERIAL, "Revolution", 0x20A0, 0x415E, FIRMWARE, b"/dev/hidraw3", "/dev/ttyACM0"
    )
    assert board.title == "Revolution (firmware)"


def test_two_boards_of_a_kind_are_two() -> None:
    entries = [*hid_entries(), *hid_entries(f"{OTHER}+BL", b"/dev/hidraw4")]
    one, other = _boards(entries, SerialEntry())
    assert (one.serial, one.mode, one.port) == (OTHER, BOOTLOADER, "")
    assert (other.serial, other.mode, other.port) == (SERIAL, FIRMWARE, "/dev/ttyACM0")


@pytest.mark.parametrize(
    ("serial", "release", "mode"),
    [
        (f"{SERIAL}+FW", 0x0902, FIRMWARE),
        (f"{SERIAL}+BL", 0x0501, BOOTLOADER),
        (f"{SERIAL}+FW", 0x0501, UNKNOWN),  # they disagree
        (f"{SERIAL}+BL", 0x0502, UNKNOWN),
        (SERIAL, 0x0501, BOOTLOADER),  # one tells
        (f"{SERIAL}+FW", 0x0000, FIRMWARE),
        (SERIAL, 0x0100, UNKNOWN),  # the board's id is in the high byte
        (SERIAL, 0x0000, UNKNOWN),
    ],
)
def test_the_mode_is_told_or_not_known(serial: str, release: int, mode: BoardMode) -> None:
    [board] = _boards(hid_entries(serial, release_number=release))
    assert (board.serial, board.mode) == (SERIAL, mode)


def test_a_serial_port_that_stayed_of_before_makes_the_mode_unknown() -> None:
    [board] = _boards(hid_entries(f"{SERIAL}+BL"), SerialEntry())
    assert board.mode is UNKNOWN


def test_where_usages_are_not_told_the_numbers_count() -> None:
    assert _boards(hid_entries(usage_page=0, usage=0)[:1])
    assert not _boards(hid_entries(usage_page=0, usage=0, product_id=0x4107)[:1]), "a Nitrokey"


@pytest.mark.parametrize("changes", [{"vendor_id": 0x046D}, {"usage": 2}, {"path": b""}])
def test_what_is_not_a_boards_data_is_none(changes: dict[str, Any]) -> None:
    assert not _boards(hid_entries(**changes))


def test_the_joystick_alone_is_no_board() -> None:
    assert not _boards(hid_entries()[1:])


def test_an_unknown_product_with_the_boards_usage_is_shown() -> None:
    [board] = _boards(hid_entries(product="", product_id=0x4FFF))
    assert board.name == "unknown board 4FFF"


def test_boards_without_a_number_stay_apart() -> None:
    both = _boards(hid_entries(""), SerialEntry(serial_number=None))
    assert [(board.hid_path, board.port) for board in both] == [
        (b"/dev/hidraw3", ""),
        (b"", "/dev/ttyACM0"),
    ]


def test_two_boards_that_tell_one_number_are_two() -> None:
    entries = [*hid_entries(), *hid_entries(path=b"/dev/hidraw4")]
    one, other = _boards(entries, SerialEntry())
    assert (one.serial, other.serial) == (SERIAL, SERIAL)
    assert {one.hid_path, other.hid_path} == {b"/dev/hidraw3", b"/dev/hidraw4"}


def test_other_serial_ports_are_no_boards() -> None:
    radio = SerialEntry("/dev/ttyUSB0", "A50285BI", 0x0403, 0x6001, "FT232R USB UART")
    assert not _boards([], radio, SerialEntry("/dev/ttyS0", None, None, None, None))


def test_a_hostile_name_is_cut_and_made_printable() -> None:
    [board] = _boards(hid_entries(product="\x1b[31mRevo\n" + "x" * 5000))
    assert board.name == ("[31mRevo" + "x" * 5000)[:64]


def test_where_hid_cannot_be_listed_serial_ports_are() -> None:
    def broken() -> Sequence[Mapping[str, Any]]:
        raise OSError("no bus")

    for access in (None, HidAccess(broken, _access().open)):
        [board] = present_boards(access, [SerialEntry()])
        assert (board.hid_path, board.port, board.mode) == (b"", "/dev/ttyACM0", FIRMWARE)
