"""The field: the same from the same seed, whole, and flat where aircraft stand."""

import numpy as np
import pytest

from simulation.worlds.field import make_field
from simulation.worlds.scene import WorldScene


@pytest.fixture(scope="module")
def field() -> WorldScene:
    return make_field(3, pixels=256)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_scene_and_another_one_another(field: WorldScene) -> None:
    again, other = make_field(3, pixels=256), make_field(4, pixels=256)
    for mine, same in ((field.ground, again.ground), (field.bodies, again.bodies)):
        assert np.array_equal(mine.vertices, same.vertices)
        assert np.array_equal(mine.colours, same.colours)
    assert np.array_equal(field.picture.pixels, again.picture.pixels)
    assert not np.array_equal(field.bodies.vertices[:9], other.bodies.vertices[:9])
    assert not np.array_equal(field.picture.pixels, other.picture.pixels)


def test_the_triangles_are_whole(field: WorldScene) -> None:
    vertices, triangles = field.triangles()
    assert np.isfinite(vertices).all()
    assert triangles.min() == 0
    assert triangles.max() == len(vertices) - 1
    for mesh in (field.ground, field.bodies):
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-3)


def test_the_ground_is_the_plane_of_the_physics_where_aircraft_stand(field: WorldScene) -> None:
    north, east, down = field.ground.vertices.T
    near = np.hypot(north, east) < 400.0
    assert near.sum() > 500
    assert not down[near].any()
    assert -down.min() > 10.0, "and hills further out"


def test_nothing_stands_on_the_strip_and_all_on_the_ground(field: WorldScene) -> None:
    north, east, down = field.bodies.vertices.T
    assert (np.hypot(north, east) > 60.0).all()
    highest, lowest = field.ground.vertices[:, 2].min(), field.ground.vertices[:, 2].max()
    assert highest - 15.0 < down.min()
    assert down.max() < lowest + 1.0
