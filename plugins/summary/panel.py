"""Summary panel: figures worked out in a job, shown in sections."""

from concurrent.futures import Future

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from plugins.api import VehicleContext
from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Level
from telemetry.recording.recording import Recording
from telemetry.review.analysis.summary.figure import SummaryFigure, SummarySection
from telemetry.review.analysis.summary.flight_summary import summarise
from widgets.level_mark import LEVEL_SIGNS, LEVEL_TOKENS
from widgets.parts import (
    STRETCH,
    clear_layout,
    make_column,
    make_grid,
    make_heading,
    make_label,
    make_scrolled,
)

_EVERY_S = 5.0
"""As often as a flight that goes on is summed up anew."""

Summary = tuple[SummarySection, ...]


class SummaryPanel(QWidget):
    """The panel "summary.summary"."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._job: Future[Summary] | None = None
        self._summed: tuple[Recording, int] | None = None
        self._asked: tuple[Recording, int] | None = None
        self._asked_s = -_EVERY_S
        self._shown: Summary | None = None
        self._body = QWidget()
        self._column = make_column(margins=(12, 8, 12, 8), spacing=8)
        self._body.setLayout(self._column)
        area = make_scrolled(self._body, keeps_width=True)
        self.setLayout(make_column(area))
        self._column.addWidget(make_label("Working it out…", tone="muted"))

    def refresh(self, t: float) -> None:
        """Take over what a job has worked out, and start the next when more was recorded."""
        recording = self._context.recording
        state = (recording, recording.version)
        if self._job is not None and self._job.done():
            self._take(self._job.result())
            self._job, self._summed = None, self._asked
        is_new = self._summed is None or self._summed[0] is not recording
        is_due = is_new or monotonic_s() - self._asked_s >= _EVERY_S
        if self._job is None and state != self._summed and is_due:
            self._asked, self._asked_s = state, monotonic_s()
            self._job = self._context.jobs.submit(summarise, recording)

    def _take(self, summary: Summary) -> None:
        if summary == self._shown:
            return
        self._shown = summary
        clear_layout(self._column)
        for section in summary:
            self._column.addWidget(_card(section))
        self._column.addStretch(STRETCH)


def _card(section: SummarySection) -> QFrame:
    """A section with its figures: names and values side by side, below them what they mean."""
    card = QFrame()
    card.setProperty("card", "plain")
    grid = make_grid(spacing=(12, 4), shares={0: 1})
    for figure in section.figures:
        row = grid.rowCount()
        grid.addWidget(make_label(figure.name, tone="muted", wraps=True), row, 0)
        grid.addWidget(_value(figure), row, 1, Qt.AlignmentFlag.AlignTop)
        if figure.note:
            note = make_label(figure.note, tone="muted", size="small", wraps=True)
            grid.addWidget(note, row + 1, 0, 1, 2)
    card_column = make_column(make_heading(section.title), grid, margins=(12, 8, 12, 8))
    if section.missing:
        card_column.addWidget(make_label(section.missing, tone="muted", wraps=True))
    card.setLayout(card_column)
    return card


def _value(figure: SummaryFigure) -> QLabel:
    is_judged = figure.level in (Level.OK, Level.WARNING, Level.ERROR)
    sign = f"{LEVEL_SIGNS[figure.level]} " if is_judged else ""
    value = make_label(f"{sign}{figure.text}", tone=LEVEL_TOKENS[figure.level] if is_judged else "")
    value.setAlignment(Qt.AlignmentFlag.AlignRight)
    value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return value
