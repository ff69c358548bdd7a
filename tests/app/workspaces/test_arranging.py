"""What a user does to panels of a workspace gives another one, in which no panel is lost."""

import random

import pytest

from app.workspaces.arranging import (
    Beside,
    InOwnWindow,
    IntoTabs,
    OnStage,
    Target,
    card_of,
    chosen,
    folded,
    group_of,
    groups_of,
    moved,
    with_panel,
    without_panel,
)
from app.workspaces.cards import ANCHORS, MOST_CARDS
from app.workspaces.panel_layout import STAGE, LayoutError, keys_of
from app.workspaces.workspace import PanelPlace, Workspace

FLY = Workspace.from_json(
    "fly",
    {
        "stage": {"tabs": ["map", "space"], "current": "map"},
        "cards": [
            {"tabs": ["display"], "anchor": "bottom-left", "size": [330, 270], "order": 1},
            {"tabs": ["chart", "height"], "anchor": "top-right", "size": [300, 180], "order": 2},
        ],
        "layout": {"split": "horizontal", "sizes": [3, 1], "children": ["@stage", "tree"]},
        "panels": {
            key: {"panel": f"x.{key}"}
            for key in ("map", "space", "display", "chart", "height", "tree")
        },
    },
)


def placed(workspace: Workspace) -> list[str]:
    in_page = [key for tabs in groups_of(workspace) for key in tabs.keys]
    return sorted([*in_page, *workspace.floating])


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_moved_no_panel_is_lost_and_none_stands_twice(seed: int) -> None:
    rng = random.Random(seed)
    workspace, keys = FLY, [place.key for place in FLY.panels]
    for _ in range(15):
        targets: list[Target] = [
            IntoTabs(rng.choice([*keys, STAGE])),
            Beside(rng.choice(["", *keys, STAGE]), rng.choice(["left", "top", "right", "bottom"])),
            OnStage(rng.choice(ANCHORS), (300, 200)),
            InOwnWindow((1, 2, 300, 200)),
        ]
        workspace = moved(workspace, rng.choice(keys), rng.choice(targets))
        assert placed(workspace) == sorted(keys)
        assert (STAGE in set(keys_of(workspace.layout))) == (workspace.stage is not None)
        again = Workspace.from_json(workspace.id, workspace.to_json())
        assert placed(again) == sorted(keys)
        assert again.to_json() == workspace.to_json()


def test_the_stage_goes_with_its_last_panel_and_its_cards_stay() -> None:
    one = moved(FLY, "space", OnStage("left", (300, 200)))
    without = without_panel(one, "map")
    assert without.stage is None
    assert without.cards == ()
    assert placed(without) == ["chart", "display", "height", "space", "tree"]


def test_a_panel_alone_does_not_move_beside_itself() -> None:
    assert moved(FLY, "display", IntoTabs("display")) is FLY
    assert moved(FLY, "chart", IntoTabs("height")) is FLY
    assert moved(FLY, "tree", Beside("tree", "left")) is FLY


def test_a_tab_is_taken_out_beside_its_group() -> None:
    pinned = moved(FLY, "display", IntoTabs("tree"))
    apart = moved(pinned, "display", Beside("display", "top"))
    assert list(keys_of(apart.layout)) == [STAGE, "display", "tree"]


def test_tabs_are_chosen_and_folded() -> None:
    assert card_of(chosen(FLY, "height"), "chart").tabs.current == "height"  # type: ignore[union-attr]
    shut = folded(FLY, "tree", is_folded=True)
    tabs = group_of(shut, "tree")
    assert tabs is not None
    assert tabs.folded
    assert not any(card.tabs.folded for card in shut.cards)


def test_no_more_cards_are_made_than_a_file_may_have() -> None:
    """What does not become a card stands beside the stage."""
    workspace = FLY
    for number in range(MOST_CARDS + 3):
        place = PanelPlace(f"more{number}", "x.more")
        workspace = with_panel(workspace, place, OnStage("right", (300, 200)))
    assert len(workspace.cards) == MOST_CARDS
    assert placed(Workspace.from_json("fly", workspace.to_json())) == placed(workspace)
    value = workspace.to_json()
    value["cards"] = value["cards"] + value["cards"][:1]
    with pytest.raises(LayoutError, match="25 cards, and 24 is the most"):
        Workspace.from_json("fly", value)


def test_a_panel_is_added_as_a_card() -> None:
    more = with_panel(FLY, PanelPlace("new", "x.new"), OnStage("right", (360, 260)))
    card = card_of(more, "new")
    assert card is not None
    assert card.order == 3
