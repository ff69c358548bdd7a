"""Page list with the state of each page, and what a search has found in its place."""

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from plugins.api import Page
from plugins.configure.search import Found
from widgets.forms.tips import field_tip
from widgets.parts import make_column

_FINE, _UNSENT, _INCOMPLETE = "   ", "● ", "! "
_FEWEST_CHARACTERS = 17
_ROLE = Qt.ItemDataRole.UserRole


class PageList(QWidget):
    """`chosen` names a page, `found_chosen` a setting; `searched` follows what is typed."""

    chosen = Signal(str)
    found_chosen = Signal(object)
    searched = Signal(str)

    def __init__(self, pages: Mapping[str, Page]) -> None:
        super().__init__()
        self._pages = pages
        self.box = QLineEdit()
        self.box.setPlaceholderText("Search settings")
        self.box.setClearButtonEnabled(True)
        self.box.textChanged.connect(self._take_text)
        self.box.returnPressed.connect(self._take_first)
        self.pages = QListWidget()
        self.found = QListWidget()
        for entries in (self.pages, self.found):
            entries.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            entries.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.found.hide()
        for page_id, page in pages.items():
            item = QListWidgetItem(_FINE + page.title)
            item.setData(_ROLE, page_id)
            item.setToolTip(page.help)
            self.pages.addItem(item)
        self.pages.currentItemChanged.connect(self._take_page)
        self.found.itemClicked.connect(self._take_found)
        self.found.itemActivated.connect(self._take_found)
        self.pages.setTextElideMode(Qt.TextElideMode.ElideRight)
        parts = (self.box, (self.pages, 1), (self.found, 1))
        self.setLayout(make_column(*parts, margins=(8, 8, 4, 8), spacing=4))

    def minimumSizeHint(self) -> QSize:
        """Wide enough to tell the pages apart, at any size of the text."""
        hint = super().minimumSizeHint()
        return QSize(self.fontMetrics().averageCharWidth() * _FEWEST_CHARACTERS, hint.height())

    def choose(self, page_id: str) -> None:
        """Mark a page as the one that shows, without telling anybody."""
        with QSignalBlocker(self.pages):
            for item in self._items():
                if item.data(_ROLE) == page_id:
                    self.pages.setCurrentItem(item)

    def show_states(self, unsent: Iterable[str], incomplete: Mapping[str, str]) -> None:
        """Say which pages have unsent changes, and which have something left to do."""
        waiting = set(unsent)
        for item in self._items():
            page_id = item.data(_ROLE)
            page, todo = self._pages[page_id], incomplete.get(page_id, "")
            mark = _UNSENT if page_id in waiting else _INCOMPLETE if todo else _FINE
            if item.text() != mark + page.title:
                item.setText(mark + page.title)
            tip = "Has changes that are not sent." if page_id in waiting else todo or page.help
            if item.toolTip() != tip:
                item.setToolTip(tip)

    def show_found(self, found: list[Found]) -> None:
        """Show what a search has found."""
        self.found.clear()
        for entry in found:
            item = QListWidgetItem(entry.title)
            item.setData(_ROLE, entry)
            item.setToolTip(field_tip(entry.description, entry.title))
            self.found.addItem(item)
        if not found:
            item = QListWidgetItem("Nothing is called so.")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.found.addItem(item)

    def _items(self) -> list[QListWidgetItem]:
        return [self.pages.item(row) for row in range(self.pages.count())]

    def _take_text(self, text: str) -> None:
        is_searching = bool(text.strip())
        self.found.setVisible(is_searching)
        self.pages.setVisible(not is_searching)
        self.searched.emit(text)

    def _take_page(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(_ROLE))

    def _take_found(self, item: QListWidgetItem) -> None:
        if isinstance(item.data(_ROLE), Found):
            self.found_chosen.emit(item.data(_ROLE))

    def _take_first(self) -> None:
        if not self.found.isHidden() and self.found.count():
            self._take_found(self.found.item(0))
