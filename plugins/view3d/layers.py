"""Scene layers of the view: each adds what it knows of an instant."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from plugins.view3d.options import SpaceOptions
from plugins.view3d.scene_theme import SceneTheme
from telemetry.base.earth.tangent_plane import TangentPlane
from telemetry.vehicle.vehicle import Vehicle
from widgets.scene3d.camera_modes import SeenAircraft
from widgets.scene3d.scene import (
    PlacedMesh,
    PointCloud,
    SpaceLabel,
    SpaceLight,
    SpaceLine,
    SpaceScene,
)


@dataclass(frozen=True, slots=True, eq=False)
class SpaceInstant:
    """What all layers go by. `aircraft` is where it truly is, or believes to be where nobody tells
    the truth, and `pose_at` where it was between what was told, at other times; `eye_m` is from how
    far away one looks."""

    vehicle: Vehicle
    t: float
    origin: TangentPlane
    look: SceneTheme
    options: SpaceOptions
    aircraft: SeenAircraft
    pose_at: Callable[[float], SeenAircraft | None]
    eye_m: float


@dataclass(slots=True, eq=False)
class SceneParts:
    """A scene while it is put together; `words` stand in the corner."""

    light: SpaceLight
    meshes: list[PlacedMesh] = field(default_factory=list)
    lines: list[SpaceLine] = field(default_factory=list)
    clouds: list[PointCloud] = field(default_factory=list)
    labels: list[SpaceLabel] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def scene(self) -> SpaceScene:
        """As it is now."""
        return SpaceScene(
            tuple(self.meshes),
            tuple(self.lines),
            tuple(self.clouds),
            tuple(self.labels),
            self.light,
        )


class SpaceLayer(Protocol):
    """Adds to scenes, and hands over the same values again as long as they have not changed."""

    def add(self, parts: SceneParts, now: SpaceInstant) -> None:
        """Add what there is to see."""
