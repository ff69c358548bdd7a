"""The ring of cameras against rays of Embree, and the signs of its flow."""

import json
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from simulation.perception.flow.picture_flow import REAL, PictureFlow
from simulation.perception.flow.ring import Array, FlowRing
from simulation.perception.flow.ring_layout import AZIMUTHS_RAD, LAYOUTS, RingLayout
from simulation.perception.grey_scene import SeenScene
from simulation.worlds.make_scene import make_scene
from simulation.worlds.rays import SceneRays
from simulation.worlds.scene import WorldScene
from simulation.worlds.world_file import load_world
from telemetry.base.installation import ROOT

PLACE = (10.0, 0.2, -1.4)
CUPBOARD = (-9.4, 4.2, -1.0)


@pytest.fixture(scope="module")
def scene() -> WorldScene:
    return make_scene(load_world("corridor:width_m=2.4,texture=noise"))


@pytest.fixture(scope="module")
def seen(scene: WorldScene) -> SeenScene:
    return SeenScene(scene)


def turn(heading: float) -> Array:
    cosine, sine = math.cos(heading), math.sin(heading)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize("heading", [0.0, 1.1])
def test_it_sees_what_rays_of_embree_see(
    scene: WorldScene, seen: SeenScene, heading: float
) -> None:
    """A camera that looks along `heading` plus its azimuth, 75 degrees wide, x to the right."""
    ring = FlowRing(seen, LAYOUTS["full"], REAL)
    ring.look(PLACE, turn(heading))
    half = math.tan(math.radians(75.0 / 2.0))
    middle = ((np.arange(64) + 0.5) / 32.0 - 1.0) * half
    x, y = np.meshgrid(middle, middle)
    rays = SceneRays(scene)
    for camera in (0, 5):
        look = heading + AZIMUTHS_RAD[camera]
        ahead, right = (math.cos(look), math.sin(look)), (-math.sin(look), math.cos(look))
        ways = np.stack([ahead[0] + x * right[0], ahead[1] + x * right[1], y], axis=-1).reshape(
            -1, 3
        )
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        azimuth = AZIMUTHS_RAD[camera]
        arm = turn(heading) @ [0.05 * math.cos(azimuth), 0.05 * math.sin(azimuth), 0.01]
        origins = np.tile(np.array(PLACE) + arm, (len(ways), 1))
        expected = 255.0 * rays.colours(rays.cast(origins, ways, 1e4)).mean(axis=1)
        # Smoothed alike: one takes smaller pictures for far places, the other specks of large ones.
        found, given = (
            p.reshape(16, 4, 16, 4).mean(axis=(1, 3)) for p in (ring.pictures[camera], expected)
        )
        assert np.corrcoef(found.ravel(), given.ravel())[0, 1] > 0.98
        assert float(np.abs(found - given).mean()) < 6.0


def texel(texels: Array, look: Array, there: Array, covered_m: float) -> float:
    """What `grey_of` finds, written a second time."""
    across, down = (float(look[k : k + 3] @ there + look[k + 3]) for k in (0, 4))
    begin, high, wide, levels, tint, fineness = look[8:14].tolist()
    level = math.ceil(math.log2(max(covered_m * fineness / 1.5, 1e-9)))
    level = int(min(max(level, 0), levels))
    begin += sum(high * wide / 4**k for k in range(level))
    rows, columns = high / 2**level, wide / 2**level
    column = min(int((across % 1.0) * columns), columns - 1)
    row = min(int((down % 1.0) * rows), rows - 1)
    return float(tint * texels[int(begin + row * columns + column)])


def greys(seen: SeenScene, origins: Array, ways: Array, width_rad: float) -> Array:
    """What each ray's own hit looks like; on the ground with its grain."""
    hits = seen.grid.cast(origins, ways)
    texels = seen.grey.texels.astype("<i8").view(np.uint8)
    found = np.empty(len(ways))
    for i, triangle in enumerate(hits.triangle.tolist()):
        look = seen.grey.looks[triangle]
        there = origins[i] + hits.range_m[i] * ways[i]
        covered = float(hits.range_m[i]) * width_rad
        found[i] = texel(texels, look, there, covered)
        if look[14]:
            near = texel(texels, seen.grey.looks[int(look[14])], there, covered)
            found[i] = min(found[i] * (near / 255.0 + 0.5), 255.0)
    return found


@pytest.mark.parametrize(
    ("world", "place"),
    [
        ("corridor", (2.0, 0.3, -1.5)),
        ("office", (2.0, 0.3, -1.5)),
        ("office", CUPBOARD),
    ],
)
def test_squares_of_few_surfaces_are_what_each_ray_would_see(
    world: str, place: tuple[float, float, float]
) -> None:
    """Of every third ray of a camera, asked one by one; in the last case from inside of a body,
    whose backs are seen then."""
    seen = SeenScene(make_scene(load_world(world)))
    ring = FlowRing(seen, LAYOUTS["full"], REAL)
    ring.look(place, turn(0.3))
    half = math.tan(math.radians(75.0 / 2.0))
    middle = ((np.arange(64) + 0.5) / 32.0 - 1.0) * half
    x, y = np.meshgrid(middle, middle)
    ways = np.stack([np.ones_like(x), x, y], axis=-1).reshape(-1, 3)
    ways = ways[::3] / np.linalg.norm(ways[::3], axis=1, keepdims=True)
    for camera in (1, 4):
        azimuth = AZIMUTHS_RAD[camera]
        arm = turn(0.3) @ [0.05 * math.cos(azimuth), 0.05 * math.sin(azimuth), 0.01]
        origins = np.tile(np.array(place) + arm, (len(ways), 1))
        expected = greys(seen, origins, ways @ turn(0.3 + azimuth).T, 2.0 * half / 64)
        found = ring.pictures[camera].ravel()[::3]
        assert np.mean(np.abs(found - expected) > 1e-6) < 0.002, "but for rounding at edges"


def flow_between(seen: SeenScene, first: tuple[Array, Array], second: tuple[Array, Array]) -> Array:
    ring = FlowRing(seen)
    ring.look(*first)
    assert not ring.has_flow
    ring.look(*second)
    return ring.flow


def test_turning_left_makes_positive_flow_in_every_camera(seen: SeenScene) -> None:
    """Seed 003, appendix B.2, line 309, and figure 31."""
    place = np.array(PLACE)
    left = flow_between(seen, (place, turn(0.0)), (place, turn(-0.016)))
    assert (left[:, 0] > 10.0).all()
    right = flow_between(seen, (place, turn(0.0)), (place, turn(0.016)))
    assert (right[:, 0] < -10.0).all()


def test_what_is_passed_moves_to_the_tail(seen: SeenScene) -> None:
    """v / D sin(alpha), eq. 31: to the right in cameras that look right, to the left in the others,
    and faster on the nearer side."""
    place = np.array(PLACE)
    ahead = place + np.array([0.03, 0.0, 0.0])
    flow = flow_between(seen, (place, turn(0.0)), (ahead, turn(0.0)))[:, 0]
    assert (flow[:4] < 0.0).all()
    assert (flow[4:] > 0.0).all()
    assert flow.sum() > 0.0, "it is nearer to the right wall"


def test_what_is_above_moves_down_when_it_climbs(seen: SeenScene) -> None:
    place = np.array(PLACE)
    flow = flow_between(seen, (place, turn(0.0)), (place - np.array([0.0, 0.0, 0.01]), turn(0.0)))
    assert flow[:, 1].mean() > 0.0


def test_configurations_are_those_of_the_seed() -> None:
    """Figures 34 to 37: 16 x 16 x 8, 32 x 32 x 4 ahead, 64 x 8 x 8; A is half of 4096 pixels."""
    sizes = {n: (len(x.azimuths_rad), x.rows, x.columns) for n, x in LAYOUTS.items()}
    assert sizes["A"] == (8, 16, 16)
    assert sizes["B"] == (4, 32, 32)
    assert sizes["C"] == (8, 8, 64)
    assert np.abs(LAYOUTS["B"].azimuths_rad).max() < math.pi / 2
    assert np.degrees(AZIMUTHS_RAD) == pytest.approx(
        [-157.5, -112.5, -67.5, -22.5, 22.5, 67.5, 112.5, 157.5]
    )


def test_rings_of_several_threads_see_what_one_alone_sees(seen: SeenScene) -> None:
    """They share the scene, and nothing that is written."""

    def winding(begin: float) -> bytes:
        ring, found = FlowRing(seen, LAYOUTS["direct"]), b""
        for number in range(12):
            ring.look((begin + 0.02 * number, 0.3, -1.5), turn(begin + 0.02 * number))
            found += ring.flow.tobytes() + ring.pictures.tobytes()
        return found

    begins = (2.0, 5.0, 8.0)
    with ThreadPoolExecutor(len(begins)) as threads:
        assert list(threads.map(winding, begins)) == [winding(begin) for begin in begins]


def flown() -> list[float]:
    """Flow of a short flight in whole numbers, pixels of its last picture, and flow of noise."""
    seen = SeenScene(make_scene(load_world("corridor")))
    ring = FlowRing(seen, RingLayout(AZIMUTHS_RAD[4:6], 16, 16, 16))
    for number in range(2):
        ring.look((0.02 * number, 0.3, -1.5), turn(0.01 * number))
    flow = PictureFlow((2, 12, 12), REAL)
    for seed in (1, 2):
        flow.add(np.random.default_rng(seed).uniform(0.0, 255.0, (2, 12, 12)))
    found = (ring.flow, ring.pictures[1], flow.flow)
    return [number for array in found for number in array.ravel().tolist()]


@pytest.mark.slow
def test_plain_python_sees_the_same_bits() -> None:
    script = (
        "import json; from tests.simulation.perception.flow.test_ring import flown\n"
        "print(json.dumps(flown()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "LAPWING_PLAIN_PYTHON": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == flown()
