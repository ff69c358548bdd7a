"""Board restart: held buttons with what is lost beside them, and what came of it."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QWidget

from telemetry.configuration.board.restart import Restart, Stage
from telemetry.configuration.board.restart_commands import why_not
from telemetry.configuration.board.restart_purpose import Purpose
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.snapshot import Snapshot
from telemetry.vehicle.vehicle import Vehicle
from widgets.collapsible import FOLD_MARGINS
from widgets.hold_button import HoldButton
from widgets.labels import set_text
from widgets.parts import make_button, make_column, make_grid, make_label, make_row

_POLL_MS = 100
_HOLD_S = {Purpose.RESTART: 0.7, Purpose.SAFE_START: 1.5, Purpose.ERASE: 3.0}
_TOKENS = {Purpose.RESTART: "accent", Purpose.SAFE_START: "caution", Purpose.ERASE: "danger"}


@dataclass
class LastRestart:
    """Kept with the vehicle, so that it goes on and is remembered whatever page shows.

    `before` is what was on board before the restart, for what it erased.
    """

    restart: Restart | None = None
    before: Snapshot | None = None


class RestartView(QWidget):
    """Three held buttons. Disabled with the reason where the board may not be restarted."""

    def __init__(
        self, vehicle: Vehicle, settings: Configuration, clock: Callable[[], float]
    ) -> None:
        super().__init__()
        self._vehicle, self._settings = vehicle, settings
        self.clock = clock
        self._last = vehicle.attachment("system.restart", LastRestart)
        self.buttons: dict[Purpose, HoldButton] = {}
        self._lost: dict[Purpose, QLabel] = {}
        self.status = make_label(wraps=True)
        self.refusal = make_label(tone="muted", wraps=True)
        self.put_back = make_button("Stage what was on board before", self._stage_before)
        self._timer = QTimer(self)
        self._timer.setInterval(_POLL_MS)
        self._timer.timeout.connect(self.refresh)
        self._lay_out()
        self.refresh()

    @property
    def restart(self) -> Restart | None:
        """The restart under way, or the last one."""
        return self._last.restart

    def refresh(self) -> None:
        """Move a restart on, and show how it stands."""
        restart = self._last.restart
        is_busy = restart is not None and not restart.is_finished
        if restart is not None and is_busy:
            restart.poll()
            is_busy = not restart.is_finished
        if is_busy != self._timer.isActive():
            self._timer.start() if is_busy else self._timer.stop()
        self._show_status(restart)
        reason = self._refusal(is_busy=is_busy)
        set_text(self.refusal, reason)
        self.refusal.setVisible(bool(reason) and not is_busy)
        for purpose, button in self.buttons.items():
            button.setEnabled(not reason)
            set_text(self._lost[purpose], self._words(purpose))

    def _lay_out(self) -> None:
        grid = make_grid(spacing=(12, 8), shares={1: 1})
        for row, purpose in enumerate(Purpose):
            button = HoldButton(
                f"{purpose.title} (hold)", _TOKENS[purpose], hold_s=_HOLD_S[purpose]
            )
            button.held.connect(lambda purpose=purpose: self.begin(purpose))
            lost = make_label(wraps=True)
            self.buttons[purpose], self._lost[purpose] = button, lost
            grid.addWidget(button, row, 0)
            grid.addWidget(lost, row, 1)
        below = make_row((self.status, 1), self.put_back)
        self.setLayout(make_column(self.refusal, grid, below, margins=FOLD_MARGINS))

    def begin(self, purpose: Purpose) -> None:
        """Do it now: the button was held."""
        before = self._settings.snapshot("before the restart")
        try:
            self._last.restart = Restart(self._vehicle, purpose, self.clock)
        except RuntimeError as error:
            self.status.setText(f"Not restarted: {error}")
            return
        self._last.before = before if purpose.erasure is not None else None
        self.refresh()

    def _refusal(self, *, is_busy: bool) -> str:
        if is_busy:
            return "It is under way."
        if self._settings.is_busy:
            return "Settings are being sent. Wait for that to end."
        return why_not(self._vehicle)

    def _words(self, purpose: Purpose) -> str:
        count = len(self._settings.unsaved)
        if purpose is not Purpose.RESTART or not count:
            return purpose.loses
        objects = "one object" if count == 1 else f"{count} objects"
        return f"{purpose.loses} Now that is {objects}: save on board first to keep it there."

    def _show_status(self, restart: Restart | None) -> None:
        if restart is None:
            self.put_back.hide()
            return
        tones = {Stage.DONE: "ok", Stage.FAILED: "danger"}
        set_text(self.status, restart.words, tones.get(restart.stage, ""))
        can_put_back = restart.is_finished and restart.has_erased and self._last.before is not None
        self.put_back.setVisible(can_put_back)

    def _stage_before(self) -> None:
        if self._last.before is not None:
            self._settings.stage_snapshot(self._last.before)
            self.status.setText("Staged: look at the changes below, then apply and save them.")
            self._last.before = None
            self.put_back.hide()
