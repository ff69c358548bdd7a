"""Manual window: pages and their headings on the left, the text on the right, search and Back."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QSplitter, QTreeWidget, QTreeWidgetItem, QWidget

from app.help.manual import INDEX, Manual, ManualPage
from app.help.text import ManualText, as_quotation
from widgets.parts import make_button, make_column, make_row
from widgets.theme import Theme

_FIRST_SIZE: Final = QSize(1080, 760)
_LIST_PX: Final = 260
_PLACE: Final = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class ManualPlace:
    """A page, the heading that was gone to, and what is said above it of a panel."""

    page: str = INDEX
    heading: str = ""
    note: str = ""


class ManualWindow(QWidget):
    """A window of its own, beside which the station goes on; closing hides it."""

    def __init__(self, parent: QWidget, manual: Manual, theme: Theme) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Manual – Lapwing")
        self.manual = manual
        self._been: list[ManualPlace] = []
        self.place = ManualPlace()
        self.entry = QLineEdit()
        self.entry.setPlaceholderText("Search the manual")
        self.entry.setAccessibleName("Search the manual")
        self.entry.setClearButtonEnabled(True)
        self.entry.textChanged.connect(self._search)
        self.entry.returnPressed.connect(self._open_first)
        self.list = QTreeWidget()
        self.list.setHeaderHidden(True)
        self.list.setAccessibleName("Pages of the manual")
        self._rows: list[QTreeWidgetItem] = []
        self._fill_list()
        self.list.currentItemChanged.connect(lambda item, _before: self._take_row(item))
        self.text = ManualText(theme, manual.folder)
        self.text.anchorClicked.connect(self._follow)
        self.back = make_button("Back", self.go_back, tip="Alt+Left")
        self._arrange()
        self._add_keys()

    def open_at(self, page: str = "", title: str = "", words: str = "") -> None:
        """Show a page, or where it stood; above it what a panel says of itself."""
        self.show()
        if page or words:
            self._go(ManualPlace(page or INDEX, note=as_quotation(title, words) if words else ""))
        elif self.text.document().isEmpty():
            self._show(self.place)
        self.raise_()
        self.activateWindow()
        self.text.setFocus()

    def go_back(self) -> None:
        """Show what showed before."""
        if self._been:
            self._show(self._been.pop())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc ends a search, then closes."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.entry.text():
            self.entry.clear()
        else:
            self.close()

    def _arrange(self) -> None:
        side = QWidget()
        top = make_row(self.back, (self.entry, 1), spacing=8)
        side.setLayout(make_column(top, (self.list, 1), margins=8, spacing=8))
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.addWidget(side)
        parts.addWidget(self.text)
        parts.setStretchFactor(1, 1)
        parts.setChildrenCollapsible(False)
        parts.setSizes([_LIST_PX, _FIRST_SIZE.width() - _LIST_PX])
        self.setLayout(make_column(parts))
        self.resize(_FIRST_SIZE.boundedTo(self.screen().availableSize()))

    def _add_keys(self) -> None:
        back = QShortcut(QKeySequence("Alt+Left"), self)
        back.activated.connect(self.go_back)
        find = QShortcut(QKeySequence("Ctrl+F"), self)
        find.activated.connect(self.entry.setFocus)

    def _fill_list(self) -> None:
        for page in self.manual.pages.values():
            row = QTreeWidgetItem(self.list, [page.title])
            row.setData(0, _PLACE, (page.name, ""))
            self._rows.append(row)
            for section in page.sections[1:]:
                child = QTreeWidgetItem(row, [section.title])
                child.setData(0, _PLACE, (page.name, section.title))
                self._rows.append(child)

    def _search(self, words: str) -> None:
        """Leave the rows in whose text all words stand."""
        found = self.manual.search(words)
        pages = {page for page, _ in found}
        for row in self._rows:
            page, heading = row.data(0, _PLACE)
            is_found = (page, heading) in found if heading else page in pages
            row.setHidden(bool(words.strip()) and not is_found)
            if not heading:
                row.setExpanded(bool(words.strip()) or page == self.place.page)
        self.text.mark(words.split())

    def _open_first(self) -> None:
        """Go to the first place found."""
        for page, heading in self.manual.search(self.entry.text())[:1]:
            title = self.manual.pages[page].title
            self._go(ManualPlace(page, "" if heading == title else heading))

    def _take_row(self, row: QTreeWidgetItem | None) -> None:
        if row is not None:
            self._go(ManualPlace(*row.data(0, _PLACE)))

    def _follow(self, url: QUrl) -> None:
        """To another page, or a heading of this one; there are no other links."""
        name = url.path().removesuffix(".md") or self.place.page
        page = self.manual.pages.get(name)
        if page is not None:
            self._go(ManualPlace(name, _heading(page, url.fragment())))

    def _go(self, place: ManualPlace) -> None:
        if not self.text.document().isEmpty() and place != self.place:
            self._been.append(self.place)
        self._show(place)

    def _show(self, place: ManualPlace) -> None:
        is_other = (place.page, place.note) != (self.place.page, self.place.note)
        if is_other or self.text.document().isEmpty():
            self.text.show_text(place.note + self.manual.pages[place.page].text)
            self.text.mark(self.entry.text().split())
        self.place = place
        if not place.heading or not self.text.go_to(place.heading):
            self.text.verticalScrollBar().setValue(0)
        self.back.setEnabled(bool(self._been))
        self._choose_row()

    def _choose_row(self) -> None:
        wanted = (self.place.page, self.place.heading)
        for row in self._rows:
            if row.parent() is None and not self.entry.text():
                row.setExpanded(row.data(0, _PLACE)[0] == self.place.page)
            if tuple(row.data(0, _PLACE)) == wanted:
                self.list.blockSignals(True)
                self.list.setCurrentItem(row)
                self.list.blockSignals(False)


def _heading(page: ManualPage, fragment: str) -> str:
    """The heading that a link names as forges do, "set-up-by-hand"; "" for none."""
    return next((s.title for s in page.sections if heading_id(s.title) == fragment), "")


def heading_id(title: str) -> str:
    """What a link calls a heading: its words in small letters, with hyphens."""
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")
