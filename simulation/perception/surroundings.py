"""What sensors look at: a scene, with what rays and pictures of it are made by."""

from functools import cached_property

from simulation.worlds.rays import SceneRays
from simulation.worlds.scene import WorldScene


class Surroundings:
    """A scene that several sensors, and several aircraft, look at. What a kind of sensor needs is
    made when the first one asks for it."""

    def __init__(self, scene: WorldScene) -> None:
        self.scene = scene

    @cached_property
    def rays(self) -> SceneRays:
        """Rays into the scene."""
        return SceneRays(self.scene)
