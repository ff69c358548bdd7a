"""Bank comparison: only what differs between two, and a way to take values over."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
)

from telemetry.base.number_text import significant
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.stabilization_banks import bank_title, compare_banks
from telemetry.recording.sample import Value
from widgets.parts import make_button, make_column, make_row

_ROW_PX, _MOST_PX = 26, 300


class BankCompareView(QFrame):
    """A card, hidden until two banks are given to `show_banks`."""

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self.setProperty("card", "plain")
        self._settings = settings
        self._pair: tuple[str, str] | None = None
        self._seen: object = None
        self.text = QLabel()
        self.rows = QTreeWidget()
        self.rows.setRootIsDecorated(False)
        self.rows.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.rows.setAlternatingRowColors(True)
        self.take = make_button("", self._take)
        self.take.setToolTip("Stage the selected rows' values; all rows where none is selected.")
        close = make_button("Close", self.close_pair)
        top = make_row((self.text, 1), self.take, close)
        self.setLayout(make_column(top, self.rows, margins=(12, 8, 12, 8)))
        self.hide()

    def show_banks(self, a: str, b: str) -> None:
        """Compare these from now on."""
        self._pair, self._seen = (a, b), None
        self.rows.setHeaderLabels(["Setting", bank_title(a), bank_title(b)])
        self.rows.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.take.setText(f"Take from {bank_title(b)}")
        self.take.setEnabled(not self._settings.aircraft.is_log)
        self.show()
        self.refresh()

    def close_pair(self) -> None:
        """Compare nothing."""
        self._pair = None
        self.hide()

    def refresh(self) -> None:
        """Show what differs now."""
        if self._pair is None:
            return
        a, b = self._pair
        aircraft = self._settings.aircraft
        stamp = aircraft.stamp(a), aircraft.stamp(b), self._settings.version
        if stamp == self._seen:
            return
        self._seen = stamp
        found = compare_banks(self._settings, a, b)
        self.rows.clear()
        for row in found:
            QTreeWidgetItem(self.rows, [row.path, _text(row.a), _text(row.b)])
        names = f"{bank_title(a)} and {bank_title(b)}"
        self.text.setText(
            f"{names} differ in {len(found)} values." if found else f"{names} are the same."
        )
        self.take.setVisible(bool(found))
        self.rows.setVisible(bool(found))
        self.rows.setFixedHeight(min(_MOST_PX, (len(found) + 2) * _ROW_PX))

    def _take(self) -> None:
        if self._pair is None:
            return
        a, b = self._pair
        chosen = {item.text(0) for item in self.rows.selectedItems()}
        for row in compare_banks(self._settings, a, b):
            is_meant = not chosen or row.path in chosen
            if is_meant and row.a is not None and row.b is not None:
                self._settings.stage(a, row.path, row.b)
        self.refresh()
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)


def _text(value: Value | None) -> str:
    if value is None:
        return "–"
    return significant(value, 6) if isinstance(value, float) else str(value)
