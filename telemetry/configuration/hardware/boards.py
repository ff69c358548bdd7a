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


_USB = (Port("USB_HIDPort", "USB HID"), Port("USB_VCPPort", "USB VCP"))

BOARDS = (
    BoardKind(
        0x04,
        "CopterControl",
        (
            Port("CC_RcvrPort", "Receiver"),
            Port("CC_MainPort", "Main"),
            Port("CC_FlexiPort", "Flexi"),
            *_USB,
        ),
    ),
    BoardKind(
        0x09,
        "Revolution",
        (
            Port("RM_RcvrPort", "Receiver"),
            Port("RM_MainPort", "Main"),
            Port("RM_FlexiPort", "Flexi"),
            *_USB,
        ),
        has_radio=True,
    ),
    BoardKind(
        0x92,
        "Sparky 2",
        (
            Port("SPK2_RcvrPort", "Receiver"),
            Port("SPK2_MainPort", "Main"),
            Port("SPK2_FlexiPort", "Flexi"),
            Port("SPK2_I2CPort", "I2C"),
            *_USB,
        ),
        has_radio=True,
    ),
)


def board_kind(board: int) -> BoardKind | None:
    """The line a board (0x0903, ...) belongs to; None for one whose ports are not known."""
    return next((kind for kind in BOARDS if kind.type == board >> 8), None)
