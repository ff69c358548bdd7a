"""Range rings of round distances on the ground, around home or around an aircraft without one."""

import math

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPolygonF

from telemetry.base.earth.tangent_plane import FARTHEST_M, plane_at
from widgets.map.graticule import scale_bar
from widgets.map.projection import GeoPoint, Viewport
from widgets.map.scene import MapScene
from widgets.theme import Theme

_MOST_RINGS = 12
_AROUND = np.radians(np.arange(0.0, 360.0, 2.0))
_SHARE = 0.25
"""How much of the window's shorter side lies between two rings at most."""


def paint_range_rings(painter: QPainter, view: Viewport, theme: Theme, scene: MapScene) -> None:
    """Paint those that are in the window, each with its distance."""
    middle = ring_centre(scene)
    if middle is None:
        return
    centre = QPointF(*view.place_px(middle))
    step_px, _ = scale_bar(view.metres_per_px, min(view.width, view.height) * _SHARE, theme.units)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(theme.font("small"))
    metrics = QFontMetrics(painter.font(), painter.device())
    for number in rings_in_window(view, centre, step_px):
        radius_m = number * step_px * view.metres_per_px
        ring = ring_px(view, middle, radius_m)
        painter.setPen(QPen(theme.color("map_border"), 1))
        painter.drawPolygon(ring)
        text = theme.units.distance_text(radius_m)
        painter.setPen(theme.color("text"))
        half = metrics.horizontalAdvance(text) / 2
        painter.drawText(QPointF(centre.x() - half, ring.boundingRect().top() - 2), text)


def ring_px(view: Viewport, middle: GeoPoint, radius_m: float) -> QPolygonF:
    """What lies this far from the middle on the ground, in pixels; beyond FARTHEST_M, where nobody
    flies, a circle."""
    north, east = radius_m * np.cos(_AROUND), radius_m * np.sin(_AROUND)
    if radius_m > FARTHEST_M:
        scale, centre = view.metres_per_px, view.place_px(middle)
        pixels = np.stack((centre[0] + east / scale, centre[1] - north / scale), axis=1)
        return QPolygonF([QPointF(*pixel) for pixel in pixels.tolist()])
    plane = plane_at(middle.latitude_deg, middle.longitude_deg)
    places = plane.ground_places(north, east).tolist()
    return QPolygonF([QPointF(*view.place_px(GeoPoint(*place))) for place in places])


def ring_centre(scene: MapScene) -> GeoPoint | None:
    """What the rings are drawn around."""
    if scene.home is not None:
        return scene.home
    return scene.active.place if scene.active else None


def rings_in_window(view: Viewport, centre: QPointF, step_px: float) -> range:
    """The numbers of the rings that may be seen, counted from the centre, at most a dozen."""
    beside_x = max(0.0, -centre.x(), centre.x() - view.width)
    beside_y = max(0.0, -centre.y(), centre.y() - view.height)
    across = max(abs(centre.x()), abs(centre.x() - view.width))
    along = max(abs(centre.y()), abs(centre.y() - view.height))
    first = max(1, math.ceil(math.hypot(beside_x, beside_y) / step_px))
    last = math.floor(math.hypot(across, along) / step_px)
    return range(first, min(last, first + _MOST_RINGS - 1) + 1)
