"""What a mission knows of its aircraft. Families: GetCurrentFrameType of LibrePilot's
flight/libraries/sanitycheck.c and SettingsUpdatedCb of flight/modules/PathFollower."""

import math
from typing import Any

import pytest

from telemetry.missions.aircraft_limits import MissionAircraft, mission_aircraft, settings_in
from telemetry.missions.waypoint_options import COMMANDS, END_CONDITIONS, MODES, AircraftFamily
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording


def _aircraft(catalogue: Catalogue, **objects: dict[str, Any]) -> MissionAircraft:
    recording = Recording("settings")
    for name, values in objects.items():
        definition = catalogue.find(name)
        recording.append(0.0, definition, 0, pack_values(definition, values))
    return mission_aircraft(settings_in(recording, 1.0))


@pytest.mark.parametrize(
    ("frame", "custom", "family"),
    [
        ("QuadX", "FixedWing", AircraftFamily.MULTIROTOR),
        ("HeliCP", "FixedWing", AircraftFamily.MULTIROTOR),
        ("FixedWingElevon", "VTOL", AircraftFamily.FIXED_WING),
        ("GroundVehicleCar", "VTOL", AircraftFamily.GROUND),
        ("Custom", "VTOL", AircraftFamily.MULTIROTOR),
        ("Custom", "FixedWing", AircraftFamily.FIXED_WING),
        ("VTOL", "Ground", AircraftFamily.GROUND),
    ],
)
def test_its_family(catalogue: Catalogue, frame: str, custom: str, family: AircraftFamily) -> None:
    found = _aircraft(
        catalogue,
        SystemSettings={"AirframeType": frame},
        VtolPathFollowerSettings={"TreatCustomCraftAs": custom, "HorizontalVelMax": 7.0},
        FixedWingPathFollowerSettings={"HorizontalVelMax": 22.0, "HorizontalVelMin": 11.0},
        GroundPathFollowerSettings={"HorizontalVelMax": 3.0},
    )
    assert found.family is family
    expected = {AircraftFamily.MULTIROTOR: 7.0, AircraftFamily.FIXED_WING: 22.0}.get(family, 3.0)
    assert found.fastest_mps == expected


def test_what_it_can_do(catalogue: Catalogue) -> None:
    positions = ["Stabilized1", "PathPlanner", "Stabilized1", "Stabilized1", "Land", "Land"]
    fusion = {"FusionAlgorithm": "GPS Navigation (INS13)"}
    found = _aircraft(
        catalogue,
        RevoSettings=fusion,
        FlightModeSettings={"FlightModePosition": positions, "AutoTakeOffHeight": 6.0},
        ManualControlSettings={"FlightModeNumber": 2},
    )
    assert (found.navigates, found.has_path_planner) == (True, True)
    assert found.take_off_height_m == 6.0
    one = _aircraft(
        catalogue,
        RevoSettings={"FusionAlgorithm": "Basic (Complementary)"},
        FlightModeSettings={"FlightModePosition": positions},
        ManualControlSettings={"FlightModeNumber": 1},
    )
    assert (one.navigates, one.has_path_planner) == (False, False), "one position, the first"


def test_the_boards_fence_is_that_of_the_releases_that_have_one(catalogue: Catalogue) -> None:
    fence = _aircraft(catalogue, GeoFenceSettings={"WarningRadius": 200, "ErrorRadius": 250})
    assert (fence.warning_radius_m, fence.error_radius_m) == (200.0, 250.0)
    assert _aircraft(catalogue) == MissionAircraft(), "nobody knows anything"


def test_the_options_are_those_of_the_object_in_its_order(catalogue: Catalogue) -> None:
    action = catalogue.find("PathAction")
    for field, known in (("Mode", MODES), ("EndCondition", END_CONDITIONS), ("Command", COMMANDS)):
        assert tuple(option.name for option in known) == action.field_named(field).options


def test_how_fast_it_changes_its_velocity(catalogue: Catalogue) -> None:
    """8 deg of tilt for 1 m/s that lacks are g tan(8 deg), about 1.37 m/s2: 0.73 s."""
    pid = {"HorizontalVelPID.Kp": 8.0, "HorizontalVelPID.Ki": 0.5}
    found = _aircraft(
        catalogue, SystemSettings={"AirframeType": "QuadX"}, VtolPathFollowerSettings=pid
    )
    assert found.change_s == pytest.approx(1.0 / (9.81 * math.radians(8.0)), rel=1e-3)
    assert found.begin_s == pytest.approx(16.0)
    pid["HorizontalVelPID.Ki"] = 0.0
    plain = _aircraft(
        catalogue, SystemSettings={"AirframeType": "QuadX"}, VtolPathFollowerSettings=pid
    )
    assert plain.begin_s == plain.change_s
