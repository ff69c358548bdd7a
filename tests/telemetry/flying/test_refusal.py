"""An aircraft that does not arm: the pilot is told what stands in the way."""

import pytest

from telemetry.flying.manoeuvres.arming import FOR_A_PILOT
from tests.telemetry.flying.cockpit import Cockpit

pytestmark = pytest.mark.slow


def test_the_pilot_is_told_why_it_does_not_arm() -> None:
    cockpit = Cockpit("ar100b")
    cockpit.stay(8.0)
    cockpit.bench.write("FlightModeSettings", {"FlightModePosition.1": "Manual"})
    cockpit.stay(1.0)
    cockpit.controls.arm(cockpit.look()[1])
    cockpit.stay(FOR_A_PILOT.within_s + 1.0)
    (told,) = cockpit.told
    assert told.startswith("Not armed. Configuration: ")
    assert "position 2" in told
    assert not cockpit.look()[0].is_armed


def test_one_that_arms_says_nothing() -> None:
    cockpit = Cockpit("ar100b")
    cockpit.arm()
    cockpit.stay(FOR_A_PILOT.within_s + 1.0)
    assert cockpit.told == []
