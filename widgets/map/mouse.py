"""Map mouse, where nothing else takes it: it drags the ground, and with Ctrl turns it."""

from PySide6.QtCore import QPointF, Qt

from widgets.map.overlay import MapPointer
from widgets.map.steered_map import SteeredMap

_DRAG_STARTS_PX = 4


class MapMouse:
    """Takes hold of the ground once the pressed mouse has moved a little."""

    def __init__(self, ground: SteeredMap) -> None:
        self._ground = ground
        self._held: QPointF | None = None
        self._turns = False
        self.is_dragging = False

    def press(self, pointer: MapPointer) -> None:
        """Take hold of the ground."""
        if pointer.button in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._held = pointer.position
            self._turns = bool(pointer.modifiers & Qt.KeyboardModifier.ControlModifier)
            self.is_dragging = False

    def move(self, pointer: MapPointer) -> None:
        """Drag what is held."""
        if self._held is None:
            return
        moved = pointer.position - self._held
        if self.is_dragging or moved.manhattanLength() >= _DRAG_STARTS_PX:
            self.is_dragging = True
            if self._turns:
                self._ground.turn(self._held, pointer.position)
            else:
                self._ground.drag(moved.x(), moved.y())
            self._held = pointer.position

    def release(self) -> None:
        """Let go of the ground."""
        self._held = None
        self.is_dragging = False
