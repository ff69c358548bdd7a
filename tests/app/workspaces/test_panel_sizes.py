"""Areas of a layout: proportions that hold at every size, and what folds where it is small."""

import random

import pytest

from app.workspaces.panel_layout import STAGE, Layout, Tabs, from_json, tabs_of, with_sizes
from app.workspaces.panel_sizes import (
    HANDLE_PX,
    Measures,
    areas_of,
    folded_to_fit,
    least_size,
    moved_border,
    sizes_of,
)

TITLE_PX = 22
MEASURES = Measures(lambda _tabs: (160, 100), TITLE_PX)
THREE = from_json(
    {"split": "horizontal", "sizes": [2, 3, 1], "children": ["left", "@stage", "right"]}
)


def random_layout(rng: random.Random, depth: int = 0) -> Layout:
    names = (f"p{number}" for number in range(1000))

    def make(depth: int) -> object:
        if depth == 3 or rng.random() < 0.3:
            return next(names)
        count = rng.randint(2, 3)
        return {
            "split": ("horizontal", "vertical")[depth % 2],
            "sizes": [rng.choice([1, 2, 3.5]) for _ in range(count)],
            "children": [make(depth + 1) for _ in range(count)],
        }

    return from_json(make(depth))


@pytest.mark.parametrize("seed", range(40))
def test_areas_fill_their_place_without_overlap(seed: int) -> None:
    layout = random_layout(random.Random(seed))
    for size in ((1366, 648), (960, 420), (2560, 1320), (500, 300)):
        shown = folded_to_fit(layout, size, MEASURES)
        areas = areas_of(shown, (0, 0, *size), MEASURES)
        covered = sum(w * h for (_, _, w, h), _ in areas.places.values())
        covered += sum(border.rect[2] * border.rect[3] for border in areas.borders)
        least = least_size(shown, MEASURES)
        if least[0] <= size[0] and least[1] <= size[1]:
            assert covered == size[0] * size[1]
            for tabs, ((_, _, width, height), _) in areas.places.items():
                if not tabs.folded:
                    assert width >= 160
                    assert height >= 100


def test_sizes_follow_the_ratios() -> None:
    """2 : 3 : 1 of what two borders leave of 610 px."""
    assert sizes_of(THREE, 610, Measures(lambda _tabs: (0, 0), TITLE_PX)) == [200, 300, 100]  # type: ignore[arg-type]


def test_the_last_in_reading_order_folds_first_and_the_stage_never() -> None:
    def folded(width: int, asked: tuple[str, ...] = ()) -> list[str]:
        shown = folded_to_fit(THREE, (width, 400), MEASURES, asked)
        return [tabs.current for tabs in tabs_of(shown) if tabs.folded]

    assert folded(500) == []
    assert folded(400) == ["right"]
    assert folded(400, asked=("right",)) == ["left"]
    assert folded(300) == ["left", "right"]
    assert STAGE not in folded(50)


def test_a_border_moves_what_is_beside_it_and_stops_at_least_sizes() -> None:
    size = (970, 400)  # 960 px to share: 320, 480, 160
    border = areas_of(THREE, (0, 0, *size), MEASURES).borders[0]
    ratios = moved_border(THREE, border, 40, size, MEASURES)
    moved = with_sizes(THREE, border.path, ratios)
    places = areas_of(moved, (0, 0, *size), MEASURES).places
    assert [rect[2] for rect, _ in places.values()] == [360, 440, 160]
    far = with_sizes(THREE, (), moved_border(THREE, border, -900, size, MEASURES))
    widths = [rect[2] for rect, _ in areas_of(far, (0, 0, *size), MEASURES).places.values()]
    assert widths == [160, 640, 160]
    assert border.rect == (320, 0, HANDLE_PX, 400)


def test_a_folded_panel_keeps_its_ratio_while_others_are_moved() -> None:
    layout = from_json(
        {
            "split": "horizontal",
            "sizes": [1, 1, 2],
            "children": [{"tabs": ["drawer"], "folded": True}, "b", "c"],
        }
    )
    size = (1000, 400)
    areas = areas_of(layout, (0, 0, *size), MEASURES)
    drawer = Tabs(("drawer",), "drawer", folded=True)
    assert areas.places[drawer] == ((0, 0, TITLE_PX, 400), True)
    ratios = moved_border(layout, areas.borders[1], 100, size, MEASURES)
    assert ratios[0] == 1
    assert sum(ratios) == pytest.approx(4)
