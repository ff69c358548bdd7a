"""HITL conversation with a real flight controller that flies our physics, step by step.

Sans-io: bytes and the time in, bytes out, like the session it stands on. See Phase for its
course. A link that is opened anew needs a new HitlFlight, which restores first.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from typing import Any

from simulation.environment.earth import FIELD_NEAR_BACKNANG, WorldOrigin
from simulation.hitl.config import HitlConfig, HitlResult
from simulation.hitl.lateness import Lateness
from simulation.hitl.physics import DrivenAircraft, TruthFrames
from simulation.hitl.pilot import HitlPilot
from simulation.hitl.sensors import SensorFeed
from simulation.hitl.takeover import ACTUATORS, take_over
from simulation.simulator.simulator import Diverged, Simulator
from telemetry.base.board_store import board_key
from telemetry.configuration.arming.checklist import arming_checklist
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import Value, read_value, row_of
from telemetry.protocol.session.config import Role, SessionConfig, SessionState
from telemetry.protocol.session.events import ObjectReceived, Rebooted, SessionEvent, StateChanged
from telemetry.protocol.session.session import Session
from telemetry.recording.alarms import read_alarms
from telemetry.recording.sample import Sample
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from telemetry.vehicle.temporary_metadata import MetadataState, TemporaryMetadata

MakePilot = Callable[["HitlFlight", Simulator], HitlPilot]
WriteTruth = Callable[[bytes], None]

_TICK_S = 0.02
_SHORTEST_WAIT_S = 0.001
_SAME_INSTANT_S = 1e-6
_IDENTITY_WAIT_S = 3.0
_DISARMING_WAIT_S = 6.0
"""Longer than DisarmingSequenceTime is on any board of somebody who wants to stop a motor."""
_TRUTH_PERIOD_S = 0.1
_NEEDED = ("FirmwareIAPObj", "FlightStatus")


class HitlPhase(Enum):
    """How far it has come, as the words a person reads."""

    CONNECTING = "connecting"
    RESTORING_OLD = "restoring what a flight before has left changed"
    TAKING_OVER = "taking the sensors over"
    FLYING = "flying"
    DISARMING = "disarming"
    SILENT = "waiting for the board, which fell silent"
    RESTORING = "restoring everything"
    DONE = "done"


_OWED = (HitlPhase.TAKING_OVER, HitlPhase.FLYING, HitlPhase.DISARMING)
"""In these a board that falls silent is waited for: it has to be restored."""


class HitlFlight:
    """One session with one board."""

    def __init__(
        self,
        plan: HitlConfig,
        catalogue: Catalogue,
        originals: OriginalMetadataStore,
        *,
        make_pilot: MakePilot | None = None,
        write_truth: WriteTruth = lambda frames: None,
        config: SessionConfig | None = None,
    ) -> None:
        """`make_pilot` makes who flies by GCSReceiver, when flying begins; without it somebody at
        the board's own receiver does. `write_truth` is given frames for the log."""
        self.session = Session(Role.GCS, catalogue, config=config)
        self.phase = HitlPhase.CONNECTING
        self.result = HitlResult(lateness=Lateness(1.0 / plan.rate_hz))
        self.aircraft: DrivenAircraft | None = None
        self._plan = plan
        self._catalogue = catalogue
        self._originals = originals
        self._make_pilot = make_pilot
        self._write_truth = write_truth
        self._latest: dict[str, bytes] = {}
        self._temporary: TemporaryMetadata | None = None
        self._feeds: list[SensorFeed] = []
        self.pilot: HitlPilot | None = None
        self._pilots_words = bytearray()
        self._asked_at: float | None = None
        self._next_send = 0.0
        self._next_truth = 0.0
        self._disarm_by = 0.0
        self._steps: dict[HitlPhase, Callable[[float], None]] = {
            HitlPhase.CONNECTING: self._connect,
            HitlPhase.RESTORING_OLD: self._restore_old,
            HitlPhase.TAKING_OVER: self._wait_for_takeover,
            HitlPhase.FLYING: self._fly,
            HitlPhase.DISARMING: self._wait_for_disarming,
            HitlPhase.SILENT: self._wait_for_board,
            HitlPhase.RESTORING: self._wait_for_restoring,
        }

    # Bytes and time

    def start(self, now: float) -> None:
        """Begin to connect."""
        self.session.start(now)

    def receive(self, data: bytes, now: float) -> None:
        """Take what the link delivered. Raises OriginalMetadataError."""
        if self.pilot is not None:
            self.pilot.hear(data)
        self._take(self.session.receive(data, now), now)

    def tick(self, now: float) -> None:
        """Do what is due; call every few milliseconds. Raises OriginalMetadataError."""
        self._take(self.session.tick(now), now)
        step = self._steps.get(self.phase)
        if step is not None:
            step(now)

    def bytes_to_send(self) -> bytes:
        """What the link is to carry."""
        data = self.session.bytes_to_send() + bytes(self._pilots_words)
        self._pilots_words.clear()
        return data

    def wait_s(self, now: float) -> float:
        """How long to wait for bytes at most before the next tick."""
        is_driven = self.phase in (HitlPhase.FLYING, HitlPhase.DISARMING)
        due = self._next_send if is_driven else now + _TICK_S
        deadline = self.session.next_deadline()
        if deadline is not None:
            due = min(due, deadline)
        return min(max(due - now, _SHORTEST_WAIT_S), _TICK_S)

    def value(self, name: str, field: str) -> Value | tuple[Value, ...] | None:
        """What the board told last of a field; None if nothing."""
        sample = self.sample(name)
        return None if sample is None else read_value(sample.definition, sample.row, field)

    def sample(self, name: str) -> Sample | None:
        """What the board told last of an object; None if nothing. Its time is not kept."""
        definition = self.session.definition_named(name)
        payload = self._latest.get(name)
        if definition is None or payload is None:
            return None
        return Sample(0.0, definition, 0, row_of(definition, payload))

    # What the owner asks for

    def stop(self, now: float, problem: str = "") -> None:
        """End the flight, disarm and restore everything; `tick` on until the phase is DONE.

        Without a pilot of ours somebody else has the sticks, and disarms. Stopping a second time
        does not wait for it.
        """
        if problem:
            self.result.note(problem)
        if self.phase is HitlPhase.FLYING:
            self._note_state()
            if self.pilot is not None and self.pilot.is_armed:
                self.pilot.disarm()
                self._disarm_by = now + _DISARMING_WAIT_S
                self.phase = HitlPhase.DISARMING
                return
        if self._temporary is None or self.phase is HitlPhase.DONE:
            self._finish(now)
        elif self.phase is not HitlPhase.RESTORING:
            self._restore(self._temporary)

    def end(self, now: float, problem: str) -> None:
        """The link has ended, or waiting has: what is not restored stays on disk."""
        if self.phase is HitlPhase.FLYING:
            self._note_state()
        self.result.note(problem)
        self._finish(now)

    # The phases

    def _connect(self, now: float) -> None:
        if self.session.state is not SessionState.CONNECTED:
            return
        if not all(name in self._latest for name in _NEEDED):
            self._ask_identity(now)
            return
        serial = self.value("FirmwareIAPObj", "CPUSerial")
        numbers = serial if isinstance(serial, tuple) else ()
        self.result.board = board_key(bytes(int(n) for n in numbers), self._plan.address)
        self._temporary = TemporaryMetadata(
            self.session, self._catalogue, self._originals, self.result.board
        )
        self._temporary.restore()
        self.phase = HitlPhase.RESTORING_OLD
        self._restore_old(now)  # at once, if nothing is to be restored

    def _ask_identity(self, now: float) -> None:
        """Objects that were not fetched: ask once, then give up."""
        if self._asked_at is None:
            self._asked_at = now
            for name in _NEEDED:
                definition = self.session.definition_named(name)
                if definition is not None:
                    self.session.request(definition)
        elif now - self._asked_at > _IDENTITY_WAIT_S:
            self.end(now, "The board does not say who it is and whether it is armed; not flown.")

    def _restore_old(self, now: float) -> None:
        temporary = self._temporary
        if temporary is None or not temporary.is_settled:
            return
        if self._plan.restore_only or temporary.differs:
            self._finish(now)
        elif self.value("FlightStatus", "Armed") != "Disarmed":
            self.end(now, "The board is armed: disarm it, take the propellers off, start again.")
        else:
            self._note_restored(temporary)
            self._feeds = take_over(
                self._plan, self.session, temporary, self.result, told=self._latest
            )
            self.phase = HitlPhase.TAKING_OVER

    def _wait_for_takeover(self, now: float) -> None:
        temporary = self._temporary
        if temporary is None or not temporary.is_settled:
            return
        fine = (MetadataState.CHANGED, MetadataState.RESTORED)
        for entry in temporary.objects:
            if entry.state not in fine:
                self.result.note(f"{entry.name} could not be taken over: {entry.problem}.")
        if not self._feeds:
            self.result.note("The board has none of the sensors that were to be supplied.")
        if self.result.problems:
            self._restore(temporary)
            return
        self.aircraft = DrivenAircraft(self._plan.aircraft, self._plan.seed, self._place(), now)
        if self._make_pilot is not None:
            self.pilot = self._make_pilot(self, self.aircraft.simulator)
        self._next_send, self._next_truth = now + 1.0 / self._plan.rate_hz, now
        self.phase = HitlPhase.FLYING

    def _fly(self, now: float) -> None:
        try:
            self._drive(now)
        except Diverged as diverged:
            self.result.blame(str(diverged))
            self.stop(now)
            return
        if self._is_over():
            self.stop(now)

    def _wait_for_disarming(self, now: float) -> None:
        """The motors of a flight that went wrong are not left turning."""
        with suppress(Diverged):
            self._drive(now)
        if self.pilot is None or not self.pilot.is_armed or now > self._disarm_by:
            self.stop(now)

    def _drive(self, now: float) -> None:
        """Advance the aircraft and send what its sensors and its pilot say. Raises Diverged."""
        aircraft = self.aircraft
        late_s = now - self._next_send
        if aircraft is None or late_s < -_SAME_INSTANT_S:
            return
        lateness = self.result.lateness
        lateness.tick(max(late_s, 0.0))
        self._next_send = max(self._next_send + 1.0 / self._plan.rate_hz, now)
        if self.pilot is not None:
            self._pilots_words += self.pilot.update()
        aircraft.advance_to(now)
        lateness.given_up_s = aircraft.given_up_s
        self.result.flown_s = aircraft.simulator.time_us / 1e6
        self.result.crashed = bool(aircraft.output["crashed"])
        self._send_sensors(aircraft)
        if now >= self._next_truth:
            self._next_truth = now + _TRUTH_PERIOD_S
            dialect = self.session.status.dialect
            self._write_truth(TruthFrames(self._catalogue, dialect).frames(aircraft.output))

    def _is_over(self) -> bool:
        if self.pilot is not None and self.pilot.is_done:
            if self.pilot.failure:
                self.result.blame(self.pilot.failure)
            return True
        limit_s = self._plan.duration_s
        return limit_s is not None and self.result.flown_s >= limit_s

    def _wait_for_board(self, now: float) -> None:
        """It is over, but what was changed can only be restored on a board that listens."""
        if self.session.state is SessionState.CONNECTED:
            self.stop(now)

    def _restore(self, temporary: TemporaryMetadata) -> None:
        temporary.restore()
        self.phase = HitlPhase.RESTORING

    def _wait_for_restoring(self, now: float) -> None:
        if self._temporary is None or self._temporary.is_settled:
            self._finish(now)

    def _finish(self, now: float) -> None:
        """Say goodbye, and say what is not as it was."""
        self.result.still_armed = self.value("FlightStatus", "Armed") == "Armed"
        if self._temporary is not None:
            self._note_restored(self._temporary)
            for entry in self._temporary.objects:
                if entry.differs:
                    reason = entry.problem or "the link has ended"
                    self.result.note(f"{entry.name} is not as it was on board: {reason}.")
        self.session.stop(now)
        self.phase = HitlPhase.DONE

    # Inside

    def _take(self, events: Sequence[SessionEvent], now: float) -> None:
        for event in events:
            if isinstance(event, ObjectReceived) and event.instance == 0:
                self._latest[event.definition.name] = event.payload
                if event.definition.name == ACTUATORS and self.aircraft is not None:
                    self.result.commands += 1
                    row = row_of(event.definition, event.payload)
                    self.aircraft.drive(row["Channel"], now)
                    if self.phase is HitlPhase.FLYING:
                        self.result.lateness.command(now)
            elif isinstance(event, StateChanged) and event.state is SessionState.LOST:
                if self.phase in _OWED:
                    if self.phase is HitlPhase.FLYING:
                        self._note_state()
                    self.result.note("The board fell silent.")
                    self.phase = HitlPhase.SILENT
            elif isinstance(event, Rebooted) and self._temporary is not None:
                self.end(now, "The board was restarted.")
        if self._temporary is not None:
            self._temporary.take(events)

    def _send_sensors(self, aircraft: DrivenAircraft) -> None:
        for feed in self._feeds:
            payload = feed.payload(aircraft.output)
            if payload is not None:
                self.session.stream(feed.definition, 0, payload)

    def _place(self) -> WorldOrigin:
        """Where the board believes its home to be, so that GPS finds it there."""
        if self.value("HomeLocation", "Set") != "True":
            return FIELD_NEAR_BACKNANG
        return replace(
            FIELD_NEAR_BACKNANG,
            latitude_deg=self._number("HomeLocation", "Latitude") / 1e7,
            longitude_deg=self._number("HomeLocation", "Longitude") / 1e7,
            altitude_m=self._number("HomeLocation", "Altitude"),
        )

    def _number(self, name: str, field: str) -> float:
        value: Any = self.value(name, field)
        return float(value)

    def _note_state(self) -> None:
        """What the board says of itself when the flight ends, which may be why."""
        alarms = self.sample("SystemAlarms")
        if alarms is not None:
            self.result.alarms = tuple(a for a in read_alarms(alarms) if a.is_active)
        self.result.checklist = arming_checklist(self.sample)

    def _note_restored(self, temporary: TemporaryMetadata) -> None:
        entries = temporary.objects
        restored = [b.name for b in entries if b.state is MetadataState.RESTORED]
        self.result.restored = tuple(dict.fromkeys((*self.result.restored, *restored)))
        self.result.unrestored = tuple(b.name for b in entries if b.differs)
