"""Surroundings that sensors look at: a scene, with its rays and pictures."""

from functools import cached_property

from simulation.compiler.program_record import ProgramTables
from simulation.perception.grey_scene import SeenScene
from simulation.perception.reflectivity import surface_tables
from simulation.worlds.rays import SceneRays
from simulation.worlds.scene import WorldScene
from simulation.worlds.shared_renderer import SharedRenderer


class Surroundings:
    """A scene that several sensors, and several aircraft of one thread, look at. What a kind of
    sensor needs is made when the first one asks for it."""

    def __init__(self, scene: WorldScene, is_gpu: bool = False) -> None:
        """`is_gpu`: pictures are drawn by the graphics card, which is faster, and not the same on
        every machine."""
        self.scene = scene
        self._is_gpu = is_gpu

    @cached_property
    def rays(self) -> SceneRays:
        """Rays into the scene."""
        return SceneRays(self.scene)

    @cached_property
    def seen(self) -> SeenScene:
        """What rings of small cameras see of the scene."""
        return SeenScene(self.scene)

    @cached_property
    def renderer(self) -> SharedRenderer:
        """Pictures of the scene. Raises NoRendererError."""
        return SharedRenderer(self.scene, self._is_gpu)

    @cached_property
    def surfaces(self) -> ProgramTables:
        """What the triangles that rays meet send back, for compiled code."""
        return surface_tables(self.rays.surfaces)
