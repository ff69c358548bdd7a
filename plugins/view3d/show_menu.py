"""Show menu of the view: around the flight, its track, its plan, and how it is drawn."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from plugins.view3d.options import AUTOMATIC, NO_WORLD, SpaceOptions
from widgets.dialogs import ask_for_file, ask_for_folder
from widgets.map.menu import add_tile_sources, add_track_colors
from widgets.scene3d.camera_modes import CameraMode

_Chosen = TypeVar("_Chosen")
_SWITCHES = {
    "has_plan": "Plan, fences and target",
    "has_wind": "Wind",
    "has_sensors": "Cameras and scans",
    "has_map": "Map of what is seen",
}


class SpaceChoices:
    """The options as the menus of the map know them; `choose` takes over changed ones."""

    has_tile_areas = False

    def __init__(self, options: SpaceOptions, choose: Callable[[SpaceOptions], None]) -> None:
        self.options = options
        self._choose = choose

    @property
    def source_spec(self) -> str:
        """Where map tiles come from."""
        return self.options.tiles

    @property
    def track_color(self) -> str:
        """What the track's colour stands for."""
        return self.options.track_color

    def choose_source(self, spec: str) -> None:
        """Take the ground's picture from there."""
        self.put(tiles=spec)

    def choose_track_color(self, quantity: str) -> None:
        """Have it stand for something."""
        self.put(track_color=quantity)

    def show_tile_areas(self) -> None:
        """Areas are kept by maps."""

    def put(self, **changed: Any) -> None:
        """Choose other options."""
        self._choose(replace(self.options, **changed))


def fill_menu(parent: QWidget, menu: QMenu, choices: SpaceChoices) -> None:
    """Make it anew for what is chosen now."""
    for below in menu.findChildren(QMenu):
        below.deleteLater()
    menu.clear()
    for name, title in _SWITCHES.items():
        action = _checkable(menu.addAction(title), getattr(choices.options, name))
        action.toggled.connect(lambda on, name=name: choices.put(**{name: on}))
    menu.addSeparator()
    add_track_colors(parent, choices, menu.addMenu("Colour of the track"))
    _add_worlds(parent, choices, menu.addMenu("World"))
    add_tile_sources(parent, choices, menu.addMenu("Map tiles on the ground"), "None")
    _add_terrain(parent, choices, menu.addMenu("Heights of the ground"))
    menu.addSeparator()
    plain = _checkable(menu.addAction("Draw without OpenGL"), not choices.options.has_opengl)
    plain.toggled.connect(lambda on: choices.put(has_opengl=not on))


def add_second_views(
    menu: QMenu, chosen: CameraMode | None, choose: Callable[[CameraMode | None], None]
) -> None:
    """Offer the cameras whose picture may stand in the corner."""
    titles = {mode: mode.value if mode else "None" for mode in (None, *CameraMode)}
    _add_choice(menu, titles, chosen, choose)


def _add_choice(
    menu: QMenu, titles: Mapping[_Chosen, str], chosen: _Chosen, choose: Callable[[_Chosen], None]
) -> None:
    """Offer to choose one of several, each with its title."""
    group = QActionGroup(menu)
    for one, title in titles.items():
        group.addAction(_checkable(menu.addAction(title, partial(choose, one)), one == chosen))


def _checkable(action: QAction, is_checked: bool) -> QAction:
    action.setCheckable(True)
    action.setChecked(is_checked)
    return action


def _add_worlds(parent: QWidget, choices: SpaceChoices, menu: QMenu) -> None:
    from simulation.worlds.world_file import world_names

    chosen = choices.options.world
    titles = {
        AUTOMATIC: "Of the connected simulator",
        NO_WORLD: "None",
        **{name: name for name in world_names()},
    }
    if chosen not in titles:
        titles[chosen] = Path(chosen).name
    _add_choice(menu, titles, chosen, lambda name: choices.put(world=name))
    menu.addSeparator()
    menu.addAction("From a folder…", lambda: _ask_world(parent, choices))


def _add_terrain(parent: QWidget, choices: SpaceChoices, menu: QMenu) -> None:
    chosen = choices.options.terrain
    menu.addAction("Level", lambda: choices.put(terrain=""))
    if chosen:
        menu.addAction(Path(chosen).name).setEnabled(False)
    menu.addAction("From a file…", lambda: _ask_terrain(parent, choices))


def _ask_world(parent: QWidget, choices: SpaceChoices) -> None:
    title = "Choose the folder of a world (it holds world.toml)"
    ask_for_folder(parent, title, lambda path: choices.put(world=str(path)))


def _ask_terrain(parent: QWidget, choices: SpaceChoices) -> None:
    from telemetry.missions.terrain.opening import TERRAIN_SUFFIXES

    filters = f"Heights ({' '.join(f'*{suffix}' for suffix in TERRAIN_SUFFIXES)})"
    title = "Heights of the ground"
    ask_for_file(parent, title, filters, lambda path: choices.put(terrain=str(path)))
