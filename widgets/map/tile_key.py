"""Tile key: the name of one map tile, and why a source of tiles cannot be used."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class TileKey:
    """One tile: zoom level, column from the west, row from the north."""

    z: int
    x: int
    y: int

    @property
    def parent(self) -> "TileKey":
        """The tile one level up that holds this one."""
        return TileKey(self.z - 1, self.x // 2, self.y // 2)


class TileSourceError(Exception):
    """The chosen source cannot be used; the message is one sentence for the user."""
