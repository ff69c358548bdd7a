"""The village: the same from the same seed, its houses on the ground, apart, and named."""

import numpy as np
import pytest

from simulation.worlds.make_scene import make_scene
from simulation.worlds.scene import WorldScene
from simulation.worlds.start_check import surface_depths
from simulation.worlds.world_file import load_world

SMALL = load_world("village:pixels=256,houses=40,trees=100")


@pytest.fixture(scope="module")
def village() -> WorldScene:
    return make_scene(SMALL)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_village_and_another_one_another(village: WorldScene) -> None:
    again, other = make_scene(SMALL), make_scene(SMALL, 2)
    for mine, same in zip(village.meshes, again.meshes, strict=True):
        assert np.array_equal(mine.vertices, same.vertices)
    assert np.array_equal(village.picture.pixels, again.picture.pixels)
    assert not np.array_equal(village.meshes[2].vertices[:9], other.meshes[2].vertices[:9])


@pytest.mark.slow
def test_every_house_has_a_name_and_stands_on_the_ground_apart_from_the_others(
    village: WorldScene,
) -> None:
    segments, (vertices, triangles) = village.segments(), village.triangles()
    ground = village.ground.vertices[village.ground.triangles].astype(np.float64)
    middles = []
    for number, name in enumerate(segments.names):
        if not name.startswith("house"):
            continue
        mine = vertices[triangles[segments.numbers == number]].reshape(-1, 3).astype(np.float64)
        middle = 0.5 * (mine.min(axis=0) + mine.max(axis=0))
        (depth,) = surface_depths(np.array((*middle[:2], 0.0)), ground)[:1]
        assert 0.2 < mine[:, 2].max() - depth < 2.0, "its cellar reaches into the ground"
        middles.append(middle[:2])
    places = np.array(middles)
    assert len(places) == 40
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e3 * np.eye(len(places))
    assert apart.min() > 10.0
    assert np.ptp(places[:, 0]) > 100.0


def test_a_village_without_trees_is_one() -> None:
    scene = make_scene(load_world("village:pixels=256,houses=1,trees=0"))
    assert not len(scene.bodies.triangles)
    assert scene.segments().names == ("ground", "trees", "house 1", "church")
