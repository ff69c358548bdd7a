"""The consistency check: quiet about what is generated, loud about what crashes."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from telemetry.base.finding import Finding, Level
from telemetry.configuration.airframe.airframe import (
    AXES,
    ELEMENTS,
    Airframe,
    Levels,
    airframe_named,
    all_airframes,
)
from telemetry.configuration.airframe.check import check_mixer
from telemetry.configuration.airframe.mixer import Curves, Mixer, MixerChannel
from telemetry.configuration.airframe.mixer_generation import Options, generate
from telemetry.configuration.airframe.motor_pairing import matching_outputs

MULTIROTORS = [frame for frame in all_airframes() if frame.family == "multirotor"]


def _unnamed(mixer: Mixer) -> Mixer:
    """As it comes from a board."""
    return replace(mixer, channels=tuple(replace(c, name="") for c in mixer.channels))


def _changed(mixer: Mixer, change: Callable[[MixerChannel], MixerChannel]) -> Mixer:
    return replace(mixer, channels=tuple(change(channel) for channel in mixer.channels))


def _with_weight(channel: MixerChannel, element: str, weight: int) -> MixerChannel:
    index = ELEMENTS.index(element)
    return replace(channel, vector=(*channel.vector[:index], weight, *channel.vector[index + 1 :]))


def _set(mixer: Mixer, output: int, element: str, weight: int) -> Mixer:
    return _changed(mixer, lambda c: _with_weight(c, element, weight) if c.output == output else c)


def _codes(found: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in found]


@pytest.mark.parametrize("frame", all_airframes(), ids=lambda frame: frame.name)
def test_what_is_generated_raises_no_warning(frame: Airframe) -> None:
    found = check_mixer(generate(frame), frame, Curves.of_frame(frame))
    assert [f for f in found if f.level > Level.INFO] == []
    if frame.family == "multirotor":
        assert found == ()


@pytest.mark.parametrize("frame", MULTIROTORS, ids=lambda frame: frame.name)
@pytest.mark.parametrize("levels", [Levels(1, 1, 1), Levels(37, 53, 71), Levels(100, 86, 3)])
def test_no_level_looks_unbalanced(frame: Airframe, levels: Levels) -> None:
    assert check_mixer(_unnamed(generate(frame, levels)), frame) == ()


@pytest.mark.parametrize("frame", MULTIROTORS, ids=lambda frame: frame.name)
@pytest.mark.parametrize("axis", AXES)
def test_a_flipped_axis_is_a_danger(frame: Airframe, axis: str) -> None:
    if frame.name == "Tri" and axis == "Yaw":
        return
    mixer = _changed(_unnamed(generate(frame)), lambda c: _with_weight(c, axis, -c.weight(axis)))
    found = check_mixer(mixer, frame, propellers_reversed=False)
    assert found[0].level is Level.ERROR
    assert _codes(found) == ["axis-flipped"]


@pytest.mark.parametrize("frame", MULTIROTORS, ids=lambda frame: frame.name)
@pytest.mark.parametrize("axis", AXES)
def test_one_flipped_motor_is_a_danger_that_names_it(frame: Airframe, axis: str) -> None:
    mixer = generate(frame)
    motor = next((c for c in mixer.motors if c.weight(axis)), None)
    if motor is None:
        return
    broken = _unnamed(_set(mixer, motor.output, axis, -motor.weight(axis)))
    found = check_mixer(broken, frame)
    assert found[0].level is Level.ERROR
    assert f"Motor {motor.name} (output {motor.output})" in " ".join(f.text for f in found)
    assert "sign-flipped" in _codes(found)


def test_reversed_propellers_are_fine_if_they_are_meant() -> None:
    frame = airframe_named("HexaX")
    mixer = _unnamed(generate(frame, options=Options(reversed=True)))
    assert check_mixer(mixer, frame, propellers_reversed=True) == ()
    assert _codes(check_mixer(mixer, frame)) == ["propellers-reversed"]
    assert _codes(check_mixer(mixer, frame, propellers_reversed=False)) == ["axis-flipped"]
    usual = _unnamed(generate(frame))
    assert _codes(check_mixer(usual, frame, propellers_reversed=True)) == ["axis-flipped"]


def test_the_wizards_octocopter_is_lopsided() -> None:
    """The peers' set-up assistant gives E 71 % of roll and W all of it."""
    frame = airframe_named("Octo")
    (found,) = check_mixer(_unnamed(_set(generate(frame), 3, "Roll", -91)), frame)
    assert found.code == "roll-lopsided"
    assert found.outputs == (3, 7)
    assert "Motor E (output 3) has -91" in found.text
    assert "Motor W (output 7)" in found.text


@pytest.mark.parametrize(
    ("axis", "code"), [("Yaw", "yaw-unbalanced"), ("Pitch", "pitch-unbalanced")]
)
def test_weights_that_do_not_cancel_out_are_found(axis: str, code: str) -> None:
    frame = airframe_named("QuadX")
    assert _codes(check_mixer(_set(generate(frame), 2, axis, 20), frame)) == [code]


def test_the_order_in_which_motors_are_plugged_in_is_found() -> None:
    frame = airframe_named("QuadX")
    outputs = {"NW": 3, "NE": 1, "SE": 4, "SW": 2}
    mixer = _unnamed(generate(frame, options=Options(outputs=outputs)))
    assert check_mixer(mixer, frame, outputs=outputs) == ()
    match = matching_outputs(mixer, frame)
    assert match is not None
    assert (match.outputs, match.propellers_reversed) == (outputs, False)
    found = check_mixer(mixer, frame)
    assert found[0].level is Level.ERROR
    assert "NW 3, NE 1, SE 4, SW 2" in found[0].remedy
    assert matching_outputs(_set(mixer, 1, "Roll", 0), frame) is None


def test_outputs_and_motors_used_twice_are_found() -> None:
    frame = airframe_named("QuadX")
    good = generate(frame)
    crowded = generate(frame, options=Options(outputs={"NW": 1, "NE": 1, "SE": 3, "SW": 4}))
    assert "output-twice" in _codes(check_mixer(crowded, frame))
    assert "output-twice" in _codes(
        check_mixer(good, frame, outputs={"NW": 1, "NE": 1, "SE": 3, "SW": 4})
    )
    twice = _changed(good, lambda c: replace(good.channels[0], output=c.output))
    assert "motor-twice" in _codes(check_mixer(twice, frame))
    assert "motor-twice" in _codes(check_mixer(_unnamed(twice), frame))


def test_another_number_of_motors_is_found() -> None:
    hexa = generate(airframe_named("HexaX"))
    (found,) = check_mixer(hexa, airframe_named("QuadX"))
    assert (found.code, found.level) == ("motor-count", Level.ERROR)
    assert "6 outputs drive motors, but Quad X has 4" in found.text


def test_a_motor_without_an_output_is_found() -> None:
    frame = airframe_named("QuadX")
    outputs = {"NW": 1, "NE": 2, "SE": 3, "SW": 7}
    (found,) = check_mixer(generate(frame), frame, outputs=outputs)
    assert (found.code, found.level) == ("motor-unassigned", Level.ERROR)
    assert "motor of SW" in found.text


_OTHERS = [("QuadX", "QuadP"), ("QuadP", "QuadX"), ("Octo", "OctoX"), ("OctoCoaxX", "OctoCoaxP")]


@pytest.mark.parametrize(("one", "other"), _OTHERS)
def test_the_mixer_of_another_frame_does_not_fit(one: str, other: str) -> None:
    found = check_mixer(generate(airframe_named(one)), airframe_named(other))
    assert found[0].level >= Level.WARNING


def test_motors_that_run_both_ways_count() -> None:
    frame = airframe_named("QuadX")
    mixer = _changed(generate(frame), lambda c: replace(c, type="ReversableMotor"))
    assert {f.level for f in check_mixer(mixer, frame)} == {Level.INFO}


def test_a_motor_without_its_share_of_thrust_is_found() -> None:
    frame = airframe_named("QuadX")
    (less,) = check_mixer(_set(generate(frame), 2, "ThrottleCurve1", 90), frame)
    assert (less.code, less.level, less.outputs) == ("thrust-uneven", Level.WARNING, (2,))
    (none,) = check_mixer(_set(generate(frame), 2, "ThrottleCurve1", 0), frame)
    assert none.level is Level.ERROR


def test_an_axis_that_nothing_answers_is_a_danger() -> None:
    frame = airframe_named("QuadX")
    (found,) = check_mixer(generate(frame, Levels(0, 50, 50)), frame)
    assert (found.code, found.level) == ("axis-dead", Level.ERROR)
    tri = airframe_named("Tri")
    mixer = Mixer(generate(tri).channels[:3])
    assert _codes(check_mixer(mixer, tri)) == ["servo-missing"]


def test_more_than_full_scale_is_found() -> None:
    quad = airframe_named("QuadX")
    both = _changed(generate(quad), lambda c: _with_weight(c, "ThrottleCurve2", 127))
    found = check_mixer(both, quad)
    assert _codes(found) == ["thrust-too-large"] * 4
    assert "198%" in found[0].text.replace("\u00a0", "").replace(" ", "")
    large = _changed(generate(quad), lambda c: _with_weight(c, "ThrottleCurve1", 200))
    assert _codes(check_mixer(large, quad)) == ["weight-too-large"] * 4
    elevon = airframe_named("FixedWingElevon")
    found = check_mixer(generate(elevon), elevon)
    assert {f.level for f in found} == {Level.INFO}
    assert [f.outputs for f in found] == [(2,), (3,)]
    assert check_mixer(generate(elevon, Levels(50, 49, 0)), elevon) == ()


def test_findings_are_sentences_with_a_remedy_worst_first() -> None:
    frame = airframe_named("QuadX")
    mixer = _set(_set(generate(frame), 1, "Roll", -64), 2, "ThrottleCurve1", 100)
    found = check_mixer(mixer, frame)
    assert [f.level for f in found] == sorted((f.level for f in found), reverse=True)
    for finding in found:
        assert finding.text.endswith(".")
        assert finding.remedy.endswith(".")


def test_a_custom_mixer_is_only_checked_for_what_holds_for_all() -> None:
    custom = airframe_named("Custom")
    assert check_mixer(generate(airframe_named("QuadX")), custom) == ()
    assert _codes(check_mixer(Mixer(), airframe_named("FixedWing"))) == ["no-motor"]
