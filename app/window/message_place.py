"""Message place at the right end of the alarm strip: what was told last, and how many lines wait.

It has the same place and width whatever it says, so that nothing else moves.
"""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from telemetry.base.finding import Level
from widgets.icons import themed_icon
from widgets.level_mark import draw_level_mark
from widgets.parts import make_row
from widgets.text_layout_cache import LEFT, TextLayoutCache
from widgets.theme import Theme

_SHARE, _SHARE_OF_MORE, _WIDE_PX = 0.22, 0.45, 1545
"""Of the window's width; the second of what is beyond the width at which the alarm beside it has
room for any."""
_CANCEL_PX, _GAP_PX = 28, 8
_GROUNDS = {Level.WARNING: ("caution_soft", "caution"), Level.ERROR: ("danger_soft", "danger")}


class MessagePlace(QWidget):
    """What is told, which opens the list, and beside it room for a button that calls off the work
    that is told of. `on_open()` and `on_cancel()` are called by a press."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("messagePlace")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.on_open: Callable[[], None] = lambda: None
        self.on_cancel: Callable[[], None] = lambda: None
        self.news = _News(theme)
        self.news.clicked.connect(lambda _checked: self.on_open())
        self.cancel = QToolButton()
        self.cancel.setProperty("role", "flat")
        self.cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.cancel.clicked.connect(lambda _checked: self.on_cancel())
        policy = self.cancel.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.cancel.setSizePolicy(policy)
        self.cancel.hide()
        self._row: QHBoxLayout = make_row(self.cancel, (self.news, 1), margins=(0, 0, 4, 0))
        self._row.setSpacing(2)
        self.setLayout(self._row)
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self._theme = theme
        side = round(_CANCEL_PX * theme.scale)
        self.cancel.setFixedSize(side, side)
        self.cancel.setIcon(themed_icon("close", theme))
        self.fit(self.window().width())

    def fit(self, window_px: int) -> None:
        """Take the width that belongs to a window so wide."""
        wide_px = _WIDE_PX * self._theme.scale
        more_px = max(0.0, window_px - wide_px)
        self.setFixedWidth(round(_SHARE * min(window_px, wide_px) + _SHARE_OF_MORE * more_px))

    def tell(self, text: str, level: Level = Level.OK, *, can_cancel: bool = False) -> None:
        """Show a sentence; an empty one leaves it at how many lines there are. What is a WARNING or
        worse has its mark and ground."""
        self.news.tell(text, level)
        self.cancel.setToolTip(f"Cancel: {text}")
        self.cancel.setAccessibleName("Cancel what is being done")
        if can_cancel != self.cancel.isVisibleTo(self):
            self.cancel.setVisible(can_cancel)

    @property
    def text(self) -> str:
        """The whole sentence that is told."""
        return self.news.told

    def count(self, lines: int) -> None:
        """Show how many lines the list has."""
        self.news.count(lines)


class _News(QAbstractButton):
    """Paints what is told, in one line that ends in … where it is too long."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.told = ""
        self._level = Level.OK
        self._lines = 0
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self._theme = theme
        self._letters = TextLayoutCache(theme.font())
        self._bold = TextLayoutCache(theme.font(bold=True))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, 0)

    def tell(self, text: str, level: Level) -> None:
        if (text, level) != (self.told, self._level):
            self.told, self._level = text, level
            self._say()

    def count(self, lines: int) -> None:
        if lines != self._lines:
            self._lines = lines
            self._say()

    def counted(self) -> str:
        """How many lines there are, in words where there is room for them."""
        if self.told:
            return f"{self._lines} ▾" if self._lines else "▾"
        if not self._lines:
            return "No messages ▾"
        return f"{self._lines} message{'s' if self._lines > 1 else ''} ▾"

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ground of its level, mark and sentence at the left, the count at the right."""
        with QPainter(self) as painter:
            theme, middle = self._theme, self.height() / 2
            box = QRectF(self.rect()).adjusted(1, 3, -1, -3)
            ground, token = _GROUNDS.get(self._level, ("", "muted"))
            left = box.left() + _GAP_PX
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if ground or self.underMouse():
                painter.setPen(QPen(theme.color(token), theme.line_px))
                painter.setBrush(theme.color(ground or "hover"))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            if ground:
                side = box.height() * 0.6
                mark = QRectF(left, middle - side / 2, side, side)
                draw_level_mark(painter, mark, self._level, theme)
                left += side + _GAP_PX
            letters = self._bold if ground else self._letters
            end = self._paint_count(painter, box.right() - _GAP_PX)
            painter.setFont(letters.font)
            painter.setPen(theme.color("text" if ground else "muted"))
            letters.draw(painter, left, middle, letters.fits(self.told, end - left), LEFT)
            if self.hasFocus():
                painter.setPen(QPen(theme.color("focus"), 2.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box, 6, 6)

    def _paint_count(self, painter: QPainter, right: float) -> float:
        """Returns where the room for the sentence ends."""
        words = self.counted()
        left = right - self._letters.width(words)
        painter.setFont(self._letters.font)
        painter.setPen(self._theme.color("text" if self._lines else "muted"))
        self._letters.draw(painter, left, self.height() / 2, words, LEFT)
        return left - _GAP_PX

    def _say(self) -> None:
        self.setToolTip(self.told or "Everything that was told (Esc closes it)")
        self.setAccessibleName(f"Messages: {self.told or self.counted()}")
        self.update()
