"""A station takes sensors and states over by access flags, each by itself, and gives them back."""

from dataclasses import replace
from typing import Any

import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset, load_preset
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.metadata import metaobject
from telemetry.protocol.objects.values import pack_values
from tests.simulation.bench import Bench

_SUPPLIED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "GyroSensor": ({"x": 1.5, "y": -2.5, "z": 30.0}, {"gyro": [1.5, -2.5, 30.0]}),
    "AccelSensor": ({"x": 0.5, "y": 0.25, "z": -9.0}, {"accel": [0.5, 0.25, -9.0]}),
    "MagSensor": ({"x": 100.0, "y": 20.0, "z": 400.0}, {"mag": [100.0, 20.0, 400.0]}),
    "BaroSensor": (
        {"Altitude": 300.0, "Temperature": 12.0, "Pressure": 97500.0},
        {"baro_altitude_m": 300.0, "baro_temperature_c": 12.0, "baro_pressure_kpa": 97.5},
    ),
    "GPSPositionSensor": (
        {"Latitude": 490_000_000, "Longitude": 95_000_000, "Altitude": 280.0, "Status": "Fix3D"},
        {"gps_latitude_deg": 49.0, "gps_longitude_deg": 9.5, "gps_altitude_m": 280.0},
    ),
    "GPSVelocitySensor": (
        {"North": 3.0, "East": -4.0, "Down": 0.5},
        {"gps_velocity": [3.0, -4.0, 0.5]},
    ),
    "GyroState": ({"x": 5.0, "y": 6.0, "z": 7.0}, {"rates": [5.0, 6.0, 7.0]}),
    "AttitudeState": (
        {"q1": 0.5, "q2": 0.5, "q3": 0.5, "q4": 0.5},
        {"quaternion": [0.5, 0.5, 0.5, 0.5], "attitude_deg": [90.0, 0.0, 90.0]},
    ),
    "PositionState": ({"North": 7.0, "East": 8.0, "Down": -9.0}, {"position": [7.0, 8.0, -9.0]}),
    "VelocityState": ({"North": 1.0, "East": 2.0, "Down": -3.0}, {"velocity": [1.0, 2.0, -3.0]}),
}


@pytest.fixture
def autopilot(catalogue: Catalogue) -> Autopilot:
    autopilot = Autopilot(AutopilotConfig(load_preset("ar100b")), catalogue)
    autopilot.simulator.record["parameters"]["gps_first_fix"] = 0
    _run(autopilot, 75)
    return autopilot


def _run(autopilot: Autopilot, loops: int) -> None:
    for _ in range(loops):
        autopilot.run_loop()


def _take_over(autopilot: Autopilot, name: str, is_taken: bool = True) -> None:
    entry = autopilot.board[name]
    autopilot.board.set_metadata(entry, replace(entry.metadata, flight_readonly=is_taken))


def _supply(autopilot: Autopilot, name: str, **values: Any) -> None:
    definition = autopilot.board[name].definition
    assert autopilot.board.write(definition.object_id, 0, pack_values(definition, values))


def _shown(autopilot: Autopilot, members: dict[str, Any]) -> dict[str, Any]:
    return {name: autopilot.simulator.output[name].tolist() for name in members}


@pytest.mark.parametrize("name", _SUPPLIED)
def test_each_object_is_taken_over_by_itself_and_given_back(
    autopilot: Autopilot, name: str
) -> None:
    values, members = _SUPPLIED[name]
    others = [m for n, (_, shown) in _SUPPLIED.items() if n != name for m in shown]
    _take_over(autopilot, name)
    _supply(autopilot, name, **values)
    _run(autopilot, 3)
    shown = _shown(autopilot, members)
    for member, value in members.items():
        assert shown[member] == pytest.approx(value)
    for other in set(others) - set(members):
        assert autopilot.simulator.output[other].tolist() not in [
            value for _, shown in _SUPPLIED.values() for value in shown.values()
        ]
    _take_over(autopilot, name, is_taken=False)
    _run(autopilot, 15)
    back = _shown(autopilot, members)
    assert all(back[member] != shown[member] for member in members)


def test_a_write_without_taking_over_changes_nothing(autopilot: Autopilot) -> None:
    _supply(autopilot, "GyroSensor", x=100.0)
    _run(autopilot, 1)
    assert abs(autopilot.simulator.output["gyro"][0]) < 5.0


def test_a_sensor_taken_over_delivers_only_when_written(autopilot: Autopilot) -> None:
    output = autopilot.simulator.output
    _take_over(autopilot, "BaroSensor")
    _run(autopilot, 1)
    before, altitude = int(output["baro_count"]), float(output["baro_altitude_m"])
    _run(autopilot, 10)
    assert output["baro_count"] == before
    assert output["baro_altitude_m"] == altitude  # frozen, not zero
    _supply(autopilot, "BaroSensor", Altitude=271.0)
    _run(autopilot, 1)
    assert output["baro_count"] == before + 1


def test_values_that_are_no_numbers_are_not_taken_over(autopilot: Autopilot) -> None:
    _take_over(autopilot, "AccelSensor")
    _supply(autopilot, "AccelSensor", x=float("nan"), y=0.0, z=-9.81)
    _run(autopilot, 1)
    assert autopilot.simulator.output["accel"][2] == pytest.approx(-9.81, abs=0.5)
    assert abs(autopilot.simulator.output["accel"][0]) < 1.0


@pytest.mark.slow
def test_the_estimate_follows_a_gyro_the_station_supplies(autopilot: Autopilot) -> None:
    """Ten degrees per second of yaw for half a second that never happened, once the filter has
    seen for a minute and a half that samples come at the station's rate."""
    _run(autopilot, 400)
    _take_over(autopilot, "GyroSensor")
    bias = autopilot.simulator.output["gyro_bias"].tolist()
    for _ in range(4500):
        _supply(autopilot, "GyroSensor", x=bias[0], y=bias[1], z=bias[2])
        _run(autopilot, 1)
    _take_over(autopilot, "MagSensor")
    before = float(autopilot.simulator.output["attitude_deg"][2])
    bias = autopilot.simulator.output["gyro_bias"].tolist()
    for _ in range(25):
        _supply(autopilot, "GyroSensor", x=bias[0], y=bias[1], z=bias[2] + 10.0)
        _run(autopilot, 1)
    turned = float(autopilot.simulator.output["attitude_deg"][2]) - before
    assert turned == pytest.approx(5.0, abs=0.5)


@pytest.mark.parametrize("written", [{"DifferentialPressure": 61.25}, {"CalibratedAirspeed": 10.0}])
def test_airspeed_is_supplied_as_pressure_or_speed(
    autopilot: Autopilot, written: dict[str, float]
) -> None:
    _take_over(autopilot, "AirspeedSensor")
    _supply(autopilot, "AirspeedSensor", **written)
    _run(autopilot, 1)
    assert autopilot.simulator.output["airspeed_pressure_pa"] == pytest.approx(61.25)
    assert autopilot.simulator.output["airspeed_count"] == 1


def test_an_attitude_may_be_supplied_as_angles(autopilot: Autopilot) -> None:
    _take_over(autopilot, "AttitudeState")
    _supply(autopilot, "AttitudeState", Roll=10.0, Pitch=-5.0, Yaw=120.0)
    _run(autopilot, 1)
    angles = autopilot.simulator.output["attitude_deg"].tolist()
    assert angles == pytest.approx([10.0, -5.0, 120.0])


@pytest.mark.slow
def test_a_station_that_flies_by_command_and_goes_leaves_the_receiver_in_charge(
    catalogue: Catalogue, preset: Preset
) -> None:
    bench = Bench(AutopilotConfig(preset), catalogue)
    bench.run(3.0)
    entry = bench.autopilot.board["ManualControlCommand"]
    taken = replace(entry.factory_metadata, flight_readonly=True)
    bench.station.write(metaobject(bench.definition("ManualControlCommand")), 0, taken.pack(8))
    bench.write("ManualControlCommand", {"Throttle": 0.4, "Connected": "True"})
    bench.run(5.0)
    assert (round(float(entry.row["Throttle"]), 3), entry.option("Connected")) == (0.4, "True")
    for _ in range(round(15.0 * 50)):
        bench.autopilot.run_loop()
    assert not entry.is_supplied
    assert (entry.row["Throttle"], entry.option("Connected")) == (-1.0, "False")
