"""Map context menu: what can be done at a place, and where tiles come from."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from widgets.choices import mark_chosen
from widgets.dialogs import ask_for_file, ask_for_folder, ask_for_text
from widgets.map.coordinates import COORDINATES
from widgets.map.graticule import place_text
from widgets.map.options import ORIENTATIONS
from widgets.map.projection import GeoPoint
from widgets.map.steered_map import SteeredMap
from widgets.map.web_tiles import OPENSTREETMAP

TRACK_COLORS = {"": "One colour", "height": "Height", "speed": "Speed"}
"""What the colour of the track often stands for; it may be any field or expression."""


PlaceEntries = Sequence[tuple[str, Callable[[], None]]]


class TileActions(Protocol):
    """What shows map tiles and lets them be chosen."""

    @property
    def source_spec(self) -> str:
        """Where tiles come from."""

    def choose_source(self, spec: str) -> None:
        """Read tiles from there."""

    @property
    def has_tile_areas(self) -> bool:
        """Whether parts of the map can be fetched ahead."""

    def show_tile_areas(self) -> None:
        """Show which parts are kept, and add some."""


class ColoredTrack(Protocol):
    """What shows a track in colours that stand for something."""

    @property
    def track_color(self) -> str:
        """What the track's colour stands for: one of TRACK_COLORS, a field or an expression."""

    def choose_track_color(self, quantity: str) -> None:
        """Have it stand for something."""


class MapActions(SteeredMap, TileActions, ColoredTrack, Protocol):
    """What a map lets its menu do."""


def build_menu(
    parent: QWidget, canvas: MapActions, place: GeoPoint, at_place: PlaceEntries = ()
) -> QMenu:
    """Make the menu for a click at `place`; it deletes itself when closed. `at_place` are titles
    with what they do."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for title, act in at_place:
        menu.addAction(title, act)
    if at_place:
        menu.addSeparator()
    text = place_text(place.latitude_deg, place.longitude_deg)
    menu.addAction(f"Copy {text}", lambda: QGuiApplication.clipboard().setText(text))
    menu.addAction("Centre here", lambda: canvas.centre_on(place))
    menu.addSeparator()
    follow = mark_chosen(menu.addAction("Follow the aircraft\tF"), canvas.is_following)
    follow.toggled.connect(canvas.set_following)
    menu.addAction("Fit track\t0", canvas.fit)
    menu.addAction("Fetch this area", canvas.fetch_area)
    menu.addSeparator()
    _add_options(canvas, menu)
    add_track_colors(parent, canvas, menu.addMenu("Colour of the track"))
    add_tile_sources(parent, canvas, menu.addMenu("Map tiles"))
    return menu


def _add_options(canvas: SteeredMap, menu: QMenu) -> None:
    options = canvas.options
    for name, title in (
        ("range_rings", "Range rings"),
        ("camera_view", "Ground that the camera sees"),
        ("relief", "Relief"),
    ):
        choice = mark_chosen(menu.addAction(title), getattr(options, name))
        choice.toggled.connect(partial(_choose, canvas, name))
    for name, title, names in (
        ("orientation", "Orientation", ORIENTATIONS),
        ("coordinates", "Coordinates", COORDINATES),
    ):
        below = menu.addMenu(title)
        group = QActionGroup(below)
        for value, words in names.items():
            action = below.addAction(words, partial(_choose, canvas, name, value))
            mark_chosen(action, getattr(options, name) == value, group)


def _choose(canvas: SteeredMap, name: str, value: str | bool) -> None:
    canvas.choose_options(canvas.options.restored({name: value}))


def add_track_colors(parent: QWidget, canvas: ColoredTrack, menu: QMenu) -> None:
    """Offer what the colour of a track may stand for."""
    group = QActionGroup(menu)
    chosen = canvas.track_color
    for quantity, title in TRACK_COLORS.items():
        action = menu.addAction(title, partial(canvas.choose_track_color, quantity))
        mark_chosen(action, quantity == chosen, group)
    is_field = chosen not in TRACK_COLORS
    title = f"{chosen} …" if is_field else "Field or expression …"
    own = menu.addAction(title, lambda: _ask_quantity(parent, canvas))
    mark_chosen(own, is_field, group)


def _ask_quantity(parent: QWidget, canvas: ColoredTrack) -> None:
    ask_for_text(
        parent,
        "Colour of the track",
        "A field (AccelState.z) or an expression (=norm(AccelState.x, AccelState.y))",
        lambda text: canvas.choose_track_color(text.strip()),
        "" if canvas.track_color in TRACK_COLORS else canvas.track_color,
    )


def add_tile_sources(
    parent: QWidget, canvas: TileActions, menu: QMenu, none: str = "None (coasts, borders, grid)"
) -> None:
    """Offer where tiles may come from; `none` is what there is without."""
    spec = canvas.source_spec
    is_web = spec.startswith(("http://", "https://"))
    without = menu.addAction(none, lambda: canvas.choose_source(""))
    openstreetmap = menu.addAction(
        "OpenStreetMap (internet)", lambda: canvas.choose_source(OPENSTREETMAP)
    )
    address = menu.addAction("Web address…", lambda: _ask_address(parent, canvas))
    files = menu.addAction("MBTiles file…", lambda: _ask_file(parent, canvas))
    folder = menu.addAction("Tile folder…", lambda: _ask_folder(parent, canvas))
    chosen = {
        without: not spec,
        openstreetmap: spec == OPENSTREETMAP,
        address: is_web and spec != OPENSTREETMAP,
        files: bool(spec) and not is_web and spec.lower().endswith(".mbtiles"),
    }
    chosen[folder] = not any(chosen.values())
    for action, is_chosen in chosen.items():
        mark_chosen(action, is_chosen)
    if spec:
        menu.addSeparator()
        menu.addAction("Load again", lambda: canvas.choose_source(spec))
    if canvas.has_tile_areas:
        menu.addAction("Areas for use without internet…", canvas.show_tile_areas)


def _ask_address(parent: QWidget, canvas: TileActions) -> None:
    label = "Address with {z}, {x} and {y}, as in https://server/{z}/{x}/{y}.png"
    title = "Map tiles from a web address"
    ask_for_text(parent, title, label, canvas.choose_source, canvas.source_spec)


def _ask_file(parent: QWidget, canvas: TileActions) -> None:
    filters = "MBTiles (*.mbtiles);;All files (*)"
    ask_for_file(parent, "Open map tiles", filters, lambda path: canvas.choose_source(str(path)))


def _ask_folder(parent: QWidget, canvas: TileActions) -> None:
    title = "Choose the folder that holds {z}/{x}/{y}.png"
    ask_for_folder(parent, title, lambda path: canvas.choose_source(str(path)), hides_files=True)
