"""Map keys, where no overlay takes them: follow, zoom, fit and pan."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from widgets.map.steered_map import SteeredMap

ZOOM_STEP = 0.5
_PAN_PX = 80
_PANS = {
    Qt.Key.Key_Left: (_PAN_PX, 0),
    Qt.Key.Key_Right: (-_PAN_PX, 0),
    Qt.Key.Key_Up: (0, _PAN_PX),
    Qt.Key.Key_Down: (0, -_PAN_PX),
}


def press_map_key(shown: SteeredMap, event: QKeyEvent) -> bool:
    """F follows, + and - zoom, 0 fits, Ctrl with an arrow pans; return whether it was for this."""
    key = Qt.Key(event.key())
    if key in _PANS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        shown.pan(*_PANS[key])
    elif key == Qt.Key.Key_F and not event.modifiers():
        shown.set_following(not shown.is_following)
    elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
        shown.zoom_by(ZOOM_STEP)
    elif key == Qt.Key.Key_Minus:
        shown.zoom_by(-ZOOM_STEP)
    elif key == Qt.Key.Key_0:
        shown.fit()
    else:
        return False
    return True
