"""Workspaces: named arrangements of panels, shipped as data and kept as readable JSON."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

from app.workspaces import panel_layout
from app.workspaces.cards import MOST_CARDS, Card, card_from_json, card_to_json
from app.workspaces.panel_layout import STAGE, Layout, LayoutError, Rect, Tabs
from telemetry.base import safe_files
from telemetry.base.unused_names import unused_name

VERSION = 2
MIGRATIONS: tuple[safe_files.Migration, ...] = (lambda value: value,)
"""A file of version 1 has no stage: its panels stand beside each other, as they did."""
_MOST_PANELS = 200
_RENAMED = {"simulator.scene": "view3d.view"}
"""Panels that files of earlier versions know by another name."""
SHIPPED = ("fly", "plan", "analyse", "configure", "objects", "simulator")


@dataclass(frozen=True, slots=True)
class PanelPlace:
    """One panel of a workspace: `key` is its own name here, `panel` the id of its kind."""

    key: str
    panel: str
    title: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Workspace:
    """An arrangement, as the user wants it. `stage` are the panels of which one fills the stage,
    with the `cards` on it; `layout` are those that stand beside each other, with the stage among
    them if there is one. `floating` holds x, y, width, height of panels in own windows.
    """

    id: str
    title: str
    panels: tuple[PanelPlace, ...] = ()
    layout: Layout | None = None
    floating: dict[str, Rect] = field(default_factory=dict)
    is_shipped: bool = False
    stage: Tabs | None = None
    cards: tuple[Card, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The workspace as it stands in its file."""
        return {
            "title": self.title,
            "stage": None if self.stage is None else panel_layout.tabs_to_json(self.stage),
            "cards": [card_to_json(card) for card in self.cards],
            "layout": None if self.layout is None else panel_layout.to_json(self.layout),
            "panels": {
                place.key: {
                    "panel": place.panel,
                    **({"title": place.title} if place.title else {}),
                    "settings": place.settings,
                }
                for place in self.panels
            },
            "floating": {key: list(rect) for key, rect in self.floating.items()},
        }

    @classmethod
    def from_json(cls, workspace_id: str, value: dict[str, Any]) -> "Workspace":
        """Read a workspace. Raises ValueError that says what does not fit.

        Panels that the layout forgets are put at its right; places without a panel are closed.
        """
        panels = tuple(_place(key, entry) for key, entry in dict(value.get("panels", {})).items())
        if len(panels) > _MOST_PANELS:
            raise LayoutError(f"it has {len(panels)} panels, and {_MOST_PANELS} is the most")
        left = {place.key for place in panels}
        stage = _taken(_tabs_of(value.get("stage")), left)
        cards = _cards(value.get("cards") or [], left) if stage is not None else ()
        area = value.get("layout")
        layout = None if area is None else panel_layout.from_json(area)
        keys = list(panel_layout.keys_of(layout))
        if twice := next((key for key in keys if keys.count(key) > 1), None):
            raise LayoutError(f"panel {twice!r} stands twice in the layout")
        if stage is not None:
            left.add(STAGE)
        layout = panel_layout.without(layout, set(panel_layout.keys_of(layout)) - left)
        left -= set(panel_layout.keys_of(layout))
        floating = {
            key: panel_layout.rect_from_json(rect)
            for key, rect in dict(value.get("floating", {})).items()
            if key in left
        }
        for key in sorted(left - set(floating), key=lambda key: (key != STAGE, key)):
            layout = at_the_right(layout, key)
        title = str(value.get("title") or workspace_id)
        return cls(workspace_id, title, panels, layout, floating, stage=stage, cards=cards)


class WorkspaceStore:
    """The shipped workspaces and those of the user, by id. Files are written only by `save`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.problems: list[str] = []

    def ids(self) -> tuple[str, ...]:
        """The shipped workspaces first, then the user's by name."""
        own = sorted(path.stem for path in self._folder.glob("*.json"))
        return SHIPPED + tuple(name for name in own if name not in SHIPPED)

    def load(self, workspace_id: str) -> Workspace:
        """Read the user's version, or the shipped one, or an empty workspace; never fails.

        What could not be read is told in `problems`.
        """
        path = self._path(workspace_id)
        stored = safe_files.load(
            path,
            MIGRATIONS,
            check=lambda value: Workspace.from_json(workspace_id, value),
            otherwise="The default is used.",
        )
        if stored.problem:
            self.problems.append(stored.problem)
        if stored.value is None:
            return self.shipped(workspace_id)
        own = Workspace.from_json(workspace_id, stored.value)
        return replace(own, is_shipped=workspace_id in SHIPPED)

    def shipped(self, workspace_id: str) -> Workspace:
        """The workspace as delivered, or an empty one of that id."""
        if workspace_id not in SHIPPED:
            return Workspace(workspace_id, workspace_id.replace("-", " ").capitalize())
        source = resources.files("resources").joinpath("workspaces", f"{workspace_id}.json")
        value = json.loads(source.read_text(encoding="utf-8"))
        return replace(Workspace.from_json(workspace_id, value), is_shipped=True)

    def save(self, workspace: Workspace) -> None:
        """Keep the user's version. Raises OSError."""
        safe_files.save(self._path(workspace.id), workspace.to_json(), VERSION)

    def is_stored(self, workspace_id: str) -> bool:
        """Whether the user has a version of this workspace."""
        return self._path(workspace_id).is_file()

    def reset(self, workspace_id: str) -> Workspace:
        """Go back to the shipped workspace; the user's version stays beside as the previous one."""
        path = self._path(workspace_id)
        if path.is_file():
            path.replace(safe_files.previous_of(path).with_suffix(".before-reset"))
        safe_files.previous_of(path).unlink(missing_ok=True)
        return self.shipped(workspace_id)

    def delete(self, workspace_id: str) -> None:
        """Remove a workspace of the user's."""
        safe_files.delete(self._path(workspace_id))

    def free_id(self, title: str) -> str:
        """An id for a new workspace, from its title."""
        base = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "workspace"
        return unused(base, self.ids())

    def _path(self, workspace_id: str) -> Path:
        return self._folder / f"{workspace_id}.json"


def unused(name: str, taken: Sequence[str]) -> str:
    """`name`, or `name-2`, `name-3`, ... whatever is free."""
    return unused_name(name, taken, "{}-{}")


def at_the_right(placed: Layout | None, key: str) -> Layout:
    """The layout with one more panel at its right."""
    return panel_layout.beside(placed, "", "right", Tabs((key,), key), 0.25)


def _tabs_of(value: Any) -> Tabs | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise LayoutError(f'"stage" is an object with "tabs", not {value!r}')
    return panel_layout.tabs_from_json(value)


def _taken(tabs: Tabs | None, left: set[str]) -> Tabs | None:
    """The tabs of those keys that are left, which they take; None if none of them is."""
    found = panel_layout.without(tabs, set(panel_layout.keys_of(tabs)) - left)
    if not isinstance(found, Tabs):
        return None
    left -= set(found.keys)
    return found


def _cards(value: Any, left: set[str]) -> tuple[Card, ...]:
    if not isinstance(value, list):
        raise LayoutError(f'"cards" is a list, not {value!r}')
    if len(value) > MOST_CARDS:
        raise LayoutError(f"it has {len(value)} cards, and {MOST_CARDS} is the most")
    cards = []
    for card in map(card_from_json, value):
        if (tabs := _taken(card.tabs, left)) is not None:
            cards.append(replace(card, tabs=tabs))
    return tuple(cards)


def _place(key: str, entry: Any) -> PanelPlace:
    if key == STAGE:
        raise LayoutError(f"no panel can have the key {STAGE!r}")
    if not isinstance(entry, dict) or not isinstance(entry.get("panel"), str):
        raise LayoutError(f'panel {key!r} needs "panel", the id of its kind')
    settings = entry.get("settings", {})
    if not isinstance(settings, dict):
        raise LayoutError(f"the settings of panel {key!r} are not an object")
    panel = str(entry["panel"])
    return PanelPlace(key, _RENAMED.get(panel, panel), str(entry.get("title", "")), settings)
