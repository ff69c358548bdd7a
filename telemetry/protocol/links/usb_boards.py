"""Boards plugged in by USB: HID interfaces and serial ports, put together by serial number.

Facts: flight/pios/inc/pios_usb_defs.h and pios_usb_desc_hid_cdc.c of LibrePilot.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Protocol

from telemetry.protocol.links.address import AddressError
from telemetry.protocol.links.hid import HidAccess
from telemetry.protocol.links.link import NotThere

USB: Final = "usb:"
"""What the address of a board begins with; its serial number is behind."""
VENDOR: Final = 0x20A0
_PRODUCTS: Final = {
    0x4117: "OpenPilot board",
    0x415A: "OpenPilot main board",
    0x415B: "CopterControl",
    0x415C: "OPLink",
    0x415D: "CC3D",
    0x415E: "Revolution",
    0x4194: "OSD",
    0x4195: "LibrePilot board",
    0x41D0: "Sparky2",
}
"""What a board is called that does not say it itself. The vendor has other products too."""
_DATA_USAGE: Final = (0xFF9C, 1)
_UNTOLD_USAGE: Final = (0, 0)
"""What is listed where the descriptor of the reports was not read."""
_LONGEST_TEXT: Final = 64


class BoardMode(Enum):
    """What runs on a board; the value is the word for it."""

    FIRMWARE = "firmware"
    BOOTLOADER = "bootloader"
    UNKNOWN = "unknown mode"


_MODE_OF_RELEASE: Final = {1: BoardMode.BOOTLOADER, 2: BoardMode.FIRMWARE}
_MODE_OF_END: Final = {"+BL": BoardMode.BOOTLOADER, "+FW": BoardMode.FIRMWARE}


@dataclass(frozen=True, slots=True)
class UsbBoard:
    """A board that is plugged in now.

    `serial` is its number without the end that tells the mode, `hid_path` b"" where it has no HID
    for data, and `port` "" where it shows no serial port.
    """

    serial: str
    name: str
    vendor_id: int
    product_id: int
    mode: BoardMode
    hid_path: bytes
    port: str

    @property
    def title(self) -> str:
        """What a person calls it, such as "Revolution (firmware)"."""
        return f"{self.name} ({self.mode.value})"

    @property
    def is_bootloader(self) -> bool:
        """Whether its bootloader runs, and can be spoken to."""
        return self.mode is BoardMode.BOOTLOADER and bool(self.hid_path)


class PortEntry(Protocol):
    """What is used of a serial port as pyserial's `comports` lists it."""

    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None
    product: str | None


@dataclass(slots=True)
class _Sight:
    """What is seen of a board through its interfaces; `modes` is what each of them tells."""

    serial: str
    name: str
    product_id: int
    modes: set[BoardMode]
    hid_path: bytes = b""
    port: str = ""

    def is_twin(self, other: "_Sight") -> bool:
        """Whether the other is of another board, though it tells the same serial number."""
        paths = {self.hid_path, other.hid_path}
        return len(paths - {b""}) == 2 and self.modes == other.modes

    def join(self, other: "_Sight") -> None:
        """Add another interface. Of two of one kind the first counts."""
        self.modes |= other.modes
        self.hid_path = self.hid_path or other.hid_path
        self.port = self.port or other.port

    def board(self) -> UsbBoard:
        mode = next(iter(self.modes)) if len(self.modes) == 1 else BoardMode.UNKNOWN
        return UsbBoard(
            self.serial, self.name, VENDOR, self.product_id, mode, self.hid_path, self.port
        )


def present_boards(hid: HidAccess | None, ports: Iterable[PortEntry]) -> tuple[UsbBoard, ...]:
    """The boards among what the system lists, by name; asking it may take long.

    A board without a serial number cannot be put together: each of its interfaces is one. Two that
    tell the same number in the same mode are two.
    """
    found: dict[str | int, _Sight] = {}
    for number, sight in enumerate([*_hid_sights(hid), *_port_sights(ports)]):
        known = found.setdefault(sight.serial or number, sight)
        if known.is_twin(sight):
            found[number] = sight
        elif known is not sight:
            known.join(sight)
    boards = (sight.board() for sight in found.values())
    return tuple(sorted(boards, key=lambda board: (board.name, board.serial, board.port)))


def address_of(board: UsbBoard) -> str:
    """The address that opens it again."""
    return f"{USB}{board.serial}"


def board_meant(serial: str, boards: Iterable[UsbBoard], why_none: str = "") -> UsbBoard:
    """The board of a serial number, or for "" the only one. Raises NotThere, with `why_none` it
    may not be seen, and AddressError where there are several."""
    serial = bare_serial(serial)
    meant = [board for board in boards if serial.casefold() in ("", board.serial.casefold())]
    if not meant:
        which = f"with the serial number {serial} " if serial else ""
        raise NotThere(f"No board {which}is plugged in by USB. {why_none or 'Plug it in.'}")
    if len(meant) > 1:
        named = " and ".join(f"{board.title} {address_of(board)}" for board in meant)
        raise AddressError(
            f"Several boards are plugged in: {named}. Say which one by its address, or unplug the "
            "others."
        )
    return meant[0]


def board_of(link: object) -> UsbBoard | None:
    """The board that a link goes to by USB: its `board`, where it has one."""
    board: UsbBoard | None = getattr(link, "board", None)
    return board


def is_board(vendor_id: int | None, product_id: int | None) -> bool:
    """Whether these USB numbers are those of a board."""
    return vendor_id == VENDOR and product_id in _PRODUCTS


def bare_serial(text: str | None) -> str:
    """A board's serial number without the end that tells its mode; "" where there is none."""
    clean = _clean(text)
    return clean[:-3] if clean[-3:] in _MODE_OF_END else clean


def _hid_sights(hid: HidAccess | None) -> Iterable[_Sight]:
    for entry in _listed(hid):
        if entry.get("path") and _carries_data(entry):
            sight = _sight(entry["serial_number"], entry["product_string"], entry["product_id"])
            sight.hid_path = bytes(entry["path"])
            if told := _MODE_OF_RELEASE.get(entry["release_number"] & 0xFF):
                sight.modes.add(told)
            yield sight


def _listed(hid: HidAccess | None) -> Sequence[Mapping[str, Any]]:
    try:
        return hid.enumerate() if hid else ()
    except (OSError, ValueError):  # a text of a board that is none
        return ()


def _carries_data(entry: Mapping[str, Any]) -> bool:
    """Whether it is the interface for data; the joystick that a board plays is another one."""
    usage = (entry["usage_page"], entry["usage"])
    if usage == _DATA_USAGE:
        return bool(entry["vendor_id"] == VENDOR)
    return usage == _UNTOLD_USAGE and is_board(entry["vendor_id"], entry["product_id"])


def _port_sights(ports: Iterable[PortEntry]) -> Iterable[_Sight]:
    for port in ports:
        if port.pid is not None and is_board(port.vid, port.pid):
            sight = _sight(port.serial_number, port.product, port.pid)
            sight.port = port.device
            yield sight


def _sight(serial: str | None, name: str | None, product_id: int) -> _Sight:
    told = _MODE_OF_END.get(_clean(serial)[-3:])
    called = _clean(name) or _PRODUCTS.get(product_id, f"unknown board {product_id:04X}")
    return _Sight(bare_serial(serial), called, product_id, {told} if told else set())


def _clean(text: str | None) -> str:
    """A text of a board, of which nothing is known, without what cannot be shown."""
    return "".join(letter for letter in text or "" if letter.isprintable()).strip()[:_LONGEST_TEXT]
