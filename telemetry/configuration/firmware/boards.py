"""Firmware boards: which boards take firmware from a bootloader, where it stands in their memory,
and whose images they take besides their own.

Source: board-info.mk of each target and the linker scripts of flight/pios of LibrePilot; whose
image a board takes: ground/gcs/src/plugins/uploader/devicewidget.cpp.
"""

from dataclasses import dataclass
from typing import Final

from telemetry.configuration.hardware.board_names import board_name
from telemetry.protocol.objects.firmware_description import DESCRIPTION_BYTES

_RAM: Final = 0x20000000
_CORE_RAM: Final = 0x10000000
_STARTED_FROM: Final = 0xFFFE0000
"""A bootloader looks at these bits of a stack pointer, to tell whether there is firmware."""


@dataclass(frozen=True, slots=True)
class FirmwareBoard:
    """A board by type and revision. `region_bytes` is the flash from `flash_base` on for code and
    description; `core_ram_bytes` is memory that only its processor reaches. `takes` are boards
    whose images it takes besides its own. `is_serial`: its bootloader has no USB, and starts
    firmware only by a restart, once it was spoken to."""

    board: int
    flash_base: int
    region_bytes: int
    ram_bytes: int
    core_ram_bytes: int = 0
    takes: tuple[int, ...] = ()
    is_serial: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return board_name(self.board)

    @property
    def code_bytes(self) -> int:
        """The most that firmware may have, its description left out."""
        return self.region_bytes - DESCRIPTION_BYTES

    def holds_stack(self, pointer: int) -> bool:
        """Whether a stack may begin there, downwards, and a bootloader starts firmware that says
        so."""
        memories = ((_RAM, self.ram_bytes), (_CORE_RAM, self.core_ram_bytes))
        is_there = any(base < pointer <= base + size for base, size in memories)
        return is_there and not pointer % 4 and pointer & _STARTED_FROM in (_RAM, _CORE_RAM)

    def holds_code(self, address: int, size: int) -> bool:
        """Whether firmware of `size` bytes may be entered there; the lowest bit, which is set, says
        that its instructions are short."""
        return bool(address & 1) and self.flash_base <= address < self.flash_base + size


def _f1(board: int, region: int, *takes: int) -> FirmwareBoard:
    return FirmwareBoard(board, 0x08003000, region, 0x5000, takes=takes)


def _f3(
    board: int, region: int = 0x34000, base: int = 0x0800C000, is_serial: bool = False
) -> FirmwareBoard:
    return FirmwareBoard(board, base, region, 0xA000, 0x2000, is_serial=is_serial)


def _f4(board: int, region: int, *takes: int) -> FirmwareBoard:
    return FirmwareBoard(board, 0x08020000, region, 0x20000, 0x10000, takes)


_BOARDS: Final = (
    _f1(0x0301, 0x19000),
    _f1(0x0401, 0x1D000, 0x0402),
    _f1(0x0402, 0x1D000),
    _f3(0x0403),
    _f4(0x0901, 0x60000, 0x0902),
    _f4(0x0902, 0x60000, 0x0903),
    _f4(0x0903, 0xA0000),
    _f4(0x0904, 0xA0000),
    FirmwareBoard(0x0905, 0x08010000, 0x70000, 0x20000),
    _f4(0x0B01, 0xA0000, 0x9201),
    _f3(0x1001, 0x3C000, 0x08004000, is_serial=True),
    _f3(0x1002),
    FirmwareBoard(0x1003, 0x0800C000, 0x34000, 0x10000, 0x4000),
    _f3(0x1005),
    _f3(0x1006),
    _f4(0x9201, 0xA0000),
)
_BY_NUMBER: Final = {board.board: board for board in _BOARDS}


def firmware_board(board: int) -> FirmwareBoard | None:
    """A board (0x0903) as firmware sees it; None for one that is not known."""
    return _BY_NUMBER.get(board)


def known_boards() -> tuple[int, ...]:
    """The numbers of all boards that are known."""
    return tuple(_BY_NUMBER)


def parse_board(text: str) -> int | None:
    """The number of a board that is written as TYPE.REVISION, both hexadecimal ("09.03"); None
    where it is not, or no such board is known."""
    parts = text.split(".")
    try:
        board = int(parts[0], 16) << 8 | int(parts[1], 16) if len(parts) == 2 else 0
    except ValueError:
        return None
    return board if board in _BY_NUMBER else None


def board_number(board: int) -> str:
    """A board as its TYPE.REVISION ("04.02")."""
    return f"{board >> 8:02X}.{board & 0xFF:02X}"


def board_text(board: int) -> str:
    """A board by name, with its TYPE.REVISION ("CC3D (04.02)")."""
    return f"{board_name(board)} ({board_number(board)})"
