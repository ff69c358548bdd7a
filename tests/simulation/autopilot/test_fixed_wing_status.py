"""What the board says of an aeroplane: the checks of fixedwingflycontroller.cpp, and the speed that
a pitot tube's pressure stands for (q = rho v^2 / 2); and which class an airframe is
(GetCurrentFrameType of sanitycheck.c)."""

import math
from typing import Any

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.fixed_wing_status import FixedWingStatus
from simulation.autopilot.frame_class import FrameClass, frame_class, treated_class
from telemetry.protocol.objects.values import read_value

CHECKS = (
    "Wind", "Stallspeed", "Lowspeed", "Highspeed", "Overspeed", "Lowpower", "Highpower",
    "Rollcontrol", "Pitchcontrol", "AirspeedSensor",
)  # fmt: skip


class Triple(tuple[float, ...]):
    """A vector of OUTPUT."""

    def tolist(self) -> list[float]:
        return list(self)


def flying() -> dict[str, Any]:
    """Level, 15 m/s, nothing wrong."""
    return {
        "airspeed_calibrated": 15.0, "airspeed_true": 15.5, "airspeed_count": 9,
        "airspeed_pressure_pa": 0.5 * 1.225 * 15.0**2, "baro_temperature_c": 20.0,
        "velocity": Triple((15.0, 0.0, 0.0)), "velocity_desired": Triple((15.0, 0.0, 0.0)),
        "actuator_desired": Triple((0.0, 0.0, 0.0, 0.5)),
        "attitude_deg": Triple((0.0, 0.0, 0.0)),
        "wing_error": [1.0, 2.0, 3.0], "wing_integral": [4.0, 5.0, 6.0],
        "wing_command": [7.0, 8.0, 9.0],
    }  # fmt: skip


@pytest.fixture
def output(board: SimulatedBoard) -> dict[str, Any]:
    board["FixedWingPathFollowerSettings"].set(
        HorizontalVelMin=10.0, HorizontalVelMax=20.0, ThrustLimit=[0.1, 0.5, 0.9],
        RollLimit=[-45.0, 0.0, 45.0], PitchLimit=[-20.0, 0.0, 20.0], Safetymargins=[1.0] * 9,
    )  # fmt: skip
    board["SystemSettings"].set(AirSpeedMin=8.0, AirSpeedMax=25.0)
    made = flying()
    FixedWingStatus(board, made)  # type: ignore[arg-type]
    return made


def tripped(board: SimulatedBoard) -> set[str]:
    errors = board["FixedWingPathFollowerStatus"].newest()["Errors"].tolist()
    return {name for name, error in zip(CHECKS, errors, strict=True) if error}


@pytest.mark.parametrize(
    ("told", "checks"),
    [
        ({}, set()),
        ({"velocity": Triple((0.6, -0.7, 0.0))}, {"Wind"}),
        ({"airspeed_calibrated": 9.9}, {"Lowspeed"}),
        ({"airspeed_calibrated": 7.9}, {"Lowspeed", "Stallspeed"}),
        ({"airspeed_calibrated": 20.1}, {"Highspeed"}),
        ({"airspeed_calibrated": 25.1}, {"Highspeed", "Overspeed"}),
        ({"attitude_deg": Triple((55.8, 0.0, 0.0))}, set()),
        ({"attitude_deg": Triple((-56.0, 0.0, 0.0))}, {"Rollcontrol"}),
        ({"attitude_deg": Triple((0.0, 29.9, 0.0))}, set()),
        ({"attitude_deg": Triple((0.0, 30.1, 0.0))}, {"Pitchcontrol"}),
        ({"airspeed_count": 0}, {"AirspeedSensor"}),
    ],
)
def test_what_trips(
    told: dict[str, Any], checks: set[str], board: SimulatedBoard, output: dict[str, Any]
) -> None:
    output |= told
    assert tripped(board) == checks
    board["FixedWingPathFollowerSettings"].set(Safetymargins=[0.0] * 9)
    assert tripped(board) == checks & {"AirspeedSensor"}


@pytest.mark.parametrize(
    ("thrust", "wanted_down", "down", "check"),
    [
        (0.89, -2.0, 1.0, {"Lowpower"}),
        (0.87, -2.0, 1.0, set()),
        (0.89, 2.0, 1.0, set()),
        (0.89, -2.0, -1.0, set()),
        (0.1, 2.0, -1.0, {"Highpower"}),
        (0.11, 2.0, -1.0, set()),
        (0.1, -2.0, -1.0, set()),
        (0.1, 2.0, 1.0, set()),
    ],
)
def test_full_throttle_that_sinks_and_none_that_climbs(
    *,
    thrust: float,
    wanted_down: float,
    down: float,
    check: set[str],
    board: SimulatedBoard,
    output: dict[str, Any],
) -> None:
    output["actuator_desired"] = Triple((0.0, 0.0, 0.0, thrust))
    output["velocity"] = Triple((15.0, 0.0, down))
    output["velocity_desired"] = Triple((15.0, 0.0, wanted_down))
    assert tripped(board) == check


def test_the_sensor_tells_the_speed_of_its_pressure(
    board: SimulatedBoard, output: dict[str, Any]
) -> None:
    sensor = board["AirspeedSensor"]
    row = sensor.newest()
    assert float(row["CalibratedAirspeed"]) == pytest.approx(15.0, rel=1e-3)
    assert float(row["TrueAirspeed"]) == 15.5
    assert float(row["Temperature"]) == pytest.approx(293.15)
    assert read_value(sensor.definition, row, "SensorConnected") == "True"
    output["airspeed_count"] = 0
    output["airspeed_pressure_pa"] = -3.0
    row = sensor.newest()
    assert (float(row["CalibratedAirspeed"]), float(row["TrueAirspeed"])) == (0.0, -1.0)
    assert read_value(sensor.definition, row, "SensorConnected") == "False"
    status = board["FixedWingPathFollowerStatus"].newest()
    assert [status[name].tolist() for name in ("Error", "ErrorInt", "Command")] == [
        output["wing_error"], output["wing_integral"], output["wing_command"],
    ]  # fmt: skip
    assert not math.isnan(float(row["DifferentialPressure"]))


@pytest.mark.parametrize(
    ("airframe", "kind", "as_ground"),
    [
        ("QuadX", FrameClass.MULTIROTOR, FrameClass.MULTIROTOR),
        ("Tri", FrameClass.MULTIROTOR, FrameClass.MULTIROTOR),
        ("HeliCP", FrameClass.HELICOPTER, FrameClass.HELICOPTER),
        ("FixedWingElevon", FrameClass.FIXED_WING, FrameClass.FIXED_WING),
        ("GroundVehicleCar", FrameClass.GROUND, FrameClass.GROUND),
        ("VTOL", FrameClass.CUSTOM, FrameClass.GROUND),
        ("Custom", FrameClass.CUSTOM, FrameClass.GROUND),
    ],
)
def test_what_kind_of_vehicle_it_is(
    airframe: str, kind: FrameClass, as_ground: FrameClass, board: SimulatedBoard
) -> None:
    system, follower = board["SystemSettings"], board["VtolPathFollowerSettings"]
    system.set(AirframeType=system.number("AirframeType", airframe))
    follower.set(TreatCustomCraftAs=follower.number("TreatCustomCraftAs", "Ground"))
    assert (frame_class(board), treated_class(board)) == (kind, as_ground)
