"""How an aircraft is built: to a mixer and back, and what stations leave on board about it."""

from dataclasses import replace

import pytest

from telemetry.configuration.airframe.airframe import (
    Airframe,
    Levels,
    airframe_named,
    all_airframes,
)
from telemetry.configuration.airframe.drawing import drawing_of
from telemetry.configuration.airframe.helicopter import SwashPlate, swash_types
from telemetry.configuration.airframe.mixer import Mixer, MixerChannel
from telemetry.configuration.airframe.mixer_generation import generate
from telemetry.configuration.airframe.remembered_outputs import recalled_outputs, remembered_outputs
from telemetry.configuration.airframe.setup import AirframeSetup, read_setup, usual_setup

QUAD_WORDS = (0x3421_0000, 0, 0, 0)
"""What a station wrote on a quadrotor in 2014 whose motors are NW 1, NE 2, SE 3, SW 4."""


def unnamed(mixer: Mixer) -> Mixer:
    """As it comes from a board."""
    return replace(mixer, channels=tuple(replace(c, name="") for c in mixer.channels))


@pytest.mark.parametrize("frame", all_airframes(), ids=lambda frame: frame.name)
def test_a_usual_setup_is_what_the_frame_generates(frame: Airframe) -> None:
    assert usual_setup(frame).generated(Mixer()) == generate(frame)


@pytest.mark.parametrize("frame", all_airframes(), ids=lambda frame: frame.name)
def test_a_setup_is_read_back_from_its_mixer(frame: Airframe) -> None:
    mixer = unnamed(generate(frame))
    read = read_setup(frame, mixer)
    assert read.outputs == usual_setup(frame).outputs
    assert unnamed(read.generated(mixer)) == mixer
    assert not read.reversed


@pytest.mark.parametrize("kind", swash_types(), ids=lambda kind: kind.name)
def test_a_swash_plate_is_read_back(kind: object) -> None:
    name = getattr(kind, "name", "")
    setup = AirframeSetup(
        airframe_named("HeliCP"), Levels(50, 50, 100), swash_plate=SwashPlate(name)
    )
    setup = replace(setup, outputs={c.name: c.output for c in setup.channels})
    mixer = unnamed(setup.generated(Mixer()))
    assert unnamed(read_setup(setup.frame, mixer).generated(mixer)) == mixer


def test_levels_are_found_in_weights() -> None:
    frame = airframe_named("HexaX")
    mixer = generate(frame, Levels(33, 50, 71))
    found = read_setup(frame, mixer).levels
    assert unnamed(generate(frame, found)) == unnamed(mixer)
    assert read_setup(frame, mixer, Levels(1, 2, 3)).levels == Levels(1, 2, 3)
    assert read_setup(frame, mixer, Levels(-5, 2, 3)).levels == found


def test_reversed_propellers_are_seen_on_all_motors_only() -> None:
    frame = airframe_named("QuadX")
    turned = replace(usual_setup(frame), reversed=True).generated(Mixer())
    assert read_setup(frame, turned).reversed
    first, *others = turned.channels
    one = replace(turned, channels=(generate(frame).channels[0], *others))
    assert first.output == 1
    assert not read_setup(frame, one).reversed


def test_a_negative_yaw_level_says_that_propellers_are_reversed() -> None:
    """As LibrePilot's station stores it: firmware-rules.md, "What LibrePilot's station writes"."""
    tri = airframe_named("Tri")
    read = read_setup(tri, generate(tri), Levels(100, 100, -100))
    assert (read.levels, read.reversed) == (Levels(100, 100, 100), True)
    assert not read_setup(tri, generate(tri), Levels(100, 100, 100)).reversed
    quad = airframe_named("QuadX")
    flown = read_setup(quad, generate(quad), Levels(50, 50, -50))
    assert not flown.reversed, "what the motors do goes before what was noted"


def test_motors_of_a_multirotor_follow_the_order_unless_it_was_left_on_board() -> None:
    """A flipped axis must not be taken for motors on other outputs."""
    frame = airframe_named("QuadX")
    outputs = {"NW": 2, "NE": 1, "SE": 4, "SW": 3}
    mixer = replace(usual_setup(frame), outputs=outputs).generated(Mixer())
    assert read_setup(frame, mixer).outputs == {"NW": 1, "NE": 2, "SE": 3, "SW": 4}
    assert read_setup(frame, mixer, recalled=outputs).outputs == outputs


def test_what_another_frame_left_on_board_is_not_recalled() -> None:
    frame = airframe_named("Hexa")
    stale = recalled_outputs(frame, QUAD_WORDS)
    assert stale
    assert read_setup(frame, generate(frame), recalled=stale).outputs == usual_setup(frame).outputs


def test_surfaces_are_found_by_their_signs() -> None:
    frame = airframe_named("FixedWing")
    usual = usual_setup(frame)
    outputs = {**usual.outputs, "Motor": 6, "Rudder1": 1}
    mixer = unnamed(replace(usual, outputs=outputs).generated(Mixer()))
    assert read_setup(frame, mixer).outputs == outputs
    assert read_setup(frame, mixer).first_roll_servo == outputs["Aileron1"]


def test_an_empty_mixer_suggests_the_first_outputs_that_are_free() -> None:
    gimbal = MixerChannel(2, "CameraYaw")
    found = read_setup(airframe_named("QuadX"), Mixer((gimbal,)))
    assert list(found.outputs.values()) == [1, 3, 4, 5]
    assert gimbal in found.generated(Mixer((gimbal,))).channels


def test_without_outputs_nothing_of_the_frame_is_generated() -> None:
    setup = replace(usual_setup(airframe_named("QuadX")), outputs={})
    assert setup.generated(generate(airframe_named("Hexa"))).channels == ()


def test_motors_stay_where_they_are_for_another_frame_with_as_many() -> None:
    before = replace(
        usual_setup(airframe_named("QuadX")), outputs={"NW": 5, "NE": 6, "SE": 7, "SW": 8}
    )
    assert usual_setup(airframe_named("QuadP"), before).outputs == {"N": 5, "E": 6, "S": 7, "W": 8}
    assert usual_setup(airframe_named("Tri"), before).outputs["NW"] == 1


def test_the_outputs_another_station_left_are_understood() -> None:
    frame = airframe_named("QuadX")
    wanted = {"NW": 1, "NE": 2, "SE": 3, "SW": 4}
    assert recalled_outputs(frame, QUAD_WORDS) == wanted
    assert remembered_outputs(frame, wanted, (0, 0, 0, 0)) == QUAD_WORDS


def test_the_yaw_servo_stands_elsewhere_since_there_is_octo_x() -> None:
    frame = airframe_named("Tri")
    outputs = {"YawServo": 5}
    assert remembered_outputs(frame, outputs, (0,) * 4) == (0, 0, 5, 0)
    assert remembered_outputs(frame, outputs, (0,) * 4, has_octo_x=False) == (0, 5, 0, 0)
    assert recalled_outputs(frame, (0, 5, 0, 0), has_octo_x=False) == outputs


@pytest.mark.parametrize("frame", all_airframes(), ids=lambda frame: frame.name)
def test_outputs_are_remembered_or_nothing_is_touched(frame: Airframe) -> None:
    outputs = {name: 12 - number for number, name in enumerate(usual_setup(frame).outputs)}
    words = remembered_outputs(frame, outputs, (0xFFFF_FFFF,) * 4)
    recalled = recalled_outputs(frame, words)
    assert recalled == outputs or not set(recalled) - set(outputs)
    if not recalled:
        assert words == (0xFFFF_FFFF,) * 4
    assert recalled_outputs(frame, ()) == {}


@pytest.mark.parametrize("frame", all_airframes(), ids=lambda frame: frame.name)
def test_everything_on_an_output_is_drawn(frame: Airframe) -> None:
    setup = usual_setup(frame)
    drawing = drawing_of(setup, Mixer())
    assert {part.name: part.output for part in drawing.parts} == setup.outputs


def test_reversed_propellers_are_drawn_the_other_way() -> None:
    setup = usual_setup(airframe_named("QuadX"))
    assert [p.spin for p in drawing_of(setup, Mixer()).parts] == ["cw", "ccw", "cw", "ccw"]
    turned = drawing_of(replace(setup, reversed=True), Mixer())
    assert [p.spin for p in turned.parts] == ["ccw", "cw", "ccw", "cw"]


def test_a_custom_mixer_is_drawn_as_it_works() -> None:
    quad = unnamed(generate(airframe_named("QuadX")))
    parts = drawing_of(usual_setup(airframe_named("Custom")), quad).parts
    assert [part.place for part in parts] == [(1, -1), (1, 1), (-1, 1), (-1, -1)]
    assert [part.spin for part in parts] == ["cw", "ccw", "cw", "ccw"]
