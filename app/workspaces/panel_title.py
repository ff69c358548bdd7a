"""Panel titles: the tabs of panels that stand one behind the other, a menu and a close button.

One row, which the title of a single panel has too. The buttons show while the pointer or the focus
is there, and always keep their room.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QWidget,
)

from widgets.icons import themed_icon
from widgets.parts import make_row
from widgets.theme import Theme

HEIGHT_PX = 22
_ICON_PX = 14
_TAB_SPACE_PX = 9


class PanelTitles(QWidget):
    """Tabs with the titles of panels, by their keys, and what can be asked of the one in front."""

    chosen = Signal(str)
    """A panel's title was pressed, or reached by the arrow keys."""
    menu_wanted = Signal(str, QPoint)
    close_wanted = Signal(str)
    fold_wanted = Signal()
    dragged = Signal(str, QPoint)
    """A title is held somewhere on the screen, "" where that was called off."""
    dropped = Signal(str, QPoint)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panelTitles")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme: Theme | None = None
        self._metrics: QFontMetrics | None = None
        self._keys: tuple[str, ...] = ()
        self._has_buttons = False
        self.is_folded = False
        self._is_upright = False
        self.tabs = _PanelTabs(self)
        self.tabs.currentChanged.connect(self._take_chosen)
        self.menu_button = self._button("Panel menu", self._ask_for_menu)
        self.close_button = self._button("Close this panel", self._ask_to_close)
        self.more_button = self._button("More panels", self._show_more)
        self.more_button.hide()
        buttons = (self.more_button, self.menu_button, self.close_button)
        self._row = make_row((self.tabs, 1), *buttons, spacing=0)
        self.setLayout(self._row)

    @property
    def current_key(self) -> str:
        """The panel in front."""
        index = self.tabs.currentIndex()
        return self._keys[index] if 0 <= index < len(self._keys) else ""

    def key_at(self, index: int) -> str:
        """The panel of a tab, "" for none."""
        return self._keys[index] if 0 <= index < len(self._keys) else ""

    def show_titles(self, titles: Sequence[tuple[str, str]], current: str) -> None:
        """Show these keys and titles, one of them in front."""
        self._keys = tuple(key for key, _ in titles)
        self.tabs.blockSignals(True)
        while self.tabs.count() > len(titles):
            self.tabs.removeTab(self.tabs.count() - 1)
        for index, (_, title) in enumerate(titles):
            if index >= self.tabs.count():
                self.tabs.addTab(title)
            self.tabs.setTabText(index, title)
            self.tabs.setTabToolTip(index, title)
        self.tabs.setCurrentIndex(self._keys.index(current) if current in self._keys else 0)
        self.tabs.setAccessibleName("Panels: " + ", ".join(title for _, title in titles))
        self.tabs.blockSignals(False)
        self._fit()

    def text_width(self, text: str) -> int:
        """The width of a title, by the font that it will be painted in."""
        metrics = self.fontMetrics() if self._metrics is None else self._metrics
        return metrics.horizontalAdvance(text)

    def wanted_width(self) -> int:
        """The width at which no title is cut off."""
        tabs = sum(self.tabs.full_width(i) for i in range(self.tabs.count()))
        return tabs + self.menu_button.width() + self.close_button.width()

    def show_folded(self, *, is_folded: bool, is_upright: bool) -> None:
        """Stand for a folded panel, upright along its side, or above an open one."""
        self.is_folded = is_folded
        shape = QTabBar.Shape.RoundedWest if is_upright else QTabBar.Shape.RoundedNorth
        self.tabs.setShape(shape)
        for button in (self.menu_button, self.close_button):
            button.setVisible(not is_upright)
        self._is_upright = is_upright
        self._fit()

    def show_buttons(self, *, are_shown: bool) -> None:
        """Show the buttons; their room is kept in either case."""
        self._has_buttons = are_shown
        if self._theme is None:
            return
        side = round(_ICON_PX * self._theme.scale)
        for button, name in ((self.menu_button, "more"), (self.close_button, "close")):
            icon = themed_icon(name, self._theme, "muted") if are_shown else QIcon()
            button.setIcon(icon)
            button.setIconSize(QSize(side, side))

    def edit(self, on_done: Callable[[str], None]) -> None:
        """Type a new title for the panel in front; Enter takes it, Esc leaves the old one."""
        index = self.tabs.currentIndex()
        entry = _TitleEdit(self.tabs.tabText(index), self)
        place = self.tabs.tabRect(index)
        entry.setGeometry(0, 0, max(place.width(), 12 * self.height()), self.height())
        entry.show()
        entry.selectAll()
        entry.setFocus()

        def finish() -> None:
            if entry.isVisible():
                entry.hide()
                if not entry.is_cancelled:
                    on_done(entry.text())
                entry.deleteLater()

        entry.editingFinished.connect(finish)
        entry.left.connect(finish)  # without a change Qt calls no editing finished

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self._theme = theme
        side = round(HEIGHT_PX * theme.scale)
        font = theme.font("small", bold=True)
        self.tabs.setFont(font)
        self._metrics = QFontMetrics(font)
        for button in (self.more_button, self.menu_button, self.close_button):
            button.setFixedSize(side, side)
        icon_side = round(_ICON_PX * theme.scale)
        self.more_button.setIcon(themed_icon("down", theme))
        self.more_button.setIconSize(QSize(icon_side, icon_side))
        self._fit()
        self.show_buttons(are_shown=self._has_buttons)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the title under the pointer, or of the panel in front."""
        key = self.key_at(self.tabs.tabAt(self.tabs.mapFrom(self, event.pos())))
        self.menu_wanted.emit(key or self.current_key, event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many titles as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Titles without room, but for that of the panel in front, are in a list; none is cut."""
        count, current = self.tabs.count(), self.tabs.currentIndex()
        widths = [self.tabs.full_width(index) for index in range(count)]
        buttons = 0 if self.is_folded else self.menu_button.width() + self.close_button.width()
        room = self.width() - buttons
        fits = self._is_upright or sum(widths) <= room
        shown = set(range(count))
        if not fits:
            room -= self.more_button.width() + (widths[current] if current >= 0 else 0)
            shown = {current}
            for index in (i for i in range(count) if i != current):
                room -= widths[index]
                if room < 0:
                    break
                shown.add(index)
        for index in range(count):
            self.tabs.setTabVisible(index, index in shown)
        self.more_button.setVisible(not fits and count > 1)

    def _show_more(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for index, key in enumerate(self._keys):
            menu.addAction(self.tabs.tabText(index), partial(self.chosen.emit, key))
        menu.popup(self.more_button.mapToGlobal(self.more_button.rect().bottomLeft()))

    def _take_chosen(self, index: int) -> None:
        if key := self.key_at(index):
            self.chosen.emit(key)

    def _ask_for_menu(self) -> None:
        corner = self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft())
        self.menu_wanted.emit(self.current_key, corner)

    def _ask_to_close(self) -> None:
        self.close_wanted.emit(self.current_key)

    def _button(self, text: str, run: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setProperty("role", "bare")
        button.setToolTip(text)
        button.setAccessibleName(text)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(run)
        return button


class _PanelTabs(QTabBar):
    """Tabs that are chosen by a press, folded by a double click, and dragged elsewhere."""

    def __init__(self, titles: PanelTitles) -> None:
        super().__init__()
        self._titles = titles
        self._held: tuple[str, QPoint] | None = None
        self._is_dragging = False
        self._was_folded = False
        self.setObjectName("panelTabs")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    def minimumSizeHint(self) -> QSize:
        """It takes what room there is."""
        return QSize(1, 1)

    def full_width(self, index: int) -> int:
        """The width at which the title is whole."""
        return self._titles.text_width(self.tabText(index)) + 2 * _TAB_SPACE_PX

    def tabSizeHint(self, index: int) -> QSize:
        """As wide as its title."""
        if self.shape() is QTabBar.Shape.RoundedNorth:
            return QSize(self.full_width(index), self._titles.height())
        return super().tabSizeHint(index)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """No title is cut."""
        return self.tabSizeHint(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a tab, and take hold of it."""
        self._was_folded = self._titles.is_folded
        key = self._titles.key_at(self.tabAt(event.position().toPoint()))
        if event.button() is Qt.MouseButton.LeftButton:
            self._held = (key or self._titles.current_key, event.globalPosition().toPoint())
            if key and key == self._titles.current_key:
                self._titles.chosen.emit(key)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what is held."""
        if self._held is None:
            return
        key, start = self._held
        place = event.globalPosition().toPoint()
        far = (place - start).manhattanLength() >= QApplication.startDragDistance()
        self._is_dragging = self._is_dragging or far
        if self._is_dragging:
            self.grabKeyboard()
            self._titles.dragged.emit(key, place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Leave it there."""
        held, was_dragging = self._held, self._is_dragging
        self._let_go()
        if held is not None and was_dragging:
            self._titles.dropped.emit(held[0], event.globalPosition().toPoint())
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Fold to the titles; where they were folded, the first click has opened them."""
        if not self._was_folded:
            self._titles.fold_wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc calls a drag off; Enter folds and opens."""
        if self._is_dragging and event.key() == Qt.Key.Key_Escape:
            self._let_go()
            self._titles.dragged.emit("", QPoint())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._titles.fold_wanted.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Where it is focused, too, the buttons show."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._titles.show_buttons(are_shown=event.type() is QEvent.Type.FocusIn)
        return super().event(event)

    def _let_go(self) -> None:
        if self._is_dragging:
            self.releaseKeyboard()
        self._held, self._is_dragging = None, False


class _TitleEdit(QLineEdit):
    left = Signal()
    is_cancelled = False

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.is_cancelled = True
            self.clearFocus()
            return
        super().keyPressEvent(event)
