"""Detail pane: the selected row, what became of the last command, and what can be done."""

import re

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from plugins.object_browser.button_grid import ButtonGrid
from plugins.object_browser.facts import Fact
from widgets.change_detector import ChangeDetector
from widgets.icons import themed_icon
from widgets.labels import set_look, show_text
from widgets.parts import STRETCH, make_column, make_label, make_row, make_scrolled
from widgets.theme import Theme

_BREAKS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=\.)")
"""Where a long name may go on in the next line."""
_MARGIN_PX, _NARROW_MARGIN_PX = 16, 8
_WRAP_BELOW_PX = 300
_SIDE_PX = 300
UNLIMITED_PX = 16_777_215  # what Qt takes for "no limit"


class DetailPane(QWidget):
    """A card beside the tree, or a drawer below it that shows one line until it is opened.

    `asked` names the button that was pressed. `resized` says that the drawer wants another
    height.
    """

    asked = Signal(str)
    resized = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._facts = ChangeDetector()
        self._is_drawer = False
        self._is_open = False
        self._has_buttons = True
        self.grid = ButtonGrid()
        self.grid.asked.connect(self.asked)
        self.undo = QPushButton("Undo")
        self.undo.clicked.connect(lambda: self.asked.emit("undo"))
        self._build()
        self.apply_theme(theme)

    @property
    def buttons(self) -> dict[str, QPushButton]:
        """The buttons by what they ask for."""
        return {**self.grid.buttons, "undo": self.undo}

    def _build(self) -> None:
        self._line = ElidedLine()
        self._disclosure = QToolButton()
        self._disclosure.setProperty("role", "flat")
        self._disclosure.clicked.connect(lambda: self.set_open(not self._is_open))
        self._head = QWidget()
        self._head.setLayout(make_row((self._line, 1), self._disclosure, margins=(0, 2, 2, 2)))
        self._title = make_label(size="title", wraps=True)
        self._description = make_label(wraps=True)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(4)
        self._inside = QWidget()
        self._column = make_column(
            self._title, self._description, self._form, STRETCH, margins=None, spacing=8
        )
        self._inside.setLayout(self._column)
        self._scroll = scroll = make_scrolled(self._inside, keeps_width=True)
        self._inside.setAutoFillBackground(False)  # the card shows through
        self.outcome = make_label(wraps=True)
        self.outcome.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._outcome_row = QWidget()
        self._outcome_box = QHBoxLayout(self._outcome_row)
        self._outcome_box.addWidget(self.outcome, 1)
        self._outcome_box.addWidget(self.undo, 0, Qt.AlignmentFlag.AlignVCenter)
        self._foot = QWidget()
        self._foot_box = QVBoxLayout(self._foot)
        self._foot_box.addWidget(self.grid)
        card = QFrame()
        card.setProperty("card", "plain")
        self._frame = QVBoxLayout(self)
        self._frame.addWidget(card)
        self._rows = make_column(margins=1, spacing=0)
        card.setLayout(self._rows)
        for part in (self._head, scroll, self._outcome_row, self._foot):
            self._rows.addWidget(part, int(part is scroll))
        self.undo.hide()
        self.undo.setEnabled(False)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        side, icon_px = theme.target_px(), round(18 * theme.scale)
        self._disclosure.setMaximumSize(side, side)
        self._disclosure.setIconSize(QSize(icon_px, icon_px))
        self.undo.setMinimumHeight(side)
        self._arrange()

    # Its place

    def set_drawer(self, is_drawer: bool) -> None:
        """Stand below the tree as a drawer, or beside it as a card."""
        self._is_drawer = is_drawer
        self._arrange()

    def set_open(self, is_open: bool) -> None:
        """Open or close the drawer."""
        self._is_open = is_open
        self._arrange()

    @property
    def is_open(self) -> bool:
        """Whether the drawer shows more than its line."""
        return self._is_open

    @property
    def is_drawer(self) -> bool:
        """Whether it stands below the tree."""
        return self._is_drawer

    def _arrange(self) -> None:
        is_drawer, theme = self._is_drawer, self._theme
        shows_all = self._is_open or not is_drawer
        margin = round((_NARROW_MARGIN_PX if is_drawer else _MARGIN_PX) * theme.scale)
        self._frame.setContentsMargins(*((4, 0, 4, 4) if is_drawer else (4, 0, 8, 8)))
        self._head.setVisible(is_drawer)
        self._title.setVisible(not is_drawer)
        self._scroll.setVisible(shows_all)
        self._foot.setVisible(shows_all and self._has_buttons)
        # In a drawer the buttons scroll with the facts, so that it may be low.
        (self._column if is_drawer else self._rows).addWidget(self._foot)
        self._column.setContentsMargins(margin, 4 if is_drawer else 12, margin, 4)
        self._line.setContentsMargins(margin, 0, 0, 0)
        sides = 0 if is_drawer else margin  # those of the column are around the foot already
        self._foot_box.setContentsMargins(sides, 4, sides, 8 if is_drawer else 12)
        self._outcome_box.setContentsMargins(margin, 0, margin, 4)
        self._outcome_row.setMinimumHeight(0 if is_drawer else theme.target_px() + 8)
        self._disclosure.setIcon(themed_icon("down" if self._is_open else "up", theme, "muted"))
        words = "Show less" if self._is_open else "Show what it is and what can be done"
        self._disclosure.setToolTip(words)
        self._disclosure.setAccessibleName(words)
        self.setMinimumWidth(0 if is_drawer else round(_SIDE_PX * theme.scale))
        self._show_outcome_row()
        self._fit()

    def _fit(self) -> None:
        """Set names above values where it is narrow; leave room for wrapped lines, which a
        scroll area does not count by itself.
        """
        width = self._scroll.viewport().width()
        policy = QFormLayout.RowWrapPolicy
        is_tight = width < _WRAP_BELOW_PX * self._theme.scale and self._is_drawer
        self._form.setRowWrapPolicy(policy.WrapAllRows if is_tight else policy.DontWrapRows)
        self._form.setVerticalSpacing(2 if is_tight else 4)
        layout = self._inside.layout()
        assert layout is not None
        layout.activate()
        self._inside.setMinimumHeight(max(0, layout.heightForWidth(width)))  # -1 without a width
        is_closed = self._is_drawer and not self._is_open
        most = self._height_of_all() if is_closed else UNLIMITED_PX
        if most != self.maximumHeight():
            self.setMaximumHeight(most)
            self.resized.emit()

    def _height_of_all(self) -> int:
        if self._frame.hasHeightForWidth():
            return self._frame.totalHeightForWidth(self.width())
        return self._frame.totalSizeHint().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on the drawer's line opens and closes it."""
        if self._is_drawer and self._head.underMouse():
            self._disclosure.click()
        else:
            super().mousePressEvent(event)

    # What it says

    def show_facts(self, title: str, description: str, facts: tuple[Fact, ...]) -> None:
        """Describe the selected row."""
        self._line.set_text(title)
        self._title.setText(_BREAKS.sub("\N{ZERO WIDTH SPACE}", title))
        show_text(self._description, description)
        if not self._facts.has_changed(facts):
            return
        while self._form.rowCount():
            self._form.removeRow(0)
        for name, text in facts:
            label = make_label(name, tone="muted")
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            value = make_label(text, wraps=True)
            value.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._form.addRow(label, value)
            label.show()  # at once, so that they count below
            value.show()
        self._fit()

    def show_outcome(self, text: str, tone: str, undo_title: str = "") -> None:
        """Say what became of the last command, or why none is possible; offer to take it back."""
        set_look(self.outcome, "tone", tone)
        if (text, undo_title) == (self.outcome.text(), self.undo_title):
            return
        self.outcome.setText(text)
        self.undo.setText(undo_title or "Undo")
        self.undo.setVisible(bool(undo_title))
        self.undo.setEnabled(bool(undo_title))
        self._show_outcome_row()
        self._fit()

    def show_buttons(self, has_buttons: bool) -> None:
        """Leave the buttons out where none of them could ever work."""
        if has_buttons != self._has_buttons:
            self._has_buttons = has_buttons
            self._arrange()

    def _show_outcome_row(self) -> None:
        """A closed drawer speaks up for outcomes only; what is always so can wait."""
        has_words = bool(self.outcome.text() or self.undo_title)
        is_outcome = bool(self.undo_title) or self.outcome.property("tone") != "muted"
        in_drawer = has_words and (self._is_open or is_outcome)
        self._outcome_row.setVisible(in_drawer or not self._is_drawer)

    @property
    def undo_title(self) -> str:
        """What the button beside the outcome offers; empty without one."""
        return "" if self.undo.isHidden() else self.undo.text()

    def enable(self, names: set[str]) -> None:
        """Make exactly these buttons usable."""
        self.grid.enable(names)


class ElidedLine(QWidget):
    """One line of text; a long name loses its middle, so that object and element stay."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_text(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self.setToolTip(text)
            self.update()

    def sizeHint(self) -> QSize:
        """As high as the type."""
        return QSize(0, QFontMetrics(self._bold()).height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what fits."""
        room = self.contentsRect()
        with QPainter(self) as painter:
            painter.setFont(self._bold())
            text = painter.fontMetrics().elidedText(
                self._text, Qt.TextElideMode.ElideMiddle, room.width()
            )
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, flags, text)

    def _bold(self) -> QFont:
        font = self.font()
        font.setBold(True)
        return font
