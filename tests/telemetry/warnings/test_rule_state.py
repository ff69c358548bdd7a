"""One rule as a state machine: hysteresis, hold, repeat, and what is not known."""

from dataclasses import replace

import pytest

from telemetry.warnings.rule import RuleComparison, WarningRule
from telemetry.warnings.rule_state import (
    RuleObservation,
    RulePhase,
    RuleState,
    RuleTurn,
    WatchedValue,
)

LOW = WarningRule(
    "low",
    "Low",
    "battery_v",
    RuleComparison.BELOW,
    "low",
    than=10.0,
    hysteresis=0.5,
    over_text="fine",
)


def run(
    rule: WarningRule, seen: list[WatchedValue], step_s: float = 1.0
) -> list[tuple[float, str]]:
    """When what was told of a value seen every `step_s`."""
    state, told = RuleState(rule), []
    for number, value in enumerate(seen):
        look = RuleObservation(value, rule.than)
        turn = state.step(number * step_s, look)
        if turn is not None:
            told.append((number * step_s, turn.value))
    return told


RIPPLE = [10.2, 9.9, 10.1, 9.9, 10.2, 9.8, 10.1]


def test_a_value_that_ripples_at_the_threshold_is_told_once() -> None:
    assert run(LOW, [*RIPPLE, 10.6]) == [(1.0, "begin"), (7.0, "over")]


def test_without_hysteresis_it_chatters() -> None:
    told = run(replace(LOW, hysteresis=0.0), list(RIPPLE))
    assert [word for _, word in told] == ["begin", "over"] * 3, "the negative control"


def test_it_has_to_matter_for_the_hold_time() -> None:
    rule = replace(LOW, hold_s=2.0)
    assert run(rule, [9.0, 9.0, 11.0, 9.0, 9.0, 9.0]) == [(5.0, "begin")]


def test_it_is_over_once_it_was_fine_for_the_release_time() -> None:
    rule = replace(LOW, release_s=2.0)
    seen = [9.0, 11.0, 9.0, 11.0, 11.0, 11.0]
    assert run(rule, list(seen)) == [(0.0, "begin"), (5.0, "over")]


def test_it_is_repeated_while_it_lasts() -> None:
    assert run(replace(LOW, repeat_s=2.0), [9.0] * 5 + [11.0]) == [
        (0.0, "begin"),
        (2.0, "repeat"),
        (4.0, "repeat"),
        (5.0, "over"),
    ]


def test_what_is_not_known_is_neither_fine_nor_told_again() -> None:
    rule = replace(LOW, repeat_s=2.0)
    assert run(rule, [9.0] + [None] * 9 + [9.0, 11.0]) == [
        (0.0, "begin"),
        (10.0, "repeat"),
        (11.0, "over"),
    ], "silent while nothing is known, and not over by that"
    state = RuleState(rule)
    state.step(0.0, RuleObservation(9.0, 10.0))
    state.step(1.0, RuleObservation(None, 10.0))
    assert (state.phase, state.is_known) == (RulePhase.ACTIVE, False)


def test_a_hold_time_begins_anew_after_a_silence() -> None:
    rule = replace(LOW, hold_s=2.0)
    assert run(rule, [9.0, None, 9.0, 9.0, 9.0]) == [(4.0, "begin")]


def test_a_threshold_that_is_not_known_tells_nothing() -> None:
    state = RuleState(LOW)
    assert state.step(0.0, RuleObservation(1.0, None)) is None
    assert (state.phase, state.is_known) == (RulePhase.UNKNOWN, False)


def test_a_premise_that_is_not_met_ends_it_quietly() -> None:
    state = RuleState(LOW)
    assert state.step(0.0, RuleObservation(9.0, 10.0)) is RuleTurn.BEGIN
    assert state.step(1.0, RuleObservation(9.0, 10.0, counts=False)) is None
    assert state.phase is RulePhase.FINE
    assert state.step(2.0, RuleObservation(9.0, 10.0, counts=None)) is None
    assert state.phase is RulePhase.UNKNOWN


MODE = WarningRule("mode", "Mode", "flight_mode", RuleComparison.CHANGES, "{value}")


def test_a_change_is_told_once_and_the_first_value_is_none() -> None:
    assert run(MODE, ["A", "A", "B", "B", None, "B", None, "C"]) == [(2.0, "begin"), (7.0, "begin")]


def test_a_change_that_goes_at_once_is_not_told() -> None:
    rule = replace(MODE, hold_s=2.0)
    assert run(rule, ["A", "B", "C", "A", "A", "D", "D", "D"]) == [(7.0, "begin")]


ALARMS = WarningRule("alarms", "Alarms", "alarms", RuleComparison.LISTS, "{value}", release_s=2.0)


def test_each_word_of_a_list_is_told_once() -> None:
    state = RuleState(ALARMS)
    seen = [("GPS",), ("GPS", "Attitude"), (), ("GPS",), None, ("GPS",), (), (), (), ("GPS",)]
    told = [
        (t, state.told_words)
        for t, words in enumerate(seen)
        if state.step(float(t), RuleObservation(words)) is RuleTurn.BEGIN
    ]
    assert told == [(0, ("GPS",)), (1, ("Attitude",)), (9, ("GPS",))]


@pytest.mark.parametrize(("word", "is_told"), [("lost", True), ("LOST", True), ("up", False)])
def test_a_word_is_compared_whatever_its_case(word: str, is_told: bool) -> None:
    rule = replace(LOW, comparison=RuleComparison.IS, than="lost")
    assert bool(run(rule, [word])) == is_told


def test_a_number_is_compared_as_it_is_written() -> None:
    rule = replace(LOW, comparison=RuleComparison.IS, than="3")
    assert [bool(run(rule, [value])) for value in (3.0, 3, 2.0)] == [True, True, False]
