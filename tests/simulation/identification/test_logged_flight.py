"""What is read of recordings that have gaps, restarts and values that are none."""

import numpy as np
import pytest

from simulation.identification.logged_flight import IdentificationError, read_flight
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.recording.recording import Recording

_COUNT = 200
_TIMES = np.arange(0.0, 20.0, 0.05)


def _recording(catalogue: Catalogue, **values: tuple[str, float]) -> Recording:
    """Two seconds of all that is needed; `values` are (field, value) of the first half of an
    object's samples."""
    recording = Recording()
    for name, fields in (
        ("GyroState", ("x", "y", "z")),
        ("AccelState", ("x", "y", "z")),
        ("AttitudeState", ("q1",)),
        ("ActuatorCommand", ()),
        ("GPSVelocitySensor", ("North",)),
        ("VelocityState", ("North",)),
        ("FlightBatteryState", ("Voltage",)),
    ):
        definition = catalogue.find(name, DEFAULT_RELEASE)
        rows = np.zeros(_COUNT, definition.dtype)
        for field in fields:
            rows[field] = 1.5 if field == "Voltage" else 1.0
        if name in values:
            field, value = values[name]
            rows[field][: _COUNT // 2 + 20] = value
        recording.extend(definition, 0, 0.01 * np.arange(_COUNT), rows)
    return recording


def test_quaternions_of_zeros_before_the_estimate_are_left_out(catalogue: Catalogue) -> None:
    flight = read_flight(_recording(catalogue, AttitudeState=("q1", 0.0)), None, None)
    assert len(flight.attitude.times) == _COUNT // 2 - 20
    with pytest.raises(IdentificationError, match="is no rotation"):
        read_flight(_recording(catalogue, AttitudeState=("q1", 0.0)), 0.0, 1.0)


def test_a_monitor_that_shows_nothing_is_none(catalogue: Catalogue) -> None:
    """Of 200 samples 120 are 0; of the last 100, 20."""
    recording = _recording(catalogue, FlightBatteryState=("Voltage", 0.0))
    assert read_flight(recording, None, None).voltage is None
    voltage = read_flight(recording, 1.0, None).voltage
    assert voltage is not None
    assert (voltage.values == 1.5).all()


def test_gps_without_a_fix_gives_way_to_the_estimate(catalogue: Catalogue) -> None:
    assert not read_flight(_recording(catalogue), None, None).is_gps
    moving = _recording(catalogue, GPSVelocitySensor=("North", 3.0))
    assert read_flight(moving, None, None).is_gps


def test_values_that_are_none_are_left_out(catalogue: Catalogue) -> None:
    for value in (np.nan, np.inf, 1e30):
        flight = read_flight(_recording(catalogue, GyroState=("x", value)), None, None)
        assert len(flight.gyro.times) == _COUNT // 2 - 20


def _add(
    catalogue: Catalogue, recording: Recording, name: str, field: str = "", values: object = 0.0
) -> None:
    definition = catalogue.find(name, DEFAULT_RELEASE)
    rows = np.repeat(definition.default_row(), len(_TIMES))
    if field:
        rows[field] = values
    recording.extend(definition, 0, _TIMES, rows)


def test_height_is_over_where_it_was_armed_wherever_the_estimate_stood_before(
    catalogue: Catalogue,
) -> None:
    """It stands at 3 m in its estimate, which began at 0, is armed at 10 s and climbs from 15 s."""
    recording = Recording()
    for name in ("GyroState", "AccelState", "AttitudeState", "ActuatorCommand", "VelocityState"):
        _add(catalogue, recording, name, "q1" if name == "AttitudeState" else "", 1.0)
    up = np.minimum(_TIMES, 3.0) + np.maximum(_TIMES - 15.0, 0.0)
    _add(catalogue, recording, "PositionState", "Down", -up)
    armed = catalogue.find("FlightStatus", DEFAULT_RELEASE).element("Armed")[0]
    states = np.where(_TIMES < 10.0, armed.option_number("Disarmed"), armed.option_number("Armed"))
    _add(catalogue, recording, "FlightStatus", "Armed", states)
    height = read_flight(recording, None, None).height_m
    assert height is not None
    found = height.at(np.array([5.0, 12.0, 19.0]))[:, 0]
    np.testing.assert_allclose(found, [0.0, 0.0, 4.0], atol=1e-5)
