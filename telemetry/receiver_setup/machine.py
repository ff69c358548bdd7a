"""The set-up of a receiver, step by step: safety, which stick is where, centre, ends, directions.

    setup = receiver_setup_of(vehicle)
    setup.begin(Kind.AIR, mode=2)       # arming is forbidden on board first
    ...                                 # poll() 20 times a second; accept(), skip(), back()
    setup.save()                        # what was there is put back, the result applied and saved
    setup.cancel()                      # at any time: everything is as it was

Nothing here waits or draws. What a set-up changes on board for its while is remembered on disk,
and put back on any way out: cancelled, saved, link lost and back, or found after a crash.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Final

from telemetry.clock import monotonic_s
from telemetry.receiver.controls import (
    COMMAND,
    FLIGHT_MODE,
    NO_GROUP,
    SETTINGS,
    THROTTLE,
    Control,
    control_names,
    read_controls,
    title_of,
    why_no_pulse,
)
from telemetry.receiver_setup.errand import Errand, is_held
from telemetry.receiver_setup.memento import (
    ARMING,
    NEVER_ARMED,
    Journal,
    Memento,
    Values,
    arming_object,
    positions_object,
    take_memento,
    usual_journal,
)
from telemetry.receiver_setup.movement import Channel, MovementWatch
from telemetry.receiver_setup.plan import Kind, Plan
from telemetry.receiver_setup.ranges import Seen, is_rest
from telemetry.receiver_setup.result import Measured, result_values
from telemetry.recording.feed import Feed
from telemetry.settings.configuration import Configuration, configuration_of
from telemetry.vehicle.exclusive import Exclusive, exclusive_of
from telemetry.vehicle.vehicle import Vehicle

ACTIVITY: Final = "ReceiverActivity"
TITLE: Final = "Receiver set-up"
_HELD_S: Final = 0.3
_CLEAR, _AT_REST = 0.5, 0.25


class Step(Enum):
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


ASKING: Final = (Step.IDENTIFY, Step.CENTRE, Step.LIMITS, Step.CHECK)
"""The steps in which the user moves sticks."""


class ReceiverSetup:
    """The set-up of one aircraft. `message` says what happened last; `words` what to do now."""

    def __init__(
        self,
        vehicle: Vehicle,
        clock: Callable[[], float] = monotonic_s,
        journal: Journal | None = None,
    ) -> None:
        self.step = Step.OFF
        self.message = ""
        self.plan: Plan | None = None
        self.found: dict[str, Channel] = {}
        """The channel of each control that was identified."""
        self.seen: dict[str, Seen] = {}
        self.reversed: dict[str, bool] = {}
        """Whether a control's pulses run backwards, as far as checked."""
        self._settings: Configuration = configuration_of(vehicle)
        self._alone: Exclusive = exclusive_of(vehicle)
        self._journal = journal or usual_journal(os.environ)
        self._clock = clock
        self._memento: Memento | None = None
        self._errand: Errand | None = None
        self._todo: list[str] = []
        self._done: list[str] = []
        self._watch = MovementWatch(frozenset())
        self._recording = vehicle.recording
        self._activity = Feed(self._recording, ACTIVITY)
        self._pulses = Feed(self._recording, COMMAND)
        self._centres: dict[str, int] = {}
        self._clear_since: tuple[bool, float] | None = None
        self._was_at_rest = False
        self._goodbye = ""

    # What shows

    @property
    def current(self) -> str:
        """The control that is asked for; empty if none is."""
        is_asked = self.step in (Step.IDENTIFY, Step.CHECK)
        return self._todo[0] if is_asked and self._todo else ""

    @property
    def candidate(self) -> Channel | None:
        """What seems to move while a control is identified."""
        return self._watch.candidate if self.step is Step.IDENTIFY else None

    @property
    def words(self) -> str:
        """What to do now."""
        plan = self.plan
        if plan is None:
            return ""
        if self.step is Step.IDENTIFY:
            return plan.identify_words(self.current)
        if self.step is Step.CENTRE:
            throttle = "" if plan.is_centred(THROTTLE) else ", and put throttle to its lowest"
            return f"Let go of all sticks so that they stand in the middle{throttle}; then go on."
        if self.step is Step.LIMITS:
            return (
                "Move every stick and knob slowly to all its ends, and rest the flight mode "
                f"switch a second in each of its positions.{self._still_missing()}"
            )
        if self.step is Step.CHECK:
            return plan.check_words(self.current, self._was_at_rest)
        if self.step is Step.SUMMARY:
            return "Everything is measured. Save it, or cancel and all is as it was."
        return self.message

    @property
    def can_go_on(self) -> bool:
        """Whether `accept` would."""
        if self.step is Step.CENTRE:
            return not self._why_no_pulses()
        if self.step is Step.LIMITS:
            return not self._narrow()
        return False

    @property
    def can_skip(self) -> bool:
        """Whether the control asked for may be left out."""
        plan = self.plan
        if plan is None or not self.current:
            return False
        return self.step is Step.CHECK or not plan.is_needed(self.current)

    @property
    def owed(self) -> bool:
        """Whether a set-up that ended in the middle (a crash) has left its values on board."""
        if self.step is not Step.OFF or self._settings.refusal:
            return False
        return self._journal.memento(self._board) is not None

    def controls(self) -> tuple[Control, ...]:
        """All controls as they would be with what is measured so far."""
        return tuple(self._as_measured(control) for control in self._on_board())

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

    def begin(self, kind: Kind, mode: int) -> bool:
        """Forbid arming and start; False, and why in `message`, if that cannot be."""
        why = self.why_not() if self.step is Step.OFF else "The set-up is under way."
        if why:
            self.message = why
            return False
        self._alone.take(self, TITLE)
        # What an earlier set-up still owes is what was there before it, not what is there now.
        self._memento = self._journal.memento(self._board) or take_memento(self._settings)
        self._journal.remember(self._board, self._memento)
        self.plan = Plan(kind, mode, control_names(self._settings.definition(SETTINGS)))
        self.found, self.seen, self.reversed = {}, {}, {}
        self._centres, self._done = {}, []
        self._todo = list(self.plan.controls)
        safe: Values = {arming_object(self._settings): {ARMING: NEVER_ARMED}}
        self._send(Step.SAFETY, safe, "Forbidding the aircraft to arm during the set-up.")
        return True

    def accept(self) -> None:
        """Go on, where the step can."""
        if not self.can_go_on:
            self.message = self._why_no_pulses()
        elif self.step is Step.CENTRE:
            self._centres = {name: seen.rest for name, seen in self.seen.items()}
            self.seen = {name: Seen() for name in self.found}
            self._go(Step.LIMITS)
        elif off := self._not_at_rest():
            self.seen = {name: Seen() for name in self.found}
            self._go(Step.CENTRE, f"{off} did not rest where asked when you went on. Once more.")
        else:
            assert self.plan is not None
            self._todo = [name for name in self.plan.checked if name in self.found]
            self._done = []
            self._go(Step.CHECK)

    def skip(self) -> None:
        """Leave the control out that is asked for."""
        if self.can_skip:
            self._next()

    def back(self) -> None:
        """Ask again for the control before."""
        if self.step is Step.IDENTIFY and self._done:
            name = self._done.pop()
            self.found.pop(name, None)
            self._todo.insert(0, name)
            self._listen()

    def save(self) -> None:
        """Put back what was there, then apply and save the result, which can be undone."""
        if self.step in (Step.SUMMARY, Step.NOT_SAVED) and self._memento is not None:
            values: Values = {SETTINGS: self._memento.of(SETTINGS)}
            self._send(Step.PUTTING_BACK, values, "Applying and saving.")

    def cancel(self, why: str = "") -> None:
        """Put everything back as it was. Cancelling what has ended is fine."""
        if self.step not in (Step.OFF, Step.ENDING):
            self._put_back(why or "Cancelled: everything on board is as it was.")

    def put_back_owed(self) -> None:
        """Put back what a set-up left on board that ended in the middle."""
        if self.owed and not self._alone.why_not(self):
            self._alone.take(self, TITLE)
            self._memento = self._journal.memento(self._board)
            self._put_back("What was on board before the interrupted set-up is there again.")

    def poll(self) -> None:
        """Go on: call it 20 times a second while the page is open."""
        if self.step is Step.OFF:
            return
        if self.step in _ERRANDS:
            self._run_errand()
        elif self.step is Step.SAVING:
            self._wait_for_save()
        elif self._settings.refusal:
            self.message = "The link is lost. The set-up waits for it; Cancel puts all back then."
        elif self._has_restarted():
            self.cancel("The board has started anew, so the set-up was ended. Begin again.")
        else:
            self._look()

    # Steps

    def _go(self, step: Step, message: str = "") -> None:
        self.step, self.message = step, message
        self._clear_since = None
        if step in ASKING:
            self._listen()

    def _send(self, step: Step, values: Values, message: str) -> None:
        self._errand = Errand(self._settings, values)
        self._go(step, message)

    def _run_errand(self) -> None:
        errand = self._errand
        if errand is None or not errand.poll():
            return
        if not errand.is_done and self.step is not Step.ENDING:
            self._put_back(f"The set-up has ended. {errand.problem}".strip())
        elif self.step is Step.SAFETY:
            self._go(Step.IDENTIFY)
        elif self.step is Step.ASSIGNING:
            self.seen = {name: Seen() for name in self.found}
            self._go(Step.CENTRE)
        elif self.step is Step.PUTTING_BACK:
            self._apply()
        else:
            self._finish(errand)

    def _finish(self, errand: Errand) -> None:
        if errand.is_done:
            self._journal.forget(self._board)
            text = self._goodbye
        else:
            text = f"Not everything could be put back. {errand.problem} Try again below."
        self._memento, self._errand = None, None
        self._alone.free(self)
        self._go(Step.OFF, text)

    def _put_back(self, goodbye: str) -> None:
        self._goodbye = goodbye
        values = self._memento.values if self._memento is not None else {}
        self._send(Step.ENDING, values, "Putting back what was on board.")

    def _apply(self) -> None:
        """Through the configuration, so that the drawer shows it and Undo takes it back."""
        settings = self._settings
        wanted = self._result()
        for name, values in wanted.items():
            settings.stage_all(name, values)
        if settings.is_busy:
            self._go(Step.NOT_SAVED, "Other settings are being sent; the result is kept.")
            return
        paths = [(name, 0, path) for name, values in wanted.items() for path in values]
        settings.apply(TITLE, save=True, only=paths, also=[(name, 0) for name in wanted])
        self._go(Step.SAVING, "Applying and saving.")

    def _wait_for_save(self) -> None:
        transfer = self._settings.transfer
        if transfer is None or not transfer.is_finished:
            return
        if transfer.is_verified:
            self._goodbye = "The receiver is set up and saved on board. Undo takes it back."
            name = arming_object(self._settings)
            arming: Values = (
                {name: {ARMING: self._memento.of(name)[ARMING]}} if self._memento else {}
            )
            self._send(Step.ENDING, arming, "Allowing the aircraft to arm again.")
        else:
            why = " ".join(item.reason for item in transfer.items if item.reason)
            self._go(Step.NOT_SAVED, f"Not saved: {why} The result is kept; try again.")

    def _next(self) -> None:
        self._done.append(self._todo.pop(0))
        if self._todo:
            self._listen()
        elif self.step is Step.CHECK:
            self._go(Step.SUMMARY)
        else:
            self._send(Step.ASSIGNING, {SETTINGS: self._assignment()}, "Assigning the channels.")

    # Looking

    def _listen(self) -> None:
        """Only what arrives from now on counts."""
        used = frozenset(self.found.values())
        self._watch = MovementWatch(used)
        self._clear_since, self._was_at_rest = None, False
        self._activity = Feed(self._recording, ACTIVITY)
        self._pulses = Feed(self._recording, COMMAND)

    def _look(self) -> None:
        now = self._clock()
        if self.step is Step.IDENTIFY:
            self._look_for_movement(now)
            return
        for sample in self._pulses.take():
            self._take_pulses(sample["Channel"])
        if self.step is Step.CHECK:
            self._look_for_direction(now)
        elif self.step in ASKING:
            self.message = self._why_no_pulses()

    def _look_for_movement(self, now: float) -> None:
        for sample in self._activity.take():
            self._watch.take(now, str(sample["ActiveGroup"]), int(sample["ActiveChannel"]))
        self._watch.wait(now)
        if self._watch.moved is not None:
            group, number = self._watch.moved
            self.found[self.current] = self._watch.moved
            self.message = f"{title_of(self.current)} is {group} channel {number}."
            self._next()

    def _take_pulses(self, channels: tuple[int, ...]) -> None:
        for control, raw in zip(self._on_board(), channels, strict=False):
            if control.name in self.seen and not why_no_pulse(control, raw):
                self.seen[control.name].take(raw)

    def _look_for_direction(self, now: float) -> None:
        """A control that is held clearly to one side shows whether its pulses run backwards."""
        name = self.current
        share = self._share(name)
        self._was_at_rest |= abs(share) < _AT_REST
        if abs(share) < _CLEAR or not self._was_at_rest:
            self._clear_since = None
            return
        is_backwards = share < 0
        if self._clear_since is None or self._clear_since[0] != is_backwards:
            self._clear_since = (is_backwards, now)
        elif now - self._clear_since[1] >= _HELD_S:
            self.reversed[name] = is_backwards
            way = "runs backwards and will be reversed" if is_backwards else "runs as it should"
            self.message = f"{title_of(name)} {way}."
            self._next()

    def _share(self, name: str) -> float:
        """How far a control is from where it rested, in halves of its way, by pulse."""
        seen = self.seen[name]
        half = (seen.high - seen.low) / 2
        return (seen.newest - self._centres.get(name, 0)) / half if half else 0.0

    # Values

    @property
    def _board(self) -> str:
        return self._settings.aircraft.serial or "board"

    def _on_board(self) -> tuple[Control, ...]:
        aircraft = self._settings.aircraft
        return read_controls(aircraft.definition(SETTINGS), aircraft.values(SETTINGS))

    def _has_restarted(self) -> bool:
        name = arming_object(self._settings)
        return not is_held(self._settings, name, ARMING, NEVER_ARMED)

    def _assignment(self) -> dict[str, int | str | float]:
        plan = self.plan
        values: dict[str, int | str | float] = {}
        for name in plan.controls if plan is not None else ():
            group, number = self.found.get(name, (NO_GROUP, 0))
            values |= {f"ChannelGroups.{name}": group, f"ChannelNumber.{name}": number}
        return values

    def _why_no_pulses(self) -> str:
        """What is wrong with the pulses; empty if all the identified controls have some."""
        sample = self._settings.aircraft.sample(COMMAND)
        raws = tuple(sample["Channel"]) if sample is not None else ()
        for index, control in enumerate(self._on_board()):
            raw = int(raws[index]) if index < len(raws) else None
            if control.name in self.found and (why := why_no_pulse(control, raw)):
                return f"{control.title}: {why}."
        missing = [name for name in self.found if not self.seen.get(name, Seen()).rest]
        return "Waiting for the sticks to arrive." if missing else ""

    def _narrow(self) -> list[str]:
        """The controls that have not been moved to both ends yet."""
        plan = self.plan
        needed = [
            n for n in self.found if plan is not None and (plan.place(n) or plan.is_needed(n))
        ]
        return [name for name in needed if not self.seen[name].is_wide]

    def _not_at_rest(self) -> str:
        """The controls that were not where they were asked to be at the step before."""
        plan = self.plan
        assert plan is not None
        checked = [name for name in plan.checked if name in self.found]
        return ", ".join(
            title_of(name)
            for name in checked
            if not is_rest(self.seen[name], self._centres[name], plan.is_centred(name))
        )

    def _still_missing(self) -> str:
        titles = [title_of(name) for name in self._narrow()]
        return f" Still to move: {', '.join(titles)}." if titles else " All have moved."

    def _measured(self) -> dict[str, Measured]:
        plan = self.plan
        assert plan is not None
        return {
            name: Measured(
                channel,
                self.seen[name].low,
                self.seen[name].high,
                self._centres.get(name, self.seen[name].rest),
                plan.is_centred(name),
                self.reversed.get(name, False),
            )
            for name, channel in self.found.items()
        }

    def _result(self) -> Values:
        values: Values = {SETTINGS: {**self._assignment(), **result_values(self._measured())}}
        name = positions_object(self._settings)
        if name and FLIGHT_MODE in self.found:
            values.setdefault(name, {})["FlightModeNumber"] = self.seen[FLIGHT_MODE].positions
        return values

    def _as_measured(self, control: Control) -> Control:
        channel = self.found.get(control.name)
        seen = self.seen.get(control.name)
        if channel is None:
            return control
        changed = replace(control, group=channel[0], number=channel[1])
        if seen is None or not seen.high:
            return changed
        measured = result_values({control.name: self._measured()[control.name]})
        pulses = (measured[f"Channel{end}.{control.name}"] for end in ("Min", "Neutral", "Max"))
        low, neutral, high = (int(pulse) for pulse in pulses)
        return replace(changed, minimum=low, neutral=neutral, maximum=high)


_ERRANDS: Final = (Step.SAFETY, Step.ASSIGNING, Step.PUTTING_BACK, Step.ENDING)


def receiver_setup_of(vehicle: Vehicle) -> ReceiverSetup:
    """The one set-up of a vehicle's receiver."""
    return vehicle.attachment("receiver_setup", lambda: ReceiverSetup(vehicle))
