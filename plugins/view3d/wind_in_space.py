"""Wind arrow before the aircraft, which points where the air goes."""

import numpy as np

from plugins.view3d.layers import SceneParts, SpaceInstant
from widgets.map.wind import wind_of, wind_text
from widgets.scene3d.camera import looking
from widgets.scene3d.scene import PlacedMesh, Rgb, SolidMesh
from widgets.scene3d.solids import arrow

_LEAST_MPS, _FULL_MPS = 0.3, 10.0
_LENGTH, _ASIDE = 0.16, 0.28
"""Shares of how far away one looks from: the arrow in a strong wind, and how far to windward it
begins."""


class WindInSpace:
    """Keeps its arrow of length 1."""

    def __init__(self) -> None:
        self._made: tuple[Rgb, SolidMesh] | None = None

    def add(self, parts: SceneParts, now: SpaceInstant) -> None:
        """See SpaceLayer."""
        wind = wind_of(now.vehicle.recording, now.t) if now.options.has_wind else None
        if wind is None:
            return
        parts.words.append(wind_text(wind, now.look.units))
        if wind.speed_mps < _LEAST_MPS:
            return
        # Rows of `looking` are axes; the arrow lies along the first.
        turn = looking(wind.from_deg + 180.0, 0.0).T
        size = now.eye_m * _LENGTH * min(wind.speed_mps / _FULL_MPS, 1.5)
        place = np.asarray(now.aircraft.position) - turn[:, 0] * (now.eye_m * _ASIDE)
        north, east, down = place.tolist()
        mesh = self._mesh(now.look.wind)
        parts.meshes.append(PlacedMesh(mesh, (north, east, down), turn, scale=size))

    def _mesh(self, colour: Rgb) -> SolidMesh:
        if self._made is None or self._made[0] != colour:
            self._made = colour, arrow((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.09, colour)
        return self._made[1]
