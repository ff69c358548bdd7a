"""Airframe files from elsewhere: an own platform is a file, and mistakes in it are named."""

import json
from pathlib import Path
from typing import Any

import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import PresetError, load_preset
from telemetry.protocol.objects.catalogue import Catalogue

SOUND: dict[str, Any] = {"base": "hector", "name": "mine", "title": "Mine", "aircraft": "mine.toml"}


def write(folder: Path, text: str | bytes) -> str:
    path = folder / "mine.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_an_own_platform_is_two_files_beside_each_other(tmp_path: Path) -> None:
    """As an editor on Windows writes them."""
    (tmp_path / "mine.toml").write_bytes(
        b'\xef\xbb\xbfbase = "hector"\r\nname = "mine"\r\n[body]\r\nmass_kg = 1.6\r\n'
    )
    content = b"\xef\xbb\xbf" + json.dumps(SOUND, indent=1).replace("\n", "\r\n").encode()
    preset = load_preset(write(tmp_path, content))
    assert preset.aircraft == str(tmp_path / "mine.toml")
    assert load_aircraft(preset.aircraft).parameters["mass"] == 1.6
    assert preset.objects["MixerSettings"] == load_preset("hector").objects["MixerSettings"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"objcts": {}}, "line 6: unknown key 'objcts'"),
        ({"aircraft": 3}, "line 5: 'aircraft' in an airframe must be a text, not 3"),
        ({"base": ["hector"]}, "'base' in an airframe must be a text"),
        ({"base": "mine.json"}, "leave out one 'base'"),
        ({"base": "nothing"}, "There is no aircraft 'nothing'"),
        ({"format": 2}, "reads format 1 only"),
        ({"objects": [1]}, "'objects' in an airframe must be an object"),
        ({"objects": {"MixerSettings": 3}}, "'MixerSettings' must hold fields and values"),
        ({"objects": {"MixerSettings": "Nix"}}, "MixerSettings refers to Nix"),
        ({"objects": {"SystemSettings": {"A": {}}}}, "finite numbers and texts, not {}"),
        ({"motor_control": ["mixer"]}, "'motor_control' in an airframe must be a text"),
        ({"telemetry_period_ms": {"AttitudeState": -5}}, "0 to 65535 whole ms"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    name = write(tmp_path, json.dumps(SOUND | change, indent=1))
    with pytest.raises(PresetError) as caught:
        load_preset(name)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ("[1]", "not one JSON object"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe", "is no text"),
        ('{"name": "x", "name": "y"}', "given twice"),
        ('{"objects": {"MixerSettings": {"MixerValueRoll": NaN}}}', "NaN is no number"),
        ('{"objects": {"MixerSettings": {"MixerValueRoll": 1e999}}}', "not inf"),
        ('{"format": ' + "1" * 5000 + "}", "give a smaller one"),
        ('{"title": "\\ud800"}', "half a character"),
        ('{"name": "x", "title": "x", "objects": {}}', "'aircraft' is missing; add it."),
        ('{"base": "../../x"}', "give a name, or a file beside this one"),
        ('{"base": "/x.json"}', "give a name, or a file beside this one"),
        ('{"base": "a\\u0000b"}', "give a name, or a file beside this one"),
        ('{"aircraft": "../x.toml"}', "give a name, or a file beside this one"),
    ],
)
def test_what_is_no_airframe_at_all(tmp_path: Path, text: str | bytes, words: str) -> None:
    with pytest.raises(PresetError) as caught:
        load_preset(write(tmp_path, text))
    assert words in str(caught.value)


def test_an_aircraft_is_set_up_as_what_it_is_based_on(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b'\xef\xbb\xbfbase = "hector"\n[body]\nmass_kg = 1.6\n')
    preset = load_preset(str(tmp_path / "mine.toml"))
    assert preset.load_aircraft().parameters["mass"] == 1.6
    assert preset.objects == load_preset("hector").objects
    assert preset.objects != load_preset("ar100b").objects
    assert preset.title.endswith("of mine.toml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[body]\n", r"give the \.json file of an airframe"),
        ('base = "nothing"', r"give the \.json file of an airframe"),
        ('base = ["hector"]', r"give the \.json file of an airframe"),
        ("base = ", "is no file of an aircraft"),
        (None, "cannot be read: No such file"),
    ],
)
def test_the_physics_file_alone_is_not_an_airframe(
    tmp_path: Path, text: str | None, words: str
) -> None:
    path = tmp_path / "mine.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(PresetError, match=words):
        load_preset(str(path))


@pytest.mark.parametrize(
    ("objects", "words"),
    [
        ({"MixerSetings": {}}, "names what this board does not have: MixerSetings"),
        ({"MixerSettings": {"Mixer1Tpe": "Motor"}}, "'mine' sets what cannot be set"),
    ],
)
def test_unknown_objects_and_fields_name_the_airframe(
    tmp_path: Path, catalogue: Catalogue, objects: dict[str, Any], words: str
) -> None:
    preset = load_preset(write(tmp_path, json.dumps(SOUND | {"objects": objects})))
    with pytest.raises(ValueError, match=words):
        SimulatedBoard(catalogue, preset)
