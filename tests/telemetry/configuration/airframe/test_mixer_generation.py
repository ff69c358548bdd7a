"""Levels, reversed propellers, outputs elsewhere, swash plates."""

import math

import pytest

from simulation.autopilot.preset import load_preset
from telemetry.configuration.airframe.airframe import AirframeError, Levels, airframe_named
from telemetry.configuration.airframe.helicopter import SwashPlate, swash_types
from telemetry.configuration.airframe.mixer import Mixer, MixerChannel
from telemetry.configuration.airframe.mixer_generation import Options, generate


def test_levels_scale_what_they_apply_to() -> None:
    mixer = generate(airframe_named("QuadX"), Levels(0, 100, 33))
    assert mixer.channels[0].vector == (127, 0, 0, 127, -42)
    tail = generate(airframe_named("FixedWingVtail"), Levels(10, 50, 20))
    assert tail.at(2) == MixerChannel(2, "Servo", (0, 0, 127, 0, 0), "Aileron1")
    assert tail.at(4) == MixerChannel(4, "Servo", (0, 0, 0, -64, -26), "Vtail1")
    elevon = generate(airframe_named("FixedWingElevon"), Levels(50, 100, 0)).at(2)
    assert elevon is not None
    assert elevon.vector == (0, 0, 64, -127, 0)


def test_all_levels_round_away_from_zero() -> None:
    """In exact numbers: floating-point noise must not lift 127 x 100 % to 128."""
    for level in range(101):
        vector = generate(airframe_named("OctoX"), Levels(level, level, level)).channels[0].vector
        assert vector[2:] == (
            -math.ceil(41 * 127 * level / 10000 - 1e-9),
            math.ceil(127 * level / 100 - 1e-9),
            -math.ceil(127 * level / 100 - 1e-9),
        )


@pytest.mark.parametrize("levels", [(-1, 0, 0), (0, 101, 0), (0, 0, math.nan), (0, 0.5, 0)])
def test_other_levels_are_refused(levels: tuple[int, int, int]) -> None:
    for name in ("QuadX", "HeliCP"):
        with pytest.raises(AirframeError, match="whole percent from 0 to 100"):
            generate(airframe_named(name), Levels(*levels))


def test_reversed_propellers_turn_yaw_round_and_nothing_else() -> None:
    usual = generate(airframe_named("Hexa"))
    turned = generate(airframe_named("Hexa"), options=Options(reversed=True))
    for a, b in zip(usual.channels, turned.channels, strict=True):
        assert (*b.vector[:4], -b.vector[4]) == a.vector
    tri = airframe_named("Tri")
    assert generate(tri, options=Options(reversed=True)) == generate(tri)


def test_motors_go_to_the_outputs_they_are_given() -> None:
    outputs = {"NW": 4, "NE": 3, "SE": 2, "SW": 6}
    mixer = generate(airframe_named("QuadX"), options=Options(outputs=outputs))
    assert [(c.output, c.name) for c in mixer.channels] == [
        (2, "SE"),
        (3, "NE"),
        (4, "NW"),
        (6, "SW"),
    ]


@pytest.mark.parametrize(
    ("outputs", "why"), [({"NW": 13}, "1 to 12"), ({"NW": 0}, "1 to 12"), ({"X": 1}, "NE, NW")]
)
def test_outputs_and_names_that_are_not_there_are_refused(
    outputs: dict[str, int], why: str
) -> None:
    with pytest.raises(AirframeError, match=why):
        generate(airframe_named("QuadX"), options=Options(outputs=outputs))


def test_a_gimbal_on_board_stays_where_the_frame_leaves_room() -> None:
    gimbal = MixerChannel(8, "CameraYaw", (0, 0, 0, 0, 0))
    in_the_way = MixerChannel(2, "Accessory0")
    old_motor = MixerChannel(9, "Motor", (127, 0, 1, 1, 1))
    on_board = Mixer((in_the_way, gimbal, old_motor))
    mixer = generate(airframe_named("QuadX"), options=Options(on_board=on_board))
    assert [c.type for c in mixer.channels] == ["Motor"] * 4 + ["CameraYaw"]


def test_weights_go_to_128_where_the_board_is_so() -> None:
    on_board = Mixer(size=10, full_weight=128)
    mixer = generate(airframe_named("Octo"), options=Options(on_board=on_board))
    assert mixer.size == 10
    assert mixer.channels[1].vector == (128, 0, -91, 91, 128)


@pytest.mark.parametrize("name", [kind.name for kind in swash_types()])
def test_every_swash_plate_has_its_servos(name: str) -> None:
    kind = next(kind for kind in swash_types() if kind.name == name)
    mixer = generate(airframe_named("HeliCP"), options=Options(swash_plate=SwashPlate(name)))
    servos = [channel for channel in mixer.channels if channel.name.startswith("Servo")]
    assert len(servos) == len(kind.angles_deg)
    assert len({channel.vector for channel in servos}) == len(servos)
    assert {channel.vector[1] for channel in servos} == {127 * kind.collective // 100}


def test_a_right_angle_plate_keeps_roll_and_pitch_apart() -> None:
    """63.5 is truncated towards zero on either side (LibrePilot's configccpmwidget.cpp)."""
    plate = SwashPlate("CCPM 4 Servo 90")
    mixer = generate(airframe_named("HeliCP"), options=Options(swash_plate=plate))
    assert [channel.vector[2:4] for channel in mixer.channels[2:]] == [
        (0, 63),
        (-63, 0),
        (0, -63),
        (63, 0),
    ]


def test_collective_and_cyclic_are_linked_unless_levels_are_given() -> None:
    plate = SwashPlate("CCPM 3 Servo 120", collective=30)
    linked = generate(airframe_named("HeliCP"), options=Options(swash_plate=plate))
    assert linked.channels[2].vector == (0, 38, 0, 88, 0)
    free = generate(airframe_named("HeliCP"), Levels(20, 40, 0), Options(swash_plate=plate))
    assert free.channels[2].vector == (0, 38, 0, 50, 0)


def test_a_custom_plate_has_its_own_angles_and_correction() -> None:
    turned = SwashPlate("Custom", angles_deg=(0.0, 120.0, 240.0), correction_deg=90.0)
    vectors = [
        c.vector
        for c in generate(airframe_named("HeliCP"), None, Options(swash_plate=turned)).channels
    ]
    assert vectors[2] == (0, 63, -63, 0, 0)


def test_a_coaxial_helicopter_turns_by_its_two_rotors() -> None:
    plate = SwashPlate("Coax 2 Servo 90")
    mixer = generate(airframe_named("HeliCP"), options=Options(swash_plate=plate))
    assert [(c.name, c.vector) for c in mixer.channels[:2]] == [
        ("RotorCW", (127, 0, 0, 0, -127)),
        ("RotorCCW", (127, 0, 0, 0, 127)),
    ]


@pytest.mark.parametrize(
    "plate",
    [
        SwashPlate("CCPM"),
        SwashPlate(angles_deg=(0.0,) * 5),
        SwashPlate(correction_deg=math.nan),
        SwashPlate(collective=101),
    ],
)
def test_what_no_swash_plate_can_be_is_refused(plate: SwashPlate) -> None:
    with pytest.raises(AirframeError):
        generate(airframe_named("HeliCP"), options=Options(swash_plate=plate))


@pytest.mark.parametrize(
    "preset", ["ar100b", "ar100x6", "ar200", "ar200-payload", "crazyflie", "hector"]
)
def test_the_simulated_multirotors_fly_with_what_is_generated(preset: str) -> None:
    objects = load_preset(preset).objects
    settings = objects["MixerSettings"]
    names = ("MixerValueRoll", "MixerValuePitch", "MixerValueYaw")
    levels = Levels(*(settings[name] for name in names))
    frame = airframe_named(objects["SystemSettings"]["AirframeType"])
    mixer = generate(frame, levels)
    flown = {n: list(c.vector) for n in range(1, 13) if (c := mixer.at(n))}
    assert flown == {n: settings[f"Mixer{n}Vector"] for n in flown}
    assert {f"Mixer{n}Type" for n in flown} == {key for key in settings if key.endswith("Type")}


def test_the_simulated_aeroplane_flies_with_what_is_generated() -> None:
    """It has one elevator, on output 2, and no rudder servo."""
    settings = load_preset("sea-vixen").objects["MixerSettings"]
    outputs = {"Motor": 1, "Elevator1": 2, "Aileron1": 3, "Aileron2": 4}
    mixer = generate(airframe_named("FixedWing"), options=Options(outputs=outputs))
    flown = {f"Mixer{c.output}Vector": list(c.vector) for c in mixer.channels}
    assert flown == {key: settings[key] for key in settings if key.endswith("Vector")}
