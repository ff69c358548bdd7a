"""Where each camera is and what is in the middle of its picture."""

import math

import numpy as np
import pytest

from telemetry.base.rotations import matrix_by_angles
from widgets.scene3d.camera import looking
from widgets.scene3d.camera_modes import CameraMode, CameraMove, CameraRig, SeenAircraft
from widgets.scene3d.flat_ground import grid_step_m
from widgets.scene3d.line_of_sight import LineOfSight
from widgets.scene3d.scene import Place
from widgets.scene3d.solids import box

EAST = SeenAircraft((100.0, 50.0, -20.0), yaw_deg=90.0)


def middle_of(rig: CameraRig, aircraft: SeenAircraft) -> list[float]:
    return rig.eye(aircraft).project(np.array([aircraft.position]), 200, 100)[0].tolist()


@pytest.mark.parametrize(
    "mode", [CameraMode.CHASE, CameraMode.ORBIT, CameraMode.OBSERVER, CameraMode.FREE]
)
def test_the_aircraft_is_in_the_middle_at_first(mode: CameraMode) -> None:
    rig = CameraRig()
    rig.choose(mode, EAST)
    x, y, depth = middle_of(rig, EAST)
    assert (x, y) == pytest.approx((100.0, 50.0), abs=1e-3)
    assert depth > 1.0


def test_the_chasing_camera_is_behind_and_turns_with_the_aircraft() -> None:
    rig = CameraRig()
    north, east, _ = rig.eye(EAST).position
    assert (north, east < 50.0) == (pytest.approx(100.0), True), "west of one that flies east"
    assert rig.eye(SeenAircraft(EAST.position)).position[0] < 100.0


def test_no_camera_looks_out_of_the_ground() -> None:
    rig = CameraRig()
    rig.choose(CameraMode.ORBIT, EAST)
    rig.look_from(200.0)
    for _ in range(40):
        rig.drag(0.0, -30.0)  # from below
        assert rig.eye(EAST).position[2] < 0.0
    x, y, _ = middle_of(rig, EAST)
    assert (x, y) == pytest.approx((100.0, 50.0), abs=1e-3)


def test_the_cockpit_sees_what_lies_ahead_and_rolls_along() -> None:
    rig = CameraRig()
    rig.choose(CameraMode.COCKPIT, EAST)
    rolled = SeenAircraft(EAST.position, roll_deg=30.0, yaw_deg=90.0)
    ahead = np.array([[100.0, 150.0, -20.0]])
    assert rig.eye(rolled).project(ahead, 200, 100)[0, :2] == pytest.approx((100.0, 50.0))
    right = np.array([[100.0 - 30.0, 150.0, -20.0]])  # level with it, south of its way
    assert rig.eye(rolled).project(right, 200, 100)[0, 1] < 50.0, "above the lowered right wing"


def level(_place: Place) -> float:
    return 0.0


def test_free_flight_goes_where_one_looks_and_stays_above_the_ground() -> None:
    rig = CameraRig()
    rig.choose(CameraMode.FREE, EAST)
    before = np.array(rig.eye(EAST).position)
    sight = rig.eye(EAST).to_eye[0]
    rig.speed_mps = 8.0
    rig.fly({CameraMove.AHEAD}, 0.5, level)
    assert np.array(rig.eye(EAST).position) - before == pytest.approx(4.0 * sight)
    rig.fly({CameraMove.DOWN, CameraMove.FASTER}, 60.0, level)
    assert -1.0 < rig.eye(EAST).position[2] < 0.0
    place = rig.eye(EAST).position
    rig.choose(CameraMode.ORBIT, EAST)
    rig.fly({CameraMove.AHEAD}, 1.0, level)
    rig.choose(CameraMode.FREE, EAST)
    assert rig.eye(EAST).position != place, "it begins where one looked from"


def test_free_flight_stays_above_what_is_below_the_eye_itself() -> None:
    """A plateau of 40 m beyond 150 m north, a valley of 30 m south of it."""
    rig = CameraRig()
    rig.choose(CameraMode.FREE, EAST)
    rig.drag(-1000.0, 0.0)
    rig.speed_mps = 400.0

    def surface_m(place: Place) -> float:
        return -40.0 if place[0] > 150.0 else 30.0

    rig.fly({CameraMove.DOWN}, 1.0, surface_m)
    north, _, down = rig.eye(EAST).position
    assert north < 150.0
    assert down == pytest.approx(30.0, abs=1.0)
    assert down < 30.0
    while rig.eye(EAST).position[0] < 200.0:
        before = rig.eye(EAST).position
        rig.fly({CameraMove.LEFT}, 0.1, surface_m)
        assert rig.eye(EAST).position[0] > before[0]
    assert -41.0 < rig.eye(EAST).position[2] < -40.0


def test_free_flight_comes_to_rest_on_a_roof_however_fast_it_sinks() -> None:
    roof = LineOfSight([box((0.0, -1000.0, -6.0), (200.0, 1000.0, -5.0), (1.0, 1.0, 1.0))])
    rig = CameraRig()
    rig.choose(CameraMode.FREE, EAST)
    rig.speed_mps = 400.0
    rig.fly({CameraMove.DOWN}, 1.0, lambda place: min(0.0, roof.below_m(place) or 0.0))
    assert -7.0 < rig.eye(EAST).position[2] < -6.0


def test_free_flight_begins_on_the_aircrafts_side_of_a_wall() -> None:
    wall = LineOfSight([box((95.0, 44.0, -30.0), (105.0, 45.0, 0.0), (1.0, 1.0, 1.0))])
    rig = CameraRig()
    rig.look_from(20.0)
    seen_from = rig.eye(EAST, None, wall).position
    rig.choose(CameraMode.FREE, EAST, wall)
    assert rig.eye(EAST).position == seen_from


def test_cameras_around_stay_on_the_aircrafts_side_of_a_wall() -> None:
    wall = box((95.0, 44.0, -30.0), (105.0, 45.0, 0.0), (1.0, 1.0, 1.0))
    obstacles = LineOfSight([wall])
    rig = CameraRig()
    rig.look_from(20.0)
    assert rig.eye(EAST).position[1] < 44.0, "beyond the wall without it"
    eye = rig.eye(EAST, None, obstacles)
    assert 45.0 < eye.position[1] < 47.0
    x, y, _ = eye.project(np.array([EAST.position]), 200, 100)[0]
    assert (x, y) == pytest.approx((100.0, 50.0), abs=5.0), "it still looks at the aircraft"
    rig.chase_deg = 180.0
    away = rig.eye(EAST, None, obstacles)
    assert away.position == rig.eye(EAST).position, "ahead of it nothing is in the way"


def test_rotations_are_those_of_the_aircraft() -> None:
    right_wing = matrix_by_angles(30.0, 0.0, 0.0) @ [0.0, 1.0, 0.0]
    assert right_wing[2] == pytest.approx(0.5), "a roll to the right lowers it"
    nose = matrix_by_angles(0.0, 30.0, 90.0) @ [1.0, 0.0, 0.0]
    assert nose == pytest.approx([0.0, math.cos(math.radians(30.0)), -0.5])
    assert looking(90.0, 30.0)[0] == pytest.approx([0.0, math.cos(math.radians(30.0)), 0.5])


@pytest.mark.parametrize(
    ("distance_m", "step_m"), [(1.0, 0.2), (12.0, 2.0), (60.0, 10.0), (500.0, 100.0)]
)
def test_the_grid_suits_the_distance(distance_m: float, step_m: float) -> None:
    assert grid_step_m(distance_m) == pytest.approx(step_m)
