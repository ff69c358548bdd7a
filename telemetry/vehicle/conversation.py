"""Conversation over one link: session, recording, commands and status, step by step.

All of this runs in the connection's worker thread.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from telemetry.base.finding import Level
from telemetry.protocol.links.link import Link, LinkError, progress_of
from telemetry.protocol.links.send_queue import send_queue_of
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.config import Role, SessionConfig, SessionState
from telemetry.protocol.session.events import (
    ObjectReceived,
    ObjectSent,
    PersistenceFinished,
    ReleaseDetected,
    SessionEvent,
    StateChanged,
    TransactionFinished,
)
from telemetry.protocol.session.session import Session
from telemetry.protocol.session.statistics import SessionStatus
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.vehicle.board_memory import BoardMemory
from telemetry.vehicle.command_runner import CommandRunner
from telemetry.vehicle.commands import ChangeMetadata, Request, RestoreMetadata, Ticket
from telemetry.vehicle.link_meter import LinkMeter, LinkRates
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.metadata_changes import MetadataChanges
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from telemetry.vehicle.output_drive import DeadMan
from telemetry.vehicle.stick_stream import FLOWN_POLL_S, BesideSticks, StickStream
from telemetry.vehicle.sticks import Sticks

NOT_VERIFIED: Final = (
    "Not sent: settings are shown from last time until the board has told them again. Try again in "
    "some seconds; if it stays so, connect anew."
)
UNNOTICED_S: Final = 0.25
"""A pause of the sticks that no board notices: its receiver looks every 256 ms (pios_gcsrcvr.c)."""
_NEEDS_NO_VALUES: Final = (Request, ChangeMetadata, RestoreMetadata)
_LOST: Final = (Level.ERROR, "Link lost")
_RESTARTS: Final = (Level.INFO, "The board restarts, as it was asked to")
_POLL_S = 0.02
_ASKED_POLL_S: Final = 0.002
_ASKED_FOR_S: Final = 0.5
"""Who has just asked for something mostly asks for the next thing when the answer is there: over
USB that takes 20 ms, which waiting as long for bytes would double."""
_SHORTEST_WAIT_S = 0.001
_STATUS_PERIOD_S = 0.125
_BUSY_OBJECTS_PER_S = 1000.0
_GULP_S = 0.005
_RESTORE_S = 2.0
_PAUSE_S: Final = 0.5
"""After a longer pause it is told at once that something arrives again, not with the next report:
the age of a link that sends once a second would be taken for a longer one. And the board is asked
anew for what it says only when that changes."""
_SAID_ONCE: Final = "FlightStatus"
"""Armed and the flight mode: sent on change, unacknowledged, and never again (FlightStatus.xml)."""
_SLICE_BYTES: Final = 2048
"""So much is looked at before the link is read, and thereby recorded, again. That takes 40 ms if
all of it are objects met for the first time."""


@dataclass(frozen=True, slots=True)
class ConversationSetup:
    """What all conversations of one connection share. `started_s` is second 0 on the clock."""

    catalogue: Catalogue
    recording: Recording
    commands: LiveCommands
    clock: Callable[[], float]
    started_s: float
    config: SessionConfig
    originals: OriginalMetadataStore = field(default_factory=OriginalMetadataStore)
    memory: BoardMemory | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What a conversation tells about itself, several times a second. `heard_s` is when in the
    recording the last whole frame arrived, None before any did; `silent_s` is how long ago.
    """

    session: SessionStatus
    rates: LinkRates
    open_for_s: float
    progress: str
    heard_s: float | None = None
    silent_s: float = 0.0
    from_last_time: int = 0
    """How many settings of the recording are from last time, and not verified yet."""


class Conversation:
    """Drives a session over an open link until somebody stops it or the link ends."""

    def __init__(
        self, link: Link, setup: ConversationSetup, show: Callable[[Report], None]
    ) -> None:
        role = Role.GCS if link.can_write else Role.OBSERVER
        self._link = link
        self._setup = setup
        self._show = show
        self._session = Session(role, setup.catalogue, config=setup.config)
        self._metadata = MetadataChanges(
            self._session, setup.catalogue, setup.originals, link.address
        )
        self._runner = CommandRunner(
            self._session, setup.catalogue, setup.recording, self._metadata
        )
        self._memory = setup.memory or BoardMemory(None, setup.catalogue, setup.recording)
        self._meter = LinkMeter()
        self._rates = LinkRates()
        self._opened_s = setup.clock()
        self._next_status_s = self._arrived_s = self._opened_s
        self._sticks = StickStream(send_queue_of(link))
        self._beside = BesideSticks()
        self._dead_man = DeadMan()
        self._flown: Sticks | None = None
        self._given_s = -1.0
        self._asked_s = -_ASKED_FOR_S
        self._was_lost = False
        self._inbox = bytearray()
        self.was_connected = False

    def run(self, is_stopped: Callable[[], bool], pause: Callable[[float], object]) -> None:
        """Converse. Raises LinkClosed when the link ends; says goodbye when stopped.

        `pause` waits some seconds, or until stopped.
        """
        try:
            self.start()
            while not is_stopped():
                if self._rates.objects_per_s > _BUSY_OBJECTS_PER_S and not self._inbox:
                    pause(_GULP_S)  # a flood is read in gulps, not frame by frame
                self.step()
            self.say_goodbye()
        finally:
            self._runner.cancel()
            with suppress(LinkError):
                self._sticks.end(self._setup.clock())

    def start(self) -> None:
        """Begin to ask for a connection."""
        self._session.start(self._setup.clock())

    def step(self) -> None:
        """One round: hear, act, speak."""
        data = self._hear()
        now = self._setup.clock()
        if data:
            if now - self._arrived_s > _PAUSE_S:
                self._end_pause(now)
            self._arrived_s = now
            self._take(self._session.receive(data, now), now)
        self._take(self._session.tick(now), now)
        self._carry_out(now)
        outgoing = self._session.bytes_to_send()
        if outgoing:
            self._link.write(outgoing)
            self._sticks.written(len(outgoing), now)
        if now >= self._next_status_s:
            self._report(now)

    def _end_pause(self, now: float) -> None:
        self._next_status_s = now
        if self.was_connected and self._link.can_write:
            self._runner.run(Request(_SAID_ONCE), Ticket())

    def say_goodbye(self) -> None:
        """Leave the board as it was found, and end."""
        self._restore()
        self._memory.keep()
        self._session.stop(self._setup.clock())
        try:
            self._link.write(self._session.bytes_to_send())
        except LinkError:
            return  # nobody is left to hear it

    def _hear(self) -> bytes:
        """The next bytes to look at. All that has arrived is read first, which puts it on disk, so
        that none of it is lost if the program is killed while it looks objects up. It waits for
        bytes until something else is due.
        """
        due = self._session.next_deadline()
        wait_s = _POLL_S if self._flown is None else FLOWN_POLL_S
        if self._setup.clock() - self._asked_s < _ASKED_FOR_S:
            wait_s = _ASKED_POLL_S
        if due is not None:
            wait_s = min(wait_s, due - self._setup.clock())
        try:
            self._inbox += self._link.read(0.0 if self._inbox else max(wait_s, _SHORTEST_WAIT_S))
        except LinkError:
            if not self._inbox:
                raise
        data = bytes(self._inbox[:_SLICE_BYTES])
        del self._inbox[:_SLICE_BYTES]
        return data

    def _take(self, events: list[SessionEvent], now: float) -> None:
        """Record what was said and pass on what it means."""
        recording = self._setup.recording
        t = now - self._setup.started_s
        for event in events:
            if isinstance(event, ObjectReceived | ObjectSent):
                recording.append(t, event.definition, event.instance, event.payload)
            elif isinstance(event, ReleaseDetected):
                define = partial(self._setup.catalogue.get, release=event.release)
                recording.take_definitions(define)
                if self._session.role is Role.GCS:
                    self._runner.prepare_sticks()
            elif isinstance(event, TransactionFinished | PersistenceFinished):
                self._runner.finish(event)
            elif isinstance(event, StateChanged):
                self._on_state(event.state, t)
                self._next_status_s = now
        self._metadata.take(events)
        if events and self._session.role is Role.GCS:
            self._remember(events, now)

    def _remember(self, events: list[SessionEvent], now: float) -> None:
        before = self._memory.unverified
        self._memory.take(events, now - self._setup.started_s)
        if bool(before) != bool(self._memory.unverified):
            self._next_status_s = now

    def _on_state(self, state: SessionState, t: float) -> None:
        if state is SessionState.LOST:
            self._was_lost = True
            is_asked = self._setup.commands.is_restart_awaited(self._setup.clock())
            event = _RESTARTS if is_asked else _LOST
            self._setup.recording.add_event(Event(t, "link", *event))
        elif state in (SessionState.FETCHING, SessionState.CONNECTED):
            self.was_connected = True
            if self._was_lost:
                self._was_lost = False
                self._setup.recording.add_event(Event(t, "link", Level.INFO, "Link back"))

    def _carry_out(self, now: float) -> None:
        """Carry out what panels asked for; fly, or move outputs, while somebody holds on."""
        commands = self._setup.commands
        for command, ticket in commands.take_posted():
            self._asked_s = now
            if self._memory.unverified and not isinstance(command, _NEEDS_NO_VALUES):
                ticket.finish("failed", NOT_VERIFIED)
            else:
                self._runner.run(command, ticket)
        self._fly(now)
        pulses = self._dead_man.due(commands.fresh_drive(now), now)
        if pulses is not None:
            self._runner.stream_outputs(pulses)

    def _fly(self, now: float) -> None:
        """Send the sticks on, while somebody hands them over and the link takes them."""
        given = self._setup.commands.fresh_sticks(now)
        if given is None:
            self._end_sticks(now)
            return
        self._flown, self._given_s = given
        stops = self._flown.stops_motors  # which does not wait for anything
        is_ready = self.was_connected and not self._memory.unverified
        is_taken = stops or (is_ready and not self._sticks.is_held_back(now))
        self._setup.commands.note_waiting_sticks(now, wait=not is_taken)
        if is_taken and self._sticks.take(self._given_s, now):
            self._runner.stream_sticks(self._flown)
            beside = self._setup.commands.beside
            if is_ready and beside is not None and self._beside.take(beside, now):
                self._runner.stream_object(beside)

    def _end_sticks(self, now: float) -> None:
        """Nobody hands any over; that is told once it is more than a board can notice."""
        commands = self._setup.commands
        commands.note_waiting_sticks(now, wait=False)
        self._sticks.end(now)
        is_over = commands.why_no_sticks or now - self._given_s > UNNOTICED_S
        if self._flown is not None and is_over:
            if self._flown.arm:
                self._tell_sticks_stopped(now)
            self._flown = None

    def _tell_sticks_stopped(self, now: float) -> None:
        """The aircraft was left to itself with the arming switch on."""
        nobody = f"Nothing new came from the station for {UNNOTICED_S} s."
        why = self._setup.commands.why_no_sticks or nobody
        text = f"The stick stream stopped. {why}".rstrip(".")
        t = now - self._setup.started_s
        self._setup.recording.add_event(Event(t, "sticks", Level.ERROR, text))

    def _report(self, now: float) -> None:
        self._next_status_s = now + _STATUS_PERIOD_S
        status = self._session.status
        self._rates = self._meter.measure(now, status.counters)
        open_for_s = now - self._opened_s
        heard_s = None if status.last_heard is None else status.last_heard - self._setup.started_s
        progress, count = progress_of(self._link), len(self._memory.unverified)
        silent_s = 0.0 if status.last_heard is None else now - status.last_heard
        self._show(Report(status, self._rates, open_for_s, progress, heard_s, silent_s, count))

    def _restore(self) -> None:
        """Leave the board as it was found, as far as it answers soon."""
        self._setup.commands.drive_outputs(None)
        for pulses in self._dead_man.remaining_stops():
            self._runner.stream_outputs(pulses)
        self._metadata.restore_all()
        tickets = []
        for write in self._setup.commands.farewell():
            tickets.append(Ticket())
            self._runner.run(write, tickets[-1])
        deadline = self._setup.clock() + _RESTORE_S
        while self._setup.clock() < deadline and not (
            self._metadata.is_settled and all(ticket.is_finished for ticket in tickets)
        ):
            self.step()
