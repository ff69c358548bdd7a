"""Bootloader: what can be asked of one, step by step. What is lost on the way is asked for again
where that does no harm; all else raises, and the caller begins from the beginning.

    BootloaderError     the bootloader did not do what it was asked; its text is one sentence
    RestartedError      it was stuck and was restarted: it comes back on a new port

Source: flight/libraries/op_dfu.c of LibrePilot, whose states decide what it takes.
"""

from collections.abc import Callable
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.protocol.bootloader.crc import WORD_BYTES, region_crc
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.bootloader.packets import (
    Boot,
    BootDevice,
    Memory,
    PacketCommand,
    State,
    ask_download_packet,
    command_of,
    device_of,
    devices_of,
    downloaded,
    jump_packet,
    make_packet,
    packet_count,
    start_upload_packet,
    state_of,
    upload_packets,
)
from telemetry.protocol.links.link import LinkClosed

ANSWER_S: Final = 3.0
ERASE_S: Final = 45.0
"""The longest that a board is given to erase; twice what the slowest takes."""

_ASKED_AT_MOST: Final = 3
_MOST_DEVICES: Final = 10
MOST_CODE_BYTES: Final = 2 << 20
"""The largest flash of the processors that these boards have."""
_MOST_STRAY_PACKETS: Final = 512
_ERASE_ANSWER_S: Final = 10.0
_SETTLED_S: Final = 0.05
_SENT_BETWEEN_LOOKS: Final = 256
"""Packets after which the state is asked for: a lost one is found early, for 1 % of the time."""

_CAN_ENTER = (State.NOT_ENTERED, State.READY, State.JUMP_FAILED)
_WHY = {
    State.READY: "did not begin",
    State.UPLOADING: "is still waiting for data",
    State.WRONG_PACKET: "missed a packet, or got one twice",
    State.TOO_MANY_PACKETS: "got too many packets",
    State.TOO_FEW_PACKETS: "got too few packets",
    State.NOT_ENTERED: "was restarted",
    State.FAILED: "could not do it",
    State.TOO_LARGE: "has not enough room",
    State.CRC_FAILED: "found that its flash does not hold what was sent",
    State.JUMP_FAILED: "found no firmware that it could start",
}


class BootloaderError(Exception):
    """A bootloader did not do what it was asked. `str(error)` is one sentence."""


class RestartedError(LinkClosed):
    """A bootloader was stuck and was told to restart; this port to it is at its end."""


class Bootloader:
    """One bootloader, used by one thread. Every call may raise LinkClosed, once it is gone."""

    def __init__(self, port: PacketPort, clock: Callable[[], float] = monotonic_s) -> None:
        self.name = port.name
        self._port = port
        self._clock = clock

    def capabilities(self) -> BootDevice:
        """The board and what it holds now. Until this was asked a bootloader knows of no device.

        Raises BootloaderError, also where what it tells cannot be true.
        """
        count, flags = devices_of(self._ask_capabilities(0))
        if not 1 <= count <= _MOST_DEVICES:
            raise BootloaderError(f"{self.name} tells of {count} devices, which cannot be.")
        device = device_of(self._ask_capabilities(1), flags)
        fits = 0 < device.code_bytes <= MOST_CODE_BYTES and not device.code_bytes % WORD_BYTES
        if not fits:
            size = device.code_bytes
            raise BootloaderError(f"{self.name} tells of {size} bytes for code, which cannot be.")
        return device

    def enter(self) -> None:
        """Have it stay, instead of starting firmware after 6 s, and take what follows.

        One that found no firmware after these 6 s tries again and again, and takes nothing: it is
        restarted. Raises RestartedError then, BootloaderError where it does not enter otherwise.
        """
        if self.state() not in _CAN_ENTER:
            self.abort()
        state: State | None = None
        for _ in range(_ASKED_AT_MOST):
            self._port.send(make_packet(PacketCommand.ENTER))
            if (state := self.state()) is State.READY:
                return
        if state is State.JUMP_FAILED:
            self.reset()
            raise RestartedError(f"{self.name} was stuck without firmware, and was restarted.")
        raise self._failed(state)

    def abort(self) -> None:
        """End whatever it does; it is ready for the next upload then."""
        for _ in range(_ASKED_AT_MOST):
            self._port.send(make_packet(PacketCommand.ABORT))
            if (state := self.state()) is State.READY:
                return
        raise self._failed(state)

    def state(self, timeout_s: float = ANSWER_S) -> State | None:
        """What it says that it is doing; None for what no bootloader says. A success is told once.

        Raises BootloaderError where it does not answer.
        """
        self._forget_what_is_late()
        ask = make_packet(PacketCommand.ASK_STATUS)
        answer = self._ask(
            ask, timeout_s, lambda packet: command_of(packet) == PacketCommand.STATUS
        )
        return state_of(answer)

    def start_upload(self, data: bytes, memory: Memory, region_bytes: int) -> None:
        """Announce an upload: of firmware, all of it and its description are erased now.

        The CRC that goes with it is that of the whole region as it will be.
        """
        crc = region_crc(data, region_bytes) if memory is Memory.FIRMWARE else 0
        self._forget_what_is_late()
        self._port.send(start_upload_packet(data, memory, crc))

    def await_ready(self) -> None:
        """Wait until it takes the packets of the upload that was announced: it erases first."""
        until_s = self._clock() + ERASE_S
        state: State | None = None
        while self._clock() < until_s:
            try:
                state = self.state(_ERASE_ANSWER_S / _ASKED_AT_MOST)
                break
            except BootloaderError:
                continue
        self._forget_what_is_late(_SETTLED_S)
        if state is not State.UPLOADING:
            raise self._failed(state)

    def send(self, data: bytes, sent: Callable[[float], None] = lambda share: None) -> None:
        """All packets of the upload that was announced. `sent` is told which share is on board."""
        packets = upload_packets(data)
        for number, packet in enumerate(packets, 1):
            self._port.send(packet)
            if number % _SENT_BETWEEN_LOOKS == 0 or number == len(packets):
                if (state := self.state()) is not State.UPLOADING:
                    raise self._failed(state)
                sent(number / len(packets))

    def end(self) -> None:
        """Have it check what was uploaded: its number of packets, and of firmware the CRC.

        It tells a success once. Where that was lost it is ready already, and what it holds is to
        be asked for by `capabilities` or `read_back`: as it is after every upload.
        """
        for _ in range(_ASKED_AT_MOST):
            self._port.send(make_packet(PacketCommand.END))
            state = self.state()
            if state in (State.SUCCESS, State.READY):
                return
            if state is not State.UPLOADING:
                raise self._failed(state)
        raise self._failed(State.UPLOADING)

    def read_back(self, size: int, memory: Memory) -> bytes | None:
        """What stands in a memory; None where it cannot be had."""
        for _ in range(_ASKED_AT_MOST):
            if (whole := self._downloaded(size, memory)) is not None:
                return whole
            self.abort()
        return None

    def jump(self, boot: Boot) -> None:
        """Have it start the firmware. It answers nothing, and is gone then."""
        self._port.send(jump_packet(boot))

    def reset(self) -> None:
        """Restart it. It answers nothing; without USB it starts the firmware after 6 s."""
        self._port.send(make_packet(PacketCommand.RESET))

    def _downloaded(self, size: int, memory: Memory) -> bytes | None:
        self._forget_what_is_late()
        self._port.send(ask_download_packet(size, memory))
        count, _ = packet_count(bytes(size))
        parts: list[bytes] = []
        while len(parts) < count:
            packet = self._next(
                ANSWER_S,
                lambda packet: command_of(packet) in (PacketCommand.DOWNLOAD, PacketCommand.STATUS),
            )
            number, part = downloaded(packet) if packet is not None else (-1, b"")
            if number != len(parts):
                return None
            parts.append(part)
        self.state()  # a success that nobody asks for stays, and nothing else is taken
        return b"".join(parts)[:size]

    def _ask_capabilities(self, number: int) -> bytes:
        self._forget_what_is_late()
        return self._ask(
            make_packet(PacketCommand.ASK_CAPABILITIES, 0, bytes((number,))),
            ANSWER_S,
            lambda packet: command_of(packet) == PacketCommand.CAPABILITIES and packet[5] == number,
        )

    def _ask(self, question: bytes, timeout_s: float, fits: Callable[[bytes], bool]) -> bytes:
        for _ in range(_ASKED_AT_MOST):
            self._port.send(question)
            if (answer := self._next(timeout_s, fits)) is not None:
                return answer
        raise BootloaderError(f"{self.name} does not answer. Unplug it and plug it in again.")

    def _next(self, timeout_s: float, fits: Callable[[bytes], bool]) -> bytes | None:
        """The next packet that fits; what no packet is, or another's answer, is passed over."""
        until_s = self._clock() + timeout_s
        for _ in range(_MOST_STRAY_PACKETS):
            packet = self._port.receive(max(0.0, until_s - self._clock()))
            if packet is not None and fits(packet):
                return packet
            if self._clock() >= until_s:
                break
        return None

    def _forget_what_is_late(self, for_s: float = 0.0) -> None:
        """Answers to what was asked twice are answers to nothing that is asked next."""
        for _ in range(_MOST_STRAY_PACKETS):
            if self._port.receive(for_s) is None:
                return
        raise BootloaderError(f"{self.name} sends what nobody asked for. Unplug it.")

    def _failed(self, state: State | None) -> BootloaderError:
        why = _WHY.get(state, "") if state is not None else ""
        return BootloaderError(f"{self.name} {why or 'is in a state that is not known'}.")
