"""Anchor list of a synchronisation: where anchors are, how far off the line, which one is wrong."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from telemetry.recording.timeline import format_time
from telemetry.review.flights.anchors import AnchorCheck, check_anchors
from telemetry.review.flights.sync import Anchor
from widgets.change_detector import ChangeDetector
from widgets.parts import clear_layout, make_column, make_grid, make_label


class AnchorList(QWidget):
    """One line for each anchor. `go_wanted` asks for an anchor's instant of the flight."""

    remove_wanted = Signal(object)
    go_wanted = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ChangeDetector()
        self._grid = make_grid(shares={1: 1})
        self.verdict = make_label(tone="caution", wraps=True)
        self.setLayout(make_column(self._grid, self.verdict, spacing=4))
        self.verdict.hide()

    def show_anchors(self, anchors: Sequence[Anchor]) -> None:
        """Show these, in order of time."""
        if not self._shown.has_changed(tuple(anchors)):
            return
        clear_layout(self._grid)
        check = check_anchors(anchors)
        for number, anchor in enumerate(anchors):
            self._add_row(number, anchor, check)
        self.verdict.setText(verdict(check))
        self.verdict.setVisible(check.worst is not None)

    def _add_row(self, row: int, anchor: Anchor, check: AnchorCheck) -> None:
        is_worst = row == check.worst
        go = QToolButton()
        go.setText(f"{row + 1}.  {format_time(anchor.flight_s)}")
        go.setToolTip("Go there")
        go.setProperty("role", "flat")
        go.clicked.connect(lambda: self.go_wanted.emit(anchor.flight_s))
        residual_ms = 1000 * check.residuals_s[row]
        off = f"{residual_ms:+.0f} ms".replace("-", "−") if len(check.residuals_s) > 2 else ""
        text = f"video {anchor.medium_s:.3f} s   {off}"
        drop = QToolButton()
        drop.setText("Remove")
        drop.setAccessibleName(f"Remove anchor {row + 1}")
        drop.clicked.connect(lambda: self.remove_wanted.emit(anchor))
        self._grid.addWidget(go, row, 0)
        self._grid.addWidget(make_label(text, tone="caution" if is_worst else "muted"), row, 1)
        self._grid.addWidget(drop, row, 2)


def verdict(check: AnchorCheck) -> str:
    """Which anchor contradicts the others, as a sentence; "" while they agree."""
    if check.worst is None:
        return ""
    off_ms = abs(1000 * check.residuals_s[check.worst])
    unsure = " (of three it is only the likeliest)" if len(check.residuals_s) == 3 else ""
    return (
        f"▲ Anchor {check.worst + 1} contradicts the others{unsure}: it lies {off_ms:.0f} ms off "
        "the line through all. Look there again, or remove it."
    )
