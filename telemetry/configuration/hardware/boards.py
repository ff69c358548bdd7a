"""Board ports: which fields of HwSettings are a board's, for the boards that are known.

Facts: the board types and port fields of the families' hardware pages.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Port:
    """A socket on a board: the field of HwSettings that says what it is for, and its name."""

    field: str
    title: str


@dataclass(frozen=True, slots=True)
class BoardKind:
    """A line of boards by the upper byte of their type. `has_radio` for one with a modem."""

    type: int
    title: str
    ports: tuple[Port, ...]
    has_radio: bool = False


def _ports(prefix: str, *more: tuple[str, str]) -> tuple[Port, ...]:
    """The sockets that all boards have, and those that only this one has."""
    sockets = (("Rcvr", "Receiver"), ("Main", "Main"), ("Flexi", "Flexi"), *more)
    usb = (Port("USB_HIDPort", "USB HID"), Port("USB_VCPPort", "USB VCP"))
    return (*(Port(f"{prefix}_{field}Port", title) for field, title in sockets), *usb)


BOARDS = (
    BoardKind(0x04, "CopterControl", _ports("CC")),
    BoardKind(0x09, "Revolution", _ports("RM"), has_radio=True),
    BoardKind(0x92, "Sparky 2", _ports("SPK2", ("I2C", "I2C")), has_radio=True),
)


def board_kind(board: int) -> BoardKind | None:
    """The line a board (0x0903, ...) belongs to; None for one whose ports are not known."""
    return next((kind for kind in BOARDS if kind.type == board >> 8), None)
