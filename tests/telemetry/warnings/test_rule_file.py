"""Rules from files: shared, kept, refused with the reason, never run."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from telemetry.base.finding import Level
from telemetry.base.text_formats import FormatError
from telemetry.warnings.rule import (
    Premise,
    RuleComparison,
    WarningOutput,
    WarningRule,
    rule_from_json,
)
from telemetry.warnings.rule_book import RuleBook
from telemetry.warnings.rule_file import parse_rules, read_rules, write_rules
from telemetry.warnings.shipped_rules import shipped_rules

OWN = WarningRule(
    "own-1",
    "Hot",
    "GyroSensor.temperature",
    RuleComparison.ABOVE,
    "Hot, {value}",
    than=60.0,
    hysteresis=2.0,
    repeat_s=30.0,
    level=Level.ERROR,
    outputs=(WarningOutput.SPEECH, WarningOutput.MARKER),
    only_if=(Premise("armed", RuleComparison.IS, "Armed"),),
)


def test_a_rule_comes_back_from_a_shared_file_as_it_was(tmp_path: Path) -> None:
    write_rules(tmp_path / "rules.json", [OWN, *shipped_rules()])
    assert read_rules(tmp_path / "rules.json") == (OWN, *shipped_rules())


REFUSED = [
    ({"comparison": "eval"}, "comparison is none of below, above"),
    ({"than": "", "comparison": "below"}, "needs a number"),
    ({"than": True}, "neither a number nor a text"),
    ({"hysteresis": -1}, "hysteresis is not a number from 0 on"),
    ({"repeat_s": 1e9}, "repeat_s is more than 3600"),
    ({"priority": "high"}, "priority is not a number"),
    ({"level": "fatal"}, "level is none of"),
    ({"outputs": ["shell"]}, "outputs is no list of"),
    ({"text": ""}, "text is missing"),
    ({"text": "{value.__class__}"}, "not the name of a value"),
    ({"text": "{value!r:>9999999}"}, "not the name of a value"),
    ({"text": "{"}, "no counterpart"),
    ({"text": "a" * 201}, "more than 200"),
    ({"text": "beep \x07"}, "cannot be shown"),
    ({"only_if": [["armed", "changes", ""]]}, "a condition cannot say 'changes'"),
    ({"only_if": "armed"}, "conditions are no list"),
]


@pytest.mark.parametrize(("change", "reason"), REFUSED)
def test_what_is_wrong_with_a_rule_is_named(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(FormatError, match="the rule 'Hot'") as refusal:
        rule_from_json({**OWN.to_json(), **change})
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ([], "no list of rules"),
        ({"version": 9, "rules": []}, "of version 9"),
        ({"version": 1, "rules": [OWN.to_json()] * 2}, "two rules have the id 'own-1'"),
        ({"version": 1, "rules": [OWN.to_json()] * 201}, "more than 200 rules"),
        ({"version": 1, "rules": [3]}, "a rule is not an object"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(content: Any, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        parse_rules(json.dumps(content))


def test_a_changed_shipped_rule_stands_in_its_place_and_can_be_brought_back(tmp_path: Path) -> None:
    book = RuleBook(tmp_path / "warnings.json")
    first = book.rules[0]
    assert book.put(replace(first, is_on=False), OWN)
    again = RuleBook(tmp_path / "warnings.json")
    assert [rule.id for rule in again.rules] == [*(r.id for r in shipped_rules()), "own-1"]
    assert not again.rules[0].is_on
    assert first.id not in [rule.id for rule in again.rules_for("")]
    assert again.take_away(first.id)
    assert again.rules[0] == first
    assert RuleBook(tmp_path / "warnings.json").own == (OWN,), "what is as shipped is not kept"


def test_two_windows_keep_the_rules_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "warnings.json"
    one, other = RuleBook(path, shipped=()), RuleBook(path, shipped=())
    assert one.put(OWN)
    assert other.put(replace(OWN, id="own-2"))
    assert one.take_away("own-1")
    assert [rule.id for rule in RuleBook(path, shipped=()).own] == ["own-2"]
    assert one.own == (replace(OWN, id="own-2"),)


def test_two_windows_add_a_rule_at_the_same_moment(tmp_path: Path) -> None:
    path = tmp_path / "warnings.json"
    windows = [RuleBook(path), RuleBook(path)]
    added = [replace(OWN, id=book.free_id(), title=f"In {n}") for n, book in enumerate(windows)]
    for book, rule in zip(windows, added, strict=True):
        assert book.put(rule)
    assert RuleBook(path).own == tuple(added)
    assert all(rule_from_json(rule.to_json()) == rule for rule in added)


def test_a_rule_for_one_aircraft_counts_for_no_other(tmp_path: Path) -> None:
    book = RuleBook(tmp_path / "warnings.json", shipped=())
    book.put(replace(OWN, aircraft="0a0b"))
    assert book.rules_for("") == book.rules_for("0a0c") == ()
    assert [rule.id for rule in book.rules_for("0a0b")] == ["own-1"]


def test_a_rule_edited_for_one_aircraft_leaves_the_others_theirs(tmp_path: Path) -> None:
    book = RuleBook(tmp_path / "warnings.json", shipped=(OWN,))
    edited = book.put_edited(replace(OWN, than=50.0, aircraft="0a0b"))
    assert book.rules_for("0a0b") == (edited,)
    assert book.rules_for("0a0c") == book.rules_for("") == (OWN,)
    again = book.put_edited(replace(edited, than=40.0))
    assert book.rules_for("0a0b") == (again,)
    book.put(replace(again, is_on=False))
    assert book.rules_for("0a0b") == (), "off there, and the one for all stays replaced"
    book.take_away(again.id)
    assert book.rules_for("0a0b") == (OWN,)


def test_a_damaged_file_is_moved_aside_and_told(tmp_path: Path) -> None:
    path = tmp_path / "warnings.json"
    path.write_text('{"version": 1, "rules": [{"id": "x"}]}', encoding="utf-8")
    book = RuleBook(path)
    assert book.rules == shipped_rules()
    assert "warnings.json" in book.problem
    assert list(tmp_path.glob("*.unreadable-1"))
