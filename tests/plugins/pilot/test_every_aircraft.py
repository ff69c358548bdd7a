"""Every rotorcraft on offer flown from the pilot's seat, with the buttons that a user has."""

import pytest

from simulation.autopilot.preset import preset_names
from tests.plugins.pilot.cockpit import Cockpit


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in preset_names() if "sea-vixen" not in name])
def test_takes_off_holds_flies_by_hand_and_lands(name: str) -> None:
    cockpit = Cockpit(name)
    cockpit.take_off()
    cockpit.wait(lambda flight: (flight.height_m or 0.0) > 1.5, 30.0)
    cockpit.act("Hold")
    cockpit.stay(2.0)
    cockpit.act("Fly by hand")
    cockpit.seat.drag({"roll": 0.0, "pitch": -0.3})
    cockpit.stay(3.0)
    flight, _ = cockpit.look()
    assert (flight.north_m or 0.0) > 0.5, "the stick forward flies north"
    assert (flight.height_m or 0.0) == pytest.approx(2.0, abs=1.2), "the middle keeps the height"
    cockpit.act("Hold")
    cockpit.stay(3.0)
    cockpit.act("Land")
    cockpit.wait(lambda flight: flight.armed == "Disarmed", 60.0)
    output = cockpit.bench.autopilot.simulator.output
    assert not output["crashed"]
    assert abs(float(output["true_velocity"][2])) < 0.1
