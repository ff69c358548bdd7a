"""Expressions: what they compute, and what they refuse."""

import math

import numpy as np
import pytest
from numpy.typing import ArrayLike

from plugins.testing import add, short_flight
from telemetry.recording.recording import Recording
from telemetry.review.analysis.expression.evaluation import Evaluation
from telemetry.review.analysis.expression.expression import parse_expression
from telemetry.review.analysis.expression.syntax import ExpressionError


def evaluated(text: str, recording: Recording | None = None) -> Evaluation:
    evaluation = Evaluation(parse_expression(text), recording or short_flight())
    evaluation.finish()
    return evaluation


def values_of(text: str, recording: Recording | None = None) -> np.ndarray:
    evaluation = evaluated(text, recording)
    assert evaluation.problem == ""
    return evaluation.values(0, evaluation.count)


def accelerations(times: ArrayLike, x: ArrayLike) -> Recording:
    recording = Recording()
    for t, value in zip(np.asarray(times), np.asarray(x), strict=True):
        add(recording, float(t), "AccelState", x=float(value), y=2.0, z=-4.0)
    return recording


ROLL = np.array([10 * math.sin(step / 10) for step in range(201)])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AttitudeState.Roll", ROLL),
        ("2 + 3 * AttitudeState.Roll ^ 2", 2 + 3 * ROLL**2),
        ("-AttitudeState.Roll^2", -(ROLL**2)),
        ("(2 + 3) * -AttitudeState.Roll", 5 * -ROLL),
        ("AttitudeState.Roll / 4 / 2", ROLL / 8),
        ("AttitudeState.Roll - 1 - 2", ROLL - 3),
        ("2 ** 3 ** 2 + 0 * AttitudeState.Roll", np.full(201, 512.0)),
        ("abs(min(AttitudeState.Roll, 2, 5e-1))", np.abs(np.minimum(ROLL, 0.5))),
        ("sin(AttitudeState.Roll)", np.sin(np.radians(ROLL))),
        ("sin(rad(AttitudeState.Roll))", np.sin(np.radians(ROLL))),
        ("sin(PositionState.North * 1)", np.sin(np.arange(201) / 10)),
        ("deg(atan2(PositionState.East, PositionState.North))", np.r_[0.0, np.full(200, -45.0)]),
        ('convert(PositionState.North, "ft")', np.arange(201) / 10 / 0.3048),
        ("AttitudeState[0].Roll - AttitudeState.Roll", np.zeros(201)),
        ("SystemAlarms.Alarm.Battery + 0 * SystemAlarms.Alarm.Attitude", np.array([0.0, 2.0])),
        ("norm(PositionState.North, PositionState.East)", np.arange(201) / 10 * math.sqrt(2)),
    ],
)
def test_arithmetic_is_that_of_numpy(text: str, expected: np.ndarray) -> None:
    assert values_of(text) == pytest.approx(expected, abs=1e-5, rel=1e-6)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("AttitudeState.Roll", "°"),
        ("AttitudeState.Roll + 5", "°"),
        ("AttitudeState.Roll + PositionState.North", ""),
        ("AttitudeState.Roll * 57.3", ""),
        ("rad(AttitudeState.Roll)", "rad"),
        ("derivative(PositionState.North)", "m/s"),
        ("derivative(derivative(PositionState.North))", "m/s²"),
        ("integral(derivative(PositionState.North))", "m"),
        ("lowpass(max(PositionState.North, PositionState.East), 2)", "m"),
        ('convert(derivative(PositionState.North), "km/h")', "km/h"),
        ("FlightStatus.Armed", ""),
    ],
)
def test_units_are_derived_where_they_can_be(text: str, unit: str) -> None:
    assert evaluated(text).unit == unit


def test_other_objects_count_with_the_last_value_before_each_sample() -> None:
    recording = Recording()
    for t, altitude in ((0.0, None), (0.5, 100.0), (1.0, None), (1.5, 200.0), (9.0, None)):
        if altitude is not None:
            add(recording, t, "BaroSensor", Altitude=altitude)
        add(recording, t, "AttitudeState", Roll=1.0)
    values = values_of("AttitudeState.Roll * BaroSensor.Altitude", recording)
    # Unknown before the first, and 7.5 s after the last: it was sent twice a second until then.
    assert values == pytest.approx([np.nan, 100.0, 100.0, 200.0, np.nan], nan_ok=True)
    assert len(values_of("BaroSensor.Altitude + AttitudeState.Roll", recording)) == 2


def test_a_field_is_found_under_the_name_of_another_release() -> None:
    assert values_of("AttitudeActual.Roll + 0") == pytest.approx(ROLL, abs=1e-5)


TIMES = np.arange(400) / 50.0
WAVE = np.sin(2 * np.pi * 1.0 * TIMES)


def test_derivative_and_integral_undo_each_other() -> None:
    recording = accelerations(TIMES, WAVE)
    rate = values_of("derivative(AccelState.x)", recording)
    assert np.isnan(rate[0])
    middles = 2 * np.pi * np.cos(2 * np.pi * (TIMES[1:] - 0.01))
    assert rate[1:] == pytest.approx(middles, abs=0.01)
    area = values_of("integral(AccelState.x)", recording)
    assert area == pytest.approx((1 - np.cos(2 * np.pi * TIMES)) / (2 * np.pi), abs=0.001)


def test_nothing_is_carried_over_a_silence() -> None:
    recording = accelerations([0.0, 0.1, 0.2, 60.0, 60.1], [1.0, 2.0, 3.0, 50.0, 50.0])
    derivative = values_of("derivative(AccelState.x)", recording)
    assert derivative == pytest.approx([np.nan, 10, 10, np.nan, 0], nan_ok=True)
    area = values_of("integral(AccelState.x)", recording)
    assert area == pytest.approx([0, 0.15, 0.4, 0.4, 5.4])
    for text in ("lowpass(AccelState.x, 0.1)", "mean(AccelState.x, 100)"):
        assert values_of(text, recording)[3:] == pytest.approx([50.0, 50.0])
    assert values_of("median(AccelState.x, 60)", recording)[3:] == pytest.approx([50.0, 50.0])


def test_filters_do_what_their_definitions_say() -> None:
    noise = np.random.default_rng(3).normal(size=400)
    times = np.cumsum(np.random.default_rng(4).uniform(0.005, 0.03, 400))
    recording = accelerations(times, noise)
    noise = values_of("AccelState.x", recording)
    low = [noise[0]]
    for value, elapsed in zip(noise[1:], np.diff(times), strict=True):
        low.append(low[-1] + (1 - math.exp(-2 * math.pi * 1.5 * elapsed)) * (value - low[-1]))
    assert values_of("lowpass(AccelState.x, 1.5)", recording) == pytest.approx(low, abs=1e-9)
    high = noise - np.array(low)
    assert values_of("highpass(AccelState.x, 1.5)", recording) == pytest.approx(high, abs=1e-9)
    windows = [noise[(times > t - 0.2) & (times <= t)] for t in times]
    means = [window.mean() for window in windows]
    assert values_of("mean(AccelState.x, 0.2)", recording) == pytest.approx(means, abs=1e-9)
    medians = [np.median(window) for window in windows]
    assert values_of("median(AccelState.x, 0.2)", recording) == pytest.approx(medians, abs=1e-9)


def test_a_turn_goes_on_beyond_360_degrees() -> None:
    recording = Recording()
    for step in range(20):
        heading = (step * 50.0 + 180.0) % 360.0 - 180.0
        add(recording, step / 10, "AttitudeState", Yaw=heading)
    turned = values_of("unwrap(AttitudeState.Yaw)", recording)
    assert turned == pytest.approx(np.arange(20) * 50.0)
    assert values_of("wrap(unwrap(AttitudeState.Yaw))", recording) == pytest.approx(
        values_of("AttitudeState.Yaw", recording), abs=1e-4
    )


CHAIN = (
    "lowpass(derivative(AccelState.x), 3) + highpass(AccelState.x, 1) + integral(AccelState.x)"
    " + mean(AccelState.x, 0.3) + median(unwrap(AccelState.x * 100), 0.2)"
)


def test_a_growing_recording_gives_the_same_as_a_whole_one() -> None:
    noise = np.random.default_rng(5).normal(size=300)
    times = np.cumsum(np.where(np.arange(300) % 97 == 50, 30.0, 0.02))
    whole = values_of(CHAIN, accelerations(times, noise))
    recording = accelerations(times[:1], noise[:1])
    growing = Evaluation(parse_expression(CHAIN), recording)
    done = 1
    for size in (0, 1, 1, 7, 60, 1, 130, 99):
        growing.finish()
        for t, value in zip(times[done : done + size], noise[done : done + size], strict=True):
            add(recording, float(t), "AccelState", x=float(value), y=2.0, z=-4.0)
        done += size
    growing.finish()
    assert growing.count == 300
    assert growing.values(0, 300) == pytest.approx(whole, nan_ok=True, abs=1e-6)


def test_a_long_recording_is_computed_bit_by_bit() -> None:
    recording = Recording()
    add(recording, 0.0, "AccelState", x=0.0)
    definition = recording.tracks()[0].definition
    rows = np.zeros(400_000, definition.dtype)
    rows["x"] = np.arange(400_000)
    recording.extend(definition, 0, np.arange(1, 400_001) / 1000, rows)
    evaluation = Evaluation(parse_expression("lowpass(AccelState.x, 100)"), recording)
    evaluation.update()
    assert 0 < evaluation.count < 100_000
    assert not evaluation.is_complete
    evaluation.finish()
    assert evaluation.count == 400_001
    add(recording, 500.0, "AccelState", x=1.0)
    assert evaluation.is_complete  # as of the last update: a live plot need not be painted for it
    assert evaluation.values(400_000, 400_001)[0] == pytest.approx(399_999, abs=2)


def test_a_field_that_is_not_sent_yet_is_waited_for() -> None:
    recording = Recording()
    add(recording, 0.0, "AttitudeState", Roll=1.0)
    evaluation = Evaluation(parse_expression("AccelState.x * 2"), recording)
    evaluation.finish()
    assert (evaluation.count, evaluation.base) == (0, None)
    add(recording, 1.0, "AccelState", x=4.0)
    evaluation.finish()
    assert (evaluation.problem, evaluation.values(0, 1).tolist()) == ("", [8.0])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "An expression is missing: name a field."),
        ("nrom(AttitudeState.Roll)", "'nrom', at character 1; is it norm"),
        ("2 * Sqrt(AttitudeState.Roll)", "'Sqrt', at character 5; is it sqrt"),
        ("AttitudeState.Roll +", "ends too early: a field, a number or a function is missing"),
        ("(AttitudeState.Roll", "ends too early: a closing bracket is missing"),
        ("AttitudeState.Roll)", "')' at character 19 is not expected"),
        ("AttitudeState.Roll 5", "'5' at character 20 is not expected: an operator"),
        ("AttitudeState.Roll * lopass", "at character 22, is neither a field"),
        ("AttitudeState.Roll * lopass", "brackets; is it lowpass"),
        ("AttitudeState", "neither a field (Object.Field) nor a function"),
        ("5 + 3", "needs a field"),
        ("lowpass(AttitudeState.Roll)", "takes 2 arguments, not 1: lowpass(x, Hz)"),
        ("lowpass(AttitudeState.Roll, -1)", "takes a number larger than 0 as Hz"),
        ("lowpass(AttitudeState.Roll, AttitudeState.Roll)", "a number larger than 0 as Hz"),
        ("median(AttitudeState.Roll, 61)", "larger than 0 and up to 60 as s: median(x, s)"),
        ("norm()", "takes 1 to 16 arguments, not 0"),
        ("convert(AttitudeState.Roll, 3)", "takes a unit in quotes"),
        ('"°"', "The word in quotes at character 1"),
        ("AttitudeState.Roll % 2", "'%' at character 20 has no meaning here"),
        ("1e999 * AttitudeState.Roll", "The number at character 1 is too large"),
    ],
)
def test_a_typo_is_a_sentence_that_names_the_place(text: str, sentence: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse_expression(text)
    assert sentence in str(refused.value)
    assert 0 <= refused.value.start <= refused.value.stop <= len(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("AtitudeState.Rol * 2", "'AtitudeState.Rol', at character 1, is not recorded; is it"),
        ("3 + AttitudeState.Rol", "is it AttitudeState.Roll"),
        ("AttitudeState.Roll + SystemAlarms.Alarm", "name one, such as SystemAlarms.Alarm."),
        ('convert(AttitudeState.Roll, "ft")', "° is a unit of angle, ft of length"),
        ('convert(PositionState.North, "cells")', "'cells' is no unit that is known"),
        ("deg(PositionState.North)", "m is a unit of length, ° of angle"),
    ],
)
def test_what_the_recording_lacks_is_said_with_what_is_near(text: str, sentence: str) -> None:
    evaluation = evaluated(text)
    assert sentence in evaluation.problem
    assert evaluation.base is None


ATTACKS = (
    "__import__('os').system('true')",
    '__import__("os")',
    "().__class__.__bases__[0].__subclasses__()",
    "AttitudeState.__class__.__init__",
    "lambda: 0",
    "[x for x in AttitudeState.Roll]",
    "eval(AttitudeState.Roll)",
    "open(AttitudeState.Roll)",
    'exec("import os") + AttitudeState.Roll',
    "AttitudeState.Roll; import os",
    "AttitudeState.Roll\nimport os",
    "AttitudeState.Roll if 1 else 2",
    "f'{AttitudeState.Roll}'",
    "{}.get(1)",
    "abs.__globals__",
    "(" * 5000 + "AttitudeState.Roll" + ")" * 5000,
    "(" * 60 + "AttitudeState.Roll" + ")" * 60,
    "-" * 60 + "AttitudeState.Roll",
    "2**" * 60 + "AttitudeState.Roll",
    "AttitudeState.Roll" + "+ AttitudeState.Roll" * 200_000,
    "9" * 400 + "*AttitudeState.Roll",
    "norm(" + ",".join(["AttitudeState.Roll"] * 17) + ")",
    "AttitudeState[99999999999999999999].Roll",
    "AttitudeState.Roll\x00",
    "АttitudeState.Roll",
)


def refusal_of(text: str) -> str:
    """What an expression is refused with, by its grammar or for want of such a field."""
    try:
        return evaluated(text).problem
    except ExpressionError as refused:
        return str(refused)


@pytest.mark.parametrize("text", ATTACKS)
def test_attacks_are_refused_or_find_nothing(text: str) -> None:
    assert 0 < len(refusal_of(text)) < 200


def test_numbers_that_overflow_are_no_error() -> None:
    values = values_of("9^9^9^9 + AttitudeState.Roll / 0 + log(-1) + sqrt(0 - AttitudeState.Roll)")
    assert not np.isfinite(values).any()


def test_twenty_five_fields_are_too_many() -> None:
    fields = [f"AttitudeState.q{number}" for number in range(25)]
    with pytest.raises(ExpressionError, match="at most 24 fields"):
        parse_expression("+".join(fields))
