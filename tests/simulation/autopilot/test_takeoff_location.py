"""TakeOffLocation: LibrePilot's flight/modules/ManualControl/takeofflocationhandler.c."""

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.takeoff_location import TakeoffLocation


def kept(board: SimulatedBoard, mode: str, *norths: float, is_valid: bool = False) -> list[float]:
    """Where it is after each flight from there; before the first it is 99 m north."""
    place, position = board["TakeOffLocation"], board["PositionState"]
    status = place.number("Status", "Valid" if is_valid else "Invalid")
    place.set(Mode=place.number("Mode", mode), North=99.0, Status=status)
    location, places = TakeoffLocation(board), []
    for north in norths:
        for offset, armed in enumerate(("Disarmed", "Arming", "Armed")):
            position.set(North=north + offset)
            location.update(armed)
        places.append(float(place.row["North"]))
    return places


@pytest.mark.parametrize(
    ("mode", "is_valid", "expected"),
    [
        ("ArmingLocation", True, [6.0, 11.0]),
        ("FirstArmingLocation", True, [6.0, 6.0]),
        ("Preset", True, [99.0, 99.0]),
        ("Preset", False, [6.0, 6.0]),
    ],
)
def test_it_is_where_arming_began(
    board: SimulatedBoard, mode: str, is_valid: bool, expected: list[float]
) -> None:
    """A preset place that is not valid is taken at the first arming."""
    assert kept(board, mode, 5.0, 10.0, is_valid=is_valid) == expected


@pytest.mark.parametrize(
    ("mode", "status"), [("ArmingLocation", "Invalid"), ("FirstArmingLocation", "Valid")]
)
def test_after_a_flight_it_is_only_kept_if_it_is_to_be(
    board: SimulatedBoard, mode: str, status: str
) -> None:
    kept(board, mode, 5.0)
    place = board["TakeOffLocation"]
    assert place.option("Status") == "Valid"
    location = TakeoffLocation(board)
    for armed in ("Disarmed", "Arming", "Armed", "Disarmed"):
        location.update(armed)
    assert place.option("Status") == status
