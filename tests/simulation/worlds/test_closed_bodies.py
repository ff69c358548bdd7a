"""Backs of closed bodies are left out where nobody can see them, and only there."""

from dataclasses import replace

import numpy as np
import pytest

from simulation.worlds.closed_bodies import outward, turned
from simulation.worlds.make_scene import make_scene
from simulation.worlds.rays import SceneRays
from simulation.worlds.renderer import CameraView, SceneRenderer
from simulation.worlds.scene import Mesh, joined
from simulation.worlds.world_file import load_world

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float32)
SIDES = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))


def cube() -> Mesh:
    """Of 2 m, each face with corners of its own; the senses of its triangles as they come."""
    vertices = np.concatenate([CORNERS[list(side)] for side in SIDES])
    triangles = np.concatenate([np.array([[0, 1, 2], [0, 2, 3]]) + 4 * i for i in range(6)])
    middle = np.repeat([CORNERS[list(side)].mean(axis=0) - 0.5 for side in SIDES], 4, axis=0)
    normals = (2.0 * middle).astype(np.float32)
    return Mesh(2.0 * vertices, normals, np.ones((24, 3), np.float32), triangles.astype(np.int32))


def test_a_cube_is_closed_and_all_of_its_triangles_turn_the_same_way() -> None:
    found = turned(cube())
    assert found.diameter_m == pytest.approx(2.0 * 3.0**0.5)
    a, b, c = (found.mesh.vertices[found.mesh.triangles[:, i]] for i in range(3))
    outwards = found.mesh.normals[found.mesh.triangles[:, 0]]
    assert (np.einsum("ij,ij->i", np.cross(b - a, c - a), outwards) > 0.0).all()


def test_a_cube_without_a_lid_is_open() -> None:
    mesh = cube()
    assert np.isinf(turned(replace(mesh, triangles=mesh.triangles[:-2])).diameter_m).all()
    assert np.isinf(turned(replace(mesh, triangles=mesh.triangles[:-1])).diameter_m).all()


def test_normals_point_out_of_closed_bodies_each_by_itself() -> None:
    """Two cubes that touch; of the second a lid is missing, or its normals are wrong."""
    cubes = [cube(), replace(cube(), vertices=cube().vertices + np.float32([2.0, 0.0, 0.0]))]
    body = np.repeat(np.array([0, 1], np.int32), 12)
    found = outward(joined(cubes), body, 2)
    corners = cubes[0].vertices[cubes[0].triangles].astype(np.float64)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    from_middle = corners.mean(axis=1) - 1.0
    assert (found[:12] == np.sign((normal * from_middle).sum(axis=1))).all()
    assert (found[12:] == found[:12]).all()
    wrong = replace(cubes[1], normals=-cubes[1].normals)
    assert not outward(joined([cubes[0], wrong]), body, 2)[12:].any()
    assert not outward(replace(cube(), triangles=cube().triangles[:-1]), body[:11], 1).any()


@pytest.mark.slow
def test_what_is_drawn_is_what_rays_meet() -> None:
    """From outside and from inside of bodies, in a world of closed and open ones."""
    scene = make_scene(load_world("arena"))
    renderer, rays = SceneRenderer(scene, (64, 48), 40.0), SceneRays(scene)
    across, along = np.meshgrid((np.arange(64) - 31.5) / 40.0, (np.arange(48) - 23.5) / 40.0)
    ways = np.stack([np.ones_like(across), across, along], axis=-1).reshape(-1, 3)
    lengths = np.linalg.norm(ways, axis=1)
    for heading in range(0, 360, 45):
        c, s = np.cos(np.radians(heading)), np.sin(np.radians(heading))
        turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        for place in ((0.0, 0.0, -1.7), (0.0, 14.0, -0.5), (20.0, 5.0, -6.0)):
            seen = renderer.look(CameraView(np.array(place), turn)).nearness.ravel()
            origins = np.tile(place, (len(ways), 1))
            hits = rays.cast(origins, ways @ turn / lengths[:, None], 15_000.0)
            same = np.isclose(seen, lengths / hits.range_m, rtol=1e-3, atol=1e-5)
            assert same.mean() > 0.98  # but for pixels on edges
    renderer.close()
