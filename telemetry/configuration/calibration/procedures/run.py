"""Calibration run: one under way on a live aircraft; raises rates, feeds, fits, restores.

    run = Run(kind, vehicle, settings, jobs)
    while not run.is_over: run.poll()
    run.stage(run.parts)         # or nothing at all

Nothing on board is changed but how often some objects are sent, which is restored at the end
whatever happens. So a run that is cancelled leaves no trace. Sans-Qt; `poll` never waits.
"""

from concurrent.futures import Executor, Future
from enum import Enum

import numpy as np

from telemetry.configuration.calibration.fits.board_settings import SETTINGS_OBJECTS, settings_at
from telemetry.configuration.calibration.fits.capture import CaptureProgress
from telemetry.configuration.calibration.fits.result import CalibrationError, Values
from telemetry.configuration.calibration.procedures.kinds import CalibrationKind
from telemetry.configuration.calibration.procedures.recipe import CalibrationChange, Recipe
from telemetry.configuration.settings.configuration import Configuration
from telemetry.recording.feed import Feed
from telemetry.vehicle.update_rates import UpdateRates
from telemetry.vehicle.vehicle import LinkState, Vehicle

_STATUS = "FlightStatus"
_MOST_ASKED = 4
_NO_LINK = "The link is silent. What was taken is kept; it goes on when the aircraft answers."


class RunState(Enum):
    """How far a run is."""

    COLLECTING = "collecting"
    PAUSED = "paused"
    FITTING = "fitting"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


_OVER = {RunState.DONE, RunState.FAILED, RunState.CANCELLED}


class Run:
    """`parts` has what was found once it is DONE; `problem` and `remedy` why it FAILED."""

    def __init__(
        self, kind: CalibrationKind, vehicle: Vehicle, settings: Configuration, jobs: Executor
    ) -> None:
        self.kind = kind
        self.state = RunState.COLLECTING
        self.parts: tuple[CalibrationChange, ...] = ()
        self.problem = self.remedy = ""
        self.recipe: Recipe | None = None
        self._vehicle = vehicle
        self._settings = settings
        self._jobs = jobs
        self._future: Future[tuple[CalibrationChange, ...]] | None = None
        self._rates = UpdateRates(vehicle.commands)
        self._on_board: Values = settings_at(vehicle.recording, vehicle.end_s)
        try:
            self.recipe = kind.make(self._on_board, vehicle.recording)
        except CalibrationError as error:
            self._fail(error.problem, error.remedy)
            return
        self._seen = self._stamps()
        self._feed = Feed(vehicle.recording, (*self.recipe.sources, _STATUS))
        self._raise_rates()

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen any more."""
        return self.state in _OVER

    @property
    def can_finish(self) -> bool:
        """Whether the user may end it with what it has."""
        is_busy = self.state in (RunState.COLLECTING, RunState.PAUSED)
        return is_busy and self.recipe is not None and self.recipe.can_finish

    @property
    def progress(self) -> CaptureProgress:
        """Where it stands, in words."""
        if self.recipe is None or self.state is RunState.FAILED:
            return CaptureProgress(0.0, 0.0, self.remedy, self.problem, False)
        found = self.recipe.progress(self._vehicle.end_s)
        if self.state is RunState.PAUSED:
            return CaptureProgress(found.share, 0.0, found.wanted, _NO_LINK, False)
        slow = self._not_sent()
        if found.trouble and slow:
            return CaptureProgress(found.share, found.hold, found.wanted, slow, False)
        return found

    def poll(self) -> None:
        """Take what has arrived, and go on."""
        if self.is_over:
            return
        if self.state is RunState.FITTING:
            self._look_at_fit()
            return
        recipe = self.recipe
        assert recipe is not None
        if self._was_stopped():
            return
        self._raise_rates()
        for sample in self._feed.take():
            if sample.definition.name != _STATUS:
                recipe.take(sample)
            elif sample["Armed"] != "Disarmed":
                self._fail("The aircraft was armed.", "Disarm it, and begin again.")
                return
        if recipe.progress(self._vehicle.end_s).is_complete:
            self.finish()

    def finish(self) -> None:
        """Collect no more, and fit."""
        if self.state in (RunState.COLLECTING, RunState.PAUSED) and self.recipe is not None:
            self._rates.restore()
            self.state = RunState.FITTING
            self._future = self._jobs.submit(self.recipe.fit)
            self._look_at_fit()

    def cancel(self) -> None:
        """Stop, and leave everything as it was. What ended stays as it is."""
        self._rates.restore()
        if not self.is_over:
            self.state = RunState.CANCELLED

    def stage(self, parts: tuple[CalibrationChange, ...]) -> None:
        """Stage what these parts found. Raises ValueError if the board cannot hold a value."""
        for part in parts:
            if part.calibration is not None:
                for name, values in part.calibration.values.items():
                    self._settings.stage_all(name, values)

    # Inside

    def _was_stopped(self) -> bool:
        """Whether the world outside ended it, or pauses it."""
        vehicle = self._vehicle
        if not vehicle.is_live:
            self._fail("The aircraft was disconnected.", "Connect it, and begin again.")
        elif self._settings.aircraft.is_armed:
            self._fail("The aircraft was armed.", "Disarm it, and begin again.")
        elif self._is_altered():
            self._fail("The settings it builds on were changed on board meanwhile.", "Begin again.")
        elif vehicle.status.state not in (LinkState.CONNECTED, LinkState.FETCHING):
            self.state = RunState.PAUSED
        else:
            self.state = RunState.COLLECTING
        return self.state is not RunState.COLLECTING

    def _stamps(self) -> tuple[object, ...]:
        return tuple(self._settings.aircraft.stamp(name) for name in SETTINGS_OBJECTS)

    def _is_altered(self) -> bool:
        """Settings that merely arrive again, as after a lost link, are no change."""
        stamps = self._stamps()
        if stamps == self._seen:
            return False
        self._seen = stamps
        return settings_at(self._vehicle.recording, self._vehicle.end_s) != self._on_board

    def _raise_rates(self) -> None:
        """Have the board send fast enough."""
        assert self.recipe is not None
        self._rates.want(self.recipe.sources, self._vehicle.end_s)
        failed = self._rates.failed(_MOST_ASKED)
        for name in failed.keys() - self.recipe.optional:
            self._fail(failed[name], "Without it this cannot be calibrated.")
            return

    def _not_sent(self) -> str:
        """Which source the board does not send faster, and why; empty if it does."""
        optional = self.recipe.optional if self.recipe is not None else frozenset()
        failed = self._rates.failed(1)
        return next((text for name, text in failed.items() if name not in optional), "")

    def _look_at_fit(self) -> None:
        if self._future is None or not self._future.done():
            return
        try:
            self.parts = self._future.result()
            self.state = RunState.DONE
        except CalibrationError as error:
            self._fail(error.problem, error.remedy)
        except np.linalg.LinAlgError:
            self._fail(
                "The calibration on board cannot be taken back: its matrix has no inverse.",
                "Set its fields to their defaults, apply, and begin again.",
            )

    def _fail(self, problem: str, remedy: str) -> None:
        self.problem, self.remedy = problem, remedy
        self.state = RunState.FAILED
        self._rates.restore()
