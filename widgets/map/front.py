"""Map front: the cards that stand in the free part of a map, in front of all that moves."""

from dataclasses import dataclass

from PySide6.QtGui import QPainter

from widgets.map.decorations import (
    paint_badge,
    paint_footer,
    paint_home_readout,
    paint_notice,
    paint_scale,
    paint_shading,
)
from widgets.map.kept_card import KeptCard
from widgets.map.projection import Viewport
from widgets.map.scene import MapScene
from widgets.map.wind import paint_wind
from widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class MapWords:
    """What is written on a map: beside the scale, at the bottom right, and in the middle."""

    badge: str = ""
    footer: tuple[str, ...] = ()
    notice: str = ""


class MapFront:
    """Paints scale, readouts and remarks, and keeps the pictures of those that seldom change."""

    def __init__(self) -> None:
        self._scale, self._home = KeptCard(), KeptCard()
        self._wind, self._footer = KeptCard(), KeptCard()

    def paint(
        self, painter: QPainter, view: Viewport, theme: Theme, scene: MapScene, words: MapWords
    ) -> None:
        """Paint what a scene has of them."""
        edge = paint_scale(painter, view, theme, self._scale)
        if scene.shading is not None:
            paint_shading(painter, view, theme, scene.shading)
        paint_badge(painter, view, theme, words.badge, edge)
        if scene.wind is not None:
            paint_wind(painter, view, theme, scene.wind, self._wind)
        paint_home_readout(painter, view, theme, scene, self._home)
        paint_footer(painter, view, theme, words.footer, self._footer)
        paint_notice(painter, view, theme, words.notice)
