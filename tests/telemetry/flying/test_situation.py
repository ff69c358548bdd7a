"""Whether an aircraft flies, by what it tells."""

import pytest

from telemetry.flying.situation import is_flying, read_thrust
from telemetry.recording.flight_state import FlightState
from tests.telemetry.flying.fakes import Ground


@pytest.mark.parametrize(("thrust", "flies"), [(0.0, False), (0.14, False), (0.16, True)])
def test_what_hovers_flies_by_its_thrust(thrust: float, flies: bool) -> None:
    ground = Ground()
    ground.status(1.0, "Armed", thrust=thrust)
    for armed, expected in (("Armed", flies), ("Disarmed", False)):
        flight = FlightState(1.0, armed=armed, groundspeed_mps=9.0, height_m=9.0)
        assert is_flying(flight, ground.recording, is_fixed_wing=False) is expected


@pytest.mark.parametrize(
    ("speed", "height", "flies"),
    [(None, None, False), (3.0, 5.0, False), (3.1, None, True), (None, 5.1, True)],
)
def test_an_aeroplane_flies_by_its_speed_or_height(
    speed: float | None, height: float | None, flies: bool
) -> None:
    ground = Ground()
    ground.status(1.0, "Armed", thrust=1.0)
    flight = FlightState(1.0, armed="Armed", groundspeed_mps=speed, height_m=height)
    assert is_flying(flight, ground.recording, is_fixed_wing=True) is flies


@pytest.mark.parametrize(("told", "thrust"), [(-0.3, 0.0), (0.4, 0.4), (1.2, 1.0)])
def test_thrust_is_a_share(told: float, thrust: float) -> None:
    ground = Ground()
    assert read_thrust(ground.recording, 1.0) == 0.0
    ground.status(1.0, "Armed", thrust=told)
    assert read_thrust(ground.recording, 1.0) == pytest.approx(thrust)
