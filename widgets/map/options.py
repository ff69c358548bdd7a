"""Map options: what a map shows besides its scene, as its user chose."""

from dataclasses import dataclass
from typing import Any, Final

from widgets.map.coordinates import COORDINATES

ORIENTATIONS: Final = {"north": "North up", "track": "Track up", "free": "Turned by hand"}
"""What points up: with "track" the aircraft's course, or its heading while it stands."""


@dataclass(frozen=True, slots=True)
class MapOptions:
    """Choices that are kept with a map."""

    coordinates: str = "degrees"
    orientation: str = "north"
    range_rings: bool = False
    camera_view: bool = False
    relief: bool = True

    def restored(self, state: dict[str, Any]) -> "MapOptions":
        """With what a saved state says; what is missing or odd is left as it is."""
        coordinates, orientation = state.get("coordinates"), state.get("orientation")
        rings, camera, relief = (
            state.get(name) for name in ("range_rings", "camera_view", "relief")
        )
        return MapOptions(
            coordinates if coordinates in tuple(COORDINATES) else self.coordinates,
            orientation if orientation in tuple(ORIENTATIONS) else self.orientation,
            rings if isinstance(rings, bool) else self.range_rings,
            camera if isinstance(camera, bool) else self.camera_view,
            relief if isinstance(relief, bool) else self.relief,
        )
