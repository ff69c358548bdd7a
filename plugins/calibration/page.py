"""Calibration page: a card per calibration, the one under way, its result, and the settings."""

from dataclasses import dataclass

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from plugins.api import PageContext
from plugins.calibration.card import ProcedureCard
from plugins.calibration.groups import GROUPS, OBJECTS, Group
from plugins.calibration.guide import GuideView
from plugins.calibration.home import HomeView
from plugins.calibration.result_view import ResultView
from plugins.calibration.run_view import RunView
from telemetry.configuration.calibration.procedures.kinds import KINDS, CalibrationKind, kind_of
from telemetry.configuration.calibration.procedures.run import Run, RunState
from telemetry.configuration.calibration.procedures.status import (
    calibration_status,
    never_done,
    quality_now,
    why_not,
)
from telemetry.configuration.settings.configuration import Configuration
from widgets.change_detector import ChangeDetector
from widgets.parts import PAGE_MARGINS, STRETCH, make_column, make_grid, make_label
from widgets.settings.collapsible_settings import (
    CollapsibleContents,
    CollapsibleSettings,
    form_contents,
)
from widgets.settings.form import reveal
from widgets.solid import Shape

_ABOUT = (
    "Do them in this order. Each measures, shows how good the result is, and stages it; it is "
    "sent when you apply the changes below. Cancelling leaves nothing behind."
)
_POLL_MS = 500
_LOOKS_PER_S = 2.0


@dataclass
class UnderWay:
    """The last calibration of an aircraft, whichever workspace began it."""

    run: Run | None = None


class CalibrationPage(QWidget):
    """Calibrations of one aircraft; one at a time."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings, vehicle = context.configuration, context.vehicle
        self._settings = settings
        self._vehicle = vehicle
        self._context = context
        self._seen = ChangeDetector()
        self._judged = ChangeDetector()
        self._todo = ""
        self.run: Run | None = None
        self._ended: Run | None = None
        self._under_way = vehicle.attachment("calibration.under_way", UnderWay)
        self.cards = {kind.id: ProcedureCard(kind) for kind in KINDS}
        self.run_view = RunView()
        self.result = ResultView()
        self.home = HomeView(settings, vehicle)
        self.guide = GuideView()
        self.groups = [_fold(settings, group) for group in GROUPS]
        self._grid = QWidget()
        self._timer = QTimer(self)
        self._timer.setInterval(_POLL_MS)
        self._timer.timeout.connect(self._poll)
        self._connect()
        self._lay_out()
        context.on_close(self._close)

    def _connect(self) -> None:
        for card in self.cards.values():
            card.started.connect(self.start)
        self.run_view.cancelled.connect(self._discard)
        self.run_view.finished.connect(self._finish)
        self.result.staged.connect(self._stage)
        self.result.discarded.connect(self._discard)
        self.result.repeated.connect(self._repeat)

    def _lay_out(self) -> None:
        about = make_label(_ABOUT, tone="muted", wraps=True)
        grid = make_grid(self._grid, spacing=8)
        for index, card in enumerate(self.cards.values()):
            grid.addWidget(card, index // 2, index % 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        parts = (about, self._grid, self.run_view, self.result, self.home, self.guide, *self.groups)
        self.setLayout(make_column(*parts, STRETCH, margins=PAGE_MARGINS, spacing=8))
        self._show_stage()

    def refresh(self, t: float) -> None:
        """Follow the aircraft, the calibration under way and what is staged."""
        self._poll()
        self._show_cards(t)
        self.home.refresh()
        for group in self.groups:
            group.refresh()

    def show_setting(self, name: str, path: str) -> None:
        """Bring a setting into view."""
        self.refresh(0.0)
        for group in self.groups:
            if group.name == name and group.show_setting(path):
                return

    def incomplete(self) -> str:
        """Which calibrations were never done, by their values on board."""
        settings = self._settings
        if self._judged.has_changed(
            settings.version, tuple(settings.aircraft.stamp(name) for name in OBJECTS)
        ):
            missing = ", ".join(never_done(settings)).lower()
            self._todo = f"Never calibrated: {missing}." if missing else ""
        return self._todo

    def start(self, kind_id: str) -> None:
        """Begin a calibration, unless one is under way or something stands against it."""
        kind = kind_of(kind_id)
        if self._why_not(kind):
            return
        run = Run(kind, self._vehicle, self._settings, self._context.jobs)
        self.run = self._under_way.run = run
        self.run_view.begin(run, self._shape())
        self._timer.start()
        self._show_stage()
        self._poll()
        reveal(self.result.main_button if run.is_over else self.run_view.cancel)

    # Inside

    def _poll(self) -> None:
        """Also while the page is out of sight: the aircraft must not wait for it."""
        run = self.run
        if run is None:
            return
        run.poll()
        if not run.is_over:
            self.run_view.refresh(run)
        elif run is not self._ended:
            self._ended = run
            self._timer.stop()
            has_keyboard = self.run_view.isAncestorOf(QApplication.focusWidget() or self)
            self.result.show_run(run, self._context.theme)
            self._show_stage()
            if has_keyboard:  # else it would go on to whatever stands next
                self.result.main_button.setFocus()

    def _show_stage(self) -> None:
        """The cards, the run, or its result."""
        run = self.run
        self._grid.setVisible(run is None)
        self.run_view.setVisible(run is not None and not run.is_over)
        self.result.setVisible(run is not None and run.is_over)
        self._seen.forget()

    def _show_cards(self, t: float) -> None:
        if self.run is not None:
            return
        settings = self._settings
        aircraft, recording = settings.aircraft, self._vehicle.recording
        now = t if aircraft.is_log else self._vehicle.end_s
        stamps = tuple(aircraft.stamp(name) for name in (*OBJECTS, "FlightStatus"))
        if not self._seen.has_changed(
            stamps, settings.version, settings.refusal, round(_LOOKS_PER_S * now)
        ):
            return
        for kind_id, card in self.cards.items():
            kind = kind_of(kind_id)
            quality = quality_now(kind, recording, now)
            card.show_status(calibration_status(kind, settings), quality, self._staged(kind))
            card.allow(self._why_not(kind))

    def _why_not(self, kind: CalibrationKind) -> str:
        run = self._under_way.run
        if run is not None and not run.is_over:
            return f"{run.kind.title} is under way."
        return why_not(kind, self._settings)

    def _staged(self, kind: CalibrationKind) -> int:
        return sum(
            path.partition(".")[0] in fields
            for name, fields in kind.writes.items()
            for path in self._settings.draft.of((name, 0))
        )

    def _shape(self) -> Shape:
        airframe = str(self._settings.value("SystemSettings", "AirframeType") or "")
        return "aeroplane" if airframe.startswith("FixedWing") else "multirotor"

    def _finish(self) -> None:
        if self.run is not None:
            self.run.finish()
            self._poll()

    def _stage(self) -> None:
        run = self.run
        if run is None or run.state is not RunState.DONE:
            return
        try:
            run.stage(self.result.chosen)
        except ValueError as error:
            self._context.show_message(f"Not staged: {error}.")
            return
        self._context.show_message(f"{run.kind.title}: staged. Apply sends it to the board.")
        self._end()

    def _discard(self) -> None:
        if self.run is not None:
            self.run.cancel()
        self._end()

    def _repeat(self) -> None:
        kind = self.run.kind if self.run is not None else None
        self._end()
        if kind is not None:
            self.start(kind.id)

    def _end(self) -> None:
        """Back to the cards, the keyboard where it was before."""
        ended, self.run = self.run, None
        self._timer.stop()
        self._show_stage()
        self.refresh(self._vehicle.end_s)
        if ended is not None:
            self.cards[ended.kind.id].start.setFocus()

    def _close(self) -> None:
        self._timer.stop()
        if self.run is not None:
            self.run.cancel()


def _fold(settings: Configuration, group: Group) -> CollapsibleSettings:
    """An object's settings below the calibrations."""

    def make() -> CollapsibleContents:
        about = make_label(group.about, tone="muted", wraps=True)
        return form_contents(settings, group.name, (), about)

    return CollapsibleSettings(settings, group.name, group.title, make=make)
