"""Map painting: ground and tracks as they are kept, what moves on them, and names between them."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from PySide6.QtGui import QPainter

from telemetry.base.clock import monotonic_s
from widgets.map.camera_view import paint_camera_ground
from widgets.map.grid import GridLabels
from widgets.map.ground import Ground
from widgets.map.ground_names import GroundNames
from widgets.map.options import MapOptions
from widgets.map.projection import Viewport
from widgets.map.range_rings import paint_range_rings
from widgets.map.scene import MapScene
from widgets.map.symbols import paint_symbols
from widgets.map.tile_loader import TileLoader
from widgets.map.track_layer import TrackLayer
from widgets.theme import Theme

_ZOOM_ENDS_S = 0.15


class MapPainting:
    """Paints a map. `paint_overlays` paints what others draw, between tracks and aircraft."""

    def __init__(
        self,
        loader: TileLoader,
        workers: Executor,
        paint_overlays: Callable[[QPainter, Viewport, Theme], None],
    ) -> None:
        self.ground = Ground(loader, workers)
        self._tracks = TrackLayer()
        self._names = GroundNames(workers)
        self._grid_labels = GridLabels()
        self._paint_overlays = paint_overlays
        self._zooming_until_s = 0.0

    def forget(self) -> None:
        """Paint all anew next time: the colours have changed."""
        self.ground.forget()
        self._tracks.forget()

    def begin_zooming(self) -> None:
        """The zoom is being changed: what takes long to paint is only stretched for a moment."""
        self._zooming_until_s = monotonic_s() + _ZOOM_ENDS_S

    def collect(self) -> bool:
        """Take over what has arrived; return whether there is anything new to paint."""
        is_stretched = self._tracks.is_provisional and not self._is_zooming
        has_names = self._names.collect()
        return self.ground.collect() or has_names or is_stretched

    @property
    def _is_zooming(self) -> bool:
        return monotonic_s() < self._zooming_until_s

    def paint_ahead(
        self, view: Viewport, theme: Theme, scene: MapScene, ratio: float
    ) -> Iterator[None]:
        """Paint what is kept, a part in each step: the next `paint` has it to copy only."""
        self.ground.bring_to(view.north_up, theme, ratio)
        yield
        if not self.ground.tiles_shown:
            yield from self._names.paint_ahead(view, theme, ratio)
        self._tracks.bring_to(view.north_up, theme, scene.tracks, ratio)

    def paint(
        self, painter: QPainter, view: Viewport, theme: Theme, scene: MapScene, options: MapOptions
    ) -> None:
        """Copy ground and tracks, paint what moves."""
        with _north_up(painter, view) as flat:
            self.ground.paint(painter, flat, theme)
        if not self.ground.tiles_shown:
            self._names.paint(painter, view, theme)
        with _north_up(painter, view) as flat:
            if not (self._is_zooming and self._tracks.stretch(painter, flat)):
                self._tracks.paint(painter, flat, theme, scene.tracks)
        if not (self.ground.tiles_shown or view.rotation_deg):
            self._grid_labels.paint(painter, view, theme)
        if options.range_rings:
            paint_range_rings(painter, view, theme, scene)
        if scene.camera is not None:
            paint_camera_ground(painter, view, theme, scene.camera)
        self._paint_overlays(painter, view, theme)
        paint_symbols(painter, view, theme, scene)


@contextmanager
def _north_up(painter: QPainter, view: Viewport) -> Iterator[Viewport]:
    """The window with north up in which pictures are kept, painted turned as the window is."""
    flat = view.north_up
    painter.save()
    if view.rotation_deg:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(view.width / 2, view.height / 2)
        painter.rotate(-view.rotation_deg)
        painter.translate(-flat.width / 2, -flat.height / 2)
    yield flat
    painter.restore()
