"""Plot overlays: the invitation of an empty plot, the table of statistics."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from telemetry.base.escaping import markup_text
from telemetry.base.number_text import significant
from widgets.parts import STRETCH, make_button, make_column, make_label
from widgets.plot.curve import Statistics
from widgets.plot.fields import name_end

_LONGEST_LABEL = 18
_MINUS = "\u2212"

StatisticsRow = tuple[str, QColor, str, Statistics | None]
"""Label, colour, unit, figures."""


class EmptyNotice(QWidget):
    """Says what to do with a plot that shows nothing."""

    def __init__(self, parent: QWidget, on_add: Callable[[], None]) -> None:
        super().__init__(parent)
        text = make_label(
            "Nothing plotted yet. Add fields here, or drag them from the object browser.",
            tone="muted",
            wraps=True,
        )
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        button = make_button("Add fields", on_add)
        layout = make_column(STRETCH, text, margins=None, spacing=10)
        self.setLayout(layout)
        layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(1)

    def place(self) -> None:
        """Fill the middle of the parent."""
        parent = self.parentWidget()
        if parent is not None:
            width = min(parent.width(), 360)
            self.setGeometry((parent.width() - width) // 2, 0, width, parent.height())


class StatisticsTable(QLabel):
    """Minimum, maximum, mean, standard deviation, RMS and slope of each curve over the visible
    range."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("rich", True)
        self.setProperty("card", "plain")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setContentsMargins(4, 2, 4, 2)
        self.setVisible(False)

    def show_rows(self, rows: list[StatisticsRow]) -> None:
        """Show the figures of these curves."""
        head = "".join(
            f"<td align='right'>&nbsp;&nbsp;{name}</td>"
            for name in ("min", "max", "mean", "std", "RMS", "slope", "n")
        )
        lines = [f"<tr><td></td>{head}</tr>", *(_row(*row) for row in rows)]
        self.setText(f"<table cellspacing='0' cellpadding='1'>{''.join(lines)}</table>")
        self.adjustSize()
        parent = self.parentWidget()
        if parent is not None:
            self.move(max(0, parent.width() - self.width() - 14), 8)


def _row(label: str, color: QColor, unit: str, figures: Statistics | None) -> str:
    title = markup_text(name_end(label, _LONGEST_LABEL))
    name = f"<td style='color:{color.name()}'>{title} {markup_text(unit)}</td>"
    if figures is None:
        return f"<tr>{name}<td colspan='7' align='right'>no samples here</td></tr>"
    spread = (figures.minimum, figures.maximum, figures.mean, figures.deviation, figures.rms)
    texts = [significant(number, 4) for number in spread]
    slope = "–" if figures.slope is None else f"{significant(figures.slope, 3)}/s"
    cells = "".join(
        f"<td align='right'>&nbsp;&nbsp;{text.replace('-', _MINUS)}</td>"
        for text in (*texts, slope, str(figures.count))
    )
    return f"<tr>{name}{cells}</tr>"
