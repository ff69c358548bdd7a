"""The Sea Vixen flown from the pilot's controls, in simulated time: thrown, held, landed."""

import pytest

from telemetry.flying.actions import advice, help_for, why_not
from telemetry.flying.situation import FLYING_THRUST
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.telemetry.flying.cockpit import Cockpit


@pytest.fixture(scope="module")
def flown() -> Cockpit:
    """Thrown, held, landed; every loop between was flying."""
    cockpit = Cockpit("sea-vixen")
    cockpit.take_off()
    cockpit.wait(lambda flight: (flight.height_m or 0.0) > 35.0, 30.0)
    cockpit.act("Hold")
    cockpit.stay(15.0)
    cockpit.act("Land")
    cockpit.wait(lambda flight: (flight.groundspeed_mps or 0.0) < 0.3, 120.0)
    assert cockpit.look()[0].is_armed, "fixedwinglandcontroller.cpp disarms nothing"
    cockpit.controls.disarm(cockpit.look()[1])
    cockpit.wait(lambda flight: not flight.is_armed, 10.0)
    return cockpit


@pytest.mark.slow
def test_take_off_hold_and_land_from_the_seat(flown: Cockpit) -> None:
    flight, _ = flown.look()
    assert not flown.bench.autopilot.simulator.output["crashed"]
    assert (flight.groundspeed_mps or 0.0) < 0.5
    assert (flight.height_m or 0.0) == pytest.approx(-1.6, abs=1.5)
    assert not flown.controls.request.arm


@pytest.mark.slow
def test_a_glide_with_its_motor_off_is_flying(flown: Cockpit) -> None:
    flown.vehicle.status = LinkStatus(state=LinkState.REPLAY)  # to look at any moment of it
    times, thrust = flown.recording.series("ActuatorDesired.Thrust")
    looks = [
        flown.controls.situation_at(t)
        for t, v in zip(times, thrust, strict=True)
        if v < FLYING_THRUST
    ]
    gliding = [s for f, s in looks if f.is_armed and (f.height_m or 0.0) > 3.0]
    assert len(gliding) >= 3, "it glides down the last metres, reported once a second"
    for situation in gliding:
        assert situation.is_flying
        assert why_not("Hold", situation) is None, "a landing can be given up"


@pytest.mark.slow
def test_what_is_said_fits_an_aeroplane(flown: Cockpit) -> None:
    assert (
        "Position hold. It comes back to its place again and again. Land when done." in flown.said
    )
    assert "Land. It glides straight on, motor off. Disarm it when it lies." in flown.said
    situation = flown.look()[1]
    assert "cannot stand" in help_for("Hold", situation)


def by_hand(cockpit: Cockpit) -> str:
    """Take over; return what the throttle does then."""
    cockpit.act("Fly by hand")
    return cockpit.controls.request.throttle


@pytest.mark.slow
def test_by_hand_full_throttle_has_it_thrown_and_the_air_offers_what_holds_the_height() -> None:
    cockpit = Cockpit("sea-vixen")
    cockpit.arm()
    assert by_hand(cockpit) == "stick"
    cockpit.controls.drag({"yaw": 0.0, "throttle": 1.0})
    cockpit.controls.drag({"roll": 0.0, "pitch": 0.5})
    cockpit.wait(lambda flight: (flight.height_m or 0.0) > 15.0, 15.0)
    assert by_hand(cockpit) == "spring"
    cockpit.controls.drag({"yaw": 0.0, "throttle": 0.5})
    cockpit.controls.drag({"roll": 0.0, "pitch": 0.0})
    cockpit.stay(10.0)
    assert (cockpit.look()[0].height_m or 0.0) > 10.0
    assert not cockpit.bench.autopilot.simulator.output["crashed"]


@pytest.mark.slow
def test_a_motor_that_runs_before_the_throw_is_not_flying() -> None:
    cockpit = Cockpit("sea-vixen")
    cockpit.arm()
    cockpit.act("Fly by hand")
    cockpit.controls.drag({"yaw": 0.0, "throttle": 0.5})
    cockpit.stay(4.0)
    _, situation = cockpit.look()
    assert not situation.is_flying
    assert why_not("Hold", situation) == "The aircraft is not flying. Take off first."


@pytest.mark.slow
def test_a_quadrotor_is_spoken_to_as_before() -> None:
    cockpit = Cockpit("ar100b")
    cockpit.arm()
    situation = cockpit.look()[1]
    assert advice(situation, "Stabilized1") == "Armed. Fly by hand; or disarm, then take off."
    cockpit.controls.disarm(situation)
    cockpit.wait(lambda flight: not flight.is_armed, 5.0)
    cockpit.take_off()
    cockpit.wait(lambda flight: (flight.height_m or 0.0) > 1.5, 20.0)
    assert "Land when done" in advice(cockpit.look()[1], "AutoTakeoff")
    assert "Stays where it is" in help_for("Hold", cockpit.look()[1])
