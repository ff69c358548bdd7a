"""The picture of an aircraft: every frame is drawn, and what is driven moves."""

import pytest
from pytestqt.qtbot import QtBot

from telemetry.configuration.airframe.airframe import Airframe, airframe_named, all_airframes
from telemetry.configuration.airframe.drawing import drawing_of
from telemetry.configuration.airframe.mixer import Mixer
from telemetry.configuration.airframe.mixer_generation import generate
from telemetry.configuration.airframe.setup import usual_setup
from widgets.airframe_view import AirframeView, airframe_picture
from widgets.theme import load_theme


def shown(qtbot: QtBot, frame: Airframe, mixer: Mixer | None = None) -> AirframeView:
    view = AirframeView()
    qtbot.addWidget(view)
    view.resize(300, 300)
    view.apply_theme(load_theme("light"))
    view.show_drawing(drawing_of(usual_setup(frame), mixer or Mixer()))
    return view


@pytest.mark.parametrize("frame", all_airframes(), ids=lambda frame: frame.name)
def test_every_output_changes_the_picture(frame: Airframe, qtbot: QtBot) -> None:
    mixer = generate(airframe_named("Tri")) if frame.family == "custom" else Mixer()
    view = shown(qtbot, frame, mixer)
    at_rest = view.grab().toImage()
    for part in view.drawing.parts:
        view.set_values({part.output: 0.7})
        assert view.grab().toImage() != at_rest, part.name
    view.set_values({})
    assert view.grab().toImage() == at_rest


def test_propellers_turn_their_way_and_only_while_driven(qtbot: QtBot) -> None:
    view = shown(qtbot, airframe_named("QuadX"))
    view.set_values({1: 0.5, 2: 0.5})
    view.advance(0.1)
    assert view.turn_deg("NW") == pytest.approx(25.2)
    assert view.turn_deg("NE") == pytest.approx(360.0 - 25.2)
    assert view.turn_deg("SE") == 0.0


def test_a_motor_without_an_output_is_marked(qtbot: QtBot) -> None:
    view = shown(qtbot, airframe_named("QuadX"))
    assert "NW on output 1" in view.accessibleName()
    before = view.grab().toImage()
    setup = usual_setup(airframe_named("QuadX"))
    fewer = {name: output for name, output in setup.outputs.items() if name != "NW"}
    view.show_drawing(drawing_of(type(setup)(setup.frame, setup.levels, fewer), Mixer()))
    assert "NW on output none" in view.accessibleName()
    assert view.grab().toImage() != before


def test_small_pictures_have_the_size_asked_for(qtbot: QtBot) -> None:
    drawing = drawing_of(usual_setup(airframe_named("Hexa")), Mixer())
    picture = airframe_picture(drawing, load_theme("dark"), 72, 2.0)
    assert (picture.width(), picture.height(), picture.devicePixelRatio()) == (144, 144, 2.0)
