"""What a tile says of a value."""

import pytest

from plugins.testing import add, short_flight
from telemetry.base.finding import Level
from telemetry.recording.recording import Recording
from widgets.plot.curve import Curve
from widgets.values.tile import (
    TileReading,
    TileSpec,
    ValueLimits,
    read_tile,
    spec_from_json,
    value_text,
)

LIMITS = ValueLimits(10.2, 10.8, 12.6, None)


def reading(spec: TileSpec, t: float, recording: Recording | None = None) -> TileReading:
    curve = Curve(spec.path, 0)
    curve.attach(recording or short_flight())
    return read_tile(spec, curve, t)


@pytest.mark.parametrize(
    ("value", "level", "words"),
    [
        (10.19, Level.ERROR, "Very low, below 10.2"),
        (10.2, Level.WARNING, "Low, below 10.8"),
        (11.0, Level.OK, "Normal"),
        (12.6, Level.OK, "Normal"),
        (99.0, Level.WARNING, "High, above 12.6"),
    ],
)
def test_limits_are_told_in_words(value: float, level: Level, words: str) -> None:
    assert LIMITS.judge(value) == (level, words)


def test_without_limits_nothing_is_judged() -> None:
    assert ValueLimits().judge(1e9) == (Level.OK, "")


def test_a_value_has_the_decimals_that_its_sensor_knows() -> None:
    texts = [
        value_text(*one) for one in ((-3.14159, "°"), (11.456, "V"), (0.12345, ""), (1517.0, ""))
    ]
    assert texts == ["−3.1", "11.46", "0.123", "1517"]
    assert value_text(-0.01, "m") == "0.0"
    assert value_text(float("-inf"), "") == "−∞"


def test_a_tile_reads_a_field_an_option_or_an_expression() -> None:
    assert reading(TileSpec("PositionState.Down"), 12.0) == TileReading("−12.0", "m", Level.OK)
    assert reading(TileSpec("FlightStatus.Armed"), 12.0).text == "Armed"
    computed = TileSpec("=PositionState.North / 2", "bar", low=0.0, high=12.0)
    assert reading(computed, 12.0) == TileReading("6", "", Level.OK, "", 0.5)
    word = TileSpec("PositionState.North", "word", limits=ValueLimits(caution_high=10.0))
    found = reading(word, 12.0)
    assert (found.text, found.word, found.unit) == ("High", "above 10", "")
    assert reading(word, 8.0).text == "Normal"


def test_an_old_value_says_its_age_and_is_not_judged() -> None:
    spec = TileSpec("PositionState.North", limits=ValueLimits(danger_high=1.0))
    assert reading(spec, 20.0).level is Level.ERROR
    old = reading(spec, 50.0)
    assert (old.level, old.word) == (Level.UNKNOWN, "30 s old")


def test_what_is_missing_says_why() -> None:
    assert reading(TileSpec("GyroState.x"), 5.0).word == "Not received yet"
    assert "is it AttitudeState.Roll" in reading(TileSpec("=AttitudeState.Rol"), 5.0).word
    recording = Recording()
    add(recording, 5.0, "AttitudeState", Roll=1.0)
    assert reading(TileSpec("AttitudeState.Roll"), 4.0, recording).text == "–"


def test_a_tile_returns_from_a_file_and_odd_ones_do_no_harm() -> None:
    spec = TileSpec("A.b", "bar", "Volts", True, -1.0, 5.0, LIMITS)
    assert spec_from_json(spec.to_json()) == spec
    assert spec_from_json("A.b") == TileSpec("A.b")
    odd = {
        "path": "A.b",
        "style": 7,
        "low": 5,
        "high": 1,
        "limits": {"danger_low": "x"},
        "title": [],
    }
    assert spec_from_json(odd) == TileSpec("A.b")
    for nothing in (5, None, {}, {"path": 3}, ""):
        assert spec_from_json(nothing) is None
