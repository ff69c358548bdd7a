"""HITL bridge between link and HitlFlight: reads, writes, records, never leaves a board changed.

However a flight ends (its time, Ctrl+C, an error), what was changed is restored before this
returns. If the link itself ends, it is opened again for a while to restore it; what cannot be is
on disk and is restored at the next connection to the same board.
"""

from collections.abc import Callable
from dataclasses import replace
from threading import Event

from simulation.hitl.config import HitlConfig, HitlResult
from simulation.hitl.flight import HitlFlight, HitlPhase, MakePilot
from simulation.hitl.pilot import HitlPilot
from simulation.serving.real_time_flight import Record
from telemetry.protocol.links.link import Link, LinkClosed, LinkError
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.config import SessionConfig
from telemetry.recording.logs.opl_writer import WriteFailed
from telemetry.vehicle.original_metadata import OriginalMetadataStore

OpenLink = Callable[[str], Link]
Tell = Callable[[str], None]

_CONNECT_PATIENCE_S = 30.0
_RETURN_PATIENCE_S = 10.0  # the retries of three attempts take 8 s
_RETRY_S = 0.5


class HitlBridge:
    """Runs flights with hardware in the loop, one at a time."""

    def __init__(
        self,
        plan: HitlConfig,
        catalogue: Catalogue,
        originals: OriginalMetadataStore,
        clock: Callable[[], float],
        open_link: OpenLink,
    ) -> None:
        self.tell: Tell = lambda sentence: None
        self.record: Record | None = None
        self.make_pilot: MakePilot | None = None
        self.reconnect_s = _CONNECT_PATIENCE_S
        self.config = SessionConfig()
        self.flight: HitlFlight | None = None
        self._plan = plan
        self._catalogue = catalogue
        self._originals = originals
        self._clock = clock
        self._open_link = open_link
        self._began = clock()
        self.pausing = Event()
        """Set to retry without a pause."""

    @property
    def pilot(self) -> HitlPilot | None:
        """Who flew by GCSReceiver, if somebody did."""
        return self.flight.pilot if self.flight is not None else None

    def run(self) -> HitlResult:
        """Fly to the end. Raises LinkError if the board cannot be reached at all,
        OriginalMetadataError; and passes on KeyboardInterrupt when all is restored."""
        self.flight = None
        link = self._open_link(self._plan.address)
        result = self._converse(link, self._plan)
        if result.unrestored and not self._plan.restore_only:
            self._restore_later(result)
        return result

    def _converse(self, link: Link, plan: HitlConfig) -> HitlResult:
        """One link from opening to its end. `self.flight` is the first of them, which flies."""
        flight = HitlFlight(
            plan,
            self._catalogue,
            self._originals,
            make_pilot=self.make_pilot,
            write_truth=self._write_truth,
            config=self.config,
        )
        self.flight = self.flight or flight
        try:
            flight.start(self._clock())
            self._exchange(flight, link)
        except LinkClosed as closed:
            flight.end(self._clock(), str(closed))
        finally:
            self._leave(flight, link)
        return flight.result

    def _exchange(self, flight: HitlFlight, link: Link) -> None:
        """Until the flight is done. A board that says nothing is not waited for for ever."""
        phase, since = flight.phase, self._clock()
        while flight.phase is not HitlPhase.DONE:
            self._pass_on(flight, link)
            now = self._clock()
            if flight.phase is not phase:
                phase, since = flight.phase, now
                self.tell(f"{phase.value[0].upper()}{phase.value[1:]}.")
            is_connecting = phase in (HitlPhase.CONNECTING, HitlPhase.SILENT)
            patience_s = self.reconnect_s if is_connecting else _RETURN_PATIENCE_S
            if phase is not HitlPhase.FLYING and now - since > patience_s:
                flight.end(now, f"The board did not answer while {phase.value}.")

    def _pass_on(self, flight: HitlFlight, link: Link) -> None:
        data = link.read(flight.wait_s(self._clock()))
        now = self._clock()
        if data:
            self._note(data, sent=False)
            flight.receive(data, now)
        flight.tick(now)
        outgoing = flight.bytes_to_send()
        if outgoing:
            link.write(outgoing)
            self._note(outgoing, sent=True)

    def _leave(self, flight: HitlFlight, link: Link) -> None:
        """Restore what a flight that was interrupted has changed; then close the link."""
        try:
            if flight.phase is not HitlPhase.DONE:
                flight.result.interrupted = True
                flight.stop(self._clock())
                self._exchange(flight, link)
            link.write(flight.bytes_to_send())  # goodbye
        except LinkClosed as closed:
            if flight.phase is not HitlPhase.DONE:
                flight.end(self._clock(), str(closed))
        finally:
            link.close()

    def _restore_later(self, result: HitlResult) -> None:
        """The link ended while the board was changed: open it again, and restore."""
        self.tell("The link has ended; trying to reach the board again, to restore it.")
        plan = replace(self._plan, restore_only=True)
        give_up_at = self._clock() + self.reconnect_s
        try:
            while result.unrestored and self._clock() < give_up_at:
                self._restore_once(result, plan)
                if result.unrestored:
                    self.pausing.wait(_RETRY_S)
        finally:  # also when somebody does not want to wait for so long
            result.note(
                "What the board had is kept on disk; 'lapwing sim hitl ADDRESS --restore' "
                "restores it."
                if result.unrestored
                else "All was restored when the board could be reached again."
            )

    def _restore_once(self, result: HitlResult, plan: HitlConfig) -> None:
        try:
            again = self._converse(self._open_link(plan.address), plan)
        except LinkError:
            return
        result.restored = tuple(dict.fromkeys((*result.restored, *again.restored)))
        if again.board == result.board:
            result.unrestored = again.unrestored

    def _write_truth(self, frames: bytes) -> None:
        self._note(frames, sent=False)

    def _note(self, data: bytes, sent: bool) -> None:
        if self.record is None:
            return
        try:
            self.record(self._clock() - self._began, data, sent)
        except WriteFailed as error:
            self.record = None
            self.tell(str(error))
