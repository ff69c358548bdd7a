"""Scenario files: what can be written, and how mistakes are told."""

import json
from pathlib import Path
from typing import Any

import pytest

from simulation.scenarios.scenario import Band, Measure, ScenarioError, Until, Upload
from simulation.scenarios.scenario_file import load_scenario

GOOD: dict[str, Any] = {
    "name": "mine",
    "title": "Mine",
    "parameters": [
        {"name": "wind_mps", "title": "W", "unit": "m/s", "default": 5, "low": 0, "high": 9},
        {
            "name": "jump",
            "title": "J",
            "unit": "",
            "default": 0,
            "low": 0,
            "high": 1,
            "whole": True,
        },
    ],
    "world": {"wind_north_mps": "-$wind_mps"},
    "settings": {"HomeLocation": {"Altitude": "$wind_mps"}},
    "steps": [
        {"do": "fly", "seconds": 2, "throttle": 0.5, "label": "up"},
        {"do": "set", "values": {"wind_east_mps": "$wind_mps"}},
        {"do": "upload", "objects": [{"name": "Waypoint", "instance": 2}]},
        {"do": "fly", "until": {"object": "FlightStatus", "field": "Armed", "value": "Armed"}},
    ],
    "measures": ["home_m", {"metric": "tilt", "measure": "max_tilt_deg", "during": "up"}],
    "bands": {"home_m": [None, 3], "tilt": [1, 20]},
    "controls": [{"set": {"wind_mps": 9}, "fails": "home_m", "why": "blown away"}],
}


def written(folder: Path, content: Any) -> str:
    path = folder / "mine.json"
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_everything_arrives_with_the_parameters_put_in(tmp_path: Path) -> None:
    scenario = load_scenario(written(tmp_path, GOOD), {"wind_mps": 7.0, "gps_lost": 1.0})
    assert scenario.values == {"wind_mps": 7.0, "jump": 0.0}
    assert scenario.world == {"wind_north_mps": -7.0, "gps_lost": 1.0}
    assert scenario.settings == {"HomeLocation": {"Altitude": 7.0}}
    assert scenario.steps[1].values == {"wind_east_mps": 7.0}
    assert scenario.steps[2].objects == (Upload("Waypoint", {}, 2),)
    assert scenario.steps[3].until == Until("FlightStatus", "Armed", "Armed")
    assert scenario.measures[0] == Measure("home_m", "home_m")
    assert scenario.measures[1] == Measure("tilt", "max_tilt_deg", "up")
    assert scenario.bands["tilt"] == Band(1, 20)
    assert scenario.bands["home_m"].holds(-5.0)
    assert scenario.controls[0].set == {"wind_mps": 9}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"wnd": 3.0}, ("no parameter 'wnd'", "wind_mps (0 to 9 m/s)", "turbulence_mps")),
        ({"wind_mp": 3.0}, ("no parameter 'wind_mp'", "; write wind_mps.")),
        ({"wind_mps": 9.5}, ("wind_mps cannot be 9.5", "give 0 to 9 m/s")),
        ({"wind_mps": float("nan")}, ("wind_mps cannot be nan", "give 0 to 9 m/s")),
        ({"jump": 0.5}, ("jump cannot be 0.5", "give a whole number")),
        ({"gps_lost": 2.0}, ("gps_lost cannot be 2", "give 0 to 1")),
    ],
)
def test_a_change_that_cannot_be_is_told(
    tmp_path: Path, changes: dict[str, float], words: tuple[str, ...]
) -> None:
    with pytest.raises(ScenarioError) as caught:
        load_scenario(written(tmp_path, GOOD), changes)
    assert all(word in str(caught.value) for word in words), caught.value


def spoilt(**changes: Any) -> dict[str, Any]:
    return {key: value for key, value in {**GOOD, **changes}.items() if value is not ...}


STEP = GOOD["steps"][0]
PARAMETER = GOOD["parameters"][0]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "line 1: not valid JSON"),
        ("[]", "not one JSON object"),
        ('{"name": "a",\n "name": "b"}', "line 1: 'name' is given twice"),
        ('{"name": NaN}', "NaN is no number"),
        (spoilt(spteps=[]), "unknown key 'spteps'; the known ones are name, title"),
        (spoilt(values={}), "unknown key 'values'"),
        (spoilt(title=...), "'title' is missing"),
        (spoilt(title=3), "'title' must be a text, not 3"),
        (spoilt(may_crash=1), "'may_crash' must be true or false"),
        (spoilt(start="soon"), "'start' is 'soon'; write quick or real"),
        (spoilt(steps={}), "'steps' must be a list"),
        (spoilt(steps=[]), "nothing is flown"),
        (spoilt(steps=[{"do": "jump"}]), "unknown step 'jump'; the known ones are wait, arm"),
        (spoilt(steps=[{**STEP, "sped": 1}]), "unknown key 'sped' in a step"),
        (spoilt(steps=[{**STEP, "seconds": "2"}]), "'seconds' in a step must be a finite number"),
        (spoilt(steps=[{"do": "hold"}]), "'hold' never ends"),
        (spoilt(steps=[{**STEP, "values": {"wnd": 1}}]), "There is no control 'wnd'"),
        (spoilt(world={"wind_east_mps": 90}), "wind_east_mps cannot be 90; give -20 to 20 m/s"),
        (spoilt(world={"wind_east_mps": "$wnd"}), "'$wnd' names no parameter; there are: wind_mps"),
        (spoilt(settings={"HomeLocation": 3}), "'settings' must hold objects"),
        (spoilt(parameters=[{**PARAMETER, "default": 10}]), "outside of low and high"),
        (
            spoilt(parameters=[{**PARAMETER, "high": "9"}]),
            "'high' in a parameter must be a finite number",
        ),
        (spoilt(measures=["speed"]), "unknown measure 'speed'; the known ones are max_altitude_m"),
        (spoilt(bands={}), "without 'bands' nothing can fail"),
        (spoilt(bands={"home_m": 3}), "the band of 'home_m' must be [low, high]"),
        (spoilt(bands={"home_m": [3, 2]}), "the band of 'home_m' is empty"),
        (spoilt(bands={"speed": [1, 2]}), "'speed' has a band but is not among 'measures'"),
        (spoilt(controls=[{"fails": "speed", "why": ""}]), "fails by 'speed', which has no band"),
        (spoilt(controls=[{"fails": "home_m"}]), "'why' is missing in a negative control"),
        (spoilt(controls=[{"fails": "tilt", "why": "", "set": 3}]), "'set' in a negative control"),
        (spoilt(controls=[{"fails": "tilt", "why": "", "set": {"wind_mps": "x"}}]), "'wind_mps'"),
        (spoilt(controls=[{"fails": "tilt", "why": "", "set": {"wnd": 1}}]), "cannot be set"),
        (spoilt(controls=[{"fails": "tilt", "why": "", "settings": {"A": 1}}]), "must hold"),
        (spoilt(steps=[{**STEP, "until": 3}]), "'until' must be {object, field, value}"),
        (spoilt(steps=[{"do": "upload", "objects": [{"name": "A", "values": 3}]}]), "an object"),
        (spoilt(steps=[{"do": "upload", "objects": [{"name": "A", "instance": 1.5}]}]), "whole"),
        (spoilt(steps=[{"do": "set", "values": {"gps_lost": True}}]), "must be a number, not True"),
        ('{"name": "a", "title": "b", "steps": [{"do": "hold", "seconds": 1e999}]}', "not inf"),
        ("[" * 100_000, "nested too deeply"),
        (spoilt(experiment="../evil"), "'../evil' is no module's name"),
        (spoilt(bands={"home_m": [10**400, None]}), "give a smaller one"),
        (spoilt(steps=[{**STEP, "seconds": 10**4000}]), "give a smaller one"),
        ('{"name": "\\ud800"}', "half a character"),
        (spoilt(steps=[{"do": "fly", "seconds": 1, "roll": 5}]), "'roll' goes from -1 to 1"),
        (spoilt(steps=[{"do": "fly", "seconds": 1, "throttle": -1}]), "from 0 to 1"),
        (spoilt(steps=[{"do": "upload", "objects": [{"name": "A", "instance": -1}]}]), "0 to 999"),
        (
            spoilt(steps=[{**STEP, "until": {"object": "A", "field": "B", "value": [1]}}]),
            "must be a number or a text",
        ),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_remedy(
    tmp_path: Path, content: Any, words: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        load_scenario(written(tmp_path, content))
    text = str(caught.value)
    assert words in text
    assert "mine.json" in text or "give" in text
    assert "\n" not in text


def test_a_mistake_names_its_line(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"mine\.json, line 3: unknown key 'tittle'"):
        load_scenario(written(tmp_path, '{\n "name": "a",\n "tittle": "b"\n}'))


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="There is no scenario 'nix'; there are: "):
        load_scenario("nix")
    (tmp_path / "a.json").mkdir()
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_scenario(str(tmp_path / "a.json"))
    (tmp_path / "b.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScenarioError, match="give a JSON file in UTF-8"):
        load_scenario(str(tmp_path / "b.json"))


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    name = written(tmp_path, "\ufeff" + json.dumps(GOOD))
    assert load_scenario(name).name == GOOD["name"]


def test_a_parameter_stands_in_the_world_that_the_scenario_brings() -> None:
    assert load_scenario("corridor").world_file == "corridor:width_m=2,length_m=400"
    assert (
        load_scenario("corridor", {"width_m": 1.5}).world_file
        == "corridor:width_m=1.5,length_m=400"
    )
