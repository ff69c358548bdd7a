"""Assistant state that all steps share: answers, the aircraft as it is, and what follows."""

import os
from concurrent.futures import Future
from functools import cache
from typing import Any

from plugins.api import PageContext
from telemetry.base.folders import Folders
from telemetry.configuration.assistant.aircraft import AssistedAircraft
from telemetry.configuration.assistant.answers import Answers, answer_store
from telemetry.configuration.assistant.answers_on_board import answers_on_board
from telemetry.configuration.assistant.gps_and_battery import TOLD, telling
from telemetry.configuration.assistant.progress import SetupProgress
from telemetry.configuration.assistant.proposal import SetupProposal, propose_setup
from telemetry.configuration.settings.configuration import Configuration
from telemetry.recording.sample import ReadValues, Values

_READS = (
    *("SystemSettings", "MixerSettings", "ActuatorSettings", "HwSettings", "GPSSettings"),
    *("ManualControlSettings", "FlightModeSettings", "FlightBatterySettings", "RevoSettings"),
    *("StabilizationSettingsBank1", "AttitudeSettings", "AccelGyroSettings", "RevoCalibration"),
    "FirmwareIAPObj",
)
IN_LOG = (
    "This is a log: it shows what the aircraft was set up as. Connect to the aircraft to set it up."
)
_ARMED = "The aircraft is armed. Disarm it first: nothing is set up while motors can turn."


class AssistantState:
    """Holds the progress of one aircraft. `follow` must be called regularly."""

    def __init__(self, context: PageContext, settings: Configuration) -> None:
        self.context = context
        self.settings = settings
        self.kept = answer_store(Folders.of_user(os.environ).setup_answers)
        self.progress = SetupProgress(Answers(), self._keep)
        self.aircraft = self._look()
        self.is_known = False
        self._board = ""
        self._stamp: object = None
        self._plan: tuple[object, SetupProposal] | None = None
        self._unwritten: tuple[str, Answers | None] | None = None
        self._writing: Future[bool] | None = None
        context.on_close(self._write_now)

    @property
    def answers(self) -> Answers:
        """What was answered."""
        return self.progress.answers

    @property
    def stamp(self) -> object:
        """Differs when anything may have to be shown anew."""
        told = telling(self.aircraft)
        return self.answers, self._stamp, self.settings.version, self.refusal, self.is_known, told

    @property
    def is_log(self) -> bool:
        """Whether nothing can be answered."""
        return self.settings.aircraft.is_log

    @property
    def refusal(self) -> str:
        """Why the summary cannot be accepted now; empty where it can."""
        if self.is_log:
            return IN_LOG
        if self.settings.aircraft.is_armed:
            return _ARMED
        return self.settings.refusal

    @property
    def plan(self) -> SetupProposal:
        """What follows from the answers."""
        key = self.answers, self._stamp
        if self._plan is None or self._plan[0] != key:
            self._plan = key, propose_setup(self.answers, self.aircraft)
        return self._plan[1]

    def change(self, **answers: Any) -> None:
        """Answer something."""
        if not self.is_log:
            self.progress.change(**answers)

    def start_again(self) -> None:
        """Forget the answers about this aircraft, and begin with what is on board."""
        if not self.is_log:
            self.progress.restart(answers_on_board(self.aircraft))

    def finish(self) -> None:
        """The answers were accepted: the next time begins with what is on board then."""
        self._unwritten = self._board, None

    def follow(self) -> None:
        """Notice the aircraft, and what has changed on board."""
        aircraft = self.settings.aircraft
        stamp = tuple(aircraft.stamp(name) for name in _READS), aircraft.board
        if stamp != self._stamp:
            self._stamp = stamp
            self.aircraft = self._look()
        if self._unwritten is not None and (self._writing is None or self._writing.done()):
            (board, answers), self._unwritten = self._unwritten, None
            self._writing = self.context.jobs.submit(self.kept.put, board, answers)
        if aircraft.is_complete and (not self.is_known or aircraft.board_key != self._board):
            self._write_now()
            self.is_known, self._board = True, aircraft.board_key
            kept = None if self.is_log else self.kept.get(self._board)
            self.progress = SetupProgress(kept or answers_on_board(self.aircraft), self._keep)

    def page(self, plugin_id: str) -> str:
        """The full id of the first page of a plugin; empty where there is none."""
        pages = self.context.pages
        return next((page_id for page_id in pages if page_id.startswith(f"{plugin_id}.")), "")

    def _keep(self, answers: Answers) -> None:
        if self.is_known and not self.is_log:
            self._unwritten = self._board, answers  # a slow disk must not hold up the typing

    def _write_now(self) -> None:
        """Have everything on disk, after what a job still writes."""
        if self._writing is not None:
            self._writing.result()
        if self._unwritten is not None:
            self.kept.put(*self._unwritten)
        self._unwritten = self._writing = None

    def _look(self) -> AssistedAircraft:
        """The aircraft as it is now; its settings are read once."""
        aircraft = self.settings.aircraft
        kept: ReadValues = cache(aircraft.values)

        def values(name: str) -> Values:
            return aircraft.values(name) if name in TOLD else kept(name)

        return AssistedAircraft(
            cache(aircraft.definition), values, aircraft.board, aircraft.is_simulated
        )
