"""Rays against what geometry says of them by hand."""

from dataclasses import replace

import numpy as np
import pytest

from simulation.worlds.ground_meshes import height_mesh
from simulation.worlds.make_scene import make_scene
from simulation.worlds.rays import SceneRays
from simulation.worlds.scene import NO_MESH
from simulation.worlds.world_file import load_world
from tests.simulation.worlds.scenes import plain


def fan(count: int, seed: int = 1) -> np.ndarray:
    """Directions of length 1 around north."""
    random = np.random.default_rng(seed)
    directions = np.column_stack([np.ones(count), random.uniform(-0.6, 0.6, (count, 2))])
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)


def test_the_depth_of_a_plane_at_ten_metres_is_right_within_a_millimetre() -> None:
    # The ground of `plain` is one of two triangles 28 km long: ranges from 10 m to 12 m.
    down = fan(500)[:, [1, 2, 0]]
    hits = SceneRays(plain()).cast(np.tile((3.0, 4.0, -10.0), (500, 1)), down, 100.0)
    assert np.abs(hits.range_m * down[:, 2] - 10.0).max() < 1e-3
    assert np.abs(hits.normal - (0.0, 0.0, -1.0)).max() < 1e-9
    assert np.abs(hits.point[:, 2]).max() < 1e-3


def test_a_range_ends_where_it_is_told_to_and_nothing_is_behind_a_ray() -> None:
    rays = SceneRays(plain((10.0, 0.0)))
    origins, north = np.array([[0.0, 0.0, -5.0]]), np.array([[1.0, 0.0, 0.0]])
    near, short, behind = (
        rays.cast(origins, way * north, longest_m)
        for way, longest_m in ((1.0, 10.5), (1.0, 9.5), (-1.0, 1e3))
    )
    assert near.range_m[0] == pytest.approx(10.0, abs=1e-6)
    assert near.normal[0].tolist() == [-1.0, 0.0, 0.0], "towards the sensor"
    for nothing in (short, behind):
        assert np.isinf(nothing.range_m[0])
        assert nothing.triangle[0] == -1
        assert not nothing.normal.any()
        assert not rays.colours(nothing).any()


def test_rays_say_what_they_met_and_its_colour() -> None:
    scene = plain((10.0, 0.0))
    rays, segments = SceneRays(scene), scene.segments()
    ways = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    hits = rays.cast(np.tile((0.0, 0.0, -5.0), (2, 1)), ways, 1e3)
    assert [segments.names[segments.numbers[i]] for i in hits.triangle] == ["bodies", "ground"]
    assert rays.colours(hits).tolist() == [[1.0, 0.0, 0.0], [1.0, 1.0, 1.0]]


def test_no_ray_slips_through_between_triangles() -> None:
    # A valley: it has no crest beyond which a ray may end in the sky.
    axis = np.linspace(-9000.0, 9000.0, 60)
    heights = 40.0 * np.add.outer((axis / 9000.0) ** 2, (axis / 9000.0) ** 2)
    ground = height_mesh(axis, axis, heights, (1.0, 1.0, 1.0))
    rays = SceneRays(replace(plain(), ground=ground, bodies=NO_MESH))
    place = np.array((100.0, 20.0, -60.0))
    corners = ground.vertices[ground.triangles].astype(np.float64)
    share = np.random.default_rng(1).random((len(corners), 1))
    on_edges = corners[:, 0] * share + corners[:, 1] * (1.0 - share)
    ways = on_edges[np.abs(on_edges[:, :2]).max(axis=1) < 8900.0] - place
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    hits = rays.cast(np.tile(place, (len(ways), 1)), ways, 3e4)
    assert len(ways) > 3000
    assert np.isfinite(hits.range_m).all()


def test_a_corridor_is_as_wide_to_rays_as_its_file_says() -> None:
    rays = SceneRays(make_scene(load_world("corridor:width_m=3")))
    ways = np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    hits = rays.cast(np.tile((5.0, 0.5, -1.0), (4, 1)), ways, 30.0)
    np.testing.assert_allclose(hits.range_m, [2.0, 1.0, 1.0, 1.5], atol=1e-6)


def test_the_same_rays_meet_the_same_alone_and_with_others_and_in_a_scene_made_anew() -> None:
    scene = make_scene(load_world("office"))
    vertices, triangles = scene.triangles()
    place = np.array((-8.0, 0.1, -1.2))
    # At corners and edges, where several triangles are equally near.
    middles = 0.5 * (vertices[triangles[:, 0]] + vertices[triangles[:, 1]])
    ways = np.concatenate([vertices, middles]).astype(np.float64) - place
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)

    one, other = SceneRays(scene), SceneRays(scene)
    origins = np.tile(place, (len(ways), 1))
    whole, again = (rays.cast(origins, ways, 60.0) for rays in (one, other))
    assert np.array_equal(whole.range_m, again.range_m)
    assert np.array_equal(whole.triangle, again.triangle)
    parts = [one.cast(place[None], way[None], 60.0) for way in ways[::7]]
    assert [float(hit.range_m[0]) for hit in parts] == whole.range_m[::7].tolist()
    assert [int(hit.triangle[0]) for hit in parts] == whole.triangle[::7].tolist()
