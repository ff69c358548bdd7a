"""Map canvas: a window on the ground, moved by hand or following the aircraft.

It is painted natively and pulled by its owner: `show_scene` hands over what to show, `poll` takes
over tiles that arrived. Wheel zooms at the pointer, drag pans, double click fits, right click
says what can be done. Others draw on it and use its mouse by overlays (`widgets/map/overlay.py`).
"""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)

from widgets.change_detector import ChangeDetector
from widgets.focus_ring import RingedWidget
from widgets.map.bounds import CLOSEST_FIT, content_bounds, first_sight, with_marks
from widgets.map.buttons import MapButtons
from widgets.map.coordinates import coordinates_text
from widgets.map.front import MapFront, MapWords
from widgets.map.keys import ZOOM_STEP, press_map_key
from widgets.map.menu import PlaceEntries, build_menu
from widgets.map.mouse import MapMouse
from widgets.map.moved_area import moved_boxes
from widgets.map.options import MapOptions
from widgets.map.orientation import turned_by_hand, wanted_up
from widgets.map.overlay import MapOverlay, OverlayStack, pointer_of
from widgets.map.painting import MapPainting
from widgets.map.projection import Bounds, GeoPoint, PixelArea, Viewport, project
from widgets.map.relief import HeightsOf
from widgets.map.repaint_key import look_of
from widgets.map.scene import MapScene
from widgets.map.tile_choice import TileChoice
from widgets.theme import Theme

_LONGEST_QUANTITY = 500
_NO_PLACE = (
    "No position yet. The map opens at the aircraft with its first position; "
    "right click to choose map tiles."
)


class MapCanvas(RingedWidget):
    """A slippy map. `message` carries one sentence for the status line.

    `workers` read and fetch what it shows (`TileWorkers`); `close_loading` ends them.
    """

    message = Signal(str)
    source_changed = Signal(str)

    def __init__(self, theme: Theme, workers: Executor, cache: Path) -> None:
        super().__init__()
        self.entries_at: Callable[[GeoPoint], PlaceEntries] = lambda _place: ()
        """What else the menu offers for a place."""
        self._theme: Theme = theme
        self._tiles = TileChoice(self, workers, cache, self.message.emit)
        self._overlays = OverlayStack()
        self._picture = MapPainting(self._tiles.loader, workers, self._overlays.paint)
        self._front = MapFront()
        self._scene = MapScene()
        self._shown, self._badge_shown = ChangeDetector(), ChangeDetector()
        self._view = Viewport()
        self._painted = self._scene, self._view
        self._track_color = ""
        self._heights_of: HeightsOf | None = None
        self._options = MapOptions()
        self._is_following = True
        self._is_placed = False
        self._is_provisional = False
        """Whether it was placed by itself before the aircraft's place was known."""
        self._shows_all = False
        self._hand = MapMouse(self)
        self._pointer: QPointF | None = None
        self.notice = _NO_PLACE
        """What stands in the middle while there is nothing to show."""
        self.tells_of_tiles = True
        """Whether it says that there are none, which its user may choose."""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("Map")
        self._buttons = MapButtons(self, self)
        self.apply_theme(theme)

    # What is shown

    @property
    def view(self) -> Viewport:
        """The window on the world as it stands."""
        return self._view

    @property
    def scene(self) -> MapScene:
        """What was handed over last."""
        return self._scene

    @property
    def is_following(self) -> bool:
        """Whether the aircraft stays in the middle."""
        return self._is_following

    @property
    def source_spec(self) -> str:
        """Where tiles come from, as the user chose it; empty for none."""
        return self._tiles.spec

    @property
    def track_color(self) -> str:
        """What the track's colour is to stand for: "height", "speed", a field, or nothing."""
        return self._track_color

    @property
    def options(self) -> MapOptions:
        """What it shows besides its scene."""
        return self._options

    def choose_options(self, options: MapOptions) -> None:
        """Show other things besides the scene."""
        self._options = options
        self._shade_ground()
        self._point_up()
        self.update()

    def choose_track_color(self, quantity: str) -> None:
        """Ask for a track whose colour stands for something; its owner makes it so."""
        self._track_color = quantity

    @property
    def tiles_shown(self) -> int:
        """How many tiles the ground was last painted with."""
        return self._picture.ground.tiles_shown

    def sizeHint(self) -> QSize:
        """A comfortable size in a fresh window."""
        return QSize(640, 480)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self._picture.forget()
        self._buttons.place(self._theme, self._view.area)
        self.update()

    def paint_ahead(self) -> Iterator[None]:
        """Paint what the next painting will copy, a part in each step."""
        ratio = self.devicePixelRatioF()
        return self._picture.paint_ahead(self._view, self._theme, self._scene, ratio)

    def show_scene(self, scene: MapScene) -> None:
        """Show `scene`; nothing is painted if it looks like the one before."""
        self._scene = scene
        if not self._is_placed or (self._is_provisional and _is_known(scene)):
            self._find_first_place()
        self._point_up()
        if self._is_following:
            self._centre_on_aircraft()
        if self._shown.has_changed(look_of(scene, self._view)):
            self._repaint()

    def show_heights(self, heights_of: HeightsOf | None) -> None:
        """Shade the ground by these heights where there are no tiles, if that is wanted."""
        if heights_of != self._heights_of:
            self._heights_of = heights_of
            self._shade_ground()
            self.update()

    def _shade_ground(self) -> None:
        self._picture.ground.show_heights(self._heights_of if self._options.relief else None)

    def _repaint(self) -> None:
        """Paint the scene, only where it differs from that of before while the ground rests."""
        before, (self._painted, view) = self._painted, ((self._scene, self._view), self._view)
        boxes = None
        if before[1] == view and not self._options.range_rings:
            boxes = moved_boxes(before[0], self._scene, view)
        if boxes is None:
            self.update()
            return
        for box in boxes:
            self.update(box)

    def poll(self) -> None:
        """Take over a source that was opened and tiles that arrived. Call it in every tick."""
        has_source = self._tiles.poll()
        if has_source:
            self._picture.ground.forget()
        has_words = self._badge_shown.has_changed(self._badge())
        if self._picture.collect() or has_source or has_words:
            self.update()

    def close_loading(self) -> None:
        """Ask for no more tiles."""
        self._tiles.close()

    # Moving the window

    def set_view(self, view: Viewport) -> None:
        """Look somewhere else."""
        self._view = self._fitting(view)
        self._is_placed = True
        self._is_provisional = False
        self._shows_all = False
        self.update()

    def show_free_area(self, area: QRect) -> None:
        """Keep what matters in the part that no card covers, in pixels; an empty one: in all."""
        part = PixelArea(area.x(), area.y(), area.width(), area.height())
        free = None if area.isEmpty() else part
        if free != self._view.free:
            self._view = replace(self._view, free=free)
            self._keep_in_sight()
            self.update()

    def set_following(self, is_following: bool) -> None:
        """Keep the aircraft in the middle of what is free, or let the window rest."""
        self._is_following = is_following
        self._buttons.follow.setChecked(is_following)
        if is_following:
            self._centre_on_aircraft()
        self.update()

    def pan(self, dx_px: float, dy_px: float) -> None:
        """Move the ground by so many pixels and let the window rest there."""
        self.set_following(False)
        self.set_view(self._view.panned(dx_px, dy_px))

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Zoom with the place at `at` (pixels) staying there; around the middle without one."""
        if at is None or (self._is_following and self._scene.active is not None):
            at = QPointF(*self._view.area.middle)
        self._picture.begin_zooming()
        self.set_view(self._view.zoomed(self._view.zoom + steps, at.x(), at.y()))
        if self._is_following:
            self._centre_on_aircraft()

    def fit(self) -> None:
        """Show all tracks and aircraft; done again, home and target as well."""
        bounds = self._content_bounds()
        if bounds is None:
            return
        view = self._view.fitted(bounds, closest=CLOSEST_FIT)
        if view == self._view:
            view = self._view.fitted(with_marks(bounds, self._scene), closest=CLOSEST_FIT)
        self.set_following(False)
        self.set_view(view)
        self._shows_all = True

    def centre_on(self, place: GeoPoint) -> None:
        """Look at a place and let the window rest there."""
        self.set_following(False)
        self.set_view(self._view.looking_at(*project(place)))

    def find_place_again(self) -> None:
        """Look for the aircraft anew with the next scene: it is another one."""
        self._is_placed = False

    # Overlays

    def add_overlay(self, overlay: MapOverlay) -> None:
        """Show a layer of somebody else's, who keeps it; see `widgets/map/overlay.py`."""
        self._overlays.add(overlay)
        self.update()

    def remove_overlay(self, overlay: MapOverlay) -> None:
        """Show it no more."""
        self._overlays.remove(overlay)
        self.update()

    # Tiles

    def choose_source(self, spec: str) -> None:
        """Read tiles from `spec` (see `open_source`); it is opened off the GUI thread."""
        self._tiles.choose(spec)
        self._picture.ground.forget()
        self.source_changed.emit(spec)
        self.update()

    @property
    def has_tile_areas(self) -> bool:
        """Whether parts of the map can be fetched ahead."""
        return self._tiles.has_areas

    def show_tile_areas(self) -> None:
        """Show which parts of the map are kept for use without internet, and add some."""
        self._tiles.show_areas(self._view)

    def fetch_area(self) -> None:
        """Fetch the tiles of what is in sight for use without internet."""
        self._tiles.fetch(self._view)

    def _badge(self) -> str:
        tiles = self._tiles.remark(self.tiles_shown) if self.tells_of_tiles else ""
        return self._scene.note or tiles

    # State

    def save_state(self) -> dict[str, Any]:
        """Where the map looks and what it shows."""
        state: dict[str, Any] = {
            "follow": self._is_following,
            "source": self._tiles.spec,
            "track_color": self._track_color,
            **asdict(self._options),
            "rotation": round(self._view.rotation_deg, 1),
        }
        if self._is_placed and not self._is_provisional:
            centre = self._view.centre
            state["latitude"] = round(centre.latitude_deg, 7)
            state["longitude"] = round(centre.longitude_deg, 7)
            state["zoom"] = round(self._view.zoom, 3)
        return state

    def restore_state(self, state: dict[str, Any]) -> None:
        """Take over what `save_state` returned; what is missing or odd is left as it is."""
        self.set_following(bool(state.get("follow", self._is_following)))
        numbers = [state.get(key) for key in ("latitude", "longitude", "zoom")]
        if all(isinstance(number, int | float) for number in numbers):
            latitude, longitude, zoom = (float(str(number)) for number in numbers)
            view = self._view.zoomed(zoom, 0, 0).centred(*project(GeoPoint(latitude, longitude)))
            self.set_view(view)
        track_color = state.get("track_color")
        if isinstance(track_color, str) and len(track_color) <= _LONGEST_QUANTITY:
            self._track_color = track_color
        rotation = state.get("rotation")
        if isinstance(rotation, int | float) and math.isfinite(rotation):
            self.turn_to(float(rotation))
        self.choose_options(self._options.restored(state))
        source = state.get("source", "")
        if isinstance(source, str) and source != self._tiles.spec:
            self.choose_source(source)

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the map and what stands in front of it."""
        view, theme, scene = self._view, self._theme, self._scene
        is_empty = not scene.vehicles and self._content_bounds() is None
        words = MapWords(
            self._badge(),
            (self._pointed_text(), self._credit()),
            self.notice if is_empty else "",
        )
        with QPainter(self) as painter:
            self._picture.paint(painter, view, theme, scene, self._options)
            self._front.paint(painter, view, theme, scene, words)
            self.paint_ring(painter, theme.color("focus"))

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Keep the middle in the middle, and what was fitted in sight."""
        self._view = self._view.resized(self.width(), self.height())
        self._keep_in_sight()

    def _credit(self) -> str:
        source = self._tiles.loader.source
        return source.attribution if source and self.tiles_shown else ""

    def _pointed_text(self) -> str:
        if self._pointer is None:
            return ""
        place = self._view.place_at(self._pointer.x(), self._pointer.y())
        return coordinates_text(place, self._options.coordinates, self._scene.home)

    # Hands

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        notches = event.angleDelta().y() / 120.0
        if notches:
            self.zoom_by(notches * ZOOM_STEP, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Offer it to the overlays, or take hold of the ground."""
        pointer = pointer_of(event, self._view)
        if not self._overlays.press(pointer):
            self._hand.press(pointer)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move what is held, or tell the place under the pointer."""
        self._pointer = event.position()
        pointer = pointer_of(event, self._view)
        if not self._overlays.move(pointer):
            self._hand.move(pointer)
            if not event.buttons():
                self._show_cursor(self._overlays.hover(pointer))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of what is held."""
        if not self._overlays.release(pointer_of(event, self._view)):
            self._hand.release()
        self.unsetCursor()
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything, unless an overlay makes something of it."""
        if not self._overlays.double_click(pointer_of(event, self._view)):
            self.fit()
        self.update()

    def drag(self, dx_px: float, dy_px: float) -> None:
        """Move the ground as a hand does."""
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self.pan(dx_px, dy_px)

    def turn(self, start: QPointF, end: QPointF) -> None:
        """Turn the map about its middle, as a hand does that goes from one place to another."""
        middle = QPointF(*self._view.area.middle)
        turned_deg = turned_by_hand(middle, start, end)
        self.choose_options(replace(self._options, orientation="free"))
        self.turn_to(self._view.rotation_deg - turned_deg)

    def turn_to(self, rotation_deg: float) -> None:
        """Have a direction point up, clockwise from north."""
        turned = self._view.turned(rotation_deg)
        if turned == self._view:
            return
        self._view = turned
        self._buttons.north.turn_glyph(-self._view.rotation_deg)
        self.update()

    def _point_up(self) -> None:
        """Turn to what the chosen orientation wants up."""
        up = wanted_up(self._options.orientation, self._scene.active, self._view.rotation_deg)
        self.turn_to(up)

    def next_orientation(self) -> None:
        """Change between north up and track up."""
        is_north = self._options.orientation == "north"
        wanted = "track" if is_north else "north"
        self.choose_options(replace(self._options, orientation=wanted))

    def _show_cursor(self, shape: Qt.CursorShape | None) -> None:
        if shape is None:
            self.unsetCursor()
        else:
            self.setCursor(shape)

    def leaveEvent(self, _event: object) -> None:
        """Tell no place any more."""
        self._pointer = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F follows, + and - zoom, 0 fits, Ctrl with an arrow pans; overlays come first."""
        if self._overlays.key(event):
            self.update()
            return
        if not press_map_key(self, event):
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard is elsewhere now."""
        self._overlays.cancel()
        super().focusOutEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Say what can be done here. Whatever a press has begun is undone: it was a long one."""
        self._overlays.cancel()
        self._hand.release()
        place = self._view.place_at(event.pos().x(), event.pos().y())
        build_menu(self, self, place, self.entries_at(place)).popup(event.globalPos())

    # Inside

    def _centre_on_aircraft(self) -> None:
        mark = self._scene.active
        if mark is None:
            return
        (x, y), (middle_x, middle_y) = self._view.place_px(mark.place), self._view.area.middle
        if max(abs(x - middle_x), abs(y - middle_y)) >= 0.5:
            self._view = self._view.looking_at(*project(mark.place))

    def _fitting(self, view: Viewport) -> Viewport:
        """A view as this widget has room for it."""
        return replace(view.resized(self.width(), self.height()), free=self._view.free)

    def _keep_in_sight(self) -> None:
        """The room is another: have in it what was there."""
        if self._is_following:
            self._centre_on_aircraft()
        elif self._shows_all:
            self._find_first_place()
        self._buttons.place(self._theme, self._view.area)

    def _find_first_place(self) -> None:
        found = first_sight(
            self._fitting(self._view),
            self._scene,
            self._overlays.bounds,
            is_following=self._is_following,
        )
        if found is not None:
            self._view = found
            self._is_placed = True
            self._is_provisional = not _is_known(self._scene)
            self._shows_all = True

    def _content_bounds(self) -> Bounds | None:
        return content_bounds(self._scene, self._overlays.bounds)


def _is_known(scene: MapScene) -> bool:
    """Whether an aircraft is there, and where it is on Earth."""
    return scene.active is not None and not scene.note
