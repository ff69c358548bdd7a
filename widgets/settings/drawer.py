"""The drawer below the pages: what is not sent, how it goes, and how to take it back."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.edit import Edit
from telemetry.configuration.settings.transfer import EditOutcome, Item, Transfer
from telemetry.recording.sample import Value
from widgets.forms.formats import THIN_SPACE, format_value, shown_units

_HEADINGS = ("Setting", "On board", "", "New", "")
_ROLE = Qt.ItemDataRole.UserRole
_FEWEST_ROWS, _MOST_ROWS = 2, 6
_SENTENCE_PX = 260
_MARGINS_PX = 30


class Drawer(QWidget):
    """One line that always stands there, and a list of the changes that opens above it.

    A row that is not ticked is left out of *Apply* and stays staged.
    """

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self._settings = settings
        self._seen: object = None
        self._rows: object = None
        self._left_out: set[str] = set()
        self.changes = QTreeWidget()
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.show_list = QPushButton("Show changes")
        self.show_list.setCheckable(True)
        self.show_list.toggled.connect(self._open_list)
        self.undo = _button("Undo", lambda: self._act(settings.undo))
        self.redo = _button("Redo", lambda: self._act(settings.redo))
        self.restore = _button("As at connect", lambda: self._act(settings.stage_baseline))
        self.restore.setToolTip("Stage the way back to what was on board when you connected.")
        self.discard = _button("Discard", self._discard)
        self.stop = _button("Stop", settings.cancel)
        self.apply = _button("Apply", lambda: self._apply(save=False))
        self.save = _button("Save on board", lambda: self._apply(save=True))
        self.apply.setProperty("role", "primary")
        self.save.setToolTip("Apply, and keep it on board over a restart.")
        self._lay_out()
        self.refresh()

    def refresh(self) -> None:
        """Show how it stands."""
        settings = self._settings
        on_board = [settings.aircraft.stamp(*address) for address in settings.draft.addresses()]
        stamp = (
            *(settings.version, settings.refusal, settings.unsaved, settings.is_busy),
            *(settings.notice, on_board),
        )
        if stamp == self._seen:
            return
        self._seen = stamp
        edits = settings.staged()
        self.text.setText(_sentence(settings, edits))
        self._show_rows(edits)
        self._enable(bool(edits))

    def _lay_out(self) -> None:
        self.changes.setHeaderLabels(_HEADINGS)
        self.changes.setRootIsDecorated(False)
        self.changes.setAlternatingRowColors(True)
        self.changes.hide()
        self.changes.itemChanged.connect(self._take_tick)
        header = self.changes.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        line = self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        line.setContentsMargins(12, 4, 8, 6)
        line.setSpacing(8)
        line.addWidget(self.text, 1)
        self._less = _row(self.show_list, self.undo, self.redo, self.restore, self.discard)
        self._more = _row(self.stop, self.apply, self.save)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(8)
        self._buttons.addStretch(1)
        self._buttons.addLayout(self._less)
        self._buttons.addLayout(self._more)
        line.addLayout(self._buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.changes)
        column.addLayout(line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The sentence goes above the buttons where there is no room for it beside them."""
        super().resizeEvent(event)
        less_px, more_px = self._less.sizeHint().width(), self._more.sizeHint().width()
        room_px = self.width() - less_px - more_px - _MARGINS_PX
        side, above = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._line.setDirection(side if room_px >= _SENTENCE_PX else above)
        self._buttons.setDirection(side if room_px >= 0 else above)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the longer row of buttons."""
        less_px, more_px = self._less.sizeHint().width(), self._more.sizeHint().width()
        return QSize(max(less_px, more_px) + _MARGINS_PX, super().minimumSizeHint().height())

    # What the buttons do

    def _open_list(self, is_open: bool) -> None:
        self.changes.setVisible(is_open)
        self._seen = None
        self.refresh()

    def _act(self, action: Callable[[], object]) -> None:
        action()
        self._seen = None
        self.refresh()

    def _discard(self) -> None:
        self._settings.draft.clear()
        self._seen = None
        self.refresh()

    def _apply(self, *, save: bool) -> None:
        settings = self._settings
        paths = {
            (edit.name, edit.instance, path): f"{edit.name}[{edit.instance}].{path}"
            for edit in settings.staged()
            for path in edit.after
        }
        chosen = [key for key, text in paths.items() if text not in self._left_out]
        settings.apply(save=save, only=chosen)
        self._seen = None
        self.refresh()

    def _take_tick(self, item: QTreeWidgetItem) -> None:
        key = item.data(0, _ROLE)
        if item.checkState(0) is Qt.CheckState.Checked:
            self._left_out.discard(key)
        else:
            self._left_out.add(key)

    # What is shown

    def _enable(self, has_changes: bool) -> None:
        settings = self._settings
        is_busy, can_send = settings.is_busy, not settings.refusal
        undo, redo = settings.history.undo_next, settings.history.redo_next
        self.stop.setVisible(is_busy)
        self.apply.setVisible(not is_busy)
        self.apply.setEnabled(has_changes and can_send)
        self.save.setEnabled((has_changes or bool(settings.unsaved)) and can_send and not is_busy)
        self.discard.setEnabled(has_changes and not is_busy)
        self.undo.setEnabled(undo is not None and can_send and not is_busy)
        self.undo.setToolTip(f"Take back on board: {undo.title}" if undo else "")
        self.redo.setEnabled(redo is not None and can_send and not is_busy)
        self.redo.setToolTip(f"Do again: {redo.title}" if redo else "")
        self.restore.setEnabled(settings.baseline is not None and not is_busy)
        for button in (self.apply, self.save, self.undo, self.redo):
            if settings.refusal:
                button.setToolTip(settings.refusal)

    def _show_rows(self, edits: tuple[Edit, ...]) -> None:
        """The changes that wait; after a transfer, what became of them."""
        transfer = self._settings.transfer
        self.show_list.setEnabled(bool(edits) or (transfer is not None and bool(transfer.items)))
        rows: object = edits, transfer.version if transfer else 0
        if self.changes.isHidden() or rows == self._rows:
            return
        self._rows = rows
        self.changes.blockSignals(True)
        self.changes.clear()
        for edit in edits:
            for path, value in edit.after.items():
                self._add_row(edit, path, value)
        if transfer is not None:
            for item in transfer.items:
                self._add_outcome(item)
        self.changes.blockSignals(False)
        self._make_room(self.changes.topLevelItemCount())

    def _make_room(self, rows: int) -> None:
        """Be as high as the changes need, within limits."""
        shown = max(_FEWEST_ROWS, min(rows, _MOST_ROWS))
        row_px = max(self.changes.sizeHintForRow(0), self.changes.fontMetrics().height())
        header_px = self.changes.header().sizeHint().height()
        self.changes.setFixedHeight(header_px + shown * row_px + 2 * self.changes.frameWidth() + 4)

    def _add_row(self, edit: Edit, path: str, value: Value) -> None:
        settings = self._settings
        judgement = settings.judge(edit.name, path, value)
        before = edit.before.get(path)
        texts = [f"{edit.name}.{path}", _text(settings, edit, path, before), "→"]
        texts += [_text(settings, edit, path, value), judgement.text]
        row = QTreeWidgetItem(texts)
        key = f"{edit.name}[{edit.instance}].{path}"
        row.setData(0, _ROLE, key)
        is_chosen = key not in self._left_out
        row.setCheckState(0, Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
        self.changes.addTopLevelItem(row)

    def _add_outcome(self, item: Item) -> None:
        saved = ", saved on board" if item.is_saved else ""
        row = QTreeWidgetItem([item.edit.name, "", "", f"{item.outcome.value}{saved}", item.reason])
        row.setToolTip(4, item.reason)
        row.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.changes.addTopLevelItem(row)


def _row(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    return row


def _button(text: str, act: Callable[[], object]) -> QPushButton:
    button = QPushButton(text)
    button.clicked.connect(lambda _is_checked: act())
    return button


def _text(settings: Configuration, edit: Edit, path: str, value: Value | None) -> str:
    definition = settings.definition(edit.name)
    field = path.partition(".")[0]
    if value is None:
        return "unknown"
    if definition is None or not definition.has_field(field):
        return str(value)
    f = definition.field_named(field)
    units = shown_units(f)
    return format_value(f, value) + (f"{THIN_SPACE}{units}" if units else "")


def _sentence(settings: Configuration, edits: tuple[Edit, ...]) -> str:
    """How it stands, in one sentence."""
    transfer = settings.transfer
    if transfer is not None and not transfer.is_finished:
        progress = f"{transfer.done} of {len(transfer.items)}"
        if transfer.is_interrupted:
            return f"{progress} objects done. Waiting for the link; it goes on by itself."
        return f"Sending: {progress} objects done."
    parts = [settings.notice] if settings.notice else []
    if transfer is not None and (failed := _failed(transfer)):
        parts.append(failed)
    if settings.left_alone:
        parts.append(f"Left alone, changed by somebody since: {', '.join(settings.left_alone)}.")
    if edits:
        count = sum(len(edit.after) for edit in edits)
        parts.append(f"{_counted(count, 'change')} in {_counted(len(edits), 'object')} not sent.")
    elif not parts and settings.unsaved:
        parts.append(f"{_counted(len(settings.unsaved), 'object')} on board, not saved there yet.")
    elif not parts and transfer is not None and transfer.is_verified:
        done = "saved on board" if transfer.save else "on board"
        parts.append(f"{_counted(len(transfer.items), 'object')} {done} and read back.")
    return " ".join(parts) or settings.refusal or "Nothing is waiting to be sent."


def _failed(transfer: Transfer) -> str:
    failed = [item for item in transfer.items if not item.is_on_board]
    unsaved = [item for item in transfer.items if item.is_on_board and item.reason]
    if not failed and not unsaved:
        return ""
    if failed and failed[0].outcome is EditOutcome.NOT_SENT:
        return f"Stopped: {len(failed)} of {len(transfer.items)} objects were not sent."
    worst = (failed or unsaved)[0]
    more = len(failed) + len(unsaved) - 1
    return worst.reason + (f" And {_counted(more, 'other object')}: Show changes." if more else "")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
