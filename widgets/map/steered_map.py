"""The map as keys, mouse, buttons and menu steer it."""

from typing import Protocol

from PySide6.QtCore import QPointF

from widgets.map.options import MapOptions
from widgets.map.projection import GeoPoint


class SteeredMap(Protocol):
    """What each of them may do with a map."""

    @property
    def is_following(self) -> bool:
        """Whether the aircraft stays in the middle."""

    def set_following(self, is_following: bool) -> None:
        """Keep the aircraft in the middle, or not."""

    @property
    def options(self) -> MapOptions:
        """What the map shows besides its scene."""

    def choose_options(self, options: MapOptions) -> None:
        """Show other things."""

    def next_orientation(self) -> None:
        """Have something else point up."""

    def fit(self) -> None:
        """Show all tracks."""

    def fetch_area(self) -> None:
        """Fetch the tiles of what is in sight, to be kept."""

    def centre_on(self, place: GeoPoint) -> None:
        """Look at a place."""

    def zoom_by(self, steps: float) -> None:
        """Zoom around the middle."""

    def pan(self, dx_px: float, dy_px: float) -> None:
        """Move the ground by so many pixels."""

    def drag(self, dx_px: float, dy_px: float) -> None:
        """Move the ground by so many pixels, as a hand does."""

    def turn(self, start: QPointF, end: QPointF) -> None:
        """Turn the ground about the middle, as the hand goes from one place to another."""
