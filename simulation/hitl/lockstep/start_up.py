"""Lockstep start-up: a board just switched on becomes the aircraft of a preset, by UAVTalk alone.

In this order: connected; who it is; the settings, written and read back; if it was another kind of
aircraft, all of them saved, and switched off and on; its sensors taken over and
what it tells made as frequent as the preset wants; ready to fly. All of it is what a station does
with any board. It goes step by step, as generators that yield where time has to pass.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.hitl.config import HitlConfig, HitlResult
from simulation.hitl.lockstep.program import LockstepError
from simulation.hitl.sensors import SensorFeed
from simulation.hitl.takeover import TRUTH, take_over
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.session.config import SessionState
from telemetry.protocol.session.session import Session
from telemetry.protocol.session.transactions import Transaction, TransactionOutcome
from telemetry.recording.alarms import Alarm, read_alarms
from telemetry.recording.sample import Sample
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from telemetry.vehicle.temporary_metadata import ChangedObject, MetadataState, TemporaryMetadata

READY_PATIENCE_S: Final = 60.0
"""Of the board's time. LibrePilot takes 25 s."""
_CONNECT_PATIENCE_S: Final = 60.0
_SETTLING_S: Final = 1.0
"""So long nothing may be amiss before it counts as ready: alarms come one after the other."""
_LOOK_S: Final = 0.25
_EVERY_COMMAND: Final = UpdatePolicy(UpdateMode.ONCHANGE, 0)
"""How motors are told: with each command that the board makes, in the tick that makes it."""
_TOLD_FASTER: Final = {"StabilizationDesired": 20}
"""What scenarios measure of a board's mind besides what presets have it tell, in ms."""
_MINDED_NOT: Final = ("Telemetry",)
_HINDER: Final = ("Critical", "Error")
_ITS_OWN: Final = ("HwSettings",)
"""Which modules and ports there are is the program's affair; a change would ask for a restart."""
_WRITTEN_LAST: Final = ("SystemSettings", "ManualControlSettings", "FlightModeSettings")
"""LibrePilot checks its configuration anew when one of them is written, and not with RevoSettings,
whose fusion decides which flight modes there can be (sanitycheck.c)."""
_NAMED: Final = ("FirmwareIAPObj", "FlightStatus", "SystemAlarms")

Steps = Iterator[None]


class LockstepStartUp:
    """One board's way to being ready. `now` tells the time on board in s."""

    def __init__(
        self,
        name: str,
        session: Session,
        catalogue: Catalogue,
        originals: OriginalMetadataStore,
        now: Callable[[], float],
    ) -> None:
        self.feeds: list[SensorFeed] = []
        """The sensors that are supplied, as soon as they are."""
        self.temporary = TemporaryMetadata(session, catalogue, originals, name)
        """To be told what the session hears."""
        self.not_taken: tuple[str, ...] = ()
        """Settings of the preset that this firmware does not have."""
        self.wants_restart = False
        """It has saved settings that it reads when it is switched on; nothing else was done."""
        self._name = name
        self._session = session
        self._now = now

    def run(
        self, plan: HitlConfig, wanted: SimulatedBoard, told: SimulatedBoard, *, is_erased: bool
    ) -> Steps:
        """Yields whenever time has to pass. `wanted` holds the settings, `told` what the board
        says. One that `is_erased` is left without settings, and so is never ready. Raises
        LockstepError for a board that cannot be brought to it."""
        self._session.start(self._now())
        while self._session.state is not SessionState.CONNECTED:
            if self._now() > _CONNECT_PATIENCE_S:
                raise self._refusal(
                    f"it answers no station by UAVTalk within {_CONNECT_PATIENCE_S:g} s"
                )
            yield
        yield from self._hear_who_it_is()
        if not is_erased:
            was = _kind_of(told)
            yield from self._write_settings(wanted, told)
            if _kind_of(wanted) != was:
                yield from self._save(wanted)
                self.wants_restart = True
                return
        yield from self._take_over(plan, wanted)
        if not is_erased:
            yield from self._wait_until_ready(told)

    # The steps

    def _hear_who_it_is(self) -> Steps:
        for name in _NAMED:
            definition = self._session.definition_named(name)
            if definition is None:
                raise self._refusal(f"it has no {name}")
            yield from self._done(self._session.request(definition))

    def _write_settings(self, wanted: SimulatedBoard, told: SimulatedBoard) -> Steps:
        """The preset's and the scenario's, and home, whose place the world knows."""
        absent = []
        for entry in _settings(wanted):
            name, payload = entry.definition.name, entry.packed()
            if self._session.definition_named(name) != entry.definition:
                raise self._refusal(f"its {name} is that of another release than next")
            write = self._session.write(entry.definition, 0, payload)
            yield from self._done(write)
            if write.outcome is TransactionOutcome.REFUSED:
                absent.append(name)
                continue
            yield from self._done(self._session.request(entry.definition))
            if write.outcome is not TransactionOutcome.DONE or told[name].packed() != payload:
                raise self._refusal(f"it does not take over {name}")
        self.not_taken = tuple(absent)

    def _save(self, wanted: SimulatedBoard) -> Steps:
        for entry in _settings(wanted):
            if entry.definition.name in self.not_taken:
                continue
            job = self._session.persist("Save", entry.definition)
            while job.outcome is TransactionOutcome.OPEN:
                yield
            if job.outcome is not TransactionOutcome.DONE:
                raise self._refusal(f"it does not save {entry.definition.name}")

    def _take_over(self, plan: HitlConfig, wanted: SimulatedBoard) -> Steps:
        result = HitlResult()
        self.feeds = take_over(
            plan, self._session, self.temporary, result, told=TRUTH, commands=_EVERY_COMMAND
        )
        for name, edit in _telemetry_edits(wanted).items():
            definition = self._session.definition_named(name)
            if definition is not None and self.temporary.named(name) is None:
                self.temporary.change(definition, edit)
        while not self.temporary.is_settled:
            yield
        missed = [e.name for e in self.temporary.objects if not _is_fine(e)]
        problems = [*result.problems, *(f"{name} could not be taken over" for name in missed)]
        if problems or not self.feeds:
            raise self._refusal(problems[0].rstrip(".") if problems else "it has no sensors")

    def _wait_until_ready(self, told: SimulatedBoard) -> Steps:
        alarms = self._session.definition_named("SystemAlarms")
        assert alarms is not None
        end_s, good_since = self._now() + READY_PATIENCE_S, self._now()
        amiss = _amiss(told)
        while self._now() - good_since < _SETTLING_S:
            yield from self._done(self._session.request(alarms))
            yield from self._pause()
            amiss = _amiss(told)
            if amiss:
                good_since = self._now()
            if self._now() > end_s:
                named = ", ".join(map(_named, amiss)) or "none is known"
                raise self._refusal(
                    f"it is not ready {READY_PATIENCE_S:g} s after it was set up (alarms: {named})"
                )

    # What they are made of

    def _pause(self) -> Steps:
        end_s = self._now() + _LOOK_S
        while self._now() < end_s:
            yield

    def _done(self, transaction: Transaction) -> Steps:
        while transaction.outcome is TransactionOutcome.OPEN:
            yield

    def _refusal(self, problem: str) -> LockstepError:
        return LockstepError(
            f"The firmware {self._name} cannot fly this aircraft: {problem}; "
            "simulation/hitl/README.md says what it has to do."
        )


def _settings(wanted: SimulatedBoard) -> list[BoardObject]:
    """What is to be written, in this order."""
    ids = [object_id for object_id, _ in wanted.set_up]
    ids.append(wanted["HomeLocation"].definition.object_id)
    found = [wanted.find(object_id) for object_id in dict.fromkeys(ids)]
    written = [e for e in found if e is not None and e.definition.name not in _ITS_OWN]
    return sorted(written, key=lambda entry: entry.definition.name in _WRITTEN_LAST)


def _kind_of(board: SimulatedBoard) -> str:
    """What decides which of its modules a firmware starts: aeroplane or not."""
    frame = board["SystemSettings"].option("AirframeType")
    return "aeroplane" if frame.startswith("FixedWing") else "other"


def _named(alarm: Alarm) -> str:
    detail = f", {alarm.detail.rstrip('.')}" if alarm.detail else ""
    return f"{alarm.title}: {alarm.severity}{detail}"


def _is_fine(entry: ChangedObject) -> bool:
    """Whether it is as it was to be; what says how it really moves a board need not have."""
    is_absent = entry.state is MetadataState.REFUSED and entry.name in TRUTH
    return entry.state is MetadataState.CHANGED or is_absent


def _telemetry_edits(wanted: SimulatedBoard) -> dict[str, Callable[[Metadata], Metadata]]:
    """How often the preset, and whoever measures, wants to be told what."""
    edits: dict[str, Callable[[Metadata], Metadata]] = {}
    for entry in wanted.objects():
        flight = entry.metadata.flight
        if (entry.definition.object_id + 1, 0) in wanted.set_up:
            edits[entry.definition.name] = partial(_told_every, flight.period_ms)
    for name, period_ms in _TOLD_FASTER.items():
        edits[name] = partial(_told_every, period_ms)
    return edits


def _told_every(period_ms: int, metadata: Metadata) -> Metadata:
    return replace(metadata, flight=UpdatePolicy(UpdateMode.PERIODIC, period_ms))


def _amiss(told: SimulatedBoard) -> list[Alarm]:
    """What keeps the board from arming, or that it has not judged its own attitude yet."""
    entry = told["SystemAlarms"]
    alarms = read_alarms(Sample(0.0, entry.definition, 0, entry.row))
    return [
        alarm
        for alarm in alarms
        if (alarm.severity in _HINDER and alarm.name not in _MINDED_NOT)
        or (alarm.name == "Attitude" and alarm.rank == 0)
    ]
