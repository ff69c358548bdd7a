"""Calibration card: what it is for, how the aircraft stands with it, and its start."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton

from telemetry.configuration.calibration.procedures.kinds import CalibrationKind
from telemetry.configuration.calibration.procedures.status import CalibrationStatus
from widgets.labels import set_text, show_text
from widgets.parts import STRETCH, make_column, make_heading, make_label, make_row


class ProcedureCard(QFrame):
    """Emits `started` with the id of its calibration."""

    started = Signal(str)

    def __init__(self, kind: CalibrationKind) -> None:
        super().__init__()
        self.kind = kind
        self.setProperty("card", "plain")
        title = make_heading(kind.title)
        self.mark = QLabel()
        about = make_label(kind.about, tone="muted", wraps=True)
        self.status = make_label(wraps=True)
        self.now = make_label(wraps=True)
        self.start = QPushButton("Start")
        self.start.setAccessibleName(f"Start: {kind.title}")
        self.start.clicked.connect(lambda: self.started.emit(kind.id))
        self.why_not = make_label(tone="muted", wraps=True)
        top = make_row((title, 1), self.mark)
        low = make_row(self.start, (self.why_not, 1))
        parts = (top, about, self.status, self.now, STRETCH, low)
        self.setLayout(make_column(*parts, margins=(12, 8, 12, 8), spacing=4))

    def show_status(self, status: CalibrationStatus, quality: str, staged: int) -> None:
        """Show what is on board, what the sensors read, and how many values wait to be sent."""
        word, tone = ("Done", "ok") if status.is_done else ("Never done", "caution")
        if not self.kind.is_needed and not status.is_done:
            word, tone = "Optional", "muted"
        if staged:
            word, tone = "Staged, not sent", "selected"
        show_text(self.mark, word if status.is_known else "", tone)
        show_text(self.status, status.text)
        show_text(self.now, quality)

    def allow(self, why_not: str) -> None:
        """Let it be started, or say why not."""
        self.start.setEnabled(not why_not)
        set_text(self.why_not, why_not)
