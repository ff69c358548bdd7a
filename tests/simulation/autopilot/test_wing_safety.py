"""Safety margins of an aeroplane: updateFixedDesiredAttitude and correctCourse of LibrePilot's
fixedwingflycontroller.cpp."""

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.wing_safety import WingSafety

MARGINS = 9
PLACES = {"WIND": 0, "STALL": 1, "LOW": 2, "HIGH": 3, "OVER": 4, "ROLL": 7, "PITCH": 8}
"""Elements of Safetymargins."""


@pytest.fixture
def safety(board: SimulatedBoard) -> WingSafety:
    """Flies 10 to 20 m/s, banks to 45 and pitches to 20 degrees, and 10 more of each."""
    board["FixedWingPathFollowerSettings"].set(
        UseAirspeedSensor=1, HorizontalVelMin=10.0, HorizontalVelMax=20.0,
        RollLimit=[-45.0, 0.0, 45.0], PitchLimit=[-20.0, 0.0, 20.0],
        SafetyCutoffLimits=[10.0, 10.0, 0.0, 0.0], Safetymargins=[0.0] * MARGINS,
    )  # fmt: skip
    board["SystemSettings"].set(AirSpeedMin=8.0, AirSpeedMax=25.0)
    board["AttitudeState"].write(Roll=0.0, Pitch=0.0, Yaw=0.0)
    speed(board, 15.0)
    allow(board)
    return WingSafety(board)


def allow(board: SimulatedBoard, **margins: float) -> None:
    """The margins; without a word everything is allowed."""
    values = [0.0] * MARGINS
    for name, value in {"HIGH": 1e6, "OVER": 1e6, **margins}.items():
        values[PLACES[name]] = value
    board["FixedWingPathFollowerSettings"].set(Safetymargins=values)


def speed(board: SimulatedBoard, airspeed: float, north: float = 15.0, east: float = 0.0) -> None:
    board["AirspeedState"].write(CalibratedAirspeed=airspeed)
    board["VelocityState"].write(North=north, East=east, Down=0.0)


@pytest.mark.parametrize(
    ("margin", "value", "airspeed", "unsafe"),
    [
        ("LOW", 0.9, 9.1, False),
        ("LOW", 0.9, 8.9, True),
        ("STALL", 1.2, 9.7, False),
        ("STALL", 1.2, 9.5, True),
        ("HIGH", 1.1, 21.9, False),
        ("HIGH", 1.1, 22.1, True),
        ("OVER", 1.0, 24.9, False),
        ("OVER", 1.0, 25.1, True),
    ],
)
def test_speeds(
    *,
    margin: str,
    value: float,
    airspeed: float,
    unsafe: bool,
    board: SimulatedBoard,
    safety: WingSafety,
) -> None:
    allow(board, **{margin: value})
    speed(board, airspeed)
    assert safety.is_unsafe(15.0, 0.0) is unsafe
    board["FixedWingPathFollowerSettings"].set(UseAirspeedSensor=0)
    assert safety.is_unsafe(15.0, 0.0) is False, "of no sensor nothing is believed"


@pytest.mark.parametrize(
    ("axis", "margin", "angle", "unsafe"),
    [
        ("Roll", "ROLL", 54.0, False),
        ("Roll", "ROLL", -54.0, False),
        ("Roll", "ROLL", 56.0, True),
        ("Roll", "ROLL", -56.0, True),
        ("Pitch", "PITCH", 29.0, False),
        ("Pitch", "PITCH", 31.0, True),
        ("Pitch", "PITCH", -31.0, True),
        ("Roll", "PITCH", 90.0, False),
    ],
)
def test_angles(
    *,
    axis: str,
    margin: str,
    angle: float,
    unsafe: bool,
    board: SimulatedBoard,
    safety: WingSafety,
) -> None:
    allow(board, **{margin: 1.0})
    board["AttitudeState"].write(**{axis: angle})
    assert safety.is_unsafe(15.0, 0.0) is unsafe


@pytest.mark.parametrize(
    ("wanted", "wind_north", "wind_east", "unsafe"),
    [
        ((15.0, 0.0), 0.0, 0.0, False),
        ((15.0, 0.0), -19.0, 0.0, False),  # 20 m/s through the air still make 1 of it
        ((15.0, 0.0), -21.0, 0.0, True),
        ((15.0, 0.0), 0.0, 19.0, False),
        ((15.0, 0.0), 0.0, 21.0, True),
        ((-15.0, 0.0), -30.0, 0.0, False),  # with the wind any will do
        ((0.0, 0.0), 15.0, 0.0, False),  # it stands in the air
        ((0.0, 0.0), 5.0, 0.0, True),
    ],
)
def test_wind_that_leaves_no_course(
    *,
    wanted: tuple[float, float],
    wind_north: float,
    wind_east: float,
    unsafe: bool,
    board: SimulatedBoard,
    safety: WingSafety,
) -> None:
    """The nose points east: what is flown is 15 m/s that way, and the wind."""
    board["AttitudeState"].write(Yaw=90.0)
    speed(board, 15.0, wind_north, 15.0 + wind_east)
    assert safety.is_unsafe(*wanted) is False
    allow(board, WIND=1.0)
    assert safety.is_unsafe(*wanted) is unsafe
