"""What is read of a recording for identification."""

import numpy as np

from simulation.identification.logged_flight import read_flight
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, load_catalogue
from telemetry.recording.recording import Recording

_CATALOGUE = load_catalogue()
_TIMES = np.arange(0.0, 20.0, 0.05)


def _add(recording: Recording, name: str, field: str = "", values: object = 0.0) -> None:
    definition = _CATALOGUE.find(name, DEFAULT_RELEASE)
    rows = np.repeat(definition.default_row(), len(_TIMES))
    if field:
        rows[field] = values
    recording.extend(definition, 0, _TIMES, rows)


def test_height_is_over_where_it_was_armed_wherever_the_estimate_stood_before() -> None:
    """It stands at 3 m in its estimate, which began at 0, is armed at 10 s and climbs from 15 s."""
    recording = Recording()
    for name in ("GyroState", "AccelState", "AttitudeState", "ActuatorCommand", "VelocityState"):
        _add(recording, name)
    up = np.minimum(_TIMES, 3.0) + np.maximum(_TIMES - 15.0, 0.0)
    _add(recording, "PositionState", "Down", -up)
    armed = _CATALOGUE.find("FlightStatus", DEFAULT_RELEASE).element("Armed")[0]
    states = np.where(_TIMES < 10.0, armed.option_number("Disarmed"), armed.option_number("Armed"))
    _add(recording, "FlightStatus", "Armed", states)
    height = read_flight(recording, None, None).height_m
    assert height is not None
    found = height.at(np.array([5.0, 12.0, 19.0]))[:, 0]
    np.testing.assert_allclose(found, [0.0, 0.0, 4.0], atol=1e-5)
