"""Pictures of one scene for several cameras and threads."""

import weakref
from concurrent.futures import ThreadPoolExecutor

from simulation.worlds.renderer import CameraView, SceneRenderer, SeenView
from simulation.worlds.scene import WorldScene

_FIRST_SIZE, _FIRST_FOCAL = (64, 64), 32.0


class SharedRenderer:
    """A SceneRenderer that any thread may ask, one at a time: it draws in a thread of its own, for
    what OpenGL has belongs to one. Lets go of everything when nobody has it any more."""

    def __init__(self, scene: WorldScene, is_gpu: bool = False) -> None:
        """Raises NoRendererError."""
        self._thread = ThreadPoolExecutor(1, "renderer")
        made = self._thread.submit(SceneRenderer, scene, _FIRST_SIZE, _FIRST_FOCAL, is_gpu)
        self._renderer = made.result()
        self.name = self._renderer.name
        """What draws, as it calls itself."""
        weakref.finalize(self, _end, self._thread, self._renderer).atexit = False

    def look(self, view: CameraView, size: tuple[int, int], focal_px: float) -> SeenView:
        """See SceneRenderer.look."""
        return self._thread.submit(self._renderer.look, view, size, focal_px).result()


def _end(thread: ThreadPoolExecutor, renderer: SceneRenderer) -> None:
    thread.submit(renderer.close)
    thread.shutdown(wait=False)
