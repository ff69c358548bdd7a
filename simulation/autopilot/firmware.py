"""FirmwareIAP: who this board says it is, and the reboot that a station may ask for.

FirmwareIAPObj carries the firmware description (`uavtalk.md` section 9). A reboot is asked for
by writing Command 1122, 2233 and 3344, each 0.5 to 5 s after the one before, while disarmed.
"""

import hashlib
import struct
from collections.abc import Callable

from simulation.autopilot.board import ChangeFlag, SimulatedBoard
from telemetry.protocol.objects.firmware_description import SIMULATOR_TAG

BOARD_TYPE = 0x09  # a Revolution, which this board's objects and outputs resemble
BOARD_REVISION = 0x03
_BUILD_TIME = 1550786361  # of the release whose objects it speaks: 2019-02-21
_UAVO_HASH = bytes.fromhex("c16640bc7d66645e6bef1e8d042b7c7b8f7af373")
_REBOOT_SEQUENCE = (1122, 2233, 3344)
_SERIAL_BYTES = 12
_SHORTEST_US = 500_000
_LONGEST_US = 5_000_000


def describe_firmware() -> bytes:
    """The 100 bytes of FirmwareIAPObj.Description."""
    firmware_hash = hashlib.sha1(SIMULATOR_TAG.encode("ascii"), usedforsecurity=False).digest()
    head = struct.pack(
        "<4s4sIBB26s",
        b"OpFw",
        firmware_hash[:4],
        _BUILD_TIME,
        BOARD_TYPE,
        BOARD_REVISION,
        SIMULATOR_TAG.encode("ascii"),
    )
    return (head + firmware_hash + _UAVO_HASH).ljust(100, b"\0")


class Firmware:
    """Answers for the board's identity and watches for the reboot sequence."""

    def __init__(self, board: SimulatedBoard, aircraft: str, is_armed: Callable[[], bool]) -> None:
        """`aircraft`: what the serial number is made of, the same at every start."""
        self._object = board["FirmwareIAPObj"]
        self._is_armed = is_armed
        name = f"{SIMULATOR_TAG} {aircraft}".encode()
        self._serial = hashlib.sha1(name, usedforsecurity=False).digest()[:_SERIAL_BYTES]
        self._step = 0
        self._since_us = 0
        self._written = ChangeFlag(self._object, is_raised=False)
        self.wants_reboot = False
        self._identify()

    def update(self, now_us: int) -> None:
        """Follow the reboot sequence; `wants_reboot` tells when it is complete."""
        if self._written.take_down():
            self._advance(int(self._object.fields["Command"]), now_us)
            self._identify()

    def _advance(self, command: int, now_us: int) -> None:
        waited_us = now_us - self._since_us
        in_time = self._step == 0 or _SHORTEST_US <= waited_us <= _LONGEST_US
        if self._is_armed() or command != _REBOOT_SEQUENCE[self._step] or not in_time:
            self._step = 0  # also where it is the first of a sequence that begins anew
        else:
            self._step += 1
        self._since_us = now_us
        if self._step == len(_REBOOT_SEQUENCE):
            self._step = 0
            self.wants_reboot = True

    def _identify(self) -> None:
        """Whatever a station wrote, the board stays who it is."""
        self._object.write(
            Description=list(describe_firmware()),
            CPUSerial=list(self._serial),
            BoardType=BOARD_TYPE,
            BoardRevision=(BOARD_TYPE << 8) | BOARD_REVISION,
            BootloaderRevision=0,
            ArmReset=0,
            crc=0,
        )
