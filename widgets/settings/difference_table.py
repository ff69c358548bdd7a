"""Difference table: two sets of settings side by side, with a tick per row."""

from collections.abc import Collection, Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from telemetry.base.number_text import significant
from telemetry.configuration.settings.difference import Change, Difference
from telemetry.configuration.settings.snapshot import Address

_ROLE = Qt.ItemDataRole.UserRole
_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class DifferenceTable(QTreeWidget):
    """Rows by object; a tick on an object ticks all its rows. `ticked_changed` follows them."""

    ticked_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAlternatingRowColors(True)
        self.setUniformRowHeights(True)
        self.setHeaderLabels(["Setting", "A", "B"])
        header = self.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(False)
        self.itemChanged.connect(self._take_tick)

    def show_difference(
        self,
        found: Difference,
        a_title: str,
        b_title: str,
        unticked: Collection[tuple[Address, str]] = (),
    ) -> None:
        """Show what differs, all rows ticked but for some."""
        self.setHeaderLabels(["Setting", a_title, b_title])
        self.blockSignals(True)
        self.clear()
        parents: dict[Address, QTreeWidgetItem] = {}
        for change in found.changed:
            address = change.name, change.instance
            if address not in parents:
                parents[address] = self._add_object(address)
            row = _row(change)
            if (address, change.path) in unticked:
                row.setCheckState(0, _UNCHECKED)
            parents[address].addChild(row)
        for parent in parents.values():
            self._show_state(parent)
        self.expandAll()
        self.blockSignals(False)
        self.ticked_changed.emit()

    def tick_all(self, is_ticked: bool) -> None:
        """Tick every row, or none."""
        self.blockSignals(True)
        for item in self._rows():
            item.setCheckState(0, _CHECKED if is_ticked else _UNCHECKED)
        for index in range(self.topLevelItemCount()):
            self._show_state(self.topLevelItem(index))
        self.blockSignals(False)
        self.ticked_changed.emit()

    def ticked(self) -> list[tuple[Address, str]]:
        """The chosen rows by address and path."""
        chosen = (item.data(0, _ROLE) for item in self._rows() if item.checkState(0) == _CHECKED)
        return [((change.name, change.instance), change.path) for change in chosen]

    def _add_object(self, address: Address) -> QTreeWidgetItem:
        name, instance = address
        item = QTreeWidgetItem([f"{name}[{instance}]" if instance else name])
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(0, _CHECKED)
        self.addTopLevelItem(item)
        return item

    def _rows(self) -> Iterator[QTreeWidgetItem]:
        for index in range(self.topLevelItemCount()):
            parent = self.topLevelItem(index)
            if parent is not None:
                yield from _children(parent)

    def _take_tick(self, item: QTreeWidgetItem) -> None:
        self.blockSignals(True)
        if item.parent() is None:
            for child in _children(item):
                child.setCheckState(0, item.checkState(0))
        else:
            self._show_state(item.parent())
        self.blockSignals(False)
        self.ticked_changed.emit()

    def _show_state(self, parent: QTreeWidgetItem | None) -> None:
        """An object's tick is that of its rows, or half of one."""
        if parent is None:
            return
        states = {child.checkState(0) for child in _children(parent)}
        is_mixed = len(states) > 1
        parent.setCheckState(0, Qt.CheckState.PartiallyChecked if is_mixed else states.pop())


def _children(parent: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    children = (parent.child(row) for row in range(parent.childCount()))
    return [child for child in children if child is not None]


def _row(change: Change) -> QTreeWidgetItem:
    item = QTreeWidgetItem([change.path, _text(change.a), _text(change.b)])
    item.setData(0, _ROLE, change)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
    item.setCheckState(0, _CHECKED)
    return item


def _text(value: float | int | str) -> str:
    return significant(value, 7) if isinstance(value, float) else str(value)
