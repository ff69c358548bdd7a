"""Map base layer: the world basemap, and on it map tiles or, without any, a coordinate grid."""

from concurrent.futures import Executor, Future

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter, QPixmap

from widgets.map.basemap import Basemap, load_basemap
from widgets.map.grid import paint_grid
from widgets.map.ground_lines import NearbyLand, paint_basemap
from widgets.map.layer import Layer
from widgets.map.projection import Viewport
from widgets.map.relief import HeightsOf
from widgets.map.relief_layer import ReliefLayer
from widgets.map.tile_key import TileKey
from widgets.map.tile_loader import TileLoader
from widgets.map.tile_places import tile_rect, tiles_in
from widgets.theme import Theme

_OVERZOOM_LEVELS = 8
_SHADE_ALPHA = 110
_WANTED_PX = 160
"""How far around the window tiles are asked for."""


class Ground:
    """Keeps the picture of the ground and asks the loader for the tiles that it lacks.

    The basemap is read by `jobs` when the ground is first looked at.
    """

    def __init__(self, loader: TileLoader, jobs: Executor) -> None:
        self._loader = loader
        self._jobs = jobs
        self._layer = Layer()
        self._reading: Future[Basemap] | None = None
        self._basemap: NearbyLand | None = None
        self._relief = ReliefLayer(jobs)
        self._heights_of: HeightsOf | None = None
        self.tiles_shown = 0

    def show_heights(self, heights_of: HeightsOf | None) -> None:
        """Shade the ground by its heights where there are no tiles; None for no shade."""
        if heights_of != self._heights_of:
            self._heights_of = heights_of
            self._relief.show_heights(heights_of)
            self.forget()

    def collect(self) -> bool:
        """Take over what has arrived; return whether there is anything new to paint."""
        has_news = self._loader.collect()
        if self._loader.source is None and self._relief.collect():
            has_news = True
        if self._reading is None:
            self._reading = self._jobs.submit(load_basemap)
        if self._basemap is None and self._reading.done():
            self._basemap = NearbyLand(self._reading.result())
            has_news = True
        if has_news:
            self.forget()
        return has_news

    def forget(self) -> None:
        """Paint anew next time: colours, source or tiles have changed."""
        self._layer.forget()

    def paint(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        """Paint the ground under the whole window."""
        self.bring_to(view, theme, painter.device().devicePixelRatioF())
        self._layer.paint(painter, view)

    def bring_to(self, view: Viewport, theme: Theme, ratio: float) -> None:
        """Have the picture cover a window."""
        parts, is_new = self._layer.bring_to(view, ratio)
        if is_new:
            self.tiles_shown = 0
        for part in parts:
            part.pixmap.fill(theme.color("map_background"))
            with part.painting() as part_painter:
                self._paint_layer(part_painter, part.view, theme)
        if parts:
            around = view.resized(view.width + 2 * _WANTED_PX, view.height + 2 * _WANTED_PX)
            self._want(around)
            self._relief.want(around)

    def _paint_layer(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        if self._basemap is not None:
            has_relief = self._loader.source is None
            relief = self._relief.paint if has_relief else _no_relief
            paint_basemap(painter, view, theme, self._basemap, relief)
        self.tiles_shown += self._paint_tiles(painter, view)
        if self.tiles_shown:
            self._shade(painter, view, theme)
        else:
            paint_grid(painter, view, theme, self._layer.view or view)

    def _paint_tiles(self, painter: QPainter, view: Viewport) -> int:
        """Paint what is at hand; return the number of tiles painted."""
        keys = self._keys(view)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        return sum(self._paint_tile(painter, view, key) for key in keys)

    def _keys(self, view: Viewport) -> list[TileKey]:
        source = self._loader.source
        if source is None:
            return []
        level = max(source.min_zoom, min(source.max_zoom, round(view.zoom)))
        return tiles_in(view, level)

    def _want(self, view: Viewport) -> None:
        """Ask for the tiles of the whole picture that are not at hand."""
        source = self._loader.source
        if source is not None:
            self._loader.want(self._lacking(self._keys(view), source.min_zoom))

    @staticmethod
    def _shade(painter: QPainter, view: Viewport, theme: Theme) -> None:
        """Dim tiles, which are made for bright rooms, where the theme is dark."""
        if theme.is_dark:
            shade = theme.color("map_background")
            shade.setAlpha(_SHADE_ALPHA)
            painter.fillRect(QRect(0, 0, view.width, view.height), shade)

    def _lacking(self, keys: list[TileKey], min_zoom: int) -> list[TileKey]:
        """The tiles to ask for: those in view, and for each the source has not, its parent."""
        wanted: dict[TileKey, None] = {}
        for key in keys:
            while self._loader.is_missing(key) and key.z > min_zoom:
                key = key.parent  # noqa: PLW2901
            wanted[key] = None
        return list(wanted)

    def _paint_tile(self, painter: QPainter, view: Viewport, key: TileKey) -> bool:
        """Paint a tile, or the matching part of a coarser one until it arrives."""
        found = self._nearest(key)
        if found is None:
            return False
        pixmap, levels_up = found
        parts = 2**levels_up
        side = pixmap.width() / parts
        part = QRectF((key.x % parts) * side, (key.y % parts) * side, side, side)
        painter.drawPixmap(QRectF(tile_rect(view, key)), pixmap, part)
        return True

    def _nearest(self, key: TileKey) -> tuple[QPixmap, int] | None:
        for levels_up in range(min(key.z, _OVERZOOM_LEVELS) + 1):
            pixmap = self._loader.tile(key)
            if pixmap is not None:
                return pixmap, levels_up
            if key.z:
                key = key.parent
        return None


def _no_relief(_painter: QPainter, _view: Viewport) -> None:
    """Tiles show what the ground is like."""
