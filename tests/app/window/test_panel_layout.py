"""Layouts are read, written, reduced and recognised from rectangles."""

from typing import Any

import pytest

from app.window.panel_layout import (
    LayoutError,
    Split,
    Tabs,
    describe,
    from_json,
    keys_of,
    to_json,
    without,
)

NESTED = {
    "split": "horizontal",
    "sizes": [2.0, 3.0],
    "children": [
        "a",
        {
            "split": "vertical",
            "sizes": [3.0, 2.0],
            "children": [{"tabs": ["b", "c"], "current": "c"}, "d"],
        },
    ],
}


def alone(key: str) -> Tabs:
    return Tabs((key,), key)


@pytest.mark.parametrize("value", ["a", {"tabs": ["a", "b"], "current": "b"}, NESTED])
def test_json_round_trip(value: Any) -> None:
    assert to_json(from_json(value)) == value


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        {"tabs": []},
        {"tabs": "ab"},
        {"split": "diagonal", "children": ["a", "b"]},
        {"split": "horizontal", "children": []},
        {"split": "horizontal", "children": ["a", "b"], "sizes": [1]},
        {"split": "horizontal", "children": ["a", "b"], "sizes": [1, 0]},
    ],
)
def test_nonsense_is_refused(value: Any) -> None:
    with pytest.raises(LayoutError):
        from_json(value)


def test_panels_are_taken_out_and_empty_areas_close() -> None:
    layout = from_json(NESTED)
    assert list(keys_of(layout)) == ["a", "b", "c", "d"]
    assert without(layout, {"a", "c", "d"}) == alone("b")
    assert without(layout, {"a", "b", "c", "d"}) is None
    assert without(layout, set()) == layout


def test_rectangles_are_recognised_as_splits() -> None:
    tabs = Tabs(("b", "c"), "c")
    areas = {
        alone("a"): (0, 0, 200, 500),
        tabs: (205, 0, 295, 300),
        alone("d"): (205, 305, 295, 195),
    }
    found = describe(areas)
    assert found == Split(
        "horizontal",
        (200.0, 295.0),
        (alone("a"), Split("vertical", (300.0, 195.0), (tabs, alone("d")))),
    )


def test_no_rectangles_are_no_layout() -> None:
    assert describe({}) is None
