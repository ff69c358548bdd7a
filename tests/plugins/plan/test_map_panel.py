"""Waypoints on the map: added, dragged, inserted and deleted by mouse and keyboard."""

from collections import Counter
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from plugins.api import PLACE_ACTIONS, PlaceAction
from plugins.plan.board_statement import board_knowledge_of
from plugins.plan.map_panel import PlanMapPanel
from plugins.plan.outline_tool import OutlineTool
from plugins.plan.places_on_map import place_of_waypoint
from plugins.testing import add, live_vehicle
from telemetry.missions.board.encoding import encode
from telemetry.missions.board.plan_definitions import PlanDefinitions
from telemetry.missions.board.plan_reading import board_session
from telemetry.missions.edits import offset
from telemetry.missions.geofences import Fence
from telemetry.missions.local_coordinates import to_latitude_longitude
from telemetry.missions.mission import place_of
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Vehicle
from tests.plugins.plan.shared_plan_bench import PlanBench
from tests.telemetry.missions.made import HOME, square
from widgets.map.canvas import MapCanvas
from widgets.map.projection import GeoPoint
from widgets.tool_card import ToolCard

LEFT = Qt.MouseButton.LeftButton


def pixel(map_panel: PlanMapPanel, index: int, bench: PlanBench) -> QPoint:
    place = place_of_waypoint(bench.draft.mission.waypoints[index])
    return QPointF(*map_panel.canvas.view.place_px(place)).toPoint()


def drag(map_panel: PlanMapPanel, start: QPoint, by: QPoint) -> None:
    QTest.mousePress(map_panel.canvas, LEFT, pos=start)
    for share in (0.5, 1.0):
        QTest.mouseMove(map_panel.canvas, start + by * share)
    QTest.mouseRelease(map_panel.canvas, LEFT, pos=start + by)


def test_clicks_add_waypoints_where_they_are(bench: PlanBench, map_panel: PlanMapPanel) -> None:
    assert map_panel.tool_name == "add", "an empty plan begins with adding"
    places = [QPoint(200, 250), QPoint(300, 150), QPoint(400, 250)]
    for place in places:
        QTest.mouseClick(map_panel.canvas, LEFT, pos=place)
    waypoints = bench.draft.mission.waypoints
    assert [pixel(map_panel, i, bench) for i in range(3)] == places
    assert [w.action.mode for w in waypoints] == ["GoToEndpoint", "FollowVector", "FollowVector"]
    assert bench.draft.mission.home is not None, "heights count from somewhere"
    assert bench.draft.current == 2


def test_a_drag_is_one_edit_and_does_not_pan(bench: PlanBench, map_panel: PlanMapPanel) -> None:
    bench.draft.open("Open", square())
    map_panel.choose_tool("move")
    view, start, before = map_panel.canvas.view, pixel(map_panel, 1, bench), bench.draft.mission
    drag(map_panel, start, QPoint(40, -30))
    assert map_panel.canvas.view == view
    end = pixel(map_panel, 1, bench)
    assert (end - start - QPoint(40, -30)).manhattanLength() <= 1
    untouched = [i for i in range(4) if i != 1]
    for i in untouched:
        assert bench.draft.mission.waypoints[i] == before.waypoints[i]
    assert bench.draft.undo() == "Move waypoint 2"
    assert bench.draft.mission == before


def test_what_is_locked_stays_and_the_ground_still_pans(
    bench: PlanBench, map_panel: PlanMapPanel
) -> None:
    made = square()
    locked = made.with_waypoint(1, replace(made.waypoints[1], is_locked=True))
    bench.draft.open("Open", locked)
    map_panel.choose_tool("move")
    drag(map_panel, pixel(map_panel, 1, bench), QPoint(40, -30))
    assert bench.draft.mission == locked
    view = map_panel.canvas.view
    drag(map_panel, QPoint(20, 20), QPoint(50, 0))
    assert map_panel.canvas.view != view
    assert bench.draft.mission == locked


def test_the_plus_on_a_leg_inserts_and_jumps_follow(
    bench: PlanBench, map_panel: PlanMapPanel
) -> None:
    bench.draft.open("Open", square(side=150.0))
    map_panel.choose_tool("move")
    middle = (pixel(map_panel, 0, bench) + pixel(map_panel, 1, bench)) / 2
    QTest.mouseClick(map_panel.canvas, LEFT, pos=middle)
    assert len(bench.draft.mission.waypoints) == 5
    north, east = place_of(bench.draft.mission.waypoints[1], HOME)
    assert (north, east) == (pytest.approx(150.0, abs=2.0), pytest.approx(75.0, abs=2.0))
    assert bench.draft.current == 1


def test_by_keyboard_alone(bench: PlanBench, map_panel: PlanMapPanel, qtbot: QtBot) -> None:
    bench.draft.open("Open", square())
    map_panel.choose_tool("move")
    start = place_of(bench.draft.mission.waypoints[1], HOME)
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_PageDown)
    assert bench.draft.current == 1
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_Up)
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    north, east = place_of(bench.draft.mission.waypoints[1], HOME)
    assert (north - start[0], east - start[1]) == pytest.approx((1.0, 10.0), rel=0.01)
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert place_of(bench.draft.mission.waypoints[1], HOME) == pytest.approx(start)
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_Insert)
    assert len(bench.draft.mission.waypoints) == 5
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_Delete)
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_Delete)
    assert len(bench.draft.mission.waypoints) == 3
    assert bench.said == ["Undone: Move waypoint 2."]


def test_several_are_moved_together(bench: PlanBench, map_panel: PlanMapPanel) -> None:
    bench.draft.open("Open", square())
    map_panel.choose_tool("move")
    control = Qt.KeyboardModifier.ControlModifier
    QTest.mouseClick(map_panel.canvas, LEFT, pos=pixel(map_panel, 0, bench))
    QTest.mouseClick(map_panel.canvas, LEFT, control, pixel(map_panel, 2, bench))
    before = bench.draft.mission
    drag(map_panel, pixel(map_panel, 0, bench), QPoint(0, 30))
    moved = [a != b for a, b in zip(before.waypoints, bench.draft.mission.waypoints, strict=True)]
    assert moved == [True, False, True, False]


def test_measuring_tells_length_and_leaves_the_plan_alone(
    bench: PlanBench, map_panel: PlanMapPanel, qtbot: QtBot
) -> None:
    bench.draft.open("Open", square())
    map_panel.choose_tool("measure")
    points = [pixel(map_panel, 0, bench), pixel(map_panel, 1, bench)]
    for point in points:
        QTest.mouseClick(map_panel.canvas, LEFT, pos=point)
    tool = map_panel.tool
    assert isinstance(tool, OutlineTool)
    assert tool.length_m == pytest.approx(60.0, abs=1.0), "a side of the square"
    assert bench.draft.mission == square()
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_Escape)
    assert tool.length_m == 0.0


def test_the_plan_is_painted(bench: PlanBench, map_panel: PlanMapPanel) -> None:
    empty = map_panel.canvas.grab().toImage()
    bench.draft.open("Open", square())
    bench.tick()
    drawn = map_panel.canvas.grab().toImage()
    first = pixel(map_panel, 0, bench) + QPoint(-8, 0)
    theme_color = map_panel.canvas.grab().toImage().pixelColor(first)
    assert empty != drawn
    assert theme_color.name() != empty.pixelColor(first).name()


def read_back(vehicle: Vehicle, catalogue: Catalogue) -> None:
    """The square is on board, from the home that the board has."""
    place = {
        "Latitude": round(HOME.latitude_deg * 1e7),
        "Longitude": round(HOME.longitude_deg * 1e7),
    }
    add(vehicle.recording, 0.0, "HomeLocation", Set="True", Altitude=HOME.altitude_m, **place)
    names = ("Waypoint", "PathAction", "PathPlan")
    definitions = PlanDefinitions(*(catalogue.find(name, DEFAULT_RELEASE) for name in names))
    image = encode(square(), definitions, HOME)
    for name, rows in (("Waypoint", image.waypoints), ("PathAction", image.actions)):
        for instance, row in enumerate(rows):
            vehicle.recording.append(0.0, catalogue.find(name, DEFAULT_RELEASE), instance, row)
    board_knowledge_of(vehicle).take_read(image, definitions, board_session(vehicle))


def test_in_flight_the_leg_is_marked_with_what_is_left(
    bench: PlanBench, map_panel: PlanMapPanel, catalogue: Catalogue
) -> None:
    """WaypointActive and PathDesired as pathplanner.c of LibrePilot *next* writes them."""
    bench.draft.open("Open", square())
    recording = Recording()
    add(recording, 0.0, "FlightStatus", Armed="Armed", FlightMode="PathPlanner")
    add(recording, 0.0, "WaypointActive", Index=1)
    add(recording, 0.0, "PathDesired", Mode="FollowVector", Start=(60, 0, -30), End=(60, 60, -30))
    add(recording, 0.0, "PositionState", North=57.0, East=20.0, Down=-30.0)
    vehicle = live_vehicle(recording=recording)
    bench.fleet.add(vehicle)
    bench.tick()
    assert map_panel.layer.flown_leg == 1
    assert map_panel.hint.text() == (
        "To waypoint 2: 40.0\u202fm to go, 3.0\u202fm right of the way"
    ), "how long the plan on board is nobody has read"
    read_back(vehicle, catalogue)
    bench.tick()
    assert map_panel.hint.text().endswith("; 160\u202fm in all")
    bench.draft.edit("Move", offset(square(), 9.0, 0.0, indices=[1]))
    bench.tick()
    assert map_panel.layer.flown_leg is None
    assert map_panel.hint.text().startswith("To waypoint 2 of another plan, on board: 40.0")
    bench.draft.undo()
    add(recording, 0.1, "FlightStatus", Armed="Armed", FlightMode="PositionHold")
    map_panel.refresh(0.1)
    assert map_panel.layer.flown_leg is None
    assert "rag waypoints" in map_panel.hint.text() or "drag them" in map_panel.hint.text()


def test_the_right_click_adds_here_and_deletes_the_fence_around_it(
    bench: PlanBench, map_panel: PlanMapPanel
) -> None:
    near, far = (to_latitude_longitude(HOME, north, 0.0) for north in (0.0, 500.0))
    fences = (Fence((near,), radius_m=30.0, name="near"), Fence((far,), radius_m=30.0, name="far"))
    bench.draft.open("Open", replace(square(), fences=fences))
    place = map_panel.canvas.view.place_at(*map_panel.canvas.view.place_px(GeoPoint(*near)))
    entries = dict(map_panel.canvas.entries_at(place))
    assert 'Delete the fence "far"' not in entries
    entries['Delete the fence "near"']()
    assert [fence.name for fence in bench.draft.mission.fences] == ["far"]
    entries["Add a waypoint here"]()
    made = bench.draft.mission.waypoints[1]
    assert (made.latitude_deg, made.longitude_deg) == pytest.approx(near, abs=1e-7)
    assert bench.draft.undo() == "Add waypoint 2"


def test_the_right_click_offers_what_a_panel_of_the_workspace_can_do_there(
    bench: PlanBench, map_panel: PlanMapPanel
) -> None:
    asked: list[tuple[float, float]] = []
    bench.shared[PLACE_ACTIONS] = lambda *place: [
        PlaceAction("Go to here …", lambda: asked.append(place))
    ]
    place = map_panel.canvas.view.centre
    dict(map_panel.canvas.entries_at(place))["Go to here …"]()
    assert asked == [(place.latitude_deg, place.longitude_deg)]


def test_the_strip_of_a_tool_does_not_look_away_from_the_plan(
    bench: PlanBench, map_panel: PlanMapPanel
) -> None:
    recording = Recording()
    place = (round(degrees * 1e7) for degrees in (HOME.latitude_deg, HOME.longitude_deg))
    home = dict(zip(("Latitude", "Longitude"), place, strict=True))
    add(recording, 0.0, "HomeLocation", Set="True", **home)
    add(recording, 0.0, "PositionState", North=0.0, East=0.0, Down=0.0)
    bench.fleet.add(live_vehicle(recording=recording))
    bench.draft.open("Open", square())
    bench.tick()
    map_panel.canvas.fit()
    map_panel.choose_tool("survey")
    map_panel.resize(700, 420)
    QCoreApplication.processEvents()
    for index in range(4):
        assert map_panel.canvas.rect().contains(pixel(map_panel, index, bench))


def test_an_empty_map_does_not_say_that_no_aircraft_is_connected_when_one_is(
    bench: PlanBench, map_panel: PlanMapPanel
) -> None:
    assert map_panel.canvas.notice.startswith("No aircraft is connected")
    bench.fleet.add(live_vehicle(recording=Recording()))
    bench.tick()
    assert "does not say yet where it is" in map_panel.canvas.notice


def test_tools_strips_and_hints_stand_over_the_map_and_move_nothing(
    bench: PlanBench, map_panel: PlanMapPanel
) -> None:
    near = to_latitude_longitude(HOME, 0.0, 0.0)
    bench.draft.open("Open", replace(square(), fences=(Fence((near,), radius_m=30.0),)))
    map_panel.show_free_area(QRect(100, 0, 600, 500))
    map_panel.choose_tool("move")
    bench.tick()

    def placed() -> list[QRect]:
        buttons = [b for b in map_panel.findChildren(QAbstractButton) if b.isCheckable()]
        seen = [b for b in buttons if b.isVisible()]
        return [map_panel.canvas.geometry(), *(_place(button, map_panel) for button in seen)]

    before = placed()
    assert all(rect.left() >= 100 for rect in before[1:8]), "in the part that no card covers"
    for shown in ("survey", "stay_inside", "measure"):
        map_panel.choose_tool(shown)
        bench.tick()
        assert placed() == before
    bench.plan.fence = 0
    bench.tick()
    assert map_panel.fence_strip.isVisible()
    assert placed() == before
    assert before != placed()[1:], "the map is compared, too"


def _place(widget: QWidget, panel: QWidget) -> QRect:
    return QRect(widget.mapTo(panel, QPoint(0, 0)), widget.size())


class PaintCount(QObject):
    """How often widgets were painted, by their classes."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.counts[type(watched).__name__] += 1
        return False


def test_a_frame_of_the_map_paints_none_of_the_tools_over_it(map_panel: PlanMapPanel) -> None:
    count = PaintCount()
    for widget in map_panel.findChildren(QWidget):
        if type(widget) in (MapCanvas, ToolCard, QPushButton):
            widget.installEventFilter(count)
    QCoreApplication.processEvents()
    count.counts.clear()
    for _ in range(3):
        map_panel.canvas.update()
        QCoreApplication.processEvents()
    assert count.counts == {"MapCanvas": 3}
    map_panel.findChildren(ToolCard)[0].setAttribute(
        Qt.WidgetAttribute.WA_OpaquePaintEvent, on=False
    )
    map_panel.canvas.update()
    QCoreApplication.processEvents()
    assert count.counts["ToolCard"] == 1, "one that lets the map through would be"
