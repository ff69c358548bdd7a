"""Plans carried to a board and back, in simulated time.

Rules from LibrePilot *next*: checkPathPlan and pathPlannerTask (flight/modules/PathPlanner/
pathplanner.c), UAVObjUpdateCRC (flight/uavobjects/uavobjectmanager.c), setHomeLocation
(flight/modules/GPS/GPS.c); from dRonin: waypointValid (flight/Modules/PathPlanner/pathplanner.c).
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from telemetry.missions.board.encoding import PlanImage
from telemetry.missions.board.plan_backup import plan_backups
from telemetry.missions.board.transfer import MissionDownload, MissionUpload, PlanTransfer
from telemetry.missions.edits import offset
from telemetry.missions.local_coordinates import to_latitude_longitude
from telemetry.missions.mission import Mission
from telemetry.protocol.links.faulty import Faults
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.missions.made import HOME, mission, square, waypoint
from tests.telemetry.missions.plan_bench import plan_bench, plan_board, put_values
from tests.telemetry.protocol.session.fakes import SMALL, MemoryBoard

AnyTransfer = TypeVar("AnyTransfer", bound=PlanTransfer)


def _carry(bench: Bench, transfer: AnyTransfer, limit_s: float = 120.0) -> AnyTransfer:
    bench.run(transfer.poll, limit_s)
    return transfer


def _rows(bench: Bench, name: str, count: int) -> list[bytes]:
    definition = bench.named(name)
    return [bench.board.values[definition.object_id, i] for i in range(count)]


def _is_flown(bench: Bench) -> bool:
    """checkPathPlan: counts and checksum over the bytes that the board holds."""
    waypoints = int(bench.on_board("PathPlan", "WaypointCount"))  # type: ignore[arg-type]
    actions = int(bench.on_board("PathPlan", "PathActionCount"))  # type: ignore[arg-type]
    rows = _rows(bench, "Waypoint", waypoints), _rows(bench, "PathAction", actions)
    crc = PlanImage(tuple(rows[0]), tuple(rows[1])).crc
    return waypoints > 0 and crc == bench.on_board("PathPlan", "Crc")


def _long(count: int) -> Mission:
    """A mission of many waypoints and four different actions."""
    points = [
        waypoint(
            5.0 * i,
            float(i % 7),
            condition_parameters=(0.01 * (i % 4), 0.0, 0.0, 0.0),
        )
        for i in range(count)
    ]
    return mission(*points)


def test_up_and_down_again(catalogue: Catalogue) -> None:
    bench = plan_bench(catalogue)
    up = _carry(bench, MissionUpload(bench.vehicle, square()))
    assert up.problem == ""
    assert up.previous == PlanImage(), "the board had none"
    assert _is_flown(bench)
    assert bench.on_board("PathPlan", "PathActionCount") == 2, "equal actions are one"
    assert bench.on_board("Waypoint", "Position.North") == pytest.approx(60.0, abs=0.01)
    assert bench.on_board("Waypoint", "Position.Down") == -30.0
    down = _carry(bench, MissionDownload(bench.vehicle))
    assert down.problem == ""
    assert down.image == up.image
    for made, held in zip(square().waypoints, down.mission.waypoints, strict=True):
        assert held.action == made.action
        assert held.latitude_deg == pytest.approx(made.latitude_deg, abs=1e-7)
        assert held.longitude_deg == pytest.approx(made.longitude_deg, abs=1e-7)


def test_a_hundred_waypoints_over_a_link_that_loses_a_twentieth(catalogue: Catalogue) -> None:
    bench = plan_bench(catalogue)
    bench.link.faults = Faults(loss=0.05)
    up = _carry(bench, MissionUpload(bench.vehicle, _long(100)), 300.0)
    assert up.problem == ""
    assert _is_flown(bench)
    assert bench.on_board("PathPlan", "WaypointCount") == 100
    assert tuple(_rows(bench, "Waypoint", 100)) == up.image.waypoints


def test_nothing_is_flown_before_the_new_plan_is_whole(catalogue: Catalogue) -> None:
    """A board with the old counts would fly a mixture whose eight bits happen to fit."""
    bench = plan_bench(catalogue)
    first = _carry(bench, MissionUpload(bench.vehicle, _long(40)))
    second = MissionUpload(bench.vehicle, offset(_long(40), 5.0, 5.0))
    mixed: list[bool] = []

    def look() -> bool:
        ended = second.poll()
        held = tuple(_rows(bench, "Waypoint", 40))
        if held not in (first.image.waypoints, second.image.waypoints):
            mixed.append(bench.on_board("PathPlan", "WaypointCount") == 0)
        return ended

    bench.run(look)
    assert second.problem == ""
    assert mixed
    assert all(mixed)
    assert _is_flown(bench)
    back = _carry(bench, MissionUpload(bench.vehicle, second.previous or PlanImage()))
    assert back.problem == ""
    assert tuple(_rows(bench, "Waypoint", 40)) == first.image.waypoints, "the old one is given back"


def test_only_what_differs_is_written(catalogue: Catalogue) -> None:
    bench = plan_bench(catalogue)
    made = _long(30)
    _carry(bench, MissionUpload(bench.vehicle, made))
    changed = made.with_waypoint(7, replace(made.waypoints[7], height_m=44.0))
    sent = len(bench.aircraft.written)
    _carry(bench, MissionUpload(bench.vehicle, changed))
    once = len(bench.aircraft.written) - sent
    assert bench.board.values[bench.named("Waypoint").object_id, 7] != b""
    assert _is_flown(bench)
    sent = len(bench.aircraft.written)
    _carry(bench, MissionUpload(bench.vehicle, offset(made, 1.0, 0.0)))
    assert len(bench.aircraft.written) - sent > once + 20 * 17, "all thirty were written now"


@pytest.mark.parametrize(("mode", "armed", "may"), [
    ("PathPlanner", "Armed", False),
    ("PathPlanner", "Disarmed", True),
    ("PositionHold", "Armed", True),
])  # fmt: skip
def test_a_plan_in_flight_is_not_changed(
    catalogue: Catalogue, mode: str, armed: str, may: bool
) -> None:
    bench = plan_bench(catalogue)
    put_values(bench.board, "FlightStatus", FlightMode=mode, Armed=armed)
    up = _carry(bench, MissionUpload(bench.vehicle, square()))
    assert (up.problem == "") is may
    if not may:
        assert "is flying its plan" in up.problem
        assert bench.on_board("PathPlan", "WaypointCount") == 0, "nothing was written"


def test_a_board_without_home_is_refused(catalogue: Catalogue) -> None:
    bench = plan_bench(catalogue)
    put_values(bench.board, "HomeLocation", Set="False")
    assert "no home yet" in _carry(bench, MissionUpload(bench.vehicle, square())).problem


def test_the_boards_home_counts_not_the_missions(catalogue: Catalogue) -> None:
    north = to_latitude_longitude(HOME, 100.0, 0.0)
    moved = replace(square(), home=replace(HOME, latitude_deg=north[0], longitude_deg=north[1]))
    bench = plan_bench(catalogue)
    _carry(bench, MissionUpload(bench.vehicle, moved))
    assert bench.on_board("Waypoint", "Position.North") == pytest.approx(60.0, abs=0.01)


def test_a_plan_that_is_not_whole_is_not_taken(catalogue: Catalogue) -> None:
    bench = plan_bench(catalogue)
    up = _carry(bench, MissionUpload(bench.vehicle, square()))
    crc = up.image.crc ^ 1
    put_values(bench.board, "PathPlan", WaypointCount=4, PathActionCount=2, Crc=crc)
    assert "not whole" in _carry(bench, MissionDownload(bench.vehicle)).problem
    again = _carry(bench, MissionUpload(bench.vehicle, square()))
    assert again.problem == ""
    assert again.previous is None
    assert _is_flown(bench)


def test_a_board_that_does_not_keep_a_row_is_told_of(catalogue: Catalogue) -> None:
    board = plan_board(catalogue)
    keep: Callable[[int, int, bytes], bool] = board.write
    waypoint_id = board.named("Waypoint").object_id

    def write(object_id: int, instance: int, payload: bytes) -> bool:
        if (object_id, instance) == (waypoint_id, 2):
            payload = bytes(len(payload))
        return keep(object_id, instance, payload)

    board.write = write  # type: ignore[method-assign]
    bench = plan_bench(catalogue, board)
    up = _carry(bench, MissionUpload(bench.vehicle, square()))
    assert "Waypoint 2 does not stay" in up.problem
    assert bench.on_board("PathPlan", "WaypointCount") == 0


def test_a_plan_that_cannot_be_written_gives_the_old_one_back(catalogue: Catalogue) -> None:
    board = plan_board(catalogue)
    bench = plan_bench(catalogue, board)
    first = _carry(bench, MissionUpload(bench.vehicle, square()))
    keep: Callable[[int, int, bytes], bool] = board.write
    waypoint_id = board.named("Waypoint").object_id
    board.write = lambda i, n, data: (i, n) != (waypoint_id, 30) and keep(i, n, data)  # type: ignore[method-assign]
    failed = _carry(bench, MissionUpload(bench.vehicle, _long(40)))
    assert "The old plan is on board again" in failed.problem
    assert _is_flown(bench)
    assert tuple(_rows(bench, "Waypoint", 4)) == first.image.waypoints


def test_stopping_gives_the_old_plan_back(catalogue: Catalogue) -> None:
    bench = plan_bench(catalogue)
    first = _carry(bench, MissionUpload(bench.vehicle, square()))
    up = MissionUpload(bench.vehicle, _long(60))
    waypoints = bench.named("Waypoint").object_id
    bench.run(lambda: up.poll() or (waypoints, 20) in bench.board.values)
    assert not _is_flown(bench)
    up.stop()
    _carry(bench, up)
    assert up.problem.startswith("Stopped. The old plan is on board again")
    assert _is_flown(bench)
    assert tuple(_rows(bench, "Waypoint", 4)) == first.image.waypoints
    early = MissionUpload(bench.vehicle, _long(60))
    early.stop()
    assert early.problem == "Stopped."


def test_after_a_crash_the_next_upload_can_give_the_old_plan_back(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bench = plan_bench(catalogue)
    first = _carry(bench, MissionUpload(bench.vehicle, square(), kept=plan_backups(tmp_path)))
    lost = MissionUpload(bench.vehicle, _long(60), kept=plan_backups(tmp_path))
    waypoints = bench.named("Waypoint").object_id
    bench.run(lambda: lost.poll() or (waypoints, 20) in bench.board.values)
    again = MissionUpload(bench.vehicle, _long(60), kept=plan_backups(tmp_path))
    bench.run(lambda: again.poll() or again.text == "Writing the plan")
    assert again.previous == first.image
    again.stop()
    _carry(bench, again)
    assert _is_flown(bench)
    assert tuple(_rows(bench, "Waypoint", 4)) == first.image.waypoints
    assert list(tmp_path.glob("*.json")) == [], "nothing is kept of what has ended"


def test_old_firmware_counts_altitude_downwards(catalogue: Catalogue) -> None:
    """LP-601, after LibrePilot 16.09: `positionState.Down <= ConditionParameters[0]` before."""
    climb = mission(
        waypoint(
            0.0, 0.0, 30.0, end_condition="AboveAltitude", condition_parameters=(20.0, 0, 0, 0)
        )
    )
    for release, expected in ((DEFAULT_RELEASE, 20.0), ("LibrePilot-16.09", -20.0)):
        bench = plan_bench(catalogue)
        bench.vehicle.status = replace(bench.vehicle.status, release=release)
        up = MissionUpload(bench.vehicle, climb)
        bench.run(lambda up=up, r=release, b=bench: _poll_as(b, up, r))  # type: ignore[misc]
        assert up.problem == ""
        assert bench.on_board("PathAction", "ConditionParameters.0") == expected
        down = MissionDownload(bench.vehicle)
        bench.run(lambda d=down, r=release, b=bench: _poll_as(b, d, r))  # type: ignore[misc]
        assert down.mission.waypoints[0].action.condition_parameters[0] == 20.0


def _poll_as(bench: Bench, transfer: PlanTransfer, release: str) -> bool:
    bench.vehicle.status = replace(bench.vehicle.status, release=release)
    return transfer.poll()


def test_dronin_has_the_mode_in_the_waypoint(catalogue: Catalogue) -> None:
    release = "dRonin-next-2021-06"
    bench = plan_bench(catalogue, plan_board(catalogue, release))
    long = _carry(bench, MissionUpload(bench.vehicle, _long(6)))
    assert long.problem == ""
    up = _carry(bench, MissionUpload(bench.vehicle, square()))
    assert up.problem == ""
    assert [bench.named("Waypoint").size] == [len(up.image.waypoints[0])]
    down = _carry(bench, MissionDownload(bench.vehicle))
    assert [w.action.mode for w in down.mission.waypoints] == ["FollowVector"] * 3 + [
        "GoToEndpoint"
    ]
    timed = mission(waypoint(0.0, 0.0, end_condition="TimeOut"))
    refused = _carry(bench, MissionUpload(bench.vehicle, timed))
    assert "Waypoint 1" in refused.problem
    assert "cannot end otherwise" in refused.problem


def test_a_board_without_a_path_planner_says_so(catalogue: Catalogue) -> None:
    names = (n for n in SMALL if n not in ("Waypoint", "PathAction"))
    board = MemoryBoard(catalogue.find(name, DEFAULT_RELEASE) for name in names)
    bench = plan_bench(catalogue, board)
    assert "no path planner" in _carry(bench, MissionUpload(bench.vehicle, square())).problem


def test_a_link_that_goes_is_waited_for_and_the_upload_goes_on(catalogue: Catalogue) -> None:
    bench = plan_bench(catalogue)
    up = MissionUpload(bench.vehicle, _long(60))
    waypoints = bench.named("Waypoint").object_id
    bench.run(lambda: up.poll() or (waypoints, 20) in bench.board.values)
    bench.link.faults = Faults(loss=1.0)
    for _ in range(600):
        up.poll()
        bench.pass_time(0.02)
    assert not up.is_finished
    put_values(bench.board, "Waypoint")  # it has restarted
    bench.link.faults = Faults()
    _carry(bench, up)
    assert up.problem == ""
    assert _is_flown(bench)
    assert bench.on_board("PathPlan", "WaypointCount") == 60


def test_another_board_behind_the_same_link_gets_nothing(catalogue: Catalogue) -> None:
    bench = plan_bench(catalogue)
    up = MissionUpload(bench.vehicle, _long(60))
    waypoints = bench.named("Waypoint").object_id
    bench.run(lambda: up.poll() or (waypoints, 20) in bench.board.values)
    bench.link.faults = Faults(loss=1.0)
    for _ in range(600):
        up.poll()
        bench.pass_time(0.02)
    put_values(bench.board, "FirmwareIAPObj", CPUSerial=[7] * 12)
    held = dict(bench.board.values)
    bench.link.faults = Faults()
    _carry(bench, up)
    assert "Another board" in up.problem
    changed = {k for k, v in bench.board.values.items() if held.get(k) != v}
    assert not any(object_id == waypoints for object_id, _ in changed)
