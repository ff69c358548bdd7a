"""Meshes, pictures and rasters that cannot be used say so; what can be used says what it lacks."""

from pathlib import Path

import numpy as np
import pytest

from simulation.worlds import ground_meshes, mesh_file
from simulation.worlds.make_scene import make_scene
from simulation.worlds.rays import SceneRays
from simulation.worlds.scene import WorldScene
from simulation.worlds.world import WorldError
from simulation.worlds.world_file import load_world

START = "[starts.here]\nposition_m = [0.0, 0.0, 0.0]\n"
MEADOW = f"title = 'A meadow'\n[ground]\nreach_m = 50.0\n{START}"
MESH = f"{MEADOW}[meshes.thing]\nfile = 'thing.obj'\nposition_m = [10.0, 0.0, 0.0]\n"
RASTER = (
    "title = 'Hills'\n[ground]\nheights = 'hills.tif'\nstep_m = 2.0\n"
    "[starts.here]\nposition_m = [0.0, 0.0, -20.0]\n"
)
CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 3)]
CUBE = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]


def obj(faces: list[tuple[int, ...]] = CUBE, head: str = "") -> str:
    """A box of 1 x 2 x 3 of the file's units, y up."""
    lines = [head, *(f"v {x} {y} {z}" for x, y, z in CORNERS)]
    lines += ["vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1"]
    lines += ["f " + " ".join(f"{v}/{i + 1}" for i, v in enumerate(face)) for face in faces]
    return "\n".join(lines)


def scene_of(folder: Path, text: str, **files: str | bytes) -> WorldScene:
    for name, content in {"world.toml": text, **files}.items():
        path = folder / name.replace("__", ".")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return make_scene(load_world(folder))


def complaint(folder: Path, text: str, **files: str | bytes) -> str:
    with pytest.raises(WorldError) as error:
        scene_of(folder, text, **files)
    return str(error.value)


def extent(scene: WorldScene) -> list[list[float]]:
    """Of the thing: lowest and highest north, east, down."""
    segments, (vertices, triangles) = scene.segments(), scene.triangles()
    mine = vertices[triangles[segments.numbers == segments.names.index("thing")]].reshape(-1, 3)
    return [mine.min(axis=0).round(6).tolist(), mine.max(axis=0).round(6).tolist()]


def picture(red: int = 200) -> bytes:
    import cv2

    pixels = np.zeros((4, 4, 3), np.uint8)
    pixels[:, :2, 2] = red
    return bytes(cv2.imencode(".png", pixels)[1])


def raster(heights: np.ndarray, folder: Path) -> bytes:
    import tifffile

    path = folder / "made.tif"
    tifffile.imwrite(path, heights.astype(np.float32))
    return path.read_bytes()


@pytest.mark.parametrize(
    ("keys", "low", "high"),
    [
        # x is east and z is south if y is up; y is north if z is up.
        ("", [7.0, 0.0, -2.0], [10.0, 1.0, 0.0]),
        ("axes = 'z-up'", [10.0, 0.0, -3.0], [12.0, 1.0, 0.0]),
        ("axes = 'ned'", [10.0, 0.0, 0.0], [11.0, 2.0, 3.0]),
        ("unit = 'cm'", [9.97, 0.0, -0.02], [10.0, 0.01, 0.0]),
        ("attitude_deg = [0.0, 0.0, 90.0]", [9.0, -3.0, -2.0], [10.0, 0.0, 0.0]),
    ],
)
def test_a_mesh_comes_in_its_unit_and_axes(
    tmp_path: Path, keys: str, low: list[float], high: list[float]
) -> None:
    scene = scene_of(tmp_path, f"{MESH}{keys}\n", thing__obj=obj())
    np.testing.assert_allclose(extent(scene), [low, high], atol=1e-5)
    assert scene.notes == ()


def test_a_mesh_brings_its_picture(tmp_path: Path) -> None:
    head = "mtllib thing.mtl\nusemtl wood"
    mtl = "newmtl wood\nKd 1 1 1\nmap_Kd wood.png\n"
    scene = scene_of(tmp_path, MESH, thing__obj=obj(head=head), thing__mtl=mtl, wood__png=picture())
    (body,) = scene.pictured
    assert body.pixels[0, 0].tolist() == [200, 0, 0]
    assert body.pixels[0, 3].tolist() == [0, 0, 0]


def test_an_open_mesh_is_used_and_said_to_be_open(tmp_path: Path) -> None:
    scene = scene_of(tmp_path, MESH, thing__obj=obj(CUBE[1:]))
    assert extent(scene) == [[7.0, 0.0, -2.0], [10.0, 1.0, 0.0]]
    (note,) = scene.notes
    assert "thing.obj is open" in note


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "cannot be read (No such file or directory)"),
        ({"thing__obj": "not a mesh at all"}, "thing.obj"),
        ({"thing__obj": obj().replace("v 1 2 3", "v 1 nan 3")}, "corners that are no numbers"),
        ({"thing__obj": obj().replace("v 1 2 3", "v 1 2e9 3")}, "write the unit it has"),
        ({"thing__obj": obj(head="mtllib thing.mtl\nusemtl wood")}, "thing.mtl cannot be read"),
        (
            {
                "thing__obj": obj(head="mtllib thing.mtl\nusemtl wood"),
                "thing__mtl": "newmtl wood\nmap_Kd wood.png\n",
            },
            "wood.png cannot be read",
        ),
        (
            {
                "thing__obj": obj(head="mtllib thing.mtl\nusemtl wood"),
                "thing__mtl": "newmtl wood\nmap_Kd wood.png\n",
                "wood__png": "no picture",
            },
            "wood.png is no picture",
        ),
        ({"thing__obj": obj(head="mtllib ../thing.mtl\nusemtl wood")}, "the mesh's folder"),
    ],
)
def test_what_is_wrong_with_a_mesh_is_said(
    tmp_path: Path, files: dict[str, str], words: str
) -> None:
    assert words in complaint(tmp_path, MESH, **files)


@pytest.mark.parametrize("content", [b"no mesh", b"", b"[1, 2]", b"glTF", b'{"asset": {}}', obj()])
@pytest.mark.parametrize("name", ["thing.glb", "thing.gltf"])
def test_what_is_no_gltf_is_said_with_its_name_and_what_to_do(
    tmp_path: Path, name: str, content: str | bytes
) -> None:
    text = MESH.replace("thing.obj", name)
    said = complaint(tmp_path, text, **{name.replace(".", "__"): content})
    assert name in said
    assert "write it anew" in said
    assert "Expecting" not in said
    assert "attribute" not in said


def test_a_huge_mesh_is_refused_with_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mesh_file, "_MOST_TRIANGLES", 11)
    assert "has 12 triangles; 11 are possible" in complaint(tmp_path, MESH, thing__obj=obj())


def test_a_raster_is_the_ground_with_its_picture_over_it(tmp_path: Path) -> None:
    heights = np.zeros((3, 5))
    heights[0, 4] = 7.0  # north-east
    text = RASTER.replace("[ground]", "[ground]\npicture = 'ortho.png'")
    data = {"hills__tif": raster(heights, tmp_path), "ortho__png": picture()}
    scene = scene_of(tmp_path, text, **data)
    highest = scene.ground.vertices[scene.ground.vertices[:, 2].argmin()]
    assert highest.tolist() == [2.0, 4.0, -7.0]
    assert scene.picture.size_m == (4.0, 8.0)


def test_holes_are_filled_from_beside_them_up_to_a_tenth(tmp_path: Path) -> None:
    heights = np.full((10, 10), 5.0)
    heights[:, 0] = 9.0
    heights[4, 0] = np.nan
    heights[0, 9] = -32767.0
    scene = scene_of(tmp_path, RASTER, hills__tif=raster(heights, tmp_path))
    (note,) = scene.notes
    assert "hills.tif has no height at 2 of 100 points" in note
    assert sorted(set((-scene.ground.vertices[:, 2]).tolist())) == [5.0, 9.0]
    heights[:2] = np.nan
    assert "holes in 21 %" in complaint(tmp_path, RASTER, hills__tif=raster(heights, tmp_path))


TERRAIN = """title = "The hills at home"
[ground]
terrain = "N48E009.hgt"
reach_m = 200.0
step_m = 100.0
[place]
latitude_deg = 48.5
longitude_deg = 9.5
altitude_m = 600.0
[starts.here]
position_m = [0.0, 0.0, 0.0]
"""


def hgt(hole: int = 20) -> bytes:
    """From 0 m in the south, a metre higher each row to the north; one row is a hole."""
    rows = np.repeat(np.arange(1200, -1, -1, dtype=">i2")[:, None], 1201, axis=1)
    rows[600 + hole] = -32768
    return rows.tobytes()


def test_the_ground_of_a_place_has_its_slope_and_altitude(tmp_path: Path) -> None:
    # A metre a row, 1200 rows a degree of latitude of 111.2 km (WGS84 at 48.5 degrees).
    scene = scene_of(tmp_path, TERRAIN, N48E009__hgt=hgt())
    north, _, down = scene.ground.vertices.T
    np.testing.assert_allclose(-down, north * 1200.0 / 111_201.0, atol=1e-3)
    assert scene.notes == ()


def test_a_place_outside_of_its_terrain_is_refused(tmp_path: Path) -> None:
    away = TERRAIN.replace("longitude_deg = 9.5", "longitude_deg = 11.0")
    assert "holes in 100 %" in complaint(tmp_path, away, N48E009__hgt=hgt())
    assert "Add [place]" in complaint(tmp_path, TERRAIN.split("[place]", maxsplit=1)[0])
    assert "N48E009.hgt" in complaint(tmp_path, TERRAIN, N48E009__hgt=b"short")
    fine = TERRAIN.replace("step_m = 100.0", "step_m = 0.1")
    assert "4,001 x 4,001 heights" in complaint(tmp_path, fine, N48E009__hgt=hgt())


@pytest.mark.parametrize("content", [b"", b"II*\0 nothing behind", b"no raster"])
def test_a_raster_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    assert "hills.tif cannot be read" in complaint(tmp_path, RASTER, hills__tif=content)


def test_a_raster_that_is_too_large_is_refused_with_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ground_meshes, "_MOST_HEIGHTS", 8)
    words = complaint(tmp_path, RASTER, hills__tif=raster(np.zeros((3, 3)), tmp_path))
    assert "3 x 3 heights; 8 are possible" in words


def test_the_picture_of_a_raster_lies_north_up_over_all_of_it(tmp_path: Path) -> None:
    import cv2

    pixels = np.zeros((16, 16, 3), np.uint8)
    pixels[:8, 8:, 2] = 255  # red in the north-east
    ortho = bytes(cv2.imencode(".png", pixels)[1])
    text = RASTER.replace("[ground]", "[ground]\npicture = 'ortho.png'\nmiddle_m = [30.0, 0.0]")
    text = text.replace("[0.0, 0.0, -20.0]", "[30.0, 0.0, -20.0]")
    data = {"hills__tif": raster(np.zeros((11, 21)), tmp_path), "ortho__png": ortho}
    rays = SceneRays(scene_of(tmp_path, text, **data))
    # 20 m from south to north about north 30, 40 m from west to east.
    places = np.array([(35.0, 10.0, -5.0), (35.0, -10.0, -5.0), (25.0, 10.0, -5.0)])
    hits = rays.cast(places, np.tile((0.0, 0.0, 1.0), (3, 1)), 10.0)
    assert rays.colours(hits)[:, 0].round(3).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("kind", [".png", ".jpg"])
def test_a_picture_is_refused_by_the_size_it_claims(tmp_path: Path, kind: str) -> None:
    import cv2

    data = bytes(cv2.imencode(kind, np.zeros((300, 200, 3), np.uint8))[1])
    text = MEADOW.replace("[ground]", f"[ground]\npicture = 'grass{kind}'")
    name = f"grass__{kind[1:]}"
    assert scene_of(tmp_path, text, **{name: data}).picture.pixels.shape == (300, 200, 3)
    claimed = data.replace((300).to_bytes(2, "big"), (30_000).to_bytes(2, "big"), 1)
    assert "200 x 30,000 pixels; make it 8,192" in complaint(tmp_path, text, **{name: claimed})
    assert "is no picture" in complaint(tmp_path, text, **{name: data[:20]})


def test_gltf_that_claims_to_be_huge_is_refused_before_memory_is_taken(tmp_path: Path) -> None:
    text = MESH.replace("thing.obj", "thing.gltf")
    gltf = '{"asset": {"version": "2.0"}, "accessors": [{"count": 9000000000000}]}'
    assert "3,000,000,000,000 triangles" in complaint(tmp_path, text, thing__gltf=gltf)
