"""Receiver set-up as a state machine: safety, which stick is where, centre, ends, directions.

    setup = receiver_setup_of(vehicle)
    setup.begin(SteeredKind.AIR, mode=2)  # arming is forbidden on board first
    ...                                 # poll() 20 times a second; accept(), skip(), back()
    setup.save()                        # what was there is put back, the result applied and saved
    setup.cancel()                      # at any time: everything is as it was

Nothing here waits or draws. What a set-up changes on board for its while is remembered on disk,
and put back on any way out: cancelled, saved, link lost and back, or found after a crash.
"""

import os
from collections.abc import Callable
from enum import Enum
from typing import Final

from telemetry.base.board_store import BoardStore
from telemetry.base.clock import monotonic_s
from telemetry.base.folders import Folders
from telemetry.configuration.receiver.backup import (
    ARMING,
    NEVER_ARMED,
    POSITIONS,
    Values,
    arming_object,
    backup_store,
    positions_object,
    take_backup,
)
from telemetry.configuration.receiver.controls import (
    COMMAND,
    FLIGHT_MODE,
    SETTINGS,
    THROTTLE,
    Control,
    control_names,
    read_controls,
    title_of,
    why_no_pulse,
)
from telemetry.configuration.receiver.stick_measurement import StickMeasurement
from telemetry.configuration.receiver.transmitter_layout import SteeredKind, TransmitterLayout
from telemetry.configuration.receiver.value_transfer import ValueTransfer
from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.recording.feed import Feed
from telemetry.vehicle.exclusive import Exclusive, exclusive_of
from telemetry.vehicle.vehicle import Vehicle

ACTIVITY: Final = "ReceiverActivity"
TITLE: Final = "Receiver set-up"


class ReceiverSetupStep(Enum):
    """How far a set-up is."""

    OFF = "off"
    SAFETY = "forbidding arming"
    IDENTIFY = "identify"
    ASSIGNING = "assigning"
    CENTRE = "centre"
    LIMITS = "ends"
    CHECK = "directions"
    SUMMARY = "summary"
    PUTTING_BACK = "putting back"
    SAVING = "saving"
    NOT_SAVED = "not saved"
    ENDING = "ending"


ASKING: Final = (
    ReceiverSetupStep.IDENTIFY,
    ReceiverSetupStep.CENTRE,
    ReceiverSetupStep.LIMITS,
    ReceiverSetupStep.CHECK,
)
"""The steps in which the user moves sticks."""
_TRANSFERRING: Final = (
    ReceiverSetupStep.SAFETY,
    ReceiverSetupStep.ASSIGNING,
    ReceiverSetupStep.PUTTING_BACK,
    ReceiverSetupStep.ENDING,
)
_BUSY: Final = (*_TRANSFERRING, ReceiverSetupStep.SAVING)


class ReceiverSetup:
    """The set-up of one aircraft. `message` says what happened last; `words` what to do now."""

    def __init__(
        self,
        vehicle: Vehicle,
        clock: Callable[[], float] = monotonic_s,
        backups: BoardStore[Values] | None = None,
    ) -> None:
        self.step = ReceiverSetupStep.OFF
        self.message = ""
        self.measuring: StickMeasurement | None = None
        """What was learnt; None before the first set-up."""
        self._settings: Configuration = configuration_of(vehicle)
        self._alone: Exclusive = exclusive_of(vehicle)
        self._backups = backups or backup_store(Folders.of_user(os.environ).receiver_setup)
        self._clock = clock
        self._recording = vehicle.recording
        self._backup: Values | None = None
        self._transfer: ValueTransfer | None = None
        self._activity = Feed(self._recording, [ACTIVITY])
        self._pulses = Feed(self._recording, [COMMAND])
        self._goodbye = ""
        self._interrupted: tuple[str | None, bool] = (None, False)

    # What shows

    @property
    def current(self) -> str:
        """The control that is asked for; empty if none is."""
        is_asked = self.step in (ReceiverSetupStep.IDENTIFY, ReceiverSetupStep.CHECK)
        return self.measuring.current if is_asked and self.measuring is not None else ""

    @property
    def words(self) -> str:
        """What to do now."""
        measuring = self.measuring
        if measuring is None or self.step in _BUSY:
            return self.message
        plan = measuring.plan
        if self.step is ReceiverSetupStep.IDENTIFY:
            return plan.identify_words(self.current)
        if self.step is ReceiverSetupStep.CENTRE:
            throttle = "" if plan.is_centred(THROTTLE) else ", and put throttle to its lowest"
            return f"Let go of all sticks so that they stand in the middle{throttle}; then go on."
        if self.step is ReceiverSetupStep.LIMITS:
            return _limits_words(measuring)
        if self.step is ReceiverSetupStep.CHECK:
            return plan.check_words(self.current, measuring.is_at_rest)
        if self.step is ReceiverSetupStep.SUMMARY:
            return "Everything is measured. Save it, or cancel and all is as it was."
        return self.message

    @property
    def problem(self) -> str:
        """What keeps the sticks from being seen, as a sentence; empty if nothing does."""
        if self._settings.refusal and self.step in (*ASKING, ReceiverSetupStep.SUMMARY):
            return "The link is lost. The set-up waits for it; Cancel puts all back then."
        is_seeing = self.step in (
            ReceiverSetupStep.CENTRE,
            ReceiverSetupStep.LIMITS,
            ReceiverSetupStep.CHECK,
        )
        return self._why_no_pulses() if is_seeing else ""

    @property
    def can_go_on(self) -> bool:
        """Whether `accept` would."""
        if self.step is ReceiverSetupStep.CENTRE:
            return not self._why_no_pulses()
        return self.step is ReceiverSetupStep.LIMITS and not self._told.narrow()

    @property
    def can_skip(self) -> bool:
        """Whether the control asked for may be left out."""
        if not self.current:
            return False
        return self.step is ReceiverSetupStep.CHECK or not self._told.plan.is_needed(self.current)

    @property
    def can_go_back(self) -> bool:
        """Whether there is a control before that can be asked for again."""
        return self.step is ReceiverSetupStep.IDENTIFY and self._told.has_before

    @property
    def is_interrupted(self) -> bool:
        """Whether a set-up that ended in the middle (a crash) has left its values on board."""
        if self.step is not ReceiverSetupStep.OFF or self._settings.refusal:
            return False
        board = self._board
        if board != self._interrupted[0]:
            self._interrupted = board, self._backups.get(board) is not None
            self.message = self._backups.problem or self.message
        return self._interrupted[1]

    def controls(self) -> tuple[Control, ...]:
        """All controls as they would be with what is measured so far."""
        measuring = self.measuring
        if measuring is None:
            return self._on_board()
        return tuple(measuring.as_measured(control) for control in self._on_board())

    def why_not(self) -> str:
        """Why no set-up can begin, as a sentence; empty if one can."""
        settings = self._settings
        if settings.aircraft.is_log:
            return "This is a log: there is no receiver to set up."
        if settings.refusal:
            return settings.refusal
        if not settings.has(SETTINGS, "ChannelGroups") or not arming_object(settings):
            return "This aircraft has no ManualControlSettings that could be set up here."
        if settings.aircraft.is_armed:
            return "The aircraft is armed. Disarm it first."
        if settings.is_busy:
            return "Settings are being sent. Wait until that is over."
        return self._alone.why_not(self)

    # What the user does

    def begin(self, kind: SteeredKind, mode: int) -> bool:
        """Forbid arming and start; False, and why in `message`, if that cannot be."""
        why = self.why_not() if self.step is ReceiverSetupStep.OFF else "The set-up is under way."
        if why:
            self.message = why
            return False
        self._alone.take(self, TITLE)
        # What an interrupted set-up began with is what was there before it, not what is there now.
        self._backup = self._backups.get(self._board) or take_backup(self._settings)
        self._backups.put(self._board, self._backup)
        names = control_names(self._settings.definition(SETTINGS))
        self.measuring = StickMeasurement(TransmitterLayout(kind, mode, names))
        safe: Values = {arming_object(self._settings): {ARMING: NEVER_ARMED}}
        self._send(
            ReceiverSetupStep.SAFETY, safe, "Forbidding the aircraft to arm during the set-up."
        )
        return True

    def accept(self) -> None:
        """Go on, where the step can."""
        measuring = self.measuring
        if measuring is None or not self.can_go_on:
            self.message = self._why_no_pulses()
        elif self.step is ReceiverSetupStep.CENTRE:
            measuring.take_centres()
            measuring.start_over()
            self._go(ReceiverSetupStep.LIMITS)
        elif off := measuring.not_at_rest():
            titles = ", ".join(map(title_of, off))
            measuring.start_over()
            self._go(
                ReceiverSetupStep.CENTRE, f"Not where asked when you went on: {titles}. Once more."
            )
        else:
            measuring.start_check()
            self._go(ReceiverSetupStep.CHECK)

    def skip(self) -> None:
        """Leave the control out that is asked for."""
        if self.can_skip:
            self._next()

    def back(self) -> None:
        """Ask again for the control before."""
        if self.step is ReceiverSetupStep.IDENTIFY:
            self._told.back()
            self._listen()

    def save(self) -> None:
        """Put back what was there, then apply and save the result, which can be undone."""
        if (
            self.step in (ReceiverSetupStep.SUMMARY, ReceiverSetupStep.NOT_SAVED)
            and self._backup is not None
        ):
            values: Values = {SETTINGS: self._backup.get(SETTINGS, {})}
            self._send(ReceiverSetupStep.PUTTING_BACK, values, "Applying and saving.")

    def cancel(self, why: str = "") -> None:
        """Put everything back as it was. Cancelling what has ended is fine."""
        if self.step not in (ReceiverSetupStep.OFF, ReceiverSetupStep.ENDING):
            self._put_back(why or "Cancelled: everything on board is as it was.")

    def leave(self) -> None:
        """Nobody will poll any more: put everything back without waiting to read it back. That
        is done when somebody looks again; until then it is remembered on disk."""
        if self.step is ReceiverSetupStep.OFF or self._backup is None:
            return
        self.cancel()
        for name, values in self._backup.items():
            self._settings.aircraft.send(name, values)

    def put_all_back(self) -> None:
        """Put back what a set-up left on board that ended in the middle."""
        if self.is_interrupted and not self._alone.why_not(self):
            self._alone.take(self, TITLE)
            self._backup = self._backups.get(self._board)
            self._put_back("What was on board before the interrupted set-up is there again.")

    def poll(self) -> None:
        """Go on: call it 20 times a second while the page is open."""
        if self.step is ReceiverSetupStep.OFF:
            return
        if self.step in _TRANSFERRING:
            self._run_transfer()
        elif self.step is ReceiverSetupStep.SAVING:
            self._wait_for_save()
        elif self._settings.refusal:
            return  # see `problem`
        elif self._has_restarted():
            self.cancel("The board has started anew, so the set-up was ended. Begin again.")
        else:
            self._look(self._told)

    # Steps

    @property
    def _told(self) -> StickMeasurement:
        """What was learnt, where there is a set-up."""
        assert self.measuring is not None
        return self.measuring

    def _go(self, step: ReceiverSetupStep, message: str = "") -> None:
        self.step, self.message = step, message
        if step in ASKING:
            self._listen()

    def _listen(self) -> None:
        """Only what arrives from now on counts."""
        self._activity = Feed(self._recording, [ACTIVITY])
        self._pulses = Feed(self._recording, [COMMAND])

    def _next(self) -> None:
        measuring = self._told
        if measuring.next():
            self._listen()
        elif self.step is ReceiverSetupStep.CHECK:
            self._go(ReceiverSetupStep.SUMMARY, self.message)
        else:
            values: Values = {SETTINGS: measuring.assignment()}
            self._send(ReceiverSetupStep.ASSIGNING, values, "Assigning the channels.")

    def _look(self, measuring: StickMeasurement) -> None:
        now = self._clock()
        if self.step is ReceiverSetupStep.IDENTIFY:
            found = measuring.look_for_movement(now, self._activity.take())
        else:
            for sample in self._pulses.take():
                measuring.take_pulses(self._on_board(), sample["Channel"])
            is_check = self.step is ReceiverSetupStep.CHECK
            found = measuring.look_for_direction(now) if is_check else ""
        if found:
            self.message = found
            self._next()

    # On board

    def _send(self, step: ReceiverSetupStep, values: Values, message: str) -> None:
        self._transfer = ValueTransfer(self._settings, values)
        self._go(step, message)

    def _run_transfer(self) -> None:
        transfer = self._transfer
        if transfer is None or not transfer.poll():
            return
        if not transfer.is_done and self.step is not ReceiverSetupStep.ENDING:
            self._put_back(f"The set-up has ended. {transfer.problem}".strip())
        elif self.step is ReceiverSetupStep.SAFETY:
            self._go(ReceiverSetupStep.IDENTIFY)
        elif self.step is ReceiverSetupStep.ASSIGNING:
            self._told.start_over()
            self._go(ReceiverSetupStep.CENTRE)
        elif self.step is ReceiverSetupStep.PUTTING_BACK:
            self._apply()
        else:
            self._finish(transfer)

    def _put_back(self, goodbye: str) -> None:
        self._goodbye = goodbye
        values = self._backup or {}
        self._send(ReceiverSetupStep.ENDING, values, "Putting back what was on board.")

    def _finish(self, transfer: ValueTransfer) -> None:
        text = self._goodbye
        if transfer.is_done:
            self._backups.put(self._board, None)
        else:
            text = f"Not everything could be put back. {transfer.problem} Try again below."
        self._backup, self._transfer = None, None
        self._interrupted = (None, False)  # to be looked up
        self._alone.free(self)
        self._go(ReceiverSetupStep.OFF, text)

    def _apply(self) -> None:
        """Through the configuration, so that the drawer shows it and Undo takes it back."""
        settings = self._settings
        wanted = self._result()
        for name, values in wanted.items():
            settings.stage_all(name, values)
        if settings.is_busy:
            self._go(
                ReceiverSetupStep.NOT_SAVED, "Other settings are being sent; the result is kept."
            )
            return
        paths = [(name, 0, path) for name, values in wanted.items() for path in values]
        settings.apply(TITLE, save=True, only=paths, also=[(name, 0) for name in wanted])
        self._go(ReceiverSetupStep.SAVING, "Applying and saving.")

    def _wait_for_save(self) -> None:
        transfer = self._settings.transfer
        if transfer is None or not transfer.is_finished:
            return
        if not transfer.is_verified:
            why = " ".join(item.reason for item in transfer.items if item.reason)
            self._go(
                ReceiverSetupStep.NOT_SAVED, f"Not saved: {why} The result is kept; try again."
            )
            return
        self._goodbye = "The receiver is set up and saved on board. Undo takes it back."
        name = arming_object(self._settings)
        before = (self._backup or {}).get(name, {}).get(ARMING)
        arming: Values = {name: {ARMING: before}} if before is not None else {}
        self._send(ReceiverSetupStep.ENDING, arming, "Allowing the aircraft to arm again.")

    def _result(self) -> Values:
        measuring = self._told
        values: Values = {SETTINGS: {**measuring.assignment(), **measuring.pulses()}}
        name = positions_object(self._settings)
        if name and FLIGHT_MODE in measuring.found:
            values.setdefault(name, {})[POSITIONS] = measuring.seen[FLIGHT_MODE].positions
        return values

    @property
    def _board(self) -> str:
        return self._settings.aircraft.board_key

    def _on_board(self) -> tuple[Control, ...]:
        aircraft = self._settings.aircraft
        return read_controls(aircraft.definition(SETTINGS), aircraft.values(SETTINGS))

    def _has_restarted(self) -> bool:
        return self._settings.on_board(arming_object(self._settings), ARMING) != NEVER_ARMED

    def _why_no_pulses(self) -> str:
        """What is wrong with the pulses; empty if all the identified controls have some."""
        measuring = self.measuring
        if measuring is None or not measuring.seen:
            return ""
        sample = self._settings.aircraft.sample(COMMAND)
        raws = tuple(sample["Channel"]) if sample is not None else ()
        for index, control in enumerate(self._on_board()):
            raw = int(raws[index]) if index < len(raws) else None
            if control.name in measuring.found and (why := why_no_pulse(control, raw)):
                return f"{control.title}: {why}."
        return "Waiting for the sticks to arrive." if measuring.is_silent else ""


def receiver_setup_of(vehicle: Vehicle) -> ReceiverSetup:
    """The one set-up of a vehicle's receiver."""
    return vehicle.attachment("receiver_setup", lambda: ReceiverSetup(vehicle))


def _limits_words(measuring: StickMeasurement) -> str:
    titles = ", ".join(map(title_of, measuring.narrow()))
    missing = f"Still to move: {titles}." if titles else "All have moved."
    return (
        "Move every stick and knob slowly to all its ends, and rest the flight mode switch a "
        f"second in each of its positions. {missing}"
    )
