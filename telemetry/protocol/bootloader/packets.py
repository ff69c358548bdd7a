"""Packets of the bootloader's protocol: 63 bytes, the command at 0, a count at 1, data from 5.

Source: flight/libraries/op_dfu.c and inc/op_dfu.h of LibrePilot. Numbers are big-endian.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np

from telemetry.protocol.bootloader.crc import WORD_BYTES, whole_words

PACKET_BYTES: Final = 63
WORDS_IN_PACKET: Final = 14
DATA_IN_PACKET: Final = WORDS_IN_PACKET * WORD_BYTES

_DATA_AT = 5
_START = 0x20
_COMMAND = 0x1F
_SAFE_BOOT = 0x5AFE
_ERASE_SETTINGS = (0xFA5F, 1, 0)
_DEVICE = struct.Struct(">xIxBBxIH")
"""Size of code, version, size of the description, CRC, type and revision."""


class PacketCommand(IntEnum):
    """What a packet is; the answers have numbers of their own."""

    ASK_CAPABILITIES = 1
    CAPABILITIES = 2
    ENTER = 3
    JUMP = 4
    RESET = 5
    ABORT = 6
    UPLOAD = 7
    END = 8
    ASK_DOWNLOAD = 9
    DOWNLOAD = 10
    ASK_STATUS = 11
    STATUS = 12


class State(IntEnum):
    """What a bootloader says that it is doing."""

    READY = 0
    UPLOADING = 1
    WRONG_PACKET = 2
    TOO_MANY_PACKETS = 3
    TOO_FEW_PACKETS = 4
    SUCCESS = 5
    DOWNLOADING = 6
    NOT_ENTERED = 7
    FAILED = 8
    STARTING = 9
    TOO_LARGE = 10
    CRC_FAILED = 11
    JUMP_FAILED = 12


class Memory(IntEnum):
    """What is uploaded or read back."""

    FIRMWARE = 0
    DESCRIPTION = 1


class Boot(IntEnum):
    """How firmware is started: as ever; with the ports at their defaults; after it has erased its
    settings."""

    NORMAL = 0
    SAFE = 1
    ERASE_SETTINGS = 2


@dataclass(frozen=True, slots=True)
class BootDevice:
    """What a bootloader tells of its board. `board` is type and revision (0x0903), sizes are bytes,
    `code_crc` is that of the whole code region as it is now."""

    board: int
    code_bytes: int
    description_bytes: int
    bootloader_version: int
    code_crc: int
    can_read: bool = True
    can_write: bool = True


def make_packet(
    command: PacketCommand, count: int = 0, data: bytes = b"", start: bool = False
) -> bytes:
    """A packet as it goes to a bootloader."""
    head = struct.pack(">BI", command | (_START if start else 0), count)
    return (head + data).ljust(PACKET_BYTES, b"\0")


def command_of(packet: bytes) -> int:
    """The command of a packet; 0, which is none, where it has not the length of one."""
    return packet[0] & _COMMAND if len(packet) == PACKET_BYTES else 0


def packet_count(data: bytes) -> tuple[int, int]:
    """How many packets some data takes, and how many words stand in the last."""
    words = len(whole_words(data)) // WORD_BYTES
    packets = max(1, -(-words // WORDS_IN_PACKET))
    return packets, words - (packets - 1) * WORDS_IN_PACKET


def start_upload_packet(data: bytes, memory: Memory, crc: int) -> bytes:
    """What announces an upload; the board erases on it where it is firmware."""
    count, last_words = packet_count(data)
    asked = struct.pack(">BBI", memory, last_words, crc)
    return make_packet(PacketCommand.UPLOAD, count, asked, start=True)


def upload_packets(data: bytes) -> list[bytes]:
    """The packets of some data, its words with the highest byte first."""
    words = np.frombuffer(whole_words(data), "<u4").astype(">u4").tobytes()
    parts = range(0, len(words), DATA_IN_PACKET)
    return [
        make_packet(PacketCommand.UPLOAD, count, words[at : at + DATA_IN_PACKET])
        for count, at in enumerate(parts)
    ]


def ask_download_packet(size: int, memory: Memory) -> bytes:
    """What asks for `size` bytes from the start of a memory."""
    count, last_words = packet_count(bytes(size))
    return make_packet(PacketCommand.ASK_DOWNLOAD, count, bytes((memory, last_words)))


def downloaded(packet: bytes) -> tuple[int, bytes]:
    """The number of a packet that was asked for, and its bytes as flash holds them."""
    return int.from_bytes(packet[1:_DATA_AT], "big"), packet[_DATA_AT : _DATA_AT + DATA_IN_PACKET]


def jump_packet(boot: Boot) -> bytes:
    """What has firmware started."""
    safe = _SAFE_BOOT if boot is Boot.SAFE else 0
    commands = _ERASE_SETTINGS if boot is Boot.ERASE_SETTINGS else (0, 0, 0)
    return make_packet(PacketCommand.JUMP, 0, struct.pack(">4I", safe, *commands))


def state_of(packet: bytes) -> State | None:
    """The state that a status answer tells; None for a number that no bootloader has."""
    number = packet[_DATA_AT]
    return State(number) if number in set(State) else None


def devices_of(packet: bytes) -> tuple[int, int]:
    """How many devices a first answer of capabilities tells, and the flags of all, two bits each,
    the first lowest."""
    return packet[6], int.from_bytes(packet[7:9], "big")


def device_of(packet: bytes, flags: int) -> BootDevice:
    """What an answer of capabilities tells of a device. `flags`: bit 0 can be read, bit 1 can be
    written."""
    size, version, description, crc, board = _DEVICE.unpack_from(packet)
    return BootDevice(board, size, description, version, crc, bool(flags & 1), bool(flags & 2))
