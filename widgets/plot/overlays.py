"""Plot overlays: the invitation of an empty plot, the table of statistics."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from telemetry.base.escaping import markup_text
from telemetry.base.number_text import significant
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row
from widgets.plot.curve import Statistics
from widgets.plot.fields import name_end
from widgets.theme import Theme

_LONGEST_LABEL = 18
_AROUND_PX = 34
_MINUS = "\u2212"

StatisticsRow = tuple[str, QColor, str, Statistics | None]
"""Label, colour, unit, figures."""


class EmptyNotice(QWidget):
    """Says what to do with a plot that shows nothing."""

    def __init__(self, parent: QWidget, on_add: Callable[[], None]) -> None:
        super().__init__(parent)
        self._text = text = make_label(
            "Nothing plotted yet. Add fields here, or drag them from the object browser.",
            tone="muted",
            wraps=True,
        )
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._button = make_button("Add fields", on_add)
        layout = make_column(STRETCH, text, margins=(9, 0, 9, 0), spacing=10)
        self.setLayout(layout)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(1)

    def place(self) -> None:
        """Fill the middle of the parent; without words where there is no room for them."""
        parent = self.parentWidget()
        if parent is not None:
            width = min(parent.width(), 360)
            words_px = self._text.heightForWidth(width - _AROUND_PX)
            needed_px = words_px + self._button.sizeHint().height() + _AROUND_PX
            self._text.setVisible(parent.height() >= needed_px)
            self.setGeometry((parent.width() - width) // 2, 0, width, parent.height())


class PlotTools(QWidget):
    """The buttons of a plot, in a row: beside its legend, or over it."""

    def __init__(self, theme: Theme, *buttons: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self.setLayout(make_row(*buttons, margins=(0, 0, 4, 0), spacing=2))

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self.update()

    def lay_over(self, plot: QWidget) -> None:
        """Show in its upper right corner, whatever else is there."""
        size = self.sizeHint()
        self.setGeometry(plot.width() - size.width(), 0, size.width(), size.height())
        self.raise_()
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what lies behind the buttons. A palette would not outlast a style sheet."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("plot_background"))


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
