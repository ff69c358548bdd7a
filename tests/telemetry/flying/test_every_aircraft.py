"""Every kind of rotorcraft on offer flown from the pilot's controls, with the buttons that a user
has; LAPWING_ALL_WAYS=1 flies every one."""

import os

import pytest

from simulation.autopilot.preset import preset_names
from simulation.simulator import controls
from telemetry.flying.actions import why_not_take_off
from tests.telemetry.flying.cockpit import Cockpit

WITHOUT_GPS = ("hector-indoor", "mcx2-indoor")
FLOWN_ELSEWHERE = (
    *("ar100b", "ar100x6", "ar200", "ar200-payload", "hector-seed"),
    *("octocopter", "tricopter", "y6"),
)
"""Those that the scenario `platforms` or test_every_frame_flies.py flies as well, and hector with
other motors; here if all are asked for."""
AEROPLANES = ("electric-aerosonde", "sea-vixen", "sea-vixen-camera", "skywalker-x8")


def rotorcraft() -> list[str]:
    left_out = WITHOUT_GPS + AEROPLANES
    if "LAPWING_ALL_WAYS" not in os.environ:
        left_out += FLOWN_ELSEWHERE
    return [name for name in preset_names() if name not in left_out]


_SETTLES_S = {"hector": 20.0, "hector-seed": 20.0}
"""Its GPS wanders at first, and AutoTakeoff gives up 3 m away (vtolautotakeofffsm.cpp)."""


@pytest.mark.slow
@pytest.mark.parametrize("name", rotorcraft())
def test_takes_off_holds_flies_by_hand_and_lands(name: str) -> None:
    cockpit = Cockpit(name)
    cockpit.stay(_SETTLES_S.get(name, 0.0))
    cockpit.take_off()
    cockpit.wait(lambda flight: (flight.height_m or 0.0) > 1.5, 30.0)
    cockpit.act("Hold")
    cockpit.stay(2.0)
    cockpit.act("Fly by hand")
    cockpit.controls.drag({"roll": 0.0, "pitch": -0.3})
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


@pytest.mark.slow
@pytest.mark.parametrize("name", WITHOUT_GPS)
def test_without_gps_it_is_taken_off_flown_and_landed_by_hand(name: str) -> None:
    cockpit = Cockpit(name)
    simulator = cockpit.bench.autopilot.simulator
    controls.apply(simulator, "gps_lost", 1.0)
    cockpit.stay(3.0)
    refusal = why_not_take_off(cockpit.look()[1])
    assert refusal is not None
    assert "It estimates no position" in refusal
    assert "by hand" in refusal
    cockpit.arm()
    cockpit.act("Fly by hand")
    cockpit.controls.drag({"throttle": 0.95})
    cockpit.wait(lambda flight: -simulator.output["true_position"][2] > 2.0, 15.0)
    cockpit.controls.drag({"throttle": 0.5})
    cockpit.stay(5.0)  # it goes past the height at which the stick came to the middle, and back
    height_m = -float(simulator.output["true_position"][2])
    assert height_m > 1.0
    cockpit.stay(2.0)  # the middle keeps the height as well as its barometer tells it
    assert -float(simulator.output["true_position"][2]) == pytest.approx(height_m, abs=0.6)
    cockpit.controls.drag({"throttle": 0.15})
    cockpit.stay(8.0)
    cockpit.controls.disarm(cockpit.look()[1])
    cockpit.wait(lambda flight: flight.armed == "Disarmed", 5.0)
    cockpit.stay(1.0)
    assert not simulator.output["crashed"]
    assert abs(float(simulator.output["true_velocity"][2])) < 0.1
