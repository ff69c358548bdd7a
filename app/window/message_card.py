"""Message card: the message list over the workspace, below the right end of the alarm strip.

It is no window, stops nothing and takes no focus by itself. While it is open nothing in it moves:
what comes is added below, and what goes leaves its room.
"""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QApplication, QFrame, QToolButton, QWidget

from app.message_list import MessageLine, MessageList
from app.window.message_row import MessageRow
from widgets.hold_button import HoldButton
from widgets.icons import themed_icon
from widgets.parts import make_button, make_column, make_label, make_row, make_scrolled
from widgets.theme import Theme

_WIDTH_PX, _MARGIN_PX = 480, 8
_HEIGHT_SHARE, _LEAST_HEIGHT_PX = 0.5, 150
_CLOSE_PX = 28
_EDGES_PX = 18
"""What a row leaves to the card's edges and its scroll bar."""


class MessageCard(QFrame):
    """Shows `messages` over `workspace`, a part of `window`. Call `refresh` while it is open;
    `show_details` is called with a text to be shown at length."""

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        workspace: QWidget,
        messages: MessageList,
        show_details: Callable[[str], None],
        clock: Callable[[], float],
    ) -> None:
        super().__init__(window)
        self.setProperty("card", "plain")
        self.setAutoFillBackground(True)
        self.setAccessibleName("Messages")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._theme = theme
        self._window = window
        self._workspace = workspace
        self._messages = messages
        self._show_details = show_details
        self._clock = clock
        self._aircraft = ""
        self._rows: list[MessageRow] = []
        self._only = make_button("Only this aircraft", self.open)
        self._only.setCheckable(True)
        self._all = make_button("Close all", self._close_all)
        self._close = QToolButton()
        self._close.setProperty("role", "flat")
        self._close.setToolTip("Put the list away (Esc)")
        self._close.clicked.connect(lambda _checked: self.dismiss())
        buttons = (self._only, self._all, self._close)
        for button in buttons:
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        title = make_label("Messages", tone="muted")
        head = make_row((title, 1), *buttons, margins=(10, 6, 6, 2), spacing=6)
        self._content = QWidget()
        self._empty = make_label("Nothing was told.", tone="muted")
        self._empty.setMargin(10)
        self._scroll = make_scrolled(self._content, keeps_width=True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._content.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)
        self.setLayout(make_column(head, self._empty, (self._scroll, 1), margins=2, spacing=0))
        self.hide()
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self._theme = theme
        side = round(_CLOSE_PX * theme.scale)
        self._close.setIcon(themed_icon("close", theme))
        self._close.setIconSize(QSize(side // 2, side // 2))
        self._close.setFixedSize(side, side)
        if self.isVisible():
            self.open()

    @property
    def about(self) -> str:
        """The aircraft whose messages it shows, "" for all."""
        return self._aircraft if self._only.isChecked() else ""

    def show_aircraft(self, name: str) -> None:
        """Which aircraft the panels show, "" for none."""
        if name != self._aircraft:
            self._aircraft = name
            self._only.setEnabled(bool(name))
            if self.isVisible() and self._only.isChecked():
                self.open()

    def toggle(self) -> None:
        """Open it, or put it away."""
        if self.isVisible():
            self.dismiss()
        else:
            self.open()

    def open(self) -> None:
        """Show the list as it is now: what waits for an answer first, then what was told last."""
        self._give_focus_back()
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = []
        self._content.setFixedHeight(0)
        self._scroll.verticalScrollBar().setValue(0)
        self.setFixedWidth(self._width())
        for line in sorted(self._messages.lines(self.about), key=_weight, reverse=True):
            self._add(line)
        self._empty.setVisible(not self._rows)
        self._place()
        self.show()
        self.raise_()

    def dismiss(self) -> None:
        """Put it away."""
        self._give_focus_back()
        self.hide()

    def refresh(self) -> None:
        """Show what has come, gone and changed since it was opened."""
        if not self.isVisible():
            return
        lines = {line.number: line for line in self._messages.lines(self.about)}
        for row in [row for row in self._rows if not row.is_blank]:
            line = lines.get(row.number)
            if line is not None and row.has_room_for(line):
                row.show_line(lines.pop(row.number), self._clock())
            else:
                self._give_focus_back(row)
                row.leave_blank()
        for line in lines.values():
            self._add(line)
        if lines:
            self._empty.hide()
            self._place()

    def _add(self, line: MessageLine) -> None:
        row = MessageRow(self._theme, line, self._close_line, self._show_details)
        row.show_line(line, self._clock())
        row.setParent(self._content)
        row.hold_still(self.width() - _EDGES_PX)
        row.move(0, self._rows_px())
        row.show()
        self._rows.append(row)
        self._content.setFixedHeight(self._rows_px())

    def _close_line(self, line: MessageLine) -> None:
        self._messages.close(line.number)
        if self._messages.lines(self.about):
            self.refresh()
        else:
            self.dismiss()

    def _close_all(self) -> None:
        self._messages.close_all(self.about)
        if self._messages.lines(self.about):
            self.open()
        else:
            self.dismiss()

    def _give_focus_back(self, part: QWidget | None = None) -> None:
        """Before something in it goes: else Qt hands the focus on, to a control that may fly."""
        focused = QApplication.focusWidget()
        if focused is not None and (part or self).isAncestorOf(focused):
            self._window.setFocus()

    def _rows_px(self) -> int:
        """How high all rows are together: no layout, which would share out what is missing."""
        return sum(row.height() for row in self._rows)

    def _width(self) -> int:
        return min(round(_WIDTH_PX * self._theme.scale), self._window.width() - 2 * _MARGIN_PX)

    def _place(self) -> None:
        """Below the strip at its right, as high as its rows, half of the workspace at most, and not
        down to what is held to act on an aircraft."""
        corner = self._workspace.mapTo(self._window, QPoint(0, 0))
        room = QRect(corner, self._workspace.size())
        least_px = round(_LEAST_HEIGHT_PX * self._theme.scale)
        left, top = room.right() - self.width() - _MARGIN_PX, room.top() + _MARGIN_PX // 2
        below = QRect(left, top + least_px, self.width(), room.height())
        free_px = self._first_held_px(below) - _MARGIN_PX - top
        most_px = min(round(_HEIGHT_SHARE * room.height()), free_px)
        rows_px = self._rows_px() or self._empty.sizeHint().height()
        wanted_px = self._only.sizeHint().height() + rows_px + 20
        height = min(wanted_px, max(least_px, most_px))
        self.setGeometry(left, top, self.width(), height)

    def _first_held_px(self, area: QRect) -> int:
        """How far down the window the first button that is held begins in an area of it."""
        held = (one for one in self._workspace.findChildren(HoldButton) if one.isVisible())
        boxes = (QRect(one.mapTo(self._window, QPoint(0, 0)), one.size()) for one in held)
        return min((box.top() for box in boxes if box.intersects(area)), default=area.bottom())


def _weight(line: MessageLine) -> tuple[bool, float, int]:
    return line.message.needs_answer, line.told_s, line.number
