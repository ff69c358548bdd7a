"""The preview against the formula, and against the mixer of the simulated board."""

import itertools

import numpy as np
import pytest

from simulation.control.mixer import mix
from simulation.records.interface import MIXER_MOTOR
from telemetry.configuration.airframe.airframe import (
    FIXED_WING,
    GROUND,
    HELICOPTER,
    MULTIROTOR,
    airframe_named,
)
from telemetry.configuration.airframe.mixer import Curves, Mixer, MixerChannel
from telemetry.configuration.airframe.mixer_generation import generate
from telemetry.configuration.airframe.mixer_preview import (
    Ends,
    StickInputs,
    outputs,
    pulses,
    read_ends,
)

ENDS = Ends((1000.0,) * 12, (1100.0,) * 12, (2000.0,) * 12)


def test_sticks_move_the_right_motors() -> None:
    """Quad X: NW, NE, SE, SW. Roll right lifts the left, pitch up the front, yaw right ccw."""
    mixer = generate(airframe_named("QuadX"))
    for stick, stronger in (("roll", {0, 3}), ("pitch", {0, 1}), ("yaw", {1, 3})):
        values = outputs(mixer, Curves(), StickInputs(throttle=0.5)._replace(**{stick: 0.3}))
        assert set(np.flatnonzero(values > 0.5)) == stronger


def test_a_full_weight_gives_a_little_less_than_all() -> None:
    values = outputs(generate(airframe_named("QuadX")), Curves(), StickInputs(throttle=1.0))
    assert values[:4] == pytest.approx([127 / 128] * 4)
    assert not values[4:].any()


def test_motors_stand_at_zero_throttle_and_never_run_backwards() -> None:
    for name in ("QuadX", "FixedWing"):
        frame = airframe_named(name)
        values = outputs(generate(frame), Curves(), StickInputs(roll=1.0, yaw=-1.0), frame.family)
        assert values[0] == 0.0
    mixer = Mixer((MixerChannel(1, "Motor", (127, 0, 0, 127, 0)),))
    down = outputs(mixer, Curves(), StickInputs(0.3, pitch=-1.0), FIXED_WING)
    assert down[0] == 0.0


def test_reversible_motors_run_both_ways_and_rest_at_zero() -> None:
    frame = airframe_named("GroundVehicleDifferential")
    mixer, curves = generate(frame), Curves.of_frame(frame)
    back = outputs(mixer, curves, StickInputs(throttle=-1.0), GROUND)
    assert back[:2] == pytest.approx([-0.8 * 127 / 128] * 2)
    turn = outputs(mixer, curves, StickInputs(throttle=0.5, yaw=0.5), GROUND)
    assert turn[0] > turn[1]
    assert not outputs(mixer, curves, StickInputs(yaw=1.0), GROUND).any()


def test_collective_moves_the_second_curve_if_it_is_its_source() -> None:
    frame = airframe_named("HeliCP")
    curves = Curves(frame.curve1, (0.0, 0.25, 0.5, 0.75, 1.0), "Collective")
    values = outputs(generate(frame), curves, StickInputs(0.5, collective=0.5), HELICOPTER)
    assert values[2:5] == pytest.approx([63 * 0.5 / 128] * 3)
    resting = Curves(frame.curve1, frame.curve1, "Accessory0")
    assert not outputs(generate(frame), resting, StickInputs(0.5), HELICOPTER)[2:].any()


def test_roll_differential_lets_one_aileron_move_less() -> None:
    mixer = generate(airframe_named("FixedWing"))
    for percent, roll, less in ((40, 1.0, 1), (40, -1.0, 2), (-40, 1.0, 2), (-40, -1.0, 1)):
        curves = Curves(roll_differential=percent, first_roll_servo=2)
        values = np.abs(outputs(mixer, curves, StickInputs(roll=roll), FIXED_WING))
        assert values[less] == pytest.approx(0.6 * 127 / 128)
        assert values[3 - less] == pytest.approx(127 / 128)
    elsewhere = outputs(mixer, Curves(roll_differential=40), StickInputs(roll=1.0), FIXED_WING)
    assert elsewhere[1] == elsewhere[2]


def test_pulses_go_about_neutral_to_ends_that_may_be_swapped() -> None:
    mixer = Mixer((MixerChannel(1, "Servo"), MixerChannel(2, "Servo"), MixerChannel(3, "Motor")))
    ends = Ends(
        (1000.0, 2000.0, 1000.0, 900.0),
        (1400.0, 1400.0, 1100.0, 0.0),
        (2000.0, 1000.0, 2000.0, 0.0),
    )
    mixer = Mixer(mixer.channels, size=4)
    assert pulses(mixer, np.array([0.5, 0.5, 0.5, 0]), ends) == pytest.approx(
        [1700, 1200, 1550, 900]
    )
    assert pulses(mixer, np.array([-1, -1, -1, 0.0]), ends) == pytest.approx(
        [1000, 2000, 1100, 900]
    )
    assert pulses(mixer, np.array([0, 0, 1, 0.0]), ends, motors_run=False)[2] == 1000


def test_motors_are_moved_and_drawn_together_as_by_the_firmware() -> None:
    """By hand, scaleMotorMoveAndCompress of actuator.c: full throttle and a quarter of roll are
    1 and 1.25, which move down by 0.25; 0.25 and 1.75 move down by 0.25 and, being 1.5 apart,
    fill the range. 0.0019 of 900 us is 1.71 us, of which 1 is left."""
    mixer = Mixer((MixerChannel(1, "Motor", (128, 0, 32, 0, 0)), MixerChannel(2, "Motor", (128,))))
    values = outputs(mixer, Curves(), StickInputs(1.0, roll=1.0))
    assert values[:2] == pytest.approx([1.0, 0.75])
    mixer = Mixer(
        (MixerChannel(1, "Motor", (128, 0, 96, 0, 0)), MixerChannel(2, "Motor", (128, 0, -96)))
    )
    values = outputs(mixer, Curves(), StickInputs(1.0, roll=1.0))
    assert values[:2] == pytest.approx([1.0, 0.0])
    assert pulses(mixer, np.array([0.0019, 0.0] + [0.0] * 10), ENDS)[0] == 1101.0


def test_whole_microseconds_are_cut_off_towards_neutral() -> None:
    """The cast to int16_t in scaleChannel of actuator.c, on both sides of neutral."""
    mixer = Mixer((MixerChannel(1, "Servo"), MixerChannel(2, "Servo")))
    ends = Ends((1000.0,) * 12, (1500.0,) * 12, (2000.0,) * 12)
    values = np.array([0.0039, -0.0039] + [0.0] * 10)
    assert pulses(mixer, values, ends)[:2].tolist() == [1501.0, 1499.0]


def test_ends_are_those_of_actuator_settings() -> None:
    values = {"ChannelMin": (1000, 2000), "ChannelNeutral": (1500, 1500), "ChannelMax": (2, 1)}
    assert read_ends(values) == Ends((1000.0, 2000.0), (1500.0, 1500.0), (2.0, 1.0))


@pytest.mark.parametrize("name", ["QuadX", "HexaCoax", "Octo", "OctoV", "twin"])
def test_the_simulated_board_sends_the_same_pulses(name: str) -> None:
    curves, family = Curves((0.0, 0.1, 0.4, 0.8, 0.9)), MULTIROTOR
    if name == "twin":  # an aeroplane that yaws by its motors, whose mixers are free
        channels = tuple(MixerChannel(i, "Motor", (127, 0, 0, 0, 64 * (-1) ** i)) for i in (1, 2))
        mixer, family = Mixer(channels), FIXED_WING
    else:
        mixer = generate(airframe_named(name))
    kinds, vectors = np.zeros(12, int), np.zeros((12, 5))
    for channel in mixer.channels:
        kinds[channel.output - 1] = MIXER_MOTOR
        vectors[channel.output - 1] = channel.vector
    settings = {
        "mixer_type": kinds,
        "mixer_vector": vectors,
        "throttle_curve1": np.array(curves.curve1),
        "throttle_curve2": np.array(curves.curve2),
        "channel_min": np.array(ENDS.minimum),
        "channel_neutral": np.array(ENDS.neutral),
        "channel_max": np.array(ENDS.maximum),
        "motors_spin_while_armed": 1,
        "is_multirotor": int(family == MULTIROTOR),
        "propulsion": {"known": 0},
    }
    for throttle, roll, pitch, yaw in itertools.product((0.0, 0.2, 1.0), *[(-1.0, 0.1)] * 3):
        board = {
            "actuator_desired": np.array([roll, pitch, yaw, throttle]),
            "actuator_command": np.zeros(12),
        }
        mix(settings, {"armed": 1}, board, np.zeros(12))
        values = outputs(mixer, curves, StickInputs(throttle, 0.0, roll, pitch, yaw), family)
        assert pulses(mixer, values, ENDS) == pytest.approx(board["actuator_command"])
