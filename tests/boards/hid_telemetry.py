"""A station and an aircraft that talk by an emulated HID interface, in stepped time."""

from collections.abc import Callable
from typing import Final

from telemetry.protocol.links.usb_boards import BoardMode, UsbBoard
from telemetry.protocol.links.usb_link import UsbLink
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.session.config import Role, SessionConfig, SessionState
from telemetry.protocol.session.handshake import FLIGHT_IDS
from telemetry.protocol.session.session import Session
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType
from telemetry.recording.recording import Recording
from telemetry.vehicle.conversation import Conversation, ConversationSetup, Report
from telemetry.vehicle.live_commands import LiveCommands
from tests.boards.emulated_hid import EmulatedHid
from tests.boards.hid_entries import SERIAL
from tests.telemetry.protocol.session.fakes import MemoryBoard
from tests.telemetry.vehicle.fakes import Clock

BOARD: Final = UsbBoard(
    SERIAL, "Revolution", 0x20A0, 0x415E, BoardMode.FIRMWARE, b"/dev/hidraw3", ""
)


class FloodingFlight:
    """An aircraft that besides its conversation sends an object at a steady number of bytes per
    second, and counts how often it hears another one."""

    def __init__(self, clock: Clock, catalogue: Catalogue, board: MemoryBoard) -> None:
        self.session = Session(Role.FLIGHT, catalogue, board=board)
        self.session.start(clock.now)
        self.flood = board.named("AttitudeState")
        self.bytes_per_s = 0.0
        self.sent = 0
        self.heard = 0
        self._board = board
        self._decoder = FrameDecoder()
        self._counted = board.named("GCSReceiver").object_id
        self._statistics = next(i for i in board.definitions if i in FLIGHT_IDS)
        self._next_statistics_s = clock.now
        self._since_s = clock.now
        self._due_bytes = 0.0

    def say(self, now_s: float) -> bytes:
        """See `Flight`."""
        if now_s >= self._next_statistics_s:
            self._next_statistics_s += 1.0
            self.session.publish(self._statistics)
        self.session.tick(now_s)
        self._due_bytes += self.bytes_per_s * (now_s - self._since_s)
        self._since_s = now_s
        return self.session.bytes_to_send() + self._flooded()

    def hear(self, data: bytes, now_s: float) -> None:
        """See `Flight`."""
        frames = self._decoder.feed(data)
        self.heard += sum(f[:2] == (FrameType.OBJ, self._counted) for f in frames)
        self.session.receive(data, now_s)
        if self._board.carry_out():
            self.session.publish(self._board.named("ObjectPersistence").object_id, 0, acked=True)

    def _flooded(self) -> bytes:
        frame = flood_frame(self.flood)
        count = int(self._due_bytes / len(frame))
        self._due_bytes -= count * len(frame)
        self.sent += count
        return frame * count


class HidTelemetry:
    """Both, and what the station has recorded of the flight."""

    def __init__(self, catalogue: Catalogue, board: MemoryBoard) -> None:
        self.clock = Clock()
        self.flight = FloodingFlight(self.clock, catalogue, board)
        self.device = EmulatedHid(self.clock, self.flight)
        self.link = UsbLink(BOARD, self.device)
        self.device.writer = self.link.queue.send_next
        self.recording = Recording("usb")
        self.state = SessionState.IDLE
        self.fetched = 0
        commands = LiveCommands(lambda: None, self.clock)
        setup = ConversationSetup(
            catalogue, self.recording, commands, self.clock, self.clock.now, SessionConfig()
        )
        self.conversation = Conversation(self.link, setup, self._show)
        self.conversation.start()
        self._answer = board.named("GCSReceiver")
        self._due_bytes = 0.0
        self.written = 0
        self.most_unsent_bytes = 0

    def run(self, until: Callable[[], bool], limit_s: float, up_bytes_per_s: float = 0.0) -> float:
        """Converse until it is so, or for `limit_s`; the seconds that it took."""
        began_s = self.clock.now
        frame = flood_frame(self._answer)
        while not until() and self.clock.now - began_s < limit_s:
            before_s = self.clock.now
            self.conversation.step()
            self._due_bytes += up_bytes_per_s * (self.clock.now - before_s)
            count = int(self._due_bytes / len(frame))
            self._due_bytes -= count * len(frame)
            if count:
                self.written += count
                self.link.write(frame * count)
            self.most_unsent_bytes = max(self.most_unsent_bytes, self.link.queue.unsent_bytes())
        return self.clock.now - began_s

    def flood(self, seconds: float, bytes_per_s: float) -> int:
        """Fill both directions for so long, let them run empty, and return the frames lost."""
        flight = self.flight
        before = flight.sent + self.written - flight.heard - self.recorded
        flight.bytes_per_s = bytes_per_s
        self.run(lambda: False, seconds, bytes_per_s)
        flight.bytes_per_s = 0.0
        self.pass_time(0.5)
        return flight.sent + self.written - flight.heard - self.recorded - before

    def pass_time(self, seconds: float) -> None:
        """Converse for so long."""
        self.run(lambda: False, seconds)

    @property
    def recorded(self) -> int:
        """How many of the flood's objects the station has."""
        track = self.recording.track(self.flight.flood.name)
        return 0 if track is None else len(track.times)

    def _show(self, report: Report) -> None:
        self.state, self.fetched = report.session.state, report.session.fetched


def flood_frame(definition: ObjectDefinition) -> bytes:
    """A whole frame of an object with its default values."""
    payload = definition.default_row().tobytes()
    return Dialect().encode(
        FrameType.OBJ, definition.object_id, 0, definition.single_instance, payload
    )
