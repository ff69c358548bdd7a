"""Pending list: the staged values of an aircraft, and what became of each after a transfer."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.draft import StagedKey
from telemetry.configuration.settings.edit import Edit
from telemetry.configuration.settings.snapshot import Address, setting_name
from telemetry.configuration.settings.transfer import Item
from telemetry.recording.sample import Value
from widgets.change_detector import ChangeDetector
from widgets.forms.formats import THIN_SPACE, format_value, shown_units

_HEADINGS = ("Setting", "On board", "", "New", "")
_ROLE = Qt.ItemDataRole.UserRole


class PendingList(QTreeWidget):
    """A row with a tick for each staged value. What is not ticked is left out of `chosen`."""

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self._settings = settings
        self._seen = ChangeDetector()
        self.version = 0
        """Rises when another choice is ticked."""
        self._left_out: set[StagedKey] = set()
        show_as_table(self, _HEADINGS)
        self.itemChanged.connect(self._take_tick)

    def refresh(self, edits: tuple[Edit, ...]) -> None:
        """Show what is staged now."""
        transfer = self._settings.transfer
        if not self._seen.has_changed(edits, transfer, transfer.version if transfer else 0):
            return
        with QSignalBlocker(self):
            self.clear()
            for edit in edits:
                for path in edit.after:
                    self._add_row(edit, path)
            for item in transfer.items if transfer is not None else ():
                self._add_outcome(item)

    def chosen(self) -> list[StagedKey]:
        """What is staged and ticked."""
        return [key for key in self._settings.draft.staged_keys() if key not in self._left_out]

    def _add_row(self, edit: Edit, path: str) -> None:
        settings, address = self._settings, edit.address
        key = (*address, path)
        before, after = edit.before.get(path), edit.after[path]
        texts = [setting_name(address, path), shown_value(settings, address, path, before), "→"]
        texts.append(shown_value(settings, address, path, after))
        row = QTreeWidgetItem([*texts, settings.judge(edit.name, path, after).text])
        row.setData(0, _ROLE, key)
        is_chosen = key not in self._left_out
        row.setCheckState(0, Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
        self.addTopLevelItem(row)

    def _add_outcome(self, item: Item) -> None:
        saved = ", saved on board" if item.is_saved else ""
        row = QTreeWidgetItem([item.edit.name, "", "", f"{item.outcome.value}{saved}", item.reason])
        row.setToolTip(4, item.reason)
        row.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.addTopLevelItem(row)

    def _take_tick(self, row: QTreeWidgetItem) -> None:
        name, instance, path = row.data(0, _ROLE)
        key = (str(name), int(instance), str(path))
        self.version += 1
        if row.checkState(0) is Qt.CheckState.Checked:
            self._left_out.discard(key)
        else:
            self._left_out.add(key)


def show_as_table(tree: QTreeWidget, headings: tuple[str, ...]) -> None:
    """Columns with headings, as wide as their texts, the last taking the rest."""
    tree.setHeaderLabels(headings)
    tree.setRootIsDecorated(False)
    tree.setAlternatingRowColors(True)
    header = tree.header()
    header.setStretchLastSection(True)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)


def shown_value(settings: Configuration, address: Address, path: str, value: Value | None) -> str:
    """A value with its units, as forms write it."""
    definition = settings.definition(*address)
    field = path.partition(".")[0]
    if value is None:
        return "unknown"
    if definition is None or not definition.has_field(field):
        return str(value)
    f = definition.field_named(field)
    units = shown_units(f)
    return format_value(f, value) + (f"{THIN_SPACE}{units}" if units else "")
