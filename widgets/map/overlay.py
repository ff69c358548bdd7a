"""Map overlays: what others draw on a map and do there with the mouse.

A plugin that needs a map of its own (missions, fences) builds a `MapCanvas`, hands it the scene of
`FleetScene` in every refresh, and adds its layers: subclasses of `MapOverlay`. Overlays are painted
in the order they were added, above the tracks and below aircraft and readouts. The mouse is offered
to the one added last first; the first that takes a press gets all moves until the release, and what
none takes pans the map. Coordinates are logical pixels of the window; `MapPointer.place` and
`view.place_px` go between them and places on earth, whatever the zoom and the rotation.
"""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from widgets.map.projection import Bounds, GeoPoint, Viewport
from widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class MapPointer:
    """The mouse on a map. `button` is the one pressed or released, none for a move."""

    position: QPointF
    view: Viewport
    button: Qt.MouseButton = Qt.MouseButton.NoButton
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier

    @property
    def place(self) -> GeoPoint:
        """The place on earth under it."""
        return self.view.place_at(self.position.x(), self.position.y())

    def distance_px(self, place: GeoPoint) -> float:
        """How far from a place it is."""
        x, y = self.view.place_px(place)
        return float(((self.position.x() - x) ** 2 + (self.position.y() - y) ** 2) ** 0.5)


class MapOverlay:
    """A layer on a map; each method may be left out. Call the canvas's `update` when its look
    has changed by itself; after the mouse and keys that it took, the canvas paints anyway."""

    def paint(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        """Paint in logical pixels of the window; the painter is restored afterwards."""

    def bounds(self) -> Bounds | None:
        """The rectangle that showing everything should include."""
        return None

    def press(self, pointer: MapPointer) -> bool:
        """A button went down; return True to take the mouse until it is released."""
        return False

    def move(self, pointer: MapPointer) -> None:
        """The mouse moved while it is taken."""

    def release(self, pointer: MapPointer) -> None:
        """The button went up again."""

    def cancel(self) -> None:
        """The mouse was taken away while a button was down: undo what its moves did."""

    def double_click(self, pointer: MapPointer) -> bool:
        """Return True where that does something here; else everything is fitted to the window."""
        return False

    def hover(self, pointer: MapPointer) -> Qt.CursorShape | None:
        """The mouse moved with no button down; return the cursor where something can be taken."""
        return None

    def key(self, event: QKeyEvent) -> bool:
        """A key went down while the map has the keyboard; return True if it was for this."""
        return False


class OverlayStack:
    """The overlays of one map and which of them has the mouse."""

    def __init__(self) -> None:
        self._overlays: list[MapOverlay] = []
        self._taker: MapOverlay | None = None

    def add(self, overlay: MapOverlay) -> None:
        """Put one on top."""
        self._overlays.append(overlay)

    def remove(self, overlay: MapOverlay) -> None:
        """Take one away; none if it is not there."""
        if overlay is self._taker:
            self.cancel()
        if overlay in self._overlays:
            self._overlays.remove(overlay)

    @property
    def bounds(self) -> list[Bounds]:
        """The rectangles of those that have one."""
        return [box for overlay in self._overlays if (box := overlay.bounds()) is not None]

    def paint(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        """Paint all of them."""
        for overlay in self._overlays:
            painter.save()
            overlay.paint(painter, view, theme)
            painter.restore()

    def press(self, pointer: MapPointer) -> bool:
        """Offer a press; return whether one took it."""
        if self._taker is None:
            self._taker = next((one for one in self._overlays[::-1] if one.press(pointer)), None)
        return self._taker is not None

    def move(self, pointer: MapPointer) -> bool:
        """Hand a move to the one that has the mouse; return whether there is one."""
        if self._taker is not None:
            self._taker.move(pointer)
        return self._taker is not None

    def release(self, pointer: MapPointer) -> bool:
        """End what a press began; return whether one had the mouse."""
        taker, self._taker = self._taker, None
        if taker is not None:
            taker.release(pointer)
        return taker is not None

    def cancel(self) -> None:
        """Take the mouse away from whoever has it."""
        taker, self._taker = self._taker, None
        if taker is not None:
            taker.cancel()

    def double_click(self, pointer: MapPointer) -> bool:
        """Offer a double click; return whether one did something."""
        return any(overlay.double_click(pointer) for overlay in self._overlays[::-1])

    def hover(self, pointer: MapPointer) -> Qt.CursorShape | None:
        """The cursor of the topmost that has one here."""
        for overlay in self._overlays[::-1]:
            if (shape := overlay.hover(pointer)) is not None:
                return shape
        return None

    def key(self, event: QKeyEvent) -> bool:
        """Offer a key; return whether it was for one of them."""
        return any(overlay.key(event) for overlay in self._overlays[::-1])


def pointer_of(event: QMouseEvent, view: Viewport) -> MapPointer:
    """The mouse as an event tells it."""
    return MapPointer(event.position(), view, event.button(), event.modifiers())
