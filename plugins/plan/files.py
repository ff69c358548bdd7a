"""Mission files to open and save, chosen by dialogs that block nothing and read by jobs."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from plugins.plan.shared_plan import SharedPlan
from telemetry.missions.files.formats import (
    MISSION_FORMATS,
    SUFFIX,
    is_own,
    read_carried,
    read_suffixes,
    write_mission,
    written_suffixes,
)
from telemetry.missions.mission import Mission
from widgets.dialogs import ask_for_file, ask_where_to_save
from widgets.drop_filter import dropped_files


class PlanFiles:
    """Opens and saves the draft. Problems are told by `context.show_message` and stay in
    `problem` until the next attempt. Call `poll` in every refresh."""

    def __init__(self, context: PanelContext, plan: SharedPlan, parent: QWidget) -> None:
        self._context, self._plan, self._parent = context, plan, parent
        self._working: Future[Callable[[], str]] | None = None
        self.problem = ""

    def poll(self) -> None:
        """Take over what was read or written."""
        working = self._working
        if working is None or not working.done():
            return
        self._working = None
        error = working.exception()
        self.problem = str(error) if error else ""
        self._context.show_message(self.problem or working.result()())

    def ask_what_to_open(self) -> None:
        """Let the user choose a file."""
        path = self._plan.draft.path
        folder = path.parent if path is not None else None
        patterns = " ".join(f"*{suffix}" for suffix in read_suffixes())
        filters = f"Missions ({patterns});;All files (*)"
        ask_for_file(self._parent, "Open a mission", filters, self.open, folder)

    def ask_where_to_save(self) -> None:
        """Let the user choose where."""
        draft, title = self._plan.draft, "Save the mission as"
        name = draft.path or f"{draft.title}{SUFFIX}"
        written = [row for row in MISSION_FORMATS.values() if row.write is not None and row.title]
        filters = ";;".join(f"{row.title} (*{row.suffix})" for row in written)
        ask_where_to_save(self._parent, title, filters, SUFFIX, self.save_as, name)

    def open(self, path: Path) -> None:
        """Read a file; what was there can be had back by undoing."""
        home, draft = self._plan.home or self._plan.draft.mission.home, self._plan.draft

        def read() -> Callable[[], str]:
            carried = read_carried(path, home)
            mission = carried.mission

            def take() -> str:
                draft.open(f"Open {path.name}", mission, path if carried.is_own else None)
                count = f"{path.name}: {len(mission.waypoints)} waypoints."
                return " ".join((count, *carried.left_out))

            return take

        self._begin(read)

    def save(self) -> None:
        """Save to the file it came from, or ask where."""
        path = self._plan.draft.path
        if path is None:
            self.ask_where_to_save()
        else:
            self.save_as(path)

    def save_as(self, path: Path) -> None:
        """Write a file; ours becomes that of the draft, the others are copies."""
        is_known = path.name.lower().endswith(written_suffixes())
        path = path if is_known else path.with_suffix(SUFFIX)
        draft = self._plan.draft
        mission: Mission = draft.mission

        def write() -> Callable[[], str]:
            left_out = write_mission(path, mission)

            def take() -> str:
                if is_own(path):
                    draft.take_saved(path, mission)
                return " ".join((f"Saved as {path}.", *left_out))

            return take

        self._begin(write)

    def _begin(self, work: Callable[[], Callable[[], str]]) -> None:
        self.problem = ""
        if self._working is None:
            self._working = self._context.jobs.submit(work)
        else:
            self._context.show_message("A file is being read or written; try again.")


def dropped_mission(drag: QDropEvent) -> Path | None:
    """The mission among files that are dragged, if there is one."""
    paths = dropped_files(drag)
    return next((path for path in paths if path.name.lower().endswith(read_suffixes())), None)
