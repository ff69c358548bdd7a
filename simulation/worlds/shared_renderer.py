"""Shared renderer: pictures of one scene for several cameras and threads."""

import weakref
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Final

from simulation.worlds.renderer import CameraView, SceneRenderer, SeenView
from simulation.worlds.scene import WorldScene

_FIRST_SIZE, _FIRST_FOCAL = (64, 64), 32.0
_UNUSED: Final[SimpleQueue[tuple[ThreadPoolExecutor, SceneRenderer]]] = SimpleQueue()
"""Renderers that nobody has any more. Who finds that is the garbage collector, inside of whatever
runs then, also where an executor's lock is held: it may put something here, and nothing else."""


class SharedRenderer:
    """A SceneRenderer that any thread may ask, one at a time: it draws in a thread of its own, for
    what OpenGL has belongs to one. When nobody has it any more, whoever is asked next lets go of
    everything."""

    def __init__(self, scene: WorldScene, is_gpu: bool = False) -> None:
        """Raises NoRendererError."""
        _close_unused()
        self._thread = ThreadPoolExecutor(1, "renderer")
        made = self._thread.submit(SceneRenderer, scene, _FIRST_SIZE, _FIRST_FOCAL, is_gpu)
        self._renderer = made.result()
        self.name = self._renderer.name
        """What draws, as it calls itself."""
        weakref.finalize(self, _UNUSED.put, (self._thread, self._renderer)).atexit = False

    def look(self, view: CameraView, size: tuple[int, int], focal_px: float) -> SeenView:
        """See SceneRenderer.look."""
        _close_unused()
        return self._thread.submit(self._renderer.look, view, size, focal_px).result()


def _close_unused() -> None:
    while True:
        try:
            thread, renderer = _UNUSED.get_nowait()
        except Empty:
            return
        thread.submit(renderer.close)
        thread.shutdown(wait=False)
