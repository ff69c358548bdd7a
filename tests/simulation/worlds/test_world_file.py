"""Worlds' files: what ships loads, and what is wrong is named with its remedy."""

from pathlib import Path

import numpy as np
import pytest

from simulation.worlds.make_scene import make_scene
from simulation.worlds.world import Box, World, WorldError
from simulation.worlds.world_file import load_world, world_names

SOUND = """
title = "A box on a meadow"
[ground]
reach_m = 50.0
[boxes.crate]
position_m = [5.0, 0.0, 0.0]
size_m = [1.0, 2.0, 3.0]
[starts.here]
position_m = [0.0, 0.0, 0.0]
"""


def written(folder: Path, text: str = SOUND) -> Path:
    (folder / "world.toml").write_text(text, encoding="utf-8")
    return folder


def loaded(folder: Path, text: str) -> World:
    return load_world(written(folder, text))


def complaint(folder: Path, text: str) -> str:
    """Of a file, or of what it asks for."""
    with pytest.raises(WorldError) as error:
        make_scene(loaded(folder, text))
    return str(error.value)


@pytest.mark.parametrize("name", ["corridor", "office"])
def test_what_ships_becomes_a_scene_in_which_aircraft_can_start(name: str) -> None:
    scene = make_scene(load_world(name))
    segments, (vertices, triangles) = scene.segments(), scene.triangles()
    assert len(segments.numbers) == len(triangles)
    assert triangles.max() == len(vertices) - 1
    assert np.isfinite(vertices).all()


def test_all_worlds_load_and_say_what_they_are() -> None:
    assert {"corridor", "field", "office"} <= set(world_names())
    for name in world_names():
        world = load_world(name)
        assert world.name == name
        assert world.title
        assert world.starts


def test_a_body_stands_where_the_file_says_under_its_name(tmp_path: Path) -> None:
    scene = make_scene(loaded(tmp_path, SOUND))
    segments, (vertices, triangles) = scene.segments(), scene.triangles()
    crate = vertices[triangles[segments.numbers == segments.names.index("crate")]].reshape(-1, 3)
    assert crate.min(axis=0).tolist() == [4.5, -1.0, -3.0]
    assert crate.max(axis=0).tolist() == [5.5, 1.0, 0.0]


def test_a_corridor_is_as_wide_as_it_is_asked_for() -> None:
    def walls(name: str) -> list[float]:
        bodies = load_world(name).bodies
        return sorted(b.placed.position_m[1] for b in bodies if isinstance(b, Box))[
            :: len(bodies) - 1
        ]

    assert walls("corridor") == [-1.05, 1.05]
    assert walls("corridor:width_m=3, texture=stripes") == [-1.55, 1.55]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("corridor:width_m=0.2", "'width_m' in [scenery] is 0.2, which is not possible"),
        ("corridor:width_m=wide", "'width_m' in [scenery] has the wrong form"),
        ("corridor:width=3", "width_m"),
        ("corridor:texture=velvet", "'texture' in [scenery] is 'velvet'"),
        ("office:width_m=3", "no [scenery]"),
        ("ofice", "there are: "),
    ],
)
def test_what_cannot_be_asked_for_is_refused(name: str, words: str) -> None:
    with pytest.raises(WorldError) as error:
        load_world(name)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("reach_m = 50.0", "reach_km = 1.0", "Unknown key 'reach_km' in [ground]"),
        ("reach_m = 50.0", "reach_m = nan", "is nan, which is not possible"),
        ("reach_m = 50.0", "reach_m = 1e300", "is 1e+300, which is not possible"),
        ("reach_m = 50.0", "reach_m = -1e305", "is -1e+305, which is not possible"),
        ("reach_m = 50.0", f"reach_m = 1{'0' * 400}", "is a number of 401 digits, which is not"),
        (
            "size_m = [1.0, 2.0, 3.0]",
            "size_m = [1.0, 2.0]",
            "'size_m' in [boxes.crate] has the wrong",
        ),
        ("size_m = [1.0, 2.0, 3.0]", "size_mm = [1.0, 2.0, 3.0]", "1 mm is 0.001 m"),
        ("[boxes.crate]", "[boxs.crate]", "Write boxes"),
        ("[boxes.crate]", "[boxes]", "is no table of its own"),
        ("[boxes.crate]", "[boxes.crate]\npattern = 'wool'", "'wool', which is not known"),
        ("[boxes.crate]", "[boxes.crate]\npicture = ''", None),
        ("[boxes.crate]", "[boxes.crate]\npicture = 'no.png'", "put it there, or name another"),
        ("[boxes.crate]", "[boxes.crate]\npicture = 'world.toml'", "world.toml is no picture"),
        ("[boxes.crate]", "[boxes.crate]\npicture_m = [1.0, 0.0]", "one side of 0 m"),
        ("[starts.here]", "[goals.here]", "Unknown key 'goals'"),
        ("[starts.here]\nposition_m = [0.0, 0.0, 0.0]", "", "add [starts.NAME]"),
        ("[ground]\nreach_m = 50.0", "", "no ground under the start 'here'"),
        (
            "[starts.here]\nposition_m = [0.0, 0.0, 0.0]",
            "[starts.here]\nposition_m = [5.2, 0.0, -0.5]",
            "'here' is inside 'crate'",
        ),
        ("title = ", "title = 3 #", "'title' must be a text"),
        ("[ground]", "[ground", "Not valid TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, words: str | None) -> None:
    assert old in SOUND
    text = SOUND.replace(old, new)
    if words is None:
        make_scene(loaded(tmp_path, text))
    else:
        message = complaint(tmp_path, text)
        assert words in message
        assert message.startswith("World ") or "picture" in message


def test_a_folder_without_a_world_is_named(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"has no world\.toml"):
        load_world(str(tmp_path))


def test_the_start_place_can_be_chosen() -> None:
    office = load_world("office:start=hall")
    assert [start.name for start in office.starts] == ["hall", "corridor"]
    corridor = load_world("corridor:start=near-a-wall,width_m=3")
    assert corridor.start.name == "near-a-wall"
    with pytest.raises(WorldError, match="no start 'cellar'; there are: corridor, hall"):
        load_world("office:start=cellar")
