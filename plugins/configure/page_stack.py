"""The pages of one aircraft: built when first shown, and replaced by a card when they fail."""

import traceback
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from plugins.api import Page, PageContext, resolve
from widgets.error_card import ErrorCard
from widgets.theme import Theme, hand_theme


class PageStack(QStackedWidget):
    """Shows one page at a time. Whatever a page raises stays in its place."""

    def __init__(self, context: PageContext, pages: Mapping[str, Page]) -> None:
        super().__init__()
        self.page_id = ""
        self._context = context
        self._pages = pages
        self._views: dict[str, QWidget] = {}
        self._places: dict[str, QScrollArea] = {}
        self._contexts: dict[str, PageContext] = {}

    def show_page(self, page_id: str) -> None:
        """Show a page, built now if it was not before."""
        if page_id not in self._places:
            self._open(page_id)
        self.page_id = page_id
        self.setCurrentWidget(self._places[page_id])

    def page(self, page_id: str) -> QWidget | None:
        """The widget of a page that is open and has not failed."""
        return self._views.get(page_id)

    def refresh(self, t: float) -> None:
        """Refresh the page that shows."""
        self.call(self.page_id, "refresh", t)

    def apply_theme(self, theme: Theme) -> None:
        """Let the pages' contexts have the new colours; their widgets are given them one by one."""
        for context in (self._context, *self._contexts.values()):
            context.theme = theme

    def run_guarded(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of a widget in the page that shows."""
        return self._run_guarded(self.page_id, function, *arguments)

    def incomplete(self) -> dict[str, str]:
        """What is left to do on the open pages, by page."""
        answers = {page_id: self.call(page_id, "incomplete") for page_id in list(self._views)}
        return {page_id: text for page_id, text in answers.items() if text}

    def call(self, page_id: str, name: str, *arguments: Any) -> Any:
        """Call one of a page's functions, if it has it."""
        function = getattr(self._views.get(page_id), name, None)
        return None if function is None else self._run_guarded(page_id, function, *arguments)

    def _run_guarded(self, page_id: str, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Exception as error:  # noqa: BLE001  a page may fail in any way it likes
            self._fail(page_id, error)
            return None

    def close_pages(self) -> None:
        """Close all pages and what they have begun."""
        for page_id in list(self._places):
            self._close(page_id)

    def _open(self, page_id: str) -> None:
        place = self._places[page_id] = QScrollArea()
        place.setWidgetResizable(True)
        place.setFrameShape(QFrame.Shape.NoFrame)
        self.addWidget(place)
        self._build(page_id)

    def _build(self, page_id: str) -> None:
        context = self._contexts[page_id] = self._context.child(dict(self._context.settings))
        try:
            view: QWidget = resolve(self._pages[page_id].widget)(context)
            hand_theme(view, context.theme)
        except Exception as error:  # noqa: BLE001  a page may fail in any way it likes
            self._fail(page_id, error)
            return
        self._views[page_id] = view
        self._places[page_id].setWidget(view)

    def _fail(self, page_id: str, error: Exception) -> None:
        trace = traceback.format_exc()
        title = self._pages[page_id].title
        self._context.log.error("page %s: %s\n%s", page_id, error, trace)
        self._views.pop(page_id, None)
        self._contexts.pop(page_id).close()
        text = (
            f"The page {title} has stopped ({type(error).__name__}: {error}). The other pages and "
            "what is staged are not touched."
        )
        self._places[page_id].setWidget(ErrorCard(text, trace, lambda: self._build(page_id)))

    def _close(self, page_id: str) -> None:
        self._views.pop(page_id, None)
        context = self._contexts.pop(page_id, None)
        if context is not None:
            context.close()
        place = self._places.pop(page_id)
        self.removeWidget(place)
        place.deleteLater()
