"""A renderer that several cameras share, and that goes when they have gone."""

import gc
import threading

import numpy as np
import pytest

from simulation.worlds.make_scene import make_scene
from simulation.worlds.renderer import CameraView
from simulation.worlds.shared_renderer import SharedRenderer
from simulation.worlds.world_file import load_world
from tests.waiting import wait_until

VIEW = CameraView(np.array([0.0, 0.0, -1.5]), np.eye(3))


def renderer_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("renderer")}


@pytest.mark.slow
def test_one_that_the_collector_finds_ends_with_the_next_picture_and_not_before() -> None:
    """The collector may run while an executor is handed something, under a lock that its ending
    would wait for: a flight hung so. What it finds therefore waits for whoever draws next."""
    scene = make_scene(load_world("corridor"))
    gc.collect()
    before = renderer_threads()
    renderer = SharedRenderer(scene)
    renderer.look(VIEW, (64, 64), 32.0)  # ends what other tests have left
    own = renderer_threads()
    unused: list[object] = [SharedRenderer(scene)]
    (of_unused,) = renderer_threads() - own
    unused.append(unused)  # a circle, which only the collector finds
    del unused
    gc.collect()
    assert of_unused.is_alive(), "the collector ends nothing"
    renderer.look(VIEW, (64, 64), 32.0)
    wait_until(lambda: not of_unused.is_alive())
    assert renderer_threads() - before, "the one that is in use goes on"
