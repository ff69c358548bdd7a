"""Filter bar above the tree: the search, the options, how many objects there are."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from widgets.icons import themed_icon
from widgets.parts import make_label, make_row
from widgets.theme import Theme

_ICON_PX = 18
_LEAST_SEARCH_PX = 80
_MENU_BELOW_PX, _COUNT_FROM_PX, _RELEASE_FROM_PX = 610, 770, 1050


class SearchLine(QLineEdit):
    """A search that the keyboard enters and leaves: Esc clears and then leaves, Down leaves."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Return):
            self.left.emit()
        else:
            super().keyPressEvent(event)


class FilterBar(QWidget):
    """Search and options. Where it is narrow the options are in one menu.

    `options_changed` says that a checkable option was switched.
    """

    options_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._scale = 1.0
        self._count_text = self._release = ""
        self.search = SearchLine()
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search objects")
        self.search.setMinimumWidth(_LEAST_SEARCH_PX)
        self.metadata = self._option("Metadata", "Show how each object is sent and logged")
        self.categories = self._option("Categories", "Group objects by category")
        self.absent = self._option(
            "All of release",
            "Also list the objects of this release that were not received, in grey",
        )
        self.not_default = self._option(
            "Not default", "List only settings that differ from the defaults of this firmware"
        )
        self.expand_all = QAction("Expand all", self)
        self.collapse_all = QAction("Collapse all", self)
        self.menu = self._build_menu()
        self._count = make_label(tone="muted")
        self._menu_button = QToolButton()
        self._lay_out()

    def _option(self, text: str, tip: str) -> QAction:
        action = QAction(text, self)
        action.setToolTip(tip)
        action.setCheckable(True)
        action.toggled.connect(self.options_changed)
        return action

    def _build_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        self._count_entry = menu.addAction("")
        self._count_entry.setEnabled(False)
        menu.addSeparator()
        menu.addActions([self.metadata, self.categories, self.absent, self.not_default])
        menu.addSeparator()
        menu.addActions([self.expand_all, self.collapse_all])
        return menu

    def _lay_out(self) -> None:
        row = make_row((self.search, 1), margins=8, spacing=4)
        self.setLayout(row)
        self._buttons: list[QToolButton] = []
        for action in (self.metadata, self.categories, self.absent, self.not_default):
            button = QToolButton()
            button.setDefaultAction(action)
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            self._buttons.append(button)
            row.addWidget(button)
        row.addWidget(self._count)
        self._menu_button.setToolTip("What is listed")
        self._menu_button.setAccessibleName("What is listed")
        self._menu_button.setMenu(self.menu)
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        row.addWidget(self._menu_button)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._scale = theme.scale
        side = theme.target_px()
        for button in self._buttons:
            button.setMinimumHeight(side)
        icon_px = round(_ICON_PX * theme.scale)
        self._menu_button.setIcon(themed_icon("more", theme))
        self._menu_button.setIconSize(QSize(icon_px, icon_px))
        self._menu_button.setMaximumSize(side, side)
        self._arrange()

    def show_count(self, text: str, release: str) -> None:
        """Say how many objects are listed, and of which release."""
        self._count_text, self._release = text, release
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the options in a menu where they do not fit side by side."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        width = self.width() / self._scale
        is_narrow = width < _MENU_BELOW_PX
        for button in self._buttons:
            button.setVisible(not is_narrow)
        self._menu_button.setVisible(is_narrow)
        self._count.setVisible(width >= _COUNT_FROM_PX)
        whole = "  ·  ".join(text for text in (self._count_text, self._release) if text)
        self._count.setText(whole if width >= _RELEASE_FROM_PX else self._count_text)
        self._count_entry.setText(whole or "No objects")
        self.search.setPlaceholderText("Search" if is_narrow else "Search names, fields, units")
