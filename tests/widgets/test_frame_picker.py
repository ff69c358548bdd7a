"""Frames to choose from: those a firmware has, drawn only once somebody looks."""

from pytestqt.qtbot import QtBot

from telemetry.configuration.airframe.airframe import airframe_names
from widgets.frame_picker import FramePicker
from widgets.theme import load_theme


def test_it_offers_what_the_firmware_has_and_marks_the_present_one(qtbot: QtBot) -> None:
    picker = FramePicker()
    qtbot.addWidget(picker)
    picker.show_frames(("QuadX", "Tri", "Unheard"), "Tri", is_read_only=False)
    assert list(picker.tiles) == ["QuadX", "Tri"]
    assert picker.tiles["Tri"].isChecked()
    with qtbot.waitSignal(picker.chosen) as chosen:
        picker.tiles["QuadX"].click()
    assert chosen.args == ["QuadX"]


def test_pictures_are_drawn_when_it_is_shown(qtbot: QtBot) -> None:
    picker = FramePicker()
    qtbot.addWidget(picker)
    picker.apply_theme(load_theme("dark"))
    picker.show_frames(airframe_names(), "QuadX", is_read_only=True)
    assert all(tile.icon().isNull() for tile in picker.tiles.values())
    picker.show()
    assert not any(tile.icon().isNull() for tile in picker.tiles.values())
    assert not any(tile.isEnabled() for tile in picker.tiles.values())
