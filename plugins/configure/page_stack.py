"""Page stack, of an aircraft or none: pages built when first shown; a card replaces one that fails.

A page is built between events, so that the window answers meanwhile.
"""

from collections.abc import Generator, Mapping
from concurrent.futures import Executor, wait
from functools import partial
from typing import Any

from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from plugins.api import Page, PanelContext, resolve
from widgets.parts import make_scrolled
from widgets.theme import Theme, hand_theme
from widgets.view_host import Slices, ViewHost

_IMPORT_STEP_S = 0.004
_UNHARMED = "The other pages and what is staged are not touched."


class PageStack(QStackedWidget):
    """Shows one page at a time. Whatever a page raises stays in its place."""

    def __init__(self, context: PanelContext, pages: Mapping[str, Page]) -> None:
        super().__init__()
        self.page_id = ""
        self._t = 0.0
        self._context = context
        self._pages = pages
        self._hosts: dict[str, ViewHost] = {}
        self._places: dict[str, QScrollArea] = {}
        self._contexts: dict[str, PanelContext] = {}

    def show_page(self, page_id: str) -> None:
        """Show a page, which begins to be built if it was not before."""
        if page_id not in self._hosts:
            self._add_place(page_id)
            self._open(page_id)
        self.page_id = page_id
        self.setCurrentWidget(self._places[page_id])

    def page(self, page_id: str) -> QWidget | None:
        """The widget of a page that was shown and has not failed, built to the end."""
        host = self._hosts.get(page_id)
        if host is None:
            return None
        host.finish()
        return host.view

    @property
    def is_building(self) -> bool:
        """Whether the page that shows is not complete yet."""
        host = self._hosts.get(self.page_id)
        return host is not None and host.is_building

    def refresh(self, t: float) -> None:
        """Refresh the page that shows."""
        self._t = t
        self.call(self.page_id, "refresh", t)

    def apply_theme(self, theme: Theme) -> None:
        """Let the pages' contexts have the new colours; their widgets are given them one by one."""
        for context in (self._context, *self._contexts.values()):
            context.theme = theme

    def incomplete(self) -> dict[str, str]:
        """What is left to do on the open pages, by page."""
        answers = {page_id: self.call(page_id, "incomplete") for page_id in self._hosts}
        return {page_id: text for page_id, text in answers.items() if text}

    def call(self, page_id: str, name: str, *arguments: Any) -> Any:
        """Call one of a page's functions, if it has it."""
        host = self._hosts.get(page_id)
        return None if host is None else host.call(name, *arguments)

    def close_pages(self) -> None:
        """Close all pages and what they have begun."""
        for page_id, place in self._places.items():
            self._hosts[page_id].close_view()
            self.removeWidget(place)
            place.deleteLater()
        self._hosts, self._places = {}, {}

    def _add_place(self, page_id: str) -> None:
        title = f"The page {self._pages[page_id].title}"
        host = ViewHost(lambda: title, _UNHARMED, self._context.log, partial(self._open, page_id))
        place = make_scrolled(host)
        self.addWidget(place)
        self._hosts[page_id], self._places[page_id] = host, place

    def _open(self, page_id: str) -> None:
        context = self._context.child(dict(self._context.settings))
        self._contexts[page_id] = context

        def build() -> Slices:
            make = yield from _imported(self._pages[page_id].widget, context.jobs)
            view: QWidget = make(context)
            yield None
            hand_theme(view, context.theme)
            yield view
            if hasattr(view, "build"):
                yield from view.build()
            if hasattr(view, "refresh"):
                view.refresh(self._t)

        def close() -> None:
            del self._contexts[page_id]
            context.close()

        self._hosts[page_id].open_in_slices(build(), close)


def _imported(name: str, jobs: Executor) -> Generator[None, None, Any]:
    """What `resolve` returns, imported by a job: that can take a tenth of a second, of which the
    window waits so much in each step that the job gets on."""
    found = jobs.submit(resolve, name)
    while not found.done():
        wait([found], _IMPORT_STEP_S)
        yield None
    return found.result()
