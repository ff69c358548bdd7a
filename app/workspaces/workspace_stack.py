"""Workspace stack: all workspaces of the window, which one shows, and keeping them."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from app.messages import Message, Messages
from app.workspaces.panel_host import PanelServices
from app.workspaces.workspace import Workspace, WorkspaceStore, unused
from app.workspaces.workspace_page import WorkspacePage
from telemetry.base.finding import Level

_LEAVES_MS = 1000


class WorkspaceStack(QStackedWidget):
    """One page per workspace, built when it is first shown. An arrangement is kept by itself
    whenever another workspace is chosen and when the station ends. `on_change` is called when
    another one shows, or when there are others or other titles.
    """

    def __init__(self, store: WorkspaceStore, services: PanelServices, messages: Messages) -> None:
        super().__init__()
        self._store = store
        self._services = services
        self._messages = messages
        self._pages: dict[str, WorkspacePage] = {}
        self._leaving: list[WorkspacePage] = []
        self._lent: set[str] = set()
        self._titles: dict[str, str] = {}  # of those that were not shown yet
        self.on_change: Callable[[], None] = lambda: None
        self.ids: list[str] = list(store.ids())
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._take_focus)
        self.choose_panel: Callable[[], None] = lambda: None

    @property
    def current_page(self) -> WorkspacePage | None:
        """The page that shows."""
        page = self.currentWidget()
        return page if isinstance(page, WorkspacePage) else None

    @property
    def current_id(self) -> str:
        """The id of the workspace that shows."""
        page = self.current_page
        return page.workspace_id if page else ""

    def titles(self) -> list[str]:
        """The names for the tabs, in order."""
        return [self._title(workspace_id) for workspace_id in self.ids]

    def show_workspace(self, workspace_id: str) -> None:
        """Show a workspace, building it if it was not shown before. Unknown ids are ignored."""
        if workspace_id not in self.ids or workspace_id == self.current_id:
            return
        self.keep()
        page = self._page(workspace_id)
        self.setCurrentWidget(page)
        page.setFocus()  # else Qt gives it to the first control there, which may be one that flies
        self._tell_problems()
        self._services.tick.wake()
        self.on_change()

    def show_number(self, number: int) -> None:
        """Show the workspace at that place, from 0; nothing happens where there is none."""
        if number < len(self.ids):
            self.show_workspace(self.ids[number])

    def add(self, title: str, source: Workspace | None = None) -> str:
        """Make a new workspace, empty or a copy of another one, show it, return its id."""
        workspace_id = self._store.free_id(title)
        base = source or Workspace(workspace_id, title)
        made = replace(base, id=workspace_id, title=title, is_shipped=False)
        self._save(made)
        self.ids.append(workspace_id)
        self.show_workspace(workspace_id)
        return workspace_id

    def lend(self, workspace: Workspace) -> None:
        """Show a workspace that belongs to something else and is not put among the user's.

        The one that was lent before goes.
        """
        for before in self._lent:
            self.ids.remove(before)
            page = self._pages.pop(before)
            self.removeWidget(page)
            self._leaving.append(page)
        QTimer.singleShot(_LEAVES_MS, self, self._dispose_leaving)
        lent = replace(workspace, id=unused(workspace.id, self._store.ids()))
        self._lent = {lent.id}
        page = WorkspacePage(lent, self._services, self._ask_for_panel)
        self._pages[lent.id] = page
        self.addWidget(page)
        self.ids.append(lent.id)
        self.show_workspace(lent.id)

    def is_own(self, page: WorkspacePage) -> bool:
        """Whether a page is the user's own or a flight's, or a shipped one that was changed."""
        page_id = page.workspace_id
        return page_id in self._lent or page.has_changed() or self._store.is_stored(page_id)

    def copy_current(self, title: str) -> None:
        """Save what shows as a new workspace."""
        if self.current_page is not None:
            self.add(title, self.current_page.describe())

    def rename(self, title: str) -> None:
        """Give the workspace that shows another name."""
        if self.current_page is not None:
            self.current_page.rename(title)
            self.keep()
            self.on_change()

    def reset(self) -> None:
        """Bring the workspace that shows back to how it was delivered."""
        page = self.current_page
        if page is None:
            return
        if page.workspace_id in self._lent:
            self._messages.tell("This workspace belongs to the flight; open that again instead.")
            return
        before = page.describe()
        try:
            self._store.reset(page.workspace_id)
        except OSError as error:
            self._messages.report(f"The workspace file stays as it is: {error}.", Level.WARNING)
        self._exchange(self._store.load(page.workspace_id), [*page.before, before])
        self._offer_undo(f"{before.title} is as it was delivered.", self.undo_layout)

    def undo_layout(self) -> None:
        """Have the panels of the workspace that shows stand as before the last change."""
        page = self.current_page
        earlier = page.take_back() if page is not None else None
        if page is None or earlier is None:
            self._messages.tell("Nothing was changed here that could be taken back.")
            return
        self._exchange(earlier, page.before)
        if earlier.id not in self._lent:
            self._save(earlier)

    def _exchange(self, workspace: Workspace, before: list[Workspace]) -> None:
        """Show a workspace in the place of its present page. That goes a little later, so that what
        both hold, the pilot's seat above all, is never let go.
        """
        old = self._pages.pop(workspace.id)
        page = WorkspacePage(workspace, self._services, self._ask_for_panel)
        page.before = before
        self._pages[workspace.id] = page
        self.addWidget(page)
        self.setCurrentWidget(page)
        page.setFocus()
        self.removeWidget(old)
        self._leaving.append(old)
        QTimer.singleShot(_LEAVES_MS, self, self._dispose_leaving)
        self._services.tick.wake()
        self.on_change()

    def _dispose_leaving(self) -> None:
        while self._leaving:
            self._leaving.pop().dispose()

    def _offer_undo(self, text: str, undo: Callable[[], None]) -> None:
        self._messages.put(Message(text, remedy_title="Undo", remedy=undo, topic="workspace"))

    def delete(self) -> None:
        """Remove the workspace that shows, if it is the user's own."""
        page = self.current_page
        if page is None or page.is_shipped:
            self._messages.tell("A shipped workspace cannot be deleted; reset it instead.")
            return
        workspace_id, index = page.workspace_id, self.ids.index(page.workspace_id)
        deleted = page.describe()
        self._lent.discard(workspace_id)
        self.ids.remove(workspace_id)
        del self._pages[workspace_id]
        self.removeWidget(page)
        page.dispose()
        try:
            self._store.delete(workspace_id)
        except OSError as error:
            self._messages.report(
                f"The workspace file could not be removed: {error}.", Level.WARNING
            )
        self.setCurrentWidget(self._page(self.ids[0]))
        self.on_change()
        self._offer_undo(
            f"The workspace {deleted.title} was deleted.", lambda: self._bring_back(deleted, index)
        )

    def _bring_back(self, deleted: Workspace, index: int) -> None:
        """Have a deleted workspace where it was."""
        if deleted.id in self.ids:
            deleted = replace(deleted, id=self._store.free_id(deleted.title))
        self._save(deleted)
        self.ids.insert(index, deleted.id)
        self.show_workspace(deleted.id)

    def keep(self) -> None:
        """Save the workspace that shows as it stands, if it is not as it is stored."""
        page = self.current_page
        if page is not None and page.has_changed() and page.workspace_id not in self._lent:
            self._save(page.describe())

    def dispose(self) -> None:
        """Keep the arrangement and close all panels."""
        self.keep()
        self._dispose_leaving()
        for page in self._pages.values():
            self.removeWidget(page)
            page.dispose()
        self._pages.clear()

    def _page(self, workspace_id: str) -> WorkspacePage:
        if workspace_id not in self._pages:
            workspace = self._store.load(workspace_id)
            page = WorkspacePage(workspace, self._services, self._ask_for_panel)
            self._pages[workspace_id] = page
            self.addWidget(page)
        return self._pages[workspace_id]

    def _take_focus(self, _before: QWidget | None, widget: QWidget | None) -> None:
        if self.current_page is not None and widget is not None:
            self.current_page.take_focus(widget)

    def _ask_for_panel(self) -> None:
        self.choose_panel()

    def _title(self, workspace_id: str) -> str:
        if workspace_id in self._pages:
            return self._pages[workspace_id].title
        if workspace_id not in self._titles:
            self._titles[workspace_id] = self._store.load(workspace_id).title
            self._tell_problems()
        return self._titles[workspace_id]

    def _save(self, workspace: Workspace) -> None:
        try:
            self._store.save(workspace)
        except OSError as error:
            self._messages.report(
                f"The workspace {workspace.title} could not be saved ({error.strerror or error}). "
                "It stays as it is on screen until Lapwing is closed.",
                Level.WARNING,
            )

    def _tell_problems(self) -> None:
        for problem in self._store.problems:
            self._messages.report(problem, Level.WARNING)
        self._store.problems.clear()
