"""Board names: what the hardware is called, by type and revision in one number (0x0903).

Source: ground/gcs/src/plugins/uavobjectutil/devicedescriptorstruct.h and the board-info.mk of each
target of LibrePilot; those of Tau Labs.
"""

from types import MappingProxyType
from typing import Final

# 0x1001 is also what firmware built for a PC answers with.
_NAMES: Final = MappingProxyType(
    {
        0x0101: "OpenPilot MainBoard",
        0x0201: "OpenPilot INS",
        0x0301: "OPLink Mini",
        0x0401: "CopterControl",
        0x0402: "CC3D",
        0x0403: "CCF3D",
        0x0901: "Revolution",
        0x0902: "Revolution",
        0x0903: "Revolution",
        0x0904: "DiscoveryF4Bare",
        0x0905: "Revolution Nano",
        0x0B01: "Sparky2",
        0x1001: "SPRacingF3, or firmware on a PC",
        0x1002: "SPRacingF3 EVO",
        0x1003: "Nucleo F303RE",
        0x1005: "PikoBLX",
        0x1006: "TinyFISH",
        0x7F01: "Revolution",
        0x8101: "Freedom",
        0x8102: "Freedom",
        0x8301: "FlyingF3",
        0x8401: "FlyingF4",
        0x8501: "DiscoveryF4",
        0x8601: "Quanton",
        0x9201: "Sparky2",
    }
)


def board_name(board: int) -> str:
    """What a board is called, or its number where nobody knows a name."""
    return _NAMES.get(board, f"board 0x{board:04X}")
