"""Turn menu of a video's picture: by quarters, mirrored, or upright by itself."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from telemetry.review.cameras.picture_turn import PictureTurn
from telemetry.review.flights.flight import FlightVideo
from widgets.choices import mark_chosen

BY_ITSELF = "Upright by itself"
_AS_STORED = PictureTurn()


def open_turn_menu(
    parent: QWidget, place: QPoint, video: FlightVideo, turn: Callable[[PictureTurn | None], None]
) -> QMenu:
    """Offer what can be done to a video's picture; `turn` is told how it is to be shown from now
    on, None standing for by itself."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setToolTipsVisible(True)
    shown = video.turn_shown
    steps = {
        "Turn right by 90°": shown.turned(1),
        "Turn left by 90°": shown.turned(3),
        "Exchange left and right": shown.mirrored(),
    }
    for title, wanted in steps.items():
        menu.addAction(title, partial(turn, wanted))
    menu.addSeparator()
    by_itself = mark_chosen(menu.addAction(BY_ITSELF), video.turn is None)
    by_itself.setToolTip("As its file says, and by how the camera is mounted")
    by_itself.triggered.connect(lambda: turn(None))
    as_stored = mark_chosen(menu.addAction("As the file says"), video.turn == _AS_STORED)
    as_stored.triggered.connect(lambda: turn(_AS_STORED))
    menu.popup(place)
    return menu
