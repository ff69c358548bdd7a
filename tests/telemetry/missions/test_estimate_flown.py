"""The estimate of a mission's time against flights of the simulated aircraft, whose path follower
has firmware's laws (paths.c, pidcontrolne.cpp, vtollandfsm.cpp) and a body with drag and lag."""

from dataclasses import replace

import pytest

from app.mission.options import preset_aircraft
from simulation.command.mission_flight import MissionTask, fly_mission
from telemetry.missions.estimate import estimate
from telemetry.missions.flown_plan import flown_plan
from telemetry.missions.legs import legs_of
from telemetry.missions.mission import Mission
from telemetry.missions.steps import LandStep, TakeOffStep
from telemetry.protocol.objects.catalogue import Catalogue
from tests.telemetry.missions.made import HOME, mission, waypoint

ARRIVES = {
    "mode": "GoToEndpoint",
    "end_condition": "DistanceToTarget",
    "condition_parameters": (3.0, 0.0, 0.0, 0.0),
}
STAYS = {"mode": "GoToEndpoint", "end_condition": "None"}
STILL_S = 3.0
"""A flight that stays is watched for so long."""


def there_and_back() -> Mission:
    """Turns at the first waypoint, and stays 80 m from the last: what was left out before."""
    return mission(
        waypoint(60.0, 0.0, 12.0, 4.0, **ARRIVES),
        waypoint(10.0, 10.0, 12.0, 4.0),
        waypoint(10.0, 90.0, 15.0, 0.0, **STAYS),
    )


def with_steps() -> Mission:
    return mission(
        waypoint(25.0, 0.0, 8.0, 3.0, **ARRIVES),
        waypoint(25.0, 30.0, 8.0, 3.0),
        take_off=TakeOffStep(6.0),
        ending=LandStep(),
    )


def said_and_flown_s(
    made: Mission, catalogue: Catalogue, *, turns_count: bool = True
) -> tuple[float, float]:
    aircraft = preset_aircraft("ar100b", catalogue)
    if not turns_count:
        aircraft = replace(aircraft, change_s=None, begin_s=None)
    plan = flown_plan(made)
    legs = legs_of(plan, HOME, take_off_m=aircraft.take_off_height_m or 0.0)
    flight = fly_mission(MissionTask(made, HOME, "ar100b"), catalogue)
    assert flight.is_good, flight.reason
    waited_s = STILL_S if flight.ending == "stays" else 0.0
    return estimate(plan, legs, aircraft).time_s, flight.track[-1].time_s - waited_s


@pytest.mark.slow
@pytest.mark.parametrize("made", [there_and_back(), with_steps()])
def test_the_time_agrees_with_the_simulation(made: Mission, catalogue: Catalogue) -> None:
    said_s, flown_s = said_and_flown_s(made, catalogue)
    assert said_s == pytest.approx(flown_s, rel=0.1)


@pytest.mark.slow
def test_without_turning_and_accelerating_it_would_not(catalogue: Catalogue) -> None:
    """Negative control."""
    said_s, flown_s = said_and_flown_s(there_and_back(), catalogue, turns_count=False)
    assert said_s < 0.9 * flown_s
