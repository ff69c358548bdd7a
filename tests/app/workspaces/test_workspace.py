"""Workspaces: shipped, kept, broken, reset."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.plugin_loading.loader import find_plugins
from app.workspaces.arranging import groups_of
from app.workspaces.panel_layout import Split, keys_of
from app.workspaces.workspace import SHIPPED, PanelPlace, Workspace, WorkspaceStore


@pytest.mark.parametrize("workspace_id", SHIPPED)
def test_shipped_workspaces_name_panels_that_exist(tmp_path: Path, workspace_id: str) -> None:
    workspace = WorkspaceStore(tmp_path).shipped(workspace_id)
    panels = find_plugins().panels
    assert workspace.panels
    assert workspace.is_shipped
    assert {place.panel for place in workspace.panels} <= set(panels)
    placed = [key for tabs in groups_of(workspace) for key in tabs.keys]
    assert sorted(placed) == sorted(place.key for place in workspace.panels)


def test_a_changed_workspace_comes_back_and_can_be_reset(tmp_path: Path) -> None:
    store = WorkspaceStore(tmp_path)
    fly = store.load("fly")
    changed = replace(
        fly,
        title="My Fly",
        panels=(PanelPlace("map", "map.map", "Field", {"zoom": 17}),),
        layout=None,
        floating={"map": (1, 2, 3, 4)},
        stage=None,
        cards=(),
    )
    store.save(changed)
    assert WorkspaceStore(tmp_path).load("fly") == changed
    assert store.reset("fly") == fly
    assert WorkspaceStore(tmp_path).load("fly") == fly


def test_the_file_can_be_read_by_a_person(tmp_path: Path) -> None:
    store = WorkspaceStore(tmp_path)
    store.save(store.shipped("fly"))
    value = json.loads((tmp_path / "fly.json").read_text())
    assert value["version"] == 2
    assert value["stage"]["current"] == "map"
    assert {card["anchor"] for card in value["cards"]} >= {"bottom-left", "top-right"}
    assert value["panels"]["map"]["panel"] == "map.map"


def test_a_broken_file_gives_the_default_and_a_message(tmp_path: Path) -> None:
    (tmp_path / "fly.json").write_text("no json")
    store = WorkspaceStore(tmp_path)
    assert store.load("fly") == store.shipped("fly")
    assert "kept as fly.json.unreadable-1" in store.problems[0]


@pytest.mark.parametrize(
    "value",
    [
        {"panels": {"a": {"panel": 3}}},
        {"panels": {"a": {"panel": "map.map", "settings": []}}, "layout": "a"},
        {"panels": {}, "layout": {"split": "sideways"}},
        {"panels": [1]},
        {"panels": {}, "floating": {"a": 3}},
    ],
)
def test_a_file_that_makes_no_sense_gives_the_default(tmp_path: Path, value: object) -> None:
    assert isinstance(value, dict)
    (tmp_path / "fly.json").write_text(json.dumps({"version": 1, **value}))
    store = WorkspaceStore(tmp_path)
    loaded = store.load("fly")
    if store.problems:
        assert loaded == store.shipped("fly")
    else:
        assert loaded.panels == ()


def test_forgotten_panels_are_placed_and_empty_places_closed() -> None:
    value = {
        "panels": {"a": {"panel": "x.a"}, "b": {"panel": "x.b"}},
        "layout": {"split": "vertical", "children": ["a", "gone"]},
    }
    workspace = Workspace.from_json("mine", value)
    assert isinstance(workspace.layout, Split)
    assert list(keys_of(workspace.layout)) == ["a", "b"]


def test_new_ids_are_free_and_safe(tmp_path: Path) -> None:
    store = WorkspaceStore(tmp_path)
    assert store.free_id("../Évil name!") == "vil-name"
    assert store.free_id("Fly") == "fly-2"
    assert store.free_id("???") == "workspace"


def test_own_workspaces_follow_the_shipped_ones(tmp_path: Path) -> None:
    store = WorkspaceStore(tmp_path)
    store.save(Workspace("zoo", "Zoo"))
    store.save(Workspace("ant", "Ant"))
    assert store.ids() == (*SHIPPED, "ant", "zoo")
    store.delete("ant")
    assert store.ids() == (*SHIPPED, "zoo")
