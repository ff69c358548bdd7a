"""Mission draft: the mission that is being edited; every view of it shows and changes this one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from telemetry.missions.mission import NEW_MISSION, Mission
from telemetry.vehicle.vehicle import Fleet

_MOST_STEPS = 500


@dataclass(frozen=True, slots=True)
class _DraftState:
    mission: Mission
    path: Path | None


class MissionDraft:
    """A mission with its file, and what it was before each edit. For the GUI thread only.

    `selected` are the numbers of the waypoints chosen last, the one that views show in full at the
    end. `version` changes with anything here.
    """

    def __init__(self) -> None:
        self._now = _DraftState(NEW_MISSION, None)
        self._before: list[tuple[str, _DraftState]] = []
        self._after: list[tuple[str, _DraftState]] = []
        self._gesture = ""
        self._in_files: dict[Path | None, Mission] = {None: NEW_MISSION}
        self.selected: tuple[int, ...] = ()
        self.version = 0

    @property
    def mission(self) -> Mission:
        """As it is now."""
        return self._now.mission

    @property
    def path(self) -> Path | None:
        """The file that saving writes; None until there is one."""
        return self._now.path

    @property
    def title(self) -> str:
        """What to call it."""
        return self.mission.name or (self.path.stem if self.path else "New mission")

    @property
    def is_unsaved(self) -> bool:
        """Whether its file holds something else."""
        in_file = self._in_files.get(self.path, NEW_MISSION)
        return replace(self.mission, home=None) != replace(in_file, home=None)

    @property
    def current(self) -> int | None:
        """The waypoint that is shown in full."""
        return self.selected[-1] if self.selected else None

    @property
    def next_index(self) -> int:
        """Where a waypoint is added: behind the current one, or last."""
        return len(self.mission.waypoints) if self.current is None else self.current + 1

    @property
    def undo_title(self) -> str:
        """The edit that undoing takes back; empty if there is none."""
        return self._before[-1][0] if self._before else ""

    @property
    def redo_title(self) -> str:
        """The edit that was taken back last; empty if there is none."""
        return self._after[-1][0] if self._after else ""

    def select(self, waypoints: Sequence[int]) -> None:
        """Choose waypoints; numbers that do not exist are left out."""
        count = len(self.mission.waypoints)
        chosen = tuple(i for i in waypoints if 0 <= i < count)
        if chosen != self.selected:
            self.selected = chosen
            self.version += 1

    def edit(self, title: str, mission: Mission, gesture: str = "") -> None:
        """Have another mission in its place. Edits of one `gesture` (a drag, a turned wheel) after
        each other are one to undo."""
        if mission == self.mission:
            return
        is_same_gesture = bool(gesture) and gesture == self._gesture
        self._gesture = gesture
        self._put(title, _DraftState(mission, self.path), is_new=not is_same_gesture)

    def end_gesture(self) -> None:
        """The next edit is one of its own."""
        self._gesture = ""

    def open(self, title: str, mission: Mission, path: Path | None = None) -> None:
        """Have a mission from elsewhere in its place, and its file if saving shall write that. What
        was here can be had back by undoing."""
        self._gesture = ""
        if path is not None:
            self._in_files[path] = mission
        self._put(title, _DraftState(mission, path), is_new=True)
        self.select(range(len(mission.waypoints))[:1])

    def take_saved(self, path: Path, mission: Mission) -> None:
        """A file holds this mission now, and is that of the draft."""
        self._in_files[path] = mission
        self._now = _DraftState(self.mission, path)
        self.version += 1

    def undo(self) -> str:
        """Take the last edit back; return its title, empty if there is none."""
        return self._step(self._before, self._after)

    def redo(self) -> str:
        """Do again what was taken back last; return its title, empty if there is nothing."""
        return self._step(self._after, self._before)

    def _step(
        self, source: list[tuple[str, _DraftState]], other: list[tuple[str, _DraftState]]
    ) -> str:
        if not source:
            return ""
        self._gesture = ""
        title, state = source.pop()
        other.append((title, self._now))
        self._take(state)
        return title

    def _put(self, title: str, state: _DraftState, *, is_new: bool) -> None:
        if is_new:
            self._before.append((title, self._now))
            del self._before[:-_MOST_STEPS]
        self._after.clear()
        self._take(state)

    def _take(self, state: _DraftState) -> None:
        self._now = state
        self.version += 1
        self.select(self.selected)


def mission_draft_of(fleet: Fleet) -> MissionDraft:
    """The one draft of a station."""
    return fleet.attachment("missions.draft", MissionDraft)
