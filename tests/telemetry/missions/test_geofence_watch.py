"""Fences watched in flight: when to warn, when to act, and that nothing is said without need."""

import pytest

from plugins.testing import add, live_vehicle
from telemetry.base.finding import Level
from telemetry.missions.geofence_watch import FenceWatch
from telemetry.missions.geofences import Fence, FenceAction, FenceKind
from telemetry.missions.local_coordinates import to_latitude_longitude
from telemetry.recording.recording import Recording
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.vehicle import Vehicle
from tests.telemetry.missions.made import HOME

_CORNERS = ((-100.0, -100.0), (-100.0, 100.0), (100.0, 100.0), (100.0, -100.0))


def _fence(action: FenceAction = FenceAction.WARN) -> Fence:
    corners = tuple(to_latitude_longitude(HOME, *corner) for corner in _CORNERS)
    return Fence(corners, action=action, warning_m=20.0)


def _aircraft() -> Vehicle:
    recording = Recording()
    home = {
        "Latitude": round(HOME.latitude_deg * 1e7),
        "Longitude": round(HOME.longitude_deg * 1e7),
    }
    add(recording, 0.0, "HomeLocation", Set="True", **home)
    add(recording, 0.0, "FlightStatus", Armed="Armed")
    return live_vehicle(recording=recording)


def _at(vehicle: Vehicle, t: float, north: float, armed: str = "Armed") -> None:
    add(vehicle.recording, t, "FlightStatus", Armed=armed)
    add(vehicle.recording, t, "PositionState", North=north, East=0.0, Down=-10.0)


@pytest.mark.parametrize(
    ("north", "level"), [(0.0, None), (79.0, None), (85.0, Level.WARNING), (105.0, Level.ERROR)]
)
def test_it_warns_near_the_border_and_beyond_it(north: float, level: Level | None) -> None:
    vehicle = _aircraft()
    _at(vehicle, 1.0, north)
    FenceWatch(vehicle).poll([_fence()])
    assert [found.level for found in notices_of(vehicle).all] == ([level] if level else [])


def test_it_acts_once_each_time_the_fence_is_crossed() -> None:
    vehicle, watch = _aircraft(), None
    watch = FenceWatch(vehicle)
    asked = []
    for t, north in enumerate((90.0, 101.0, 103.0, 90.0, 101.0)):
        _at(vehicle, t + 1.0, north)
        asked.append(watch.poll([_fence(FenceAction.RETURN)]))
    assert asked == [None, FenceAction.RETURN, None, None, FenceAction.RETURN]


def test_warning_alone_asks_for_nothing() -> None:
    vehicle = _aircraft()
    _at(vehicle, 1.0, 150.0)
    assert FenceWatch(vehicle).poll([_fence()]) is None


def test_on_the_ground_nothing_is_said() -> None:
    vehicle = _aircraft()
    _at(vehicle, 1.0, 150.0, armed="Disarmed")
    assert FenceWatch(vehicle).poll([_fence(FenceAction.LAND)]) is None
    assert notices_of(vehicle).all == ()


def test_it_says_that_it_is_blind_and_not_that_all_is_well() -> None:
    vehicle = _aircraft()
    _at(vehicle, 1.0, 0.0)
    add(vehicle.recording, 9.0, "FlightStatus", Armed="Armed")
    FenceWatch(vehicle).poll([_fence()])
    assert [found.code for found in notices_of(vehicle).all] == ["fence-not-watched"]


def test_a_place_to_stay_out_of() -> None:
    vehicle = _aircraft()
    _at(vehicle, 1.0, 30.0)
    centre = (to_latitude_longitude(HOME, 30.0, 0.0),)
    watch = FenceWatch(vehicle)
    watch.poll([Fence(centre, FenceKind.STAY_OUTSIDE, 10.0)])
    assert [found.code for found in notices_of(vehicle).all] == ["fence"]
    watch.poll([])
    assert notices_of(vehicle).all == (), "without fences nothing is left of it"
