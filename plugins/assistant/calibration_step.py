"""Calibration step: which calibrations are needed, and the way to them."""

from PySide6.QtWidgets import QLabel, QWidget

from plugins.assistant.parts import AssistantStepView, muted
from plugins.assistant.state import AssistantState
from telemetry.configuration.assistant.calibration_needs import CalibrationNeed, calibration_needs
from widgets.parts import clear_layout, make_button, make_grid

_PAGES = {"calibration": "Open calibration", "receiver": "Open receiver"}


class CalibrationStep(AssistantStepView):
    """A row per calibration: how it stands, and a button that goes there."""

    def __init__(self, state: AssistantState) -> None:
        super().__init__(
            state,
            "They can be done now or after the summary; your answers are kept meanwhile. Without "
            "them it may drift, lean or turn by itself: do not fly far before they are done.",
        )
        self._needs: tuple[CalibrationNeed, ...] | None = None
        self._table = QWidget()
        self._grid = make_grid(self._table, spacing=(16, -1))
        self.column.addWidget(self._table)

    @property
    def needs(self) -> tuple[CalibrationNeed, ...]:
        """What is listed."""
        return self._needs or ()

    def show_answers(self) -> None:
        """Show how each calibration stands."""
        needs = calibration_needs(self.state.answers, self.state.aircraft)
        if needs == self._needs:
            return
        self._needs = needs
        clear_layout(self._grid)
        for row, need in enumerate(needs):
            self._add_row(row, need)
        self._grid.setColumnStretch(2, 1)

    def _add_row(self, row: int, need: CalibrationNeed) -> None:
        state = QLabel("✔ done" if need.is_done else "▲ needed" if need.is_needed else "• optional")
        state.setProperty(
            "tone", "ok" if need.is_done else "caution" if need.is_needed else "muted"
        )
        self._grid.addWidget(QLabel(need.title), row, 0)
        self._grid.addWidget(state, row, 1)
        self._grid.addWidget(muted(need.about), row, 2)
        page_id = self.state.page(need.page)
        if page_id:
            show = self.state.context.show_page
            self._grid.addWidget(make_button(_PAGES[need.page], lambda: show(page_id)), row, 3)
