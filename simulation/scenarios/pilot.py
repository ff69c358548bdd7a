"""Scripted pilot on the ground: flies by GCSReceiver and knows only what telemetry tells.

It writes and hears UAVObjects like any station, so a flight by it exercises the whole path from
sticks to published states; what carries them it does not know (`simulation.scenarios.carriers`). It
arms and takes off by the procedure that the station's window uses.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from simulation.scenarios.scenario import Scenario, ScenarioError, ScenarioStep, Until, Upload
from simulation.scenarios.words import PilotWord
from telemetry.configuration.arming.by_sticks import (
    AUTO_TAKEOFF,
    gesture_on_board,
    gesture_sticks,
    values_of,
)
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.arming.procedure import ArmingProcedure, ArmingStage
from telemetry.configuration.flight_modes.setup import read_setup
from telemetry.protocol.objects.catalogue import Catalogue, UnknownObjectError
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import pack_values, read_path
from telemetry.protocol.session.handshake import STATS_IDS
from telemetry.recording.sample import Sample
from telemetry.vehicle.sticks import Sticks, channels_us

_STICKS_PERIOD_US = 40_000
_MID_THROTTLE = 0.5
_TAKEN_OFF_SHARE = 0.9
_DEFAULT_TAKEOFF_HEIGHT_M = 2.5
_ALWAYS_HEARD = (
    "FlightStatus",
    "ManualControlCommand",
    "PositionState",
    "StatusVtolAutoTakeoff",
    "SystemAlarms",
)
_MOVES_NO_STICK = ("wait", "set", "upload")
_ARMS = ("arm", "takeoff")


def heard_by_pilot(scenario: Scenario, catalogue: Catalogue) -> tuple[ObjectDefinition, ...]:
    """What the pilot of a scenario listens to. Raises ScenarioError for unknown objects."""
    awaited = {step.until.object for step in scenario.steps if step.until is not None}
    return tuple(_definition(catalogue, name) for name in sorted({*_ALWAYS_HEARD, *awaited}))


def object_of_link(scenario: Scenario, catalogue: Catalogue) -> str:
    """The name of an object that the pilot hears or writes, and that a session itself writes, reads
    or says again: its flight depends on what carries it. "" if there is none. Raises ScenarioError
    for unknown objects."""
    written = [
        _definition(catalogue, upload.name) for step in scenario.steps for upload in step.objects
    ]
    heard = heard_by_pilot(scenario, catalogue)
    of_link = [each for each in heard if each.flight_policy.acked]
    of_link += [each for each in (*heard, *written) if each.object_id in STATS_IDS]
    return of_link[0].name if of_link else ""


class Pilot:
    """Flies a scenario, step by step."""

    def __init__(
        self, scenario: Scenario, catalogue: Catalogue, settings: Read, heard: Read
    ) -> None:
        """`settings` gives what a station has fetched: the aircraft's settings objects; `heard` the
        newest values of those that `heard_by_pilot` names.

        Raises ScenarioError for modes that are not on the switch and for unknown objects.
        """
        self._steps = scenario.steps
        self._positions = [p.mode for p in read_setup(values_of(settings)).used]
        self._receiver = catalogue.find("GCSReceiver")
        self._pulses = self._receiver.default_row()
        self._catalogue = catalogue
        self._settings, self._heard = settings, heard
        self._check()
        self.step_index = -1
        """The number of the step being done, counted from 0."""
        self.step: ScenarioStep | None = None
        """What is being done; None before the beginning and after the end."""
        self._since_us = 0
        self._sent_us = -_STICKS_PERIOD_US
        self._ground_down_m = 0.0
        self._arming: ArmingProcedure | None = None
        self._sticks: Sticks | None = Sticks()
        self._said: Sticks | None = None
        self._stick_words: list[PilotWord] = []  # how these sticks are said
        self._status: Sample | None = None
        self._texts: dict[str, str] = {}
        """What has been read of that status, which is asked over and over."""
        self._is_switched_on = False
        self._uploads: list[PilotWord] = []
        self.failure = ""
        """Which step could not be done, and why, as a sentence; empty while all goes to plan."""

    @property
    def is_done(self) -> bool:
        """Whether all steps were done, or one has failed."""
        return self.step_index >= len(self._steps) or bool(self.failure)

    @property
    def armed(self) -> str:
        """FlightStatus.Armed as last heard."""
        return self._text("Armed", "Disarmed")

    @property
    def mode(self) -> str:
        """FlightStatus.FlightMode as last heard."""
        return self._text("FlightMode", "")

    def update(self, now_us: int) -> Sequence[PilotWord]:
        """Go on with the script and return what is to be written."""
        if self.step_index < 0:
            self._start_next(now_us)
        if self._arming is not None:
            self._arming.update(now_us / 1e6, self._read)
            self._sticks = self._arming.sticks
        step = self.step
        if step is not None and not self.is_done:
            elapsed_s = (now_us - self._since_us) / 1e6
            if self._is_complete(step, elapsed_s):
                self._start_next(now_us)
            elif not _is_timed(step):
                self._check_progress(step, elapsed_s)
        return self._talk(now_us)

    def steer(self, sticks: Sticks) -> None:
        """Hold these in the place of those of the step "fly" that is being done, whose flight mode
        and arming stay."""
        if (held := self._sticks) is not None:
            mode, arm = held.flight_mode_position, held.arm
            self._sticks = replace(sticks, flight_mode_position=mode, arm=arm)

    def disarm(self) -> None:
        """Leave the script: the throttle is cut and the aircraft asked to disarm."""
        self.step_index = len(self._steps)
        self.step = self._arming = None
        self._sticks = self._sticks_for(ScenarioStep("disarm"))

    # The script -------------------------------------------------------------------------

    def _start_next(self, now_us: int) -> None:
        self.step_index += 1
        self._since_us = now_us
        is_over = self.step_index >= len(self._steps)
        self.step = step = None if is_over else self._steps[self.step_index]
        if step is None:
            return
        self._uploads += map(self._uploaded, step.objects)
        if step.do == "takeoff":
            self._ground_down_m = self._down_m()
        if step.do in _ARMS:
            self._arm(step, now_us / 1e6)
        elif step.do not in _MOVES_NO_STICK:
            self._arming = None
            self._sticks = self._sticks_for(step)

    def _arm(self, step: ScenarioStep, now: float) -> None:
        """Begin to arm, or raise the throttle if the step before has armed it for that."""
        self._is_switched_on = True
        takes_off = step.do == "takeoff"
        if takes_off and self._arming is not None and self._arming.stage is ArmingStage.ARMED:
            self._arming.take_off(now, self._read)
            return
        mode = AUTO_TAKEOFF if self._takes_off_next() else step.mode
        self._arming = ArmingProcedure(mode if mode in self._positions else "", takes_off)

    def _takes_off_next(self) -> bool:
        """Whether what is flown after this step is the take-off, which has to be armed for."""
        later = (step.do for step in self._steps[self.step_index + 1 :])
        return next((do for do in later if do not in _MOVES_NO_STICK), "") == "takeoff"

    def _sticks_for(self, step: ScenarioStep) -> Sticks | None:
        if step.do == "silence":
            return None
        if step.do == "disarm":
            self._is_switched_on = False
        mode, throttle = {
            "disarm": ("Stabilized1", 0.0),
            "hold": ("PositionHold", _MID_THROTTLE),
            "land": ("Land", _MID_THROTTLE),
            "return": ("ReturnToBase", _MID_THROTTLE),
        }.get(step.do, (step.mode, step.throttle))
        position = self._positions.index(mode) if mode in self._positions else 0
        sticks = Sticks(step.roll, step.pitch, step.yaw, throttle, position, self._is_switched_on)
        gesture = gesture_on_board(values_of(self._read))
        if step.do == "disarm" and gesture is not None:
            return gesture_sticks(gesture, sticks, arms=False)
        return sticks

    def _is_complete(self, step: ScenarioStep, elapsed_s: float) -> bool:
        if step.do in ("set", "upload"):
            return True
        if step.until is not None:
            return self._says(step.until)
        if step.seconds:
            return elapsed_s >= step.seconds
        if step.do == "arm":
            return self._arming is not None and self._arming.is_armed
        if step.do == "takeoff":
            if self._arming is None or not self._arming.has_armed:
                self._ground_down_m = self._down_m()  # its estimate may begin only now
            climbed = self._ground_down_m - self._down_m()
            return climbed > _TAKEN_OFF_SHARE * _DEFAULT_TAKEOFF_HEIGHT_M
        return self.armed == "Disarmed"

    def _check_progress(self, step: ScenarioStep, elapsed_s: float) -> None:
        """Give up what was refused, or takes too long."""
        arming = self._arming if step.do in _ARMS else None
        why = f" {arming.reason}" if arming is not None and arming.reason else ""
        if arming is not None and arming.stage is ArmingStage.REFUSED:
            self.failure = f"Step {self.step_index + 1}: {step.do} was refused.{why}"
        elif elapsed_s > step.timeout_s:
            self.failure = f"Step {self.step_index + 1}: {step.do} took too long.{why}"

    # The conversation -------------------------------------------------------------------

    def _read(self, name: str) -> Sample | None:
        return self._heard(name) or self._settings(name)

    def _talk(self, now_us: int) -> Sequence[PilotWord]:
        uploads, self._uploads = self._uploads, []
        if self._sticks is None or now_us - self._sent_us < _STICKS_PERIOD_US:
            return uploads
        self._sent_us = now_us
        if self._sticks is not self._said:
            self._said = self._sticks
            self._stick_words = [self._word_of(self._sticks)]
        return uploads + self._stick_words

    def _word_of(self, sticks: Sticks) -> PilotWord:
        self._pulses["Channel"] = channels_us(sticks, mode_positions=max(1, len(self._positions)))
        return PilotWord(self._receiver, 0, self._pulses.tobytes())

    def _uploaded(self, upload: Upload) -> PilotWord:
        definition = _definition(self._catalogue, upload.name)
        try:
            payload = pack_values(definition, upload.values)
        except ValueError as error:
            raise ScenarioError(f"A step uploads what cannot be: {error}.") from None
        return PilotWord(definition, upload.instance, payload)

    def _check(self) -> None:
        """Find out before the flight what would go wrong in its middle."""
        for step in self._steps:
            if step.do == "fly" and step.mode not in self._positions:
                known = ", ".join(dict.fromkeys(self._positions))
                raise ScenarioError(
                    f"The mode '{step.mode}' of a step is not on the switch, which has: {known}; "
                    "put it into FlightModeSettings.FlightModePosition."
                )
            for upload in step.objects:
                self._uploaded(upload)
            if step.until is not None:
                self._check_until(step.until)

    def _check_until(self, until: Until) -> None:
        definition = _definition(self._catalogue, until.object)
        try:
            read_path(definition, definition.default_row(), until.field)
        except (KeyError, ValueError) as error:
            raise ScenarioError(f"A step waits for what never comes: {error}.") from None

    def _says(self, until: Until) -> bool:
        sample = self._read(until.object)
        if sample is None:
            return False
        value: Any = read_path(sample.definition, sample.row, until.field)
        return bool(value <= until.value if until.is_most else value == until.value)

    def _text(self, field: str, default: str) -> str:
        sample = self._read("FlightStatus")
        if sample is not self._status:
            self._status, self._texts = sample, {}
        if sample is not None and field not in self._texts:
            self._texts[field] = str(sample[field])
        return self._texts.get(field, default)

    def _down_m(self) -> float:
        sample = self._read("PositionState")
        return float(sample["Down"]) if sample is not None else 0.0


def _definition(catalogue: Catalogue, name: str) -> ObjectDefinition:
    try:
        return catalogue.find(name)
    except UnknownObjectError:
        raise ScenarioError(
            f"A step names the object '{name}', which is not known; 'lapwing objects list' has all."
        ) from None


def _is_timed(step: ScenarioStep) -> bool:
    return step.until is None and step.seconds > 0.0
