"""UDP sticks from a program on this computer or, if the user says so, on another.

Two kinds of packet are understood: `written.parse_message`, and that of LibrePilot's station, six
big-endian doubles 42, pitch, yaw, roll, throttle, 36
(ground/gcs/src/plugins/gcscontrol/gcscontrolgadget.cpp, readUDPCommand).
"""

import math
import socket
import struct
from collections.abc import Sequence
from typing import Final

from plugins.pilot.devices.program_sticks import ProgramSticks
from plugins.pilot.devices.source import ControlSource
from telemetry.base.text_formats import FormatError
from telemetry.flying.inputs.program_message import LARGEST_MESSAGE, parse_message
from telemetry.vehicle.sticks import STICKS_FRESH_S

DEFAULT_PORT: Final = 9042
THIS_COMPUTER: Final = "127.0.0.1"
_LIBREPILOT: Final = struct.Struct(">6d")
_BEGINS, _ENDS = 42.0, 36.0
_MOST_PACKETS: Final = 200
"""So many are taken at once; a flood of more waits, and does not keep other devices waiting."""

Caller = tuple[str, int]


def parse_packet(data: bytes) -> tuple[tuple[float, ...], tuple[bool, ...]]:
    """Axes (roll, pitch, yaw, throttle, each -1..1) and buttons of a packet of either kind.

    LibrePilot's throttle is 0..1, and less is none. Raises FormatError.
    """
    if len(data) != _LIBREPILOT.size or data[:1] == b"{":
        return parse_message(data)
    begins, pitch, yaw, roll, throttle, ends = _LIBREPILOT.unpack(data)
    if (begins, ends) != (_BEGINS, _ENDS):
        raise FormatError("it does not begin with 42 and end with 36")
    values = (roll, pitch, yaw, 2.0 * throttle - 1.0)
    if not all(map(math.isfinite, values)):
        raise FormatError("it holds what is no number")
    return tuple(max(-1.0, min(1.0, value)) for value in values), ()


class UdpListener:
    """A port that waits for sticks. One caller is heard at a time: another one's packets count only
    once the first has fallen silent."""

    def __init__(self, host: str = THIS_COMPUTER, port: int = DEFAULT_PORT) -> None:
        """Raises OSError if the port cannot be had."""
        self.refused = 0
        """Packets that were no sticks, or another caller's."""
        self.problem = ""
        """What was wrong with the last packet that was none."""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind((host, port))
        except (OSError, OverflowError) as error:
            self._socket.close()
            raise OSError(f"UDP port {port} of {host} cannot be had ({error}).") from error
        self._socket.setblocking(False)
        self._source: ProgramSticks | None = None
        self._caller: Caller | None = None
        self._heard_s = 0.0

    @property
    def address(self) -> Caller:
        """Where it listens: host and port."""
        host, port = self._socket.getsockname()
        return str(host), int(port)

    def find(self, now_s: float) -> Sequence[ControlSource]:
        fresh: list[ControlSource] = []
        for _ in range(_MOST_PACKETS):
            try:
                data, caller = self._socket.recvfrom(LARGEST_MESSAGE + 1)
            except OSError:
                break
            fresh.extend(self._take(data, caller, now_s))
        return fresh

    def close(self) -> None:
        self._socket.close()
        if self._source is not None:
            self._source.close()

    def _take(self, data: bytes, caller: Caller, now_s: float) -> Sequence[ControlSource]:
        """Write what a packet says; returns the source if it is new."""
        is_other = caller != self._caller and now_s - self._heard_s < STICKS_FRESH_S
        try:
            axes, buttons = parse_packet(data)
        except FormatError as error:
            self.refused, self.problem = self.refused + 1, str(error)
            return ()
        if self._caller is not None and is_other:
            self.refused, self.problem = self.refused + 1, "another program is sending already"
            return ()
        self._caller, self._heard_s = caller, now_s
        was_there = self._source is not None and self._source.poll(now_s) is not None
        if self._source is None or not was_there:
            self._source = ProgramSticks(f"UDP from {caller[0]}", "udp")
        self._source.write(axes, buttons, now_s)
        return () if was_there else (self._source,)
