"""Aircraft panel: what each aircraft does, which one is active, and orders for a chosen group."""

from functools import partial
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from plugins.api import PanelContext
from plugins.pilot.aircraft_row import COLUMNS, AircraftRow, read_row
from telemetry.base.statement import Statement
from telemetry.flying.orders.aircraft import STOP, why_not_order
from telemetry.flying.orders.groups import GROUP_ACTIONS, GroupOrders, question
from telemetry.vehicle.vehicle import Vehicle
from widgets.confirm_card import ConfirmCard
from widgets.level_icon import level_icon
from widgets.parts import make_button, make_column, make_grid
from widgets.state_label import StateLabel
from widgets.theme import Theme

_ALARM, _RECORDING, _ORDER = 6, 7, 8
_SPACING_PX: Final = 6
_PADDING_PX: Final = 20
_FEW_COLUMNS: Final = 3
_NONE: Final = "No aircraft. Connect to one, or to the simulator."
_HINT: Final = "Choose one to make it the active one, or several to ask them for something."


class AircraftPanel(QWidget):
    """The panel "pilot.aircraft". Choosing rows chooses a group and changes nothing else."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._theme = context.theme
        self._orders = GroupOrders()
        self._items: dict[Vehicle, QTreeWidgetItem] = {}
        self._rows: dict[Vehicle, AircraftRow] = {}
        self._list = self._make_list()
        self._activate = make_button("Make active", self._make_active)
        self._buttons = {
            action: make_button(f"{action} …", partial(self._ask, action))
            for action in GROUP_ACTIONS
        }
        self._hint = StateLabel(wraps=True, keeps_room=True, size="small")
        self._row, self._columns = make_grid(margins=None, spacing=_SPACING_PX), 0
        for button in (self._activate, *self._buttons.values()):
            button.setProperty("dense", True)
        self._fit()
        self.setLayout(make_column((self._list, 1), self._hint, self._row, margins=8, spacing=4))
        self.setFocusProxy(self._list)
        context.on_close(self._orders.leave)

    @property
    def chosen(self) -> tuple[Vehicle, ...]:
        """The group, in the order of the list."""
        return tuple(v for v, item in self._items.items() if item.isSelected())

    def refresh(self, _t: float) -> None:
        """Show all of them as they are, and what has come of what they were asked for."""
        fleet = self._context.fleet
        told = self._orders.follow(fleet.vehicles)
        self._keep_items()
        for vehicle, item in self._items.items():
            row = read_row(vehicle, self._theme.units, is_active=vehicle is fleet.active)
            if row != self._rows.get(vehicle):
                self._rows[vehicle] = row
                self._fill(item, row)
            _set(item, _ORDER, told.get(vehicle, ""))
        chosen = self.chosen
        is_other = len(chosen) == 1 and chosen[0] is not fleet.active
        self._activate.setEnabled(is_other)
        for button in self._buttons.values():
            button.setEnabled(any(vehicle.is_live for vehicle in chosen))
        self._hint.state(Statement(_HINT if fleet.vehicles else _NONE))
        self._hint.setVisible(not chosen)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and units."""
        self._theme = theme
        self._rows.clear()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """All buttons in a row, or in two where there is little width."""
        buttons = (self._activate, *self._buttons.values())
        text_px = self._activate.fontMetrics().horizontalAdvance
        wide_px = sum(text_px(button.text()) + _PADDING_PX for button in buttons)
        columns = len(buttons) if wide_px <= self.width() else _FEW_COLUMNS
        if columns != self._columns:
            self._columns = columns
            for number, button in enumerate(buttons):
                self._row.addWidget(button, *divmod(number, columns))

    def _make_list(self) -> QTreeWidget:
        view = QTreeWidget()
        view.setAccessibleName("Aircraft")
        view.setHeaderLabels(COLUMNS)
        view.setRootIsDecorated(False)
        view.setUniformRowHeights(True)
        view.setAllColumnsShowFocus(True)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        view.header().setStretchLastSection(True)
        view.itemActivated.connect(lambda *_: self._make_active())
        return view

    def _keep_items(self) -> None:
        vehicles = self._context.fleet.vehicles
        for gone in [vehicle for vehicle in self._items if vehicle not in vehicles]:
            item = self._items.pop(gone)
            self._rows.pop(gone, None)
            self._list.takeTopLevelItem(self._list.indexOfTopLevelItem(item))
        for vehicle in vehicles:
            if vehicle not in self._items:
                item = self._items[vehicle] = QTreeWidgetItem()
                self._list.addTopLevelItem(item)

    def _fill(self, item: QTreeWidgetItem, row: AircraftRow) -> None:
        for column, text in enumerate(row.cells):
            _set(item, column, text)
        item.setIcon(_ALARM, level_icon(row.level, self._theme))
        item.setToolTip(_ALARM, row.alarm_help)
        item.setToolTip(_RECORDING, row.recording_help)

    def _make_active(self) -> None:
        chosen = self.chosen
        if len(chosen) == 1:
            refusal = self._context.fleet.choose(chosen[0])
            if refusal:
                self._context.show_message(refusal)
            self._context.wake()

    def _ask(self, action: str) -> None:
        """Have a group confirmed; who is no longer there then is left out."""
        group = self.chosen

        def why_not() -> str | None:
            refusals = [why_not_order(action, vehicle) for vehicle in group]
            return None if "" in refusals else "none of them can be asked now. " + refusals[0]

        def give() -> None:
            there = [vehicle for vehicle in group if vehicle in self._context.fleet.vehicles]
            self._orders.give(action, there, self._context.fleet.active)

        verb = "stop their motors" if action == STOP else action.lower()
        card = ConfirmCard(question(action, group), verb, why_not, self._context.theme, self)
        card.confirmed.connect(give)
        button = self._buttons[action]
        card.open_at(button.mapToGlobal(button.rect().bottomLeft()))


def _set(item: QTreeWidgetItem, column: int, text: str) -> None:
    if item.text(column) != text:
        item.setText(column, text)
        item.setToolTip(column, text if column == _ORDER else "")
