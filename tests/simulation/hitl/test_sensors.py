"""Simulated sensors in the objects of boards."""

import math

import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.environment.atmosphere import density
from simulation.hitl.sensors import (
    SUPPLIED_SENSORS,
    SensorError,
    SensorFeed,
    chosen_sensors,
)
from simulation.records.flight import VELOCITY
from simulation.records.sensor_table import AIRSPEED
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.values import read_value, row_of
from tests.simulation.flights import parked, thrown

STEPS = 6000


def _fed(catalogue: Catalogue, name: str, object_name: str) -> dict[str, float]:
    simulator = parked()
    simulator.advance(STEPS)
    definition = catalogue.find(object_name)
    payload = SensorFeed(SUPPLIED_SENSORS[name], definition).payload(simulator.output)
    assert payload is not None
    row = row_of(definition, payload)
    values = {f.name: read_value(definition, row, f.name) for f in definition.fields}
    return {k: v for k, v in values.items() if isinstance(v, float | int)}


@pytest.mark.slow
def test_an_aircraft_at_rest_feels_its_weight(catalogue: Catalogue) -> None:
    accel = _fed(catalogue, "accel", "AccelSensor")
    assert accel["z"] == pytest.approx(-9.81, abs=0.5)
    assert abs(_fed(catalogue, "gyro", "GyroSensor")["x"]) < 5.0


@pytest.mark.slow
def test_positions_are_whole_ten_millionths_of_degrees(catalogue: Catalogue) -> None:
    fix = _fed(catalogue, "gps", "GPSPositionSensor")
    assert fix["Latitude"] == pytest.approx(489_460_000, abs=2000)
    assert fix["Longitude"] == pytest.approx(94_300_000, abs=2000)
    assert fix["Satellites"] >= 4


@pytest.mark.slow
def test_the_barometer_is_in_the_units_of_the_firmware(catalogue: Catalogue) -> None:
    """Pa on LibrePilot next, kPa on OpenPilot 14.01, under one id (interface facts of the
    releases, and the flight of 14.06-RC3, which has 99.7)."""
    simulator = parked()
    simulator.advance(STEPS)
    for release, unit in (("LibrePilot-next-2019-02", 1.0), ("OpenPilot-14.01", 1000.0)):
        definition = catalogue.find("BaroSensor", release)
        payload = SensorFeed(SUPPLIED_SENSORS["baro"], definition).payload(simulator.output)
        assert payload is not None
        pressure = float(row_of(definition, payload)["Pressure"])
        assert pressure * unit == pytest.approx(98_000.0, abs=500.0)


@pytest.mark.slow
def test_a_value_is_handed_out_once(catalogue: Catalogue) -> None:
    simulator = parked()
    simulator.advance(STEPS)
    feed = SensorFeed(SUPPLIED_SENSORS["baro"], catalogue.find("BaroSensor"))
    assert feed.payload(simulator.output) is not None
    assert feed.payload(simulator.output) is None
    simulator.advance(200)
    assert feed.payload(simulator.output) is not None


@pytest.mark.slow
def test_older_firmware_gets_the_fields_it_has(catalogue: Catalogue) -> None:
    """OpenPilot's gyro object of 2013 has another name and no time stamp."""
    assert _fed(catalogue, "gyro", "Gyros").keys() == {"x", "y", "z", "temperature"}


def test_true_airspeed_is_faster_than_calibrated_in_thin_air() -> None:
    simulator = thrown(Simulator(load_aircraft("sea-vixen")), 2000.0)
    state = simulator.record["state"]
    simulator.world["sensor_noise"][AIRSPEED] = 0.0
    while simulator.output["airspeed_count"] < 2:
        state["launch_phase"] = 0  # out of the hand
        state["motion"][VELOCITY : VELOCITY + 3] = (20.0, 0.0, 0.0)
        simulator.advance(1)
    definition = load_catalogue().find("AirspeedSensor")
    payload = SensorFeed(SUPPLIED_SENSORS["airspeed"], definition).payload(simulator.output)
    assert payload is not None
    values = row_of(definition, payload)
    assert values["TrueAirspeed"] == pytest.approx(20.0, abs=0.3)
    assert values["CalibratedAirspeed"] == pytest.approx(
        20.0 * math.sqrt(density(2270.0) / 1.225), abs=0.3
    )


def test_sensors_are_chosen_by_name() -> None:
    assert chosen_sensors("") == tuple(SUPPLIED_SENSORS)
    assert chosen_sensors("gyro, accel,gyro") == ("gyro", "accel")
    with pytest.raises(SensorError, match="no sensor 'sonar'; there are gyro, accel"):
        chosen_sensors("gyro,sonar")
