"""Configure panel: list of pages, the page, and the drawer of pending changes."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from plugins.api import NO_VEHICLE, Json, PanelContext, asked_page_of
from plugins.configure.page_list import PageList
from plugins.configure.page_stack import PageStack
from plugins.configure.search import Found, find_settings
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import field_paths
from telemetry.vehicle.vehicle import Vehicle
from widgets.page_placeholder import PagePlaceholder
from widgets.parts import make_column
from widgets.settings.drawer import Drawer
from widgets.theme import Theme

_ALL = "configure.all_settings"
_LIST_PX = 188


class ConfigurePanel(QWidget):
    """Pages for the vehicle shown; another vehicle gets pages of its own. Those that need none stay
    as they are."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setProperty("keepsLetters", True)  # values are typed here: no letter moves the cursor
        self._context = context
        self._vehicle: Vehicle | None = None
        self._wanted = next(iter(context.pages), _ALL)
        self._unsent: tuple[str, ...] = ()
        self._unsent_of: object = None
        self.stack: PageStack | None = None
        self.drawer: Drawer | None = None
        self.list = PageList(context.pages)
        self.list.chosen.connect(self.show_page)
        self.list.searched.connect(self._search)
        self.list.found_chosen.connect(self._show_found)
        self._pages = QWidget()
        self.skeleton = PagePlaceholder()
        unbound = context.child({})
        unbound.show_page = self.show_page
        self.unbound = PageStack(unbound, context.pages)
        """The pages that need no vehicle."""
        self._column = make_column((self.skeleton, 1), (self.unbound, 1), spacing=0)
        self._pages.setLayout(self._column)
        self._scale = context.theme.scale
        splitter = self._splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.list)
        splitter.addWidget(self._pages)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([round(_LIST_PX * self._scale), 1000])
        self.setLayout(make_column(splitter))
        context.on_close(self._close_pages)
        context.on_close(self.unbound.close_pages)
        self._show_stack()

    def refresh(self, t: float) -> None:
        """Follow the vehicle, its page and what is staged."""
        self._show_asked_page()
        if not self._needs_vehicle:
            self.unbound.refresh(t)
        self._follow_vehicle(t)

    def _follow_vehicle(self, t: float) -> None:
        vehicle = self._context.vehicle
        if vehicle is not self._vehicle:
            self._close_pages()
            self._vehicle, self._unsent_of = vehicle, None
        if self.stack is None:
            self._open_pages()
        settings = self._context.configuration
        if self.stack is None or self.drawer is None or settings is None:
            return
        focused = QApplication.focusWidget()
        if focused is not None and self.isAncestorOf(focused):
            self._name_page()
        if self._needs_vehicle:
            self.stack.refresh(t)
        self.drawer.refresh()
        self._show_states(settings)
        self._show_asked(settings)

    def apply_theme(self, theme: Theme) -> None:
        """Give the list of pages the room that its text takes."""
        factor, self._scale = theme.scale / self._scale, theme.scale
        if factor != 1.0:
            listed, pages = self._splitter.sizes()
            wanted = round(listed * factor)
            self._splitter.setSizes([wanted, listed + pages - wanted])

    def start_search(self) -> None:
        """Go to the search box."""
        self.list.box.setFocus()
        self.list.box.selectAll()

    def save_state(self) -> Json:
        """The page that shows."""
        return {"page": self._wanted}

    def restore_state(self, state: Json) -> None:
        """Show the page that showed."""
        if state.get("page") in self._context.pages:
            self.show_page(str(state["page"]))

    def show_page(self, page_id: str) -> None:
        """Show a page by its full id; one that no plugin brings is ignored."""
        if page_id not in self._context.pages:
            return
        self._wanted = page_id
        self.list.choose(page_id)
        stack = self.stack_of(page_id)
        if stack is not None:
            stack.show_page(page_id)
            self._name_page()
        self._show_stack()

    def stack_of(self, page_id: str) -> PageStack | None:
        """Where a page stands; None as long as there is no vehicle that it needs."""
        page = self._context.pages.get(page_id)
        return self.stack if page is None or page.needs_vehicle else self.unbound

    @property
    def _needs_vehicle(self) -> bool:
        return self.stack_of(self._wanted) is not self.unbound

    def _show_stack(self) -> None:
        """What of the three shows: the vehicle's pages, those that need none, or what is waited
        for."""
        is_bound = self._needs_vehicle
        self.unbound.setVisible(not is_bound)
        self.skeleton.setVisible(is_bound and self.stack is None)
        if self.stack is not None:
            self.stack.setVisible(is_bound)

    def _name_page(self) -> None:
        """What is edited from now on is said to come from the page that shows."""
        page, settings = self._context.pages.get(self._wanted), self._context.configuration
        if page is not None and settings is not None:
            settings.page = page.title

    def _open_pages(self) -> None:
        """Open the pages once the settings are known: until then they would show what is not so."""
        vehicle, settings = self._context.vehicle, self._context.configuration
        if vehicle is None or settings is None:
            self.skeleton.show_text(NO_VEHICLE)
            return
        if not settings.aircraft.is_complete and settings.baseline is None:
            status = vehicle.status
            self.skeleton.show_text(f"{status.word}. {status.reason}".strip())
            return
        pinned = self._context.for_pages_of(vehicle)
        pinned.show_page = self.show_page
        self.stack = PageStack(pinned, self._context.pages)
        self.drawer = Drawer(settings)
        self._column.addWidget(self.stack, 1)
        self._column.addWidget(self.drawer)
        self.show_page(self._wanted)

    def _close_pages(self) -> None:
        if self.stack is not None:
            self.stack.close_pages()
        for part in (self.stack, self.drawer):
            if part is not None:
                self._column.removeWidget(part)
                part.deleteLater()
        self.stack = self.drawer = None
        self._show_stack()

    def _show_states(self, settings: Configuration) -> None:
        if settings.draft.version != self._unsent_of:
            self._unsent_of = settings.draft.version
            self._unsent = self._pages_touched(settings)
        todo = {**(self.stack.incomplete() if self.stack else {}), **self.unbound.incomplete()}
        self.list.show_states(self._unsent, todo)

    def _pages_touched(self, settings: Configuration) -> tuple[str, ...]:
        """The pages that edit something that is staged."""
        staged = settings.draft.staged()
        touched = [(name, path) for (name, _), values in staged.items() for path in values]
        pages = self._context.pages
        return tuple(i for i, page in pages.items() if any(page.edits(*at) for at in touched))

    def _search(self, text: str) -> None:
        vehicle = self._context.vehicle
        if text.strip() and vehicle is not None:
            self.list.show_found(find_settings(vehicle.recording, vehicle.catalogue, text))

    def _show_asked_page(self) -> None:
        """Go to the page that was asked for elsewhere."""
        asked = asked_page_of(self._context.fleet)
        page_id, asked.page_id = asked.page_id, ""
        if page_id:
            self.show_page(page_id)

    def _show_asked(self, settings: Configuration) -> None:
        """Go to the setting that another view asked for."""
        asked, settings.asked_for = settings.asked_for, ""
        if asked:
            name, _, path = asked.partition(".")
            definition = settings.definition(name)
            if definition is not None and definition.has_field(path):
                path = field_paths(definition.field_named(path))[0]
            self._show_place(name, path)

    def _show_found(self, found: Found) -> None:
        self._show_place(found.name, found.path)

    def _show_place(self, *place: str) -> None:
        """Go to a setting: on the page that is made for it, else among all settings."""
        pages = [(i, page) for i, page in self._context.pages.items() if page.edits(*place)]
        pages.sort(key=lambda item: not item[1].edits_field(*place))
        page_id = pages[0][0] if pages else _ALL
        self.show_page(page_id)
        if self.stack is not None and self.stack.page(page_id) is not None:
            self.stack.refresh(0.0)
            self.stack.call(page_id, "show_setting", *place)
