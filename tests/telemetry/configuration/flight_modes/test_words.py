"""No release may have a mode or a way of arming without words."""

import pytest

from telemetry.configuration.flight_modes.arming_gestures import gesture_of, stick_places
from telemetry.configuration.flight_modes.modes import AXIS_MODES, FLIGHT_MODES
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def options(catalogue: Catalogue, field: str) -> set[str]:
    """All options of a field over all releases."""
    keepers = ("FlightModeSettings", "ManualControlSettings")
    return {
        option
        for release in catalogue.release_names
        for d in catalogue.release(release)
        if d.name in keepers and d.has_field(field)
        for option in d.field_named(field).options
    }


def test_every_mode_has_words(catalogue: Catalogue) -> None:
    assert options(catalogue, "FlightModePosition") <= set(FLIGHT_MODES)


def test_every_axis_mode_has_words(catalogue: Catalogue) -> None:
    assert options(catalogue, "Stabilization1Settings") <= set(AXIS_MODES)


def test_every_way_of_arming_is_understood(catalogue: Catalogue) -> None:
    found = options(catalogue, "Arming")
    assert len(found) > 15
    assert [option for option in found if gesture_of(option).kind == "unknown"] == []


def test_an_unknown_way_of_arming_is_said_to_be() -> None:
    assert gesture_of("Salute").kind == "unknown"


@pytest.mark.parametrize(
    ("option", "mode", "left", "right"),
    [
        ("Yaw Right", 2, (1, -1), (0, 0)),
        ("Yaw Right", 1, (1, 0), (0, -1)),
        ("Roll Left", 2, (0, -1), (-1, 0)),
        ("Roll Left", 4, (-1, -1), (0, 0)),
        ("Pitch Forward", 1, (0, 1), (0, -1)),
        ("Pitch Aft", 3, (0, -1), (0, -1)),
        ("Yaw Left+Throttle", 2, (-1, -1), (0, 0)),
    ],
)
def test_sticks_go_where_the_option_says(
    option: str, mode: int, left: tuple[int, int], right: tuple[int, int]
) -> None:
    assert stick_places(gesture_of(option), mode) == (left, right)  # type: ignore[arg-type]


def test_the_other_side_disarms() -> None:
    assert "to the left" in gesture_of("Yaw Right").disarm
