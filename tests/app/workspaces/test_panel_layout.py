"""Layouts are read, written, reduced and added to."""

from typing import Any

import pytest

from app.workspaces.panel_layout import (
    LayoutError,
    Split,
    Tabs,
    beside,
    from_json,
    keys_of,
    to_json,
    with_sizes,
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


def test_a_panel_is_put_beside_another() -> None:
    layout = from_json(NESTED)
    with_e = beside(layout, "d", "top", alone("e"), 0.5)
    assert to_json(with_e)["children"][1]["sizes"] == [3.0, 1.0, 1.0]
    assert list(keys_of(with_e)) == ["a", "b", "c", "e", "d"]
    at_the_edge = beside(layout, "", "right", alone("e"), 0.25)
    assert isinstance(at_the_edge, Split)
    assert at_the_edge.sizes == pytest.approx((0.3, 0.45, 0.25)), "2 : 3 in the three quarters left"
    assert list(keys_of(at_the_edge)) == ["a", "b", "c", "d", "e"]
    assert without(with_e, {"e"}) is not None


def test_ratios_are_changed_where_the_path_leads() -> None:
    layout = with_sizes(from_json(NESTED), (1,), (1.0, 1.0))
    assert to_json(layout)["sizes"] == [2.0, 3.0]
    assert to_json(layout)["children"][1]["sizes"] == [1.0, 1.0]
