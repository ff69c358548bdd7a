"""UDP sticks from a program on this computer or, if the user says so, on another.

Two kinds of packet are understood: `program_message.parse_message`, and that of LibrePilot's
station, six big-endian doubles 42, pitch, yaw, roll, throttle, 36
(ground/gcs/src/plugins/gcscontrol/gcscontrolgadget.cpp, readUDPCommand).
"""

import socket
import struct
from collections import deque
from collections.abc import Container, Sequence
from typing import Final

from plugins.pilot.devices.program_sticks import GONE_S, ProgramSticks
from plugins.pilot.devices.source import ControlSource
from plugins.pilot.devices.udp_senders import Caller, UdpSender, UdpSenders
from telemetry.base.text_formats import FormatError
from telemetry.flying.inputs.program_message import LARGEST_MESSAGE, ProgramMessage, parse_message
from telemetry.vehicle.sticks import STICKS_FRESH_S

DEFAULT_PORT: Final = 9042
THIS_COMPUTER: Final = "127.0.0.1"
MOST_SENDERS: Final = 16
"""So many are devices at once; one that somebody has chosen is one besides."""
LATE_S: Final = STICKS_FRESH_S / 2
"""A read that comes so long after the one before: what waited meanwhile is as old as that. While
devices are only looked at they are read every 0.03 s."""
_LIBREPILOT: Final = struct.Struct(">6d")
_BEGINS, _ENDS = 42.0, 36.0
_MOST_PACKETS: Final = 1000
"""So many are taken at once, more than the system keeps by default, and other devices wait for no
more than them."""
_MOST_TOLD: Final = 256

_MOST_NAMED: Final = 3
ONE_FLIES: Final = "It flies nothing unless you choose it in Controllers, Who flies."
NONE_FLIES: Final = "None of them flies unless you choose it in Controllers, Who flies."
CROWD: Final = (
    "More than {most} senders of sticks at port {port}: no more are listed. End those that you do "
    'not need; a program that takes another port for each packet has to give its name as "sender".'
)
WAITS: Final = "another program sends under the name “{}” already"
CROWDED: Final = "{} others send to this port already"


def parse_packet(data: bytes) -> ProgramMessage:
    """What a packet of either kind says: axes (roll, pitch, yaw, throttle, each -1..1), buttons and
    sender.

    Raises FormatError, also for a LibrePilot packet with a stick beyond -1..1 or a throttle beyond
    0..1.
    """
    if len(data) != _LIBREPILOT.size or data[:1] == b"{":
        return parse_message(data)
    begins, pitch, yaw, roll, throttle, ends = _LIBREPILOT.unpack(data)
    if (begins, ends) != (_BEGINS, _ENDS):
        raise FormatError("it does not begin with 42 and end with 36")
    for name, value in (("pitch", pitch), ("yaw", yaw), ("roll", roll)):
        if not -1.0 <= value <= 1.0:
            raise FormatError(f"{name} {value:g} is not from -1 to 1")
    if not 0.0 <= throttle <= 1.0:
        raise FormatError(f"throttle {throttle:g} is not from 0 to 1")
    return ProgramMessage((roll, pitch, yaw, 2.0 * throttle - 1.0), ())


class UdpListener:
    """A port that waits for sticks. Each sender is a device of its own, whose newest packet counts.

    A packet may have waited while nobody read. One that is read later than `LATE_S` after the read
    before is as old as that, so that it flies nothing unless a newer one follows.
    """

    def __init__(
        self, host: str = THIS_COMPUTER, port: int = DEFAULT_PORT, chosen: Container[str] = ()
    ) -> None:
        """`chosen` are the keys of devices that somebody has chosen: for them there is room however
        many others send. Raises OSError if the port cannot be had."""
        self.refused = 0
        """Packets that were no sticks, or whose sender has to wait."""
        self.problem = ""
        """What was wrong with the last packet that was refused."""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind((host, port))
        except (OSError, OverflowError) as error:
            self._socket.close()
            raise OSError(f"UDP port {port} of {host} cannot be had ({error}).") from error
        self._socket.setblocking(False)
        self._chosen = chosen
        self._port = self.address[1]
        self._senders = UdpSenders(self._port)
        self._sources: dict[str, ProgramSticks] = {}
        self._told: dict[str, None] = {}
        self._news: deque[str] = deque(maxlen=_MOST_TOLD)
        self._is_crowded = False
        self._emptied_s: float | None = None

    @property
    def address(self) -> Caller:
        """Where it listens: host and port."""
        host, port = self._socket.getsockname()
        return str(host), int(port)

    def take_news(self) -> str:
        """Who has begun to send since the last call, and the remedy; "" for nobody. From any
        thread. Each sender is told of once, however often it comes back; of a crowd, that it is
        one."""
        titles = []
        while self._news:
            titles.append(self._news.popleft())
        if not titles:
            return ""
        if CROWD in titles:
            return CROWD.format(most=MOST_SENDERS, port=self._port)
        if len(titles) == 1:
            return f"{titles[0]} sends sticks to port {self._port}. {ONE_FLIES}"
        more = len(titles) - _MOST_NAMED
        *named, last = titles[:_MOST_NAMED] + ([f"{more} more"] if more > 0 else [])
        return f"{', '.join(named)} and {last} send sticks to port {self._port}. {NONE_FLIES}"

    def find(self, now_s: float) -> Sequence[ControlSource]:
        if self._emptied_s is None:
            self._emptied_s = now_s - GONE_S / 2  # nobody knows since when the first one waits
        packets, is_empty = self._receive()
        heard_s = now_s if now_s - self._emptied_s <= LATE_S else self._emptied_s
        if is_empty:
            self._emptied_s = now_s
        self._sources = {
            key: source for key, source in self._sources.items() if source.poll(now_s) is not None
        }
        self._is_crowded = self._is_crowded and len(self._sources) > MOST_SENDERS // 2
        fresh: list[ControlSource] = []
        for caller, said in packets.items():
            fresh.extend(self._take(caller, said, now_s, heard_s))
        return fresh

    def close(self) -> None:
        self._socket.close()
        for source in tuple(self._sources.values()):
            source.close()

    def _receive(self) -> tuple[dict[Caller, list[bytes]], bool]:
        """What waits, by who sent it and in the order of the last one of each, and whether that is
        all of it."""
        packets: dict[Caller, list[bytes]] = {}
        for _ in range(_MOST_PACKETS):
            try:
                data, caller = self._socket.recvfrom(LARGEST_MESSAGE + 1)
            except BlockingIOError:
                return packets, True
            except OSError:
                break
            said = packets.pop(caller, [])
            said.append(data)
            packets[caller] = said
        return packets, False

    def _take(
        self, caller: Caller, said: Sequence[bytes], now_s: float, heard_s: float
    ) -> Sequence[ControlSource]:
        """Write the newest of a caller's packets that is one; returns the source if it is new."""
        message = self._newest(said)
        if message is None:
            return ()
        sender = self._senders.sender_of(caller, message.sender, len(said), now_s)
        if sender is None:
            self._refuse(WAITS.format(message.sender))
            return ()
        source = self._sources.get(sender.key)
        if source is not None:
            source.write(message.axes, message.buttons, heard_s)
            return ()
        if len(self._sources) >= MOST_SENDERS and sender.key not in self._chosen:
            self._refuse(CROWDED.format(MOST_SENDERS))
            self._tell_crowd()
            return ()
        self._tell(sender)
        source = ProgramSticks(sender.title, "udp", sender.key)
        source.write(message.axes, message.buttons, heard_s)
        self._sources[sender.key] = source
        return (source,)

    def _newest(self, said: Sequence[bytes]) -> ProgramMessage | None:
        for data in reversed(said):
            try:
                return parse_packet(data)
            except FormatError as error:
                self._refuse(str(error))
        return None

    def _refuse(self, problem: str) -> None:
        self.refused, self.problem = self.refused + 1, problem

    def _tell(self, sender: UdpSender) -> None:
        """Have a sender announced, once; in a crowd of them the crowd is."""
        if sender.key in self._told or sender.key in self._chosen or self._is_crowded:
            return
        self._told[sender.key] = None
        while len(self._told) > _MOST_TOLD:
            del self._told[next(iter(self._told))]
        self._news.append(sender.title)

    def _tell_crowd(self) -> None:
        if not self._is_crowded:
            self._is_crowded = True
            self._news.append(CROWD)
