"""Cards on a stage: inside it, apart from each other, folded in their order where it is small."""

import random

import pytest

from app.workspaces.cards import ANCHORS, GAP_PX, Card, CardMeasure, free_area, place_cards
from app.workspaces.panel_layout import Rect, Tabs

SIZES = [(960, 420), (1024, 480), (1366, 648), (1920, 960), (2560, 1320), (300, 200), (40, 30)]


def random_cards(seed: int) -> tuple[list[Card], dict[Tabs, CardMeasure]]:
    rng = random.Random(seed)
    cards, measures = [], {}
    for number in range(rng.randint(1, 7)):
        tabs = Tabs((f"c{number}",), f"c{number}", folded=rng.random() < 0.2)
        size = (rng.randint(100, 700), rng.randint(60, 500))
        least = (rng.randint(80, size[0]), rng.randint(50, size[1]))
        grows = rng.random() < 0.3
        cards.append(Card(tabs, rng.choice(ANCHORS), size, rng.randint(0, 9), grows=grows))
        measures[tabs] = CardMeasure(least, (rng.randint(60, 200), 24))
    return cards, measures


def overlap(one: Rect, other: Rect) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


@pytest.mark.parametrize("seed", range(60))
def test_cards_stand_apart_and_inside_at_every_size(seed: int) -> None:
    cards, measures = random_cards(seed)
    for stage in SIZES:
        places = place_cards(cards, stage, measures)
        rects = [place.rect for place in places.values() if place.rect is not None]
        for number, rect in enumerate(rects):
            assert rect[0] >= GAP_PX
            assert rect[1] >= GAP_PX
            assert rect[0] + rect[2] <= stage[0] - GAP_PX
            assert rect[1] + rect[3] <= stage[1] - GAP_PX
            assert not any(overlap(rect, other) for other in rects[:number])
        for tabs, place in places.items():
            if place.rect is None:
                continue
            least = measures[tabs].titles if place.is_folded else measures[tabs].least
            assert place.rect[2] >= least[0]
            assert place.rect[3] >= least[1]


def test_the_first_in_order_keeps_its_room() -> None:
    one, two = Tabs(("one",), "one"), Tabs(("two",), "two")
    measures = dict.fromkeys((one, two), CardMeasure((200, 150), (60, 24)))
    cards = [Card(two, "top-left", (300, 200), 2), Card(one, "top-left", (300, 200), 1)]
    places = place_cards(cards, (330, 300), measures)
    assert places[one].rect == (8, 8, 300, 200)
    assert places[two].is_folded
    other_order = [Card(two, "top-left", (300, 200), 1), Card(one, "top-left", (300, 200), 2)]
    assert place_cards(other_order, (330, 300), measures)[one].is_folded


def test_cards_shrink_before_they_fold() -> None:
    tabs = Tabs(("one",), "one")
    measures = {tabs: CardMeasure((200, 100), (60, 24))}
    (place,) = place_cards([Card(tabs, "left", (300, 500))], (600, 300), measures).values()
    assert place.rect == (8, 8, 300, 284)
    assert not place.is_folded


def test_a_card_is_narrower_rather_than_folded_beside_another() -> None:
    one, two = Tabs(("one",), "one"), Tabs(("two",), "two")
    measures = dict.fromkeys((one, two), CardMeasure((200, 100), (60, 24)))
    cards = [Card(one, "right", (300, 500), 1), Card(two, "bottom-left", (600, 120), 2)]
    places = place_cards(cards, (900, 500), measures)
    assert places[one].rect == (592, 8, 300, 484)
    assert places[two].rect == (8, 372, 576, 120)


def test_half_of_the_stage_stays_free() -> None:
    """On 800x400 they would cover 54 %."""
    one, two = Tabs(("one",), "one"), Tabs(("two",), "two")
    measures = dict.fromkeys((one, two), CardMeasure((200, 100), (60, 24)))
    cards = [Card(one, "right", (300, 500), 1), Card(two, "bottom-left", (600, 120), 2)]
    places = place_cards(cards, (800, 400), measures)
    assert (places[one].is_folded, places[two].is_folded) == (False, True)


def test_a_title_without_room_at_its_anchor_stands_elsewhere() -> None:
    one, two = Tabs(("one",), "one"), Tabs(("two",), "two", folded=True)
    measures = dict.fromkeys((one, two), CardMeasure((100, 100), (60, 24)))
    cards = [Card(one, "left", (100, 500), 1), Card(two, "left", (100, 100), 2)]
    places = place_cards(cards, (400, 200), measures)
    assert places[one].rect == (8, 8, 100, 184)
    assert places[two].rect is not None
    assert places[two].rect[0] > 108


def test_one_that_grows_is_larger_in_a_larger_window() -> None:
    tabs = Tabs(("one",), "one")
    measures = {tabs: CardMeasure((100, 100), (60, 24))}
    card = Card(tabs, "bottom-left", (330, 270), grows=True)
    usual = place_cards([card], (1366, 648), measures)[tabs].rect
    large = place_cards([card], (1920, 960), measures)[tabs].rect
    assert usual is not None
    assert large is not None
    assert usual[2:] == (330, 270)
    assert large[2:] == (412, 338)


@pytest.mark.parametrize("seed", range(30))
def test_the_free_area_is_free_and_none_is_larger(seed: int) -> None:
    """Against the largest free rectangle of a coarse grid, found by trying all."""
    rng = random.Random(seed)
    width, height, cell = 12, 8, 10
    covered = [
        (rng.randrange(width) * cell, rng.randrange(height) * cell, 3 * cell, 2 * cell)
        for _ in range(rng.randint(0, 4))
    ]
    stage = (width * cell, height * cell)
    found = free_area(stage, covered)
    assert not any(overlap(found, rect) for rect in covered)
    best = max(
        (w * h * cell * cell)
        for x in range(width)
        for y in range(height)
        for w in range(1, width - x + 1)
        for h in range(1, height - y + 1)
        if not any(overlap((x * cell, y * cell, w * cell, h * cell), rect) for rect in covered)
    )
    assert found[2] * found[3] == best
