"""Stage and cards in the window: what a user arranged stays, whatever size the window has."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.station import StartOptions, Station
from app.workspaces.arranging import Beside, OnStage
from app.workspaces.panel_group import PanelGroup
from app.workspaces.workspace_page import WorkspacePage
from plugins.testing import live_vehicle
from telemetry.base.folders import Folders
from tests.gui.driving import page_of, run_ticks, run_until_painted
from widgets.spectrum.canvas import SpectrumCanvas

MakeStation = Callable[..., Station]
SIZES = [(1024, 600), (1366, 768), (1920, 1080), (2560, 1440), (960, 540)]
TITLE_PX = 22
BORDER_PX = 5


def resize(station: Station, size: tuple[int, int]) -> None:
    station.window.setMinimumSize(0, 0)
    station.window.resize(QSize(*size))
    run_ticks(station, 2)


def arrangement(page: WorkspacePage) -> dict[str, Any]:
    value = page.describe().to_json()
    return {key: value[key] for key in ("stage", "cards", "layout", "floating")}


def group(page: WorkspacePage, key: str) -> PanelGroup:
    host = page.host(key)
    assert host is not None
    found = page.group_of(host)
    assert found is not None
    return found


def arranged_by_hand(page: WorkspacePage) -> None:
    """Something moved, pinned, folded, resized and closed."""
    display, ready = page.host("display"), page.host("ready")
    assert display is not None
    assert ready is not None
    page.move_panel(display, Beside("", "left"))
    page.move_panel(ready, OnStage("right", (333, 222)))
    page.add_panel("system_health.health", {}, "Mine")
    page.fold_panel(page.hosts[-1], is_folded=True)


@pytest.mark.slow
def test_no_order_of_sizes_and_themes_changes_what_the_user_arranged(station: Station) -> None:
    station.fleet.add(live_vehicle())
    page = page_of(station)
    run_ticks(station)
    arranged_by_hand(page)
    wanted = arrangement(page)
    resize(station, (1366, 768))
    shown = {h.key: h.rect() for h in page.hosts if h.isVisible()}
    rng = random.Random(29)
    for _ in range(12):
        resize(station, rng.choice(SIZES))
        station.appearance.choose(rng.choice(["light", "dark", "sunlight"]))
        station.window.stack.show_workspace(rng.choice(["fly", "plan", "objects"]))
        run_ticks(station, 1)
    station.window.stack.show_workspace("fly")
    station.appearance.choose("dark")
    resize(station, (1366, 768))
    run_until_painted(station)
    assert arrangement(page) == wanted
    assert {h.key: h.rect() for h in page.hosts if h.isVisible()} == shown
    page.fold_panel(page.hosts[-1], is_folded=False)
    assert arrangement(page) != wanted, "or the comparison proves nothing"


@pytest.mark.slow
def test_cards_fold_in_a_small_window_and_come_back(station: Station) -> None:
    page = page_of(station)
    resize(station, (1366, 768))
    assert not group(page, "attitude").is_folded
    resize(station, (560, 330))
    assert group(page, "attitude").is_folded
    assert not page.has_changed()
    group(page, "attitude").titles.chosen.emit("attitude")
    assert not group(page, "attitude").is_folded, "what is asked for comes before the others"
    resize(station, (1366, 768))
    assert not group(page, "attitude").is_folded
    assert not group(page, "display").is_folded


@pytest.mark.slow
def test_a_card_is_folded_and_opened_by_keyboard(station: Station) -> None:
    page = page_of(station)
    run_ticks(station)
    titles = group(page, "display").titles
    titles.tabs.setFocus()
    QTest.keyClick(titles.tabs, Qt.Key.Key_Return)
    assert group(page, "display").is_folded
    assert group(page, "display").height() == TITLE_PX + 2
    QTest.keyClick(titles.tabs, Qt.Key.Key_Return)
    assert not group(page, "display").is_folded


@pytest.mark.slow
def test_a_title_is_dragged_to_another_corner_and_esc_calls_it_off(station: Station) -> None:
    page = page_of(station)
    resize(station, (1366, 768))
    tabs = group(page, "display").titles.tabs
    before = arrangement(page)
    place = tabs.tabRect(0).center()

    def drag_to(target: QPoint) -> None:
        QTest.mousePress(tabs, Qt.MouseButton.LeftButton, pos=place)
        QTest.mouseMove(tabs, place + QPoint(30, -30))
        QTest.mouseMove(tabs, tabs.mapFromGlobal(page.mapToGlobal(target)))

    drag_to(QPoint(page.width() // 2, 60))
    QTest.keyClick(tabs, Qt.Key.Key_Escape)
    QTest.mouseRelease(tabs, Qt.MouseButton.LeftButton)
    assert arrangement(page) == before
    drag_to(QPoint(page.width() // 2, 60))
    QTest.mouseRelease(
        tabs,
        Qt.MouseButton.LeftButton,
        pos=tabs.mapFromGlobal(page.mapToGlobal(QPoint(page.width() // 2, 60))),
    )
    moved = next(card for card in arrangement(page)["cards"] if card["tabs"] == ["display"])
    assert moved["anchor"] == "top"


def random_tree(rng: random.Random, keys: list[str], depth: int = 0) -> Any:
    if len(keys) == 1:
        return keys[0]
    if len(keys) <= 3 and rng.random() < 0.35:
        return {"tabs": keys, "current": rng.choice(keys)}
    cuts = sorted(rng.sample(range(1, len(keys)), min(len(keys), rng.choice([2, 3])) - 1))
    parts = [keys[a:b] for a, b in zip([0, *cuts], [*cuts, len(keys)], strict=True)]
    return {
        "split": ("horizontal", "vertical")[depth % 2],
        "sizes": [rng.choice([1, 1.5, 2]) for _ in parts],
        "children": [random_tree(rng, part, depth + 1) for part in parts],
    }


def expected(tree: Any, x: float, y: float, width: float, height: float) -> dict[str, list[float]]:
    """Where the panels in front stood that a file of version 1 says, worked out by its ratios."""
    if isinstance(tree, str):
        return {tree: [x, y, width, height]}
    if "tabs" in tree:
        return {tree["current"]: [x, y, width, height]}
    places = {}
    is_row = tree["split"] == "horizontal"
    room = (width if is_row else height) - BORDER_PX * (len(tree["children"]) - 1)
    for ratio, child in zip(tree["sizes"], tree["children"], strict=True):
        share = room * ratio / sum(tree["sizes"])
        part = (x, y, share, height) if is_row else (x, y, width, share)
        places |= expected(child, *part)
        x, y = (x + share + BORDER_PX, y) if is_row else (x, y + share + BORDER_PX)
    return places


@pytest.mark.slow
def test_saved_workspaces_of_before_open_as_they_were(
    make_station: MakeStation, folders: Folders
) -> None:
    """Twenty files of version 1, of panels that need little room."""
    rng = random.Random(29)
    folders.workspaces.mkdir(parents=True, exist_ok=True)
    trees = {}
    for number in range(20):
        keys = [f"p{index}" for index in range(rng.randint(1, 5))]
        trees[f"saved-{number:02}"] = tree = random_tree(rng, keys)
        panels = {key: {"panel": "links.links", "settings": {}} for key in keys}
        value = {"version": 1, "title": "Mine", "layout": tree, "panels": panels, "floating": {}}
        (folders.workspaces / f"saved-{number:02}.json").write_text(json.dumps(value))
    station = make_station(StartOptions(size=(1920, 1080)))
    for workspace_id, tree in trees.items():
        station.window.stack.show_workspace(workspace_id)
        run_ticks(station, 1)
        page = page_of(station)
        for key, rect in expected(tree, 0, 0, page.width(), page.height()).items():
            shown = group(page, key).geometry().getRect()
            assert shown == pytest.approx(rect, abs=4), (workspace_id, key)
            assert group(page, key).front.key == key
    station.window.close()
    assert json.loads((folders.workspaces / "saved-00.json").read_text())["version"] == 1


def covered_share(station: Station) -> float:
    """The share of the window's client area in which the stage is covered by nothing."""
    page = page_of(station)
    stage = page.host("map")
    assert stage is not None
    area = stage.width() * stage.height()
    cards = [w for w in page.findChildren(PanelGroup) if w.isVisible()]
    cards += [w for w in page.findChildren(QWidget, "stageTitles") if w.isVisible()]
    area -= sum(card.width() * card.height() for card in cards)
    return area / (station.window.width() * station.window.height())


@pytest.mark.parametrize(("size", "bar"), [((1366, 768), 0.55), ((1920, 1080), 0.70)])
@pytest.mark.slow
def test_the_stage_of_fly_is_most_of_the_window(
    station: Station, size: tuple[int, int], bar: float
) -> None:
    """The design's own figures (*Stage and cards*)."""
    station.fleet.add(live_vehicle())
    resize(station, size)
    run_ticks(station)
    page = page_of(station)
    for key in ("display", "actions", "sticks", "attitude"):
        assert not group(page, key).is_folded, key
    assert covered_share(station) >= bar


@pytest.mark.slow
def test_a_mission_can_be_started_in_a_small_window(station: Station) -> None:
    station.window.stack.show_workspace("plan")
    resize(station, (1024, 600))
    run_ticks(station)
    start = group(page_of(station), "start")
    assert start.isVisible()
    assert not start.is_folded


@pytest.mark.slow
def test_a_spectrum_is_opened_in_half_of_any_workspace_and_gives_it_back(station: Station) -> None:
    station.fleet.add(live_vehicle())
    for name in ("fly", "analyse"):
        station.window.stack.show_workspace(name)
        page = page_of(station)
        run_ticks(station)
        before = {host.key: page.is_folded(host) for host in page.hosts}
        spectrum = page.add_panel("spectrum.spectrum")
        run_ticks(station)
        opened = page.group_of(spectrum)
        assert opened is not None
        assert opened.width() * opened.height() >= 0.5 * page.width() * page.height(), name
        (canvas,) = spectrum.findChildren(SpectrumCanvas)
        assert canvas.height() >= 0.7 * opened.height()
        page.close_panel(spectrum)
        run_ticks(station)
        assert {host.key: page.is_folded(host) for host in page.hosts} == before
        plot = page.add_panel("plots.plot")  # which does not ask for that
        run_ticks(station)
        assert plot.width() * plot.height() < 0.5 * page.width() * page.height()
        page.close_panel(plot)
