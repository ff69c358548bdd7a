"""Home reference: heights count from the home that there is, at once, but not in the air."""

import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset
from telemetry.base.earth.wgs84 import metres_per_degree
from telemetry.protocol.objects.catalogue import Catalogue
from tests.armed_board import arm_always

HIGHER_M, NORTH_M = 5.0, 100.0


@pytest.fixture
def autopilot(preset: Preset, catalogue: Catalogue) -> Autopilot:
    autopilot = Autopilot(AutopilotConfig(preset), catalogue)
    run(autopilot, 12.0)
    return autopilot


def run(autopilot: Autopilot, seconds: float) -> None:
    for _ in range(round(seconds * 50)):
        autopilot.run_loop()


def height_m(autopilot: Autopilot) -> float:
    return -float(autopilot.board["PositionState"].newest()["Down"])


def north_m(autopilot: Autopilot) -> float:
    return float(autopilot.board["PositionState"].newest()["North"])


def move_home(autopilot: Autopilot) -> None:
    home = autopilot.board["HomeLocation"]
    latitude = int(home.row["Latitude"])
    degrees = NORTH_M / metres_per_degree(latitude / 1e7)[0]
    altitude_m = float(home.row["Altitude"]) + HIGHER_M
    home.set(Latitude=latitude + round(degrees * 1e7), Altitude=altitude_m)


def test_another_home_is_what_place_and_height_count_from(autopilot: Autopilot) -> None:
    """stateestimation.c, criticalConfigUpdatedCb: the filters are initialised when HomeLocation is
    written, and filterlla.c takes it over with that."""
    before_m = height_m(autopilot)
    move_home(autopilot)
    run(autopilot, 5.0)
    assert height_m(autopilot) == pytest.approx(before_m - HIGHER_M, abs=1.0)
    assert north_m(autopilot) == pytest.approx(-NORTH_M, abs=2.0)


def test_armed_it_counts_from_the_home_there_was(autopilot: Autopilot) -> None:
    """The same: "Only possible if disarmed"."""
    modes = autopilot.board["FlightModeSettings"]
    before_m = height_m(autopilot)
    arm_always(autopilot.board)
    run(autopilot, 1.0)
    assert autopilot.arming.state == "Armed"
    move_home(autopilot)
    run(autopilot, 10.0)
    assert height_m(autopilot) == pytest.approx(before_m, abs=1.0)
    assert north_m(autopilot) == pytest.approx(0.0, abs=2.0)
    modes.set(Arming=modes.number("Arming", "Always Disarmed"))
    run(autopilot, 5.0)
    assert not autopilot.arming.is_armed, "its height counts anew"
    assert height_m(autopilot) == pytest.approx(before_m - HIGHER_M, abs=1.5)


def test_the_same_home_again_is_no_new_beginning(autopilot: Autopilot) -> None:
    """A station that saves or sends back what it read must not cost the attitude."""
    home = autopilot.board["HomeLocation"]
    assert autopilot.board.write(home.definition.object_id, 0, home.payload(0))
    run(autopilot, 0.1)
    assert autopilot.simulator.output["attitude_valid"]
    move_home(autopilot)
    run(autopilot, 0.1)
    assert not autopilot.simulator.output["attitude_valid"], "control: another one is"
