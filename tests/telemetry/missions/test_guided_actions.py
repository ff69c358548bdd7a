"""What an aircraft can be asked to do, against the objects of LibrePilot next (8c101adc)."""

import math

import pytest

from telemetry.missions.guided_actions import (
    FARTHEST_M,
    GUIDED_ACTIONS,
    FollowedAs,
    GuidedPath,
    frame_of,
    guided_action,
    read_path,
    take_off_ground_m,
    why_not_height,
    why_not_place,
)
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.recording.sample import Sample


def path_desired(catalogue: Catalogue, path: GuidedPath) -> Sample:
    definition = catalogue.find("PathDesired", DEFAULT_RELEASE)
    row = row_of(definition, pack_values(definition, path.values()))
    return Sample(0.0, definition, 0, row)


def test_every_action_names_what_the_release_has(catalogue: Catalogue) -> None:
    settings = catalogue.find("FlightModeSettings", DEFAULT_RELEASE)
    modes = settings.field_named("FlightModePosition").options
    for action in GUIDED_ACTIONS:
        assert action.mode in (*modes, ""), action.id
        assert action.sources, action.id
        for path in action.objects:
            name, _, field = path.partition(".")
            definition = catalogue.find(name, DEFAULT_RELEASE)
            assert not field or definition.has_field(field), path
    assert len({action.id for action in GUIDED_ACTIONS}) == len(GUIDED_ACTIONS)


@pytest.mark.parametrize(
    ("action", "frame", "can"),
    [
        ("take_off", FollowedAs.ROTORS, True),
        ("take_off", FollowedAs.WING, True),
        ("take_off", FollowedAs.GROUND, False),
        ("land", FollowedAs.GROUND, False),
        ("hold", FollowedAs.GROUND, True),
        ("go_to", FollowedAs.GROUND, True),
        ("orbit", FollowedAs.GROUND, True),
        ("height", FollowedAs.GROUND, False),
    ],
)
def test_offers_what_the_path_follower_has_a_controller_for(
    action: str, frame: FollowedAs, can: bool
) -> None:
    """modules/PathFollower/pathfollower.cpp, pathFollowerSetActiveController."""
    assert (frame in guided_action(action).frames) is can


@pytest.mark.parametrize(
    ("airframe", "treated_as", "frame"),
    [
        ("QuadX", "FixedWing", FollowedAs.ROTORS),
        ("HeliCP", "FixedWing", FollowedAs.ROTORS),
        ("FixedWingElevon", "VTOL", FollowedAs.WING),
        ("GroundVehicleCar", "VTOL", FollowedAs.GROUND),
        ("Custom", "FixedWing", FollowedAs.WING),
        ("VTOL", "VTOL", FollowedAs.ROTORS),
        ("Custom", "Ground", FollowedAs.GROUND),
        ("", "", None),
    ],
)
def test_knows_what_an_airframe_is_flown_as(
    airframe: str, treated_as: str, frame: FollowedAs | None
) -> None:
    """libraries/sanitycheck.c, GetCurrentFrameType; pathfollower.cpp, SettingsUpdatedCb."""
    follower = {"TreatCustomCraftAs": treated_as}
    assert frame_of({"AirframeType": airframe}, follower) is frame


@pytest.mark.parametrize(
    "path",
    [
        GuidedPath(12.0, -30.0, -15.0),
        GuidedPath(12.0, -30.0, -15.0, radius_m=20.0, speed_mps=4.0),
        GuidedPath(12.0, -30.0, -15.0, radius_m=20.0, speed_mps=4.0, is_left=True),
    ],
)
def test_is_read_back_as_it_was_written(catalogue: Catalogue, path: GuidedPath) -> None:
    """libraries/paths.c: the centre of a circle is End, its radius the way from Start to End."""
    sample = path_desired(catalogue, path)
    assert path.is_on_board(sample)
    assert read_path(sample) == path
    start, end = sample["Start"], sample["End"]
    assert math.dist(start[:2], end[:2]) == pytest.approx(path.radius_m)
    assert not path.at_height(16.0).is_on_board(sample)


def test_to_stay_asks_for_no_velocity(catalogue: Catalogue) -> None:
    """path_endpoint of libraries/paths.c adds EndingVelocity towards the end however near it is:
    any but 0 would have it swing around its place.
    """
    sample = path_desired(catalogue, GuidedPath(1.0, 2.0, -3.0))
    assert (sample["StartingVelocity"], sample["EndingVelocity"]) == (0.0, 0.0)


def test_refuses_places_and_heights_with_the_reason() -> None:
    assert why_not_place((0.0, 0.0), (FARTHEST_M - 1.0, 0.0)) is None
    assert "1.2 km away" in str(why_not_place((0.0, 0.0), (0.0, 1200.0)))
    assert why_not_height(30.0) is None
    assert "Land to come down" in str(why_not_height(0.5))
    assert "1.5 m is not between 2 and" in str(why_not_height(1.5)), "not 2 m"


def took_off(catalogue: Catalogue, **values: object) -> Sample:
    definition = catalogue.find("TakeOffLocation", DEFAULT_RELEASE)
    return Sample(0.0, definition, 0, row_of(definition, pack_values(definition, values)))


def test_is_not_sent_into_the_ground_that_it_took_off_from(catalogue: Catalogue) -> None:
    """takeofflocationhandler.c writes where it was armed by its own estimate, which stands metres
    above home where GPS had home too low: 2 m above home is then below the ground."""
    ground_m = take_off_ground_m(took_off(catalogue, Down=-3.1, Status="Valid"))
    assert ground_m == pytest.approx(3.1)
    assert "Choose 4 m or more" in str(why_not_height(2.0, ground_m))
    assert why_not_height(4.0, ground_m) is None
    assert why_not_height(2.0, 1.4) is None, "an estimate that is only noisy refuses nothing"
    assert why_not_height(2.0, -3.1) is None, "it took off from below home"
    assert why_not_height(-1.0, -3.1) is None, "2 m above the ground that is 3.1 m below home"
    assert "-1.2 m is not between -1.1 and" in str(why_not_height(-1.2, -3.1))
    assert why_not_height(0.5, lowest_m=0.3) is None


@pytest.mark.parametrize("values", [{"Status": "Invalid"}, {"Status": "Valid", "Mode": "Preset"}])
def test_a_place_that_is_not_where_it_was_armed_is_no_ground(
    catalogue: Catalogue, values: dict[str, str]
) -> None:
    assert take_off_ground_m(took_off(catalogue, Down=-3.1, **values)) is None
    assert take_off_ground_m(None) is None
