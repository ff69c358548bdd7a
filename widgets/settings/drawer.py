"""Pending changes drawer: what is staged for an aircraft, how it goes there, how to undo it.

The same drawer stands wherever settings are edited: one list of pending changes, one undo.
"""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QMenu,
    QPushButton,
    QTabWidget,
    QWidget,
)

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.edit import Edit
from telemetry.configuration.settings.transfer import EditOutcome, Transfer
from widgets.change_detector import ChangeDetector
from widgets.fitted_text import FittedText
from widgets.overflow_row import fill_with_buttons
from widgets.parts import STRETCH, make_button, make_column, make_row
from widgets.settings.change_list import ChangeList
from widgets.settings.doubt_list import DoubtList
from widgets.settings.pending_list import PendingList

_FEWEST_ROWS, _MOST_ROWS = 2, 6
_SENTENCE_PX = 260
_MARGINS_PX, _SPARE_PX = 30, 2
_LINES_BESIDE, _LINES_ABOVE = 2, 1


class Drawer(QWidget):
    """One line that always stands there, and two lists that open above it: what is not sent, and
    what was changed since connecting.

    Where there is no room for all buttons, most of them move into a menu.
    """

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self._settings = settings
        self._seen = ChangeDetector()
        self.pending = PendingList(settings)
        self.changed = ChangeList(settings)
        self.lists = QTabWidget()
        self.text = FittedText()
        self.text.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        self.show_list = QPushButton("Show changes")
        self.show_list.setCheckable(True)
        self.show_list.toggled.connect(self._open_lists)
        self.undo = make_button("Undo", lambda: self._act(settings.undo))
        self.redo = make_button("Redo", lambda: self._act(settings.redo))
        self.restore = make_button("As at connect", lambda: self._act(settings.stage_baseline))
        self.restore.setToolTip("Stage the way back to what was on board when you connected.")
        self.discard = make_button("Discard", lambda: self._act(settings.draft.clear))
        self.stop = make_button("Stop", lambda: self._act(settings.cancel))
        self.apply = make_button("Apply", lambda: self._apply(save=False))
        self.save = make_button("Save on board", lambda: self._apply(save=True))
        self.apply.setProperty("role", "primary")
        self.save.setToolTip("Apply, and keep it on board over a restart.")
        self.doubts = DoubtList(settings)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.more = QPushButton("More")
        self.more.setMenu(self._menu)
        self._lay_out()
        self.refresh()

    @property
    def is_idle(self) -> bool:
        """Whether nothing was staged or sent yet, so that a panel may do without the drawer."""
        settings = self._settings
        return not (settings.draft.count or settings.transfer or settings.notice)

    def refresh(self) -> None:
        """Show what is staged, under way and changed now."""
        settings = self._settings
        on_board = [settings.aircraft.stamp(*address) for address in settings.draft.addresses()]
        stamp = (
            *(settings.version, settings.refusal, settings.unsaved, settings.is_busy),
            *(settings.notice, on_board, settings.changes.version, self.pending.version),
        )
        if not self._seen.has_changed(stamp):
            return
        edits = settings.staged()
        self.text.setText(_sentence(settings, edits))
        self._show_lists(edits)
        chosen = set(self.pending.chosen())
        self.doubts.refresh([doubt for doubt in settings.doubts() if chosen & set(doubt.keys)])
        self.doubts.fit(self.width())
        self._enable(bool(edits), has_sendable=bool(chosen - settings.unconfirmed()))

    def _lay_out(self) -> None:
        self.lists.addTab(self.pending, "Not sent")
        self.lists.addTab(self.changed, "Changed since connecting")
        self.lists.hide()
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._line.setContentsMargins(12, 2, 8, 2)
        self._line.setSpacing(8)
        self._line.addWidget(self.text, 1)
        self._less = _row(self.show_list, self.undo, self.redo, self.restore, self.discard)
        self._more = _row(self.more, self.stop, self.apply, self.save)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(8)
        self._buttons.addStretch(1)
        self._buttons.addWidget(self._less)
        self._buttons.addWidget(self._more)
        self._line.addLayout(self._buttons)
        self.setLayout(make_column(self.lists, self.doubts, self._line, spacing=0))

    # Its shape

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the sentence above the buttons where there is no room beside them, then the buttons
        in two rows, then most of them in a menu."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        less_px = self._less.sizeHint().width()
        more_px = _width_of(self.stop if self._settings.is_busy else self.apply, self.save)
        room_px = self.width() - less_px - more_px - _MARGINS_PX
        is_compact = self.width() < max(less_px, more_px) + _MARGINS_PX
        self.doubts.fit(self.width())
        side, above = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        is_beside = room_px >= _SENTENCE_PX
        self._line.setDirection(side if is_beside else above)
        self._keep_lines(_LINES_BESIDE if is_beside else _LINES_ABOVE)
        self._buttons.setDirection(side if room_px >= 0 or is_compact else above)
        self._less.setVisible(not is_compact)
        self.save.setVisible(not is_compact)
        self.more.setVisible(is_compact)

    def _keep_lines(self, count: int) -> None:
        """Keep room for a long sentence, which then moves nothing."""
        self.text.setFixedHeight(count * self.text.fontMetrics().lineSpacing() + _SPARE_PX)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the buttons that are left when most are in the menu."""
        width_px = _width_of(self.more, self.apply) + _MARGINS_PX
        return QSize(width_px, super().minimumSizeHint().height())

    def _fill_menu(self) -> None:
        fill_with_buttons(self._menu, (self.save, *self._less.findChildren(QPushButton)))

    # What the buttons do

    def _open_lists(self, is_open: bool) -> None:
        self.lists.setVisible(is_open)
        self._act(lambda: None)

    def _act(self, action: Callable[[], object]) -> None:
        action()
        self._seen.forget()
        self.refresh()

    def _apply(self, *, save: bool) -> None:
        settings, chosen = self._settings, self.pending.chosen()
        self._act(lambda: settings.save(chosen) if save else settings.apply(only=chosen))

    # What is shown

    def _enable(self, has_changes: bool, *, has_sendable: bool) -> None:
        settings = self._settings
        is_busy, can_send = settings.is_busy, not settings.refusal
        undo, redo = settings.history.undo_next, settings.history.redo_next
        self.stop.setVisible(is_busy)
        self.apply.setVisible(not is_busy)
        self.apply.setEnabled(has_sendable and can_send)
        self.save.setEnabled((has_sendable or bool(settings.unsaved)) and can_send and not is_busy)
        self.discard.setEnabled(has_changes and not is_busy)
        self.undo.setEnabled(undo is not None and can_send and not is_busy)
        self.undo.setToolTip(f"Take back on board: {undo.title}" if undo else "")
        self.redo.setEnabled(redo is not None and can_send and not is_busy)
        self.redo.setToolTip(f"Do again: {redo.title}" if redo else "")
        self.restore.setEnabled(settings.baseline is not None and not is_busy)
        for button in (self.apply, self.save, self.undo, self.redo):
            if settings.refusal:
                button.setToolTip(settings.refusal)

    def _show_lists(self, edits: tuple[Edit, ...]) -> None:
        """Fill the lists while they are open, and be as high as they need, within limits."""
        if self.lists.isHidden():
            return
        self.pending.refresh(edits)
        self.changed.refresh()
        rows = max(self.pending.topLevelItemCount(), self.changed.topLevelItemCount())
        shown = max(_FEWEST_ROWS, min(rows, _MOST_ROWS))
        row_px = max(self.pending.sizeHintForRow(0), self.pending.fontMetrics().height())
        header_px = self.pending.header().sizeHint().height()
        tabs_px = self.lists.tabBar().sizeHint().height()
        frame_px = 2 * self.pending.frameWidth() + 4
        self.lists.setMaximumHeight(tabs_px + header_px + shown * row_px + frame_px)


def _row(*buttons: QPushButton) -> QWidget:
    row = QWidget()
    row.setLayout(make_row(STRETCH, *buttons, spacing=8))
    return row


def _width_of(*buttons: QPushButton) -> int:
    return sum(button.sizeHint().width() + 8 for button in buttons)


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
