"""An aircraft that does not arm: the pilot is told what stands in the way."""

import pytest

from plugins.pilot.seat import ARMING_PATIENCE_S
from tests.plugins.pilot.cockpit import Cockpit

pytestmark = pytest.mark.slow


def test_the_pilot_is_told_why_it_does_not_arm() -> None:
    cockpit = Cockpit("ar100b")
    cockpit.stay(8.0)
    cockpit.bench.write("FlightModeSettings", {"FlightModePosition.1": "Manual"})
    cockpit.stay(1.0)
    cockpit.seat.arm(cockpit.look()[1])
    cockpit.stay(ARMING_PATIENCE_S + 1.0)
    (told,) = cockpit.told
    assert told.startswith("Not armed. Configuration: Critical: ")
    assert "position 2" in told
    assert not cockpit.look()[0].is_armed


def test_one_that_arms_says_nothing() -> None:
    cockpit = Cockpit("ar100b")
    cockpit.arm()
    cockpit.stay(ARMING_PATIENCE_S + 1.0)
    assert cockpit.told == []
