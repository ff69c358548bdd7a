"""Limits texts of every release family."""

import pytest

from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.definition import FieldDefinition, FieldType
from telemetry.protocol.objects.field_limits import Limits, limits_of


def limits(text: str, elements: int = 1, element: int = 0, board: int = 0) -> Limits:
    field = FieldDefinition("F", FieldType.FLOAT, elements, limits=text)
    return limits_of(field, element, board)


@pytest.mark.parametrize(
    "text", ["%BE:0:1;%BE:0:2; ", "%BE:0:1,%BE:0:2,", "%BE:0:1,%BE:0:2:%BE:0:2"]
)
def test_elements_are_split_at_either_separator(text: str) -> None:
    assert limits(text, 3, 1).maximum == 2


def test_each_operator() -> None:
    assert limits("%BE:-85:85") == Limits(-85, 85)
    assert limits("%BI:0") == Limits(minimum=0)
    assert limits("%SM:9") == Limits(maximum=9)
    assert limits("%EQ:A:B") == Limits(allowed=("A", "B"))
    assert limits("%NE:A:Acro+") == Limits(forbidden=("A", "Acro+"))
    assert limits("") == Limits()
    assert limits("nonsense") == Limits()
    assert limits("%BE:low:high") == Limits()


def test_rules_of_a_board_apply_to_it_alone() -> None:
    newer = "%NE:A,%0401NE:B;%NE:C"
    older = "%0401NE:B;%0402NE:C,%0401NE:D;%0402NE:E"
    assert limits(newer, 2, 0).forbidden == ("A",)
    assert limits(newer, 2, 0, board=0x0401).forbidden == ("A", "B")
    assert limits(newer, 2, 1).forbidden == ("C",)
    assert limits(older, 2, 0, board=0x0402).forbidden == ("C",)
    assert limits(older, 2, 1, board=0x0401).forbidden == ("D",)


def test_a_value_outside_says_why() -> None:
    assert Limits(0, 10).complaint(11) == "more than 10"
    assert Limits(0, 10).complaint(-1) == "less than 0"
    assert Limits(0, 10).complaint(5) == ""
    assert Limits(forbidden=("A",)).complaint("A")
    assert Limits(allowed=("A",)).complaint("B")
    assert Limits(allowed=("A",)).complaint("A") == ""


@pytest.mark.slow
def test_every_limits_text_of_every_release_is_understood() -> None:
    catalogue = load_catalogue()
    understood = 0
    for release in catalogue.release_names:
        for definition in catalogue.release(release):
            for f in definition.fields:
                if "%" in f.limits:
                    rules = [
                        limits_of(f, index, board) != Limits()
                        for index in range(f.elements)
                        for board in (0, 0x0401, 0x0901, 0x0903, 0x0905)
                    ]
                    assert any(rules), (definition.name, f.name, f.limits)
                    understood += 1
    assert understood > 500
