"""Plots kept under names and shared as files."""

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from widgets.plot.curve import CurveStyle
from widgets.plot.presets import PlotPresetError, PlotPresets
from widgets.plot.view import PlotView
from widgets.theme import load_theme

PLOT = {"fields": [{"path": "A.b", "color": 1, "shown": True}]}


def test_names_of_any_kind_come_back(tmp_path: Path) -> None:
    presets = PlotPresets(tmp_path / "plots")
    assert presets.names() == []
    names = ["Roll / rate", "../../etc/passwd", "Höhe & Strom", "con", "a.b", "50 % ~ %41"]
    for name in names:
        presets.save(name, PLOT)
    assert presets.names() == sorted(names, key=str.lower)
    assert {file.parent for file in tmp_path.rglob("*.json")} == {tmp_path / "plots"}
    assert presets.load("../../etc/passwd") == PLOT
    presets.remove("a.b")
    presets.remove("never saved")
    assert "a.b" not in presets.names()


@pytest.mark.parametrize("name", ["", "   ", "x" * 61])
def test_names_that_are_none_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(PlotPresetError, match="1 to 60 characters"):
        PlotPresets(tmp_path).save(name, PLOT)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is no plot"),
        ("[]", "is no plot of Lapwing"),
        ('{"format": "lapwing-flight", "version": 1}', "is no plot of Lapwing"),
        ('{"format": "lapwing-plot", "version": 2, "plot": {"fields": []}}', "newer Lapwing"),
        ('{"format": "lapwing-plot", "version": 1, "plot": {"fields": 5}}', "names no curves"),
        ('{"format": "lapwing-plot", "version": 1, "plot": 5}', "names no curves"),
        ("[" * 5000, "is no plot"),
    ],
)
def test_files_that_are_no_plots_say_so(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "sent.json"
    file.write_text(text)
    presets = PlotPresets(tmp_path / "plots")
    with pytest.raises(PlotPresetError, match=sentence):
        presets.take_file(file)
    with pytest.raises(PlotPresetError, match="cannot be read"):
        presets.take_file(tmp_path / "missing.json")
    assert presets.names() == []


def test_a_plot_goes_to_a_friend_and_returns(qtbot: QtBot, tmp_path: Path) -> None:
    views = []
    for owner in ("mine", "theirs"):
        view = PlotView(load_theme("light"), ImmediateJobs())
        qtbot.addWidget(view)
        view.preset_actions.presets = PlotPresets(tmp_path / owner)
        views.append(view)
    mine, theirs = views
    mine.add_paths(["AttitudeState.Roll", "=derivative(AttitudeState.Roll)"])
    mine.model.set_style("AttitudeState.Roll", 4, CurveStyle(axis="right"))
    mine.preset_actions.save("Roll")
    mine.preset_actions.save_file(tmp_path / "sent.json")
    assert json.loads((tmp_path / "sent.json").read_text())["format"] == "lapwing-plot"
    theirs.preset_actions.take_file(tmp_path / "sent.json")
    assert theirs.model.paths == mine.model.paths
    assert theirs.model.curves[0].style.axis == "right"
    mine.clear()
    menu = QMenu()
    mine.preset_actions.fill(menu)
    menu.actions()[0].trigger()
    assert mine.model.paths == theirs.model.paths
    mine.preset_actions.remove("Roll")
    with qtbot.waitSignal(mine.message) as told:
        mine.preset_actions.apply("Roll")
    assert "cannot be read" in told.args[0]
