"""One run of the aeroplane's loops at a time: which way each of them pushes."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.kernel_settings import KernelSettings
from simulation.autopilot.preset import load_preset
from simulation.control.fixed_wing_guidance import guide_wing
from simulation.records.flight import CONTROL
from simulation.records.interface import (
    COMMAND,
    OUTPUT,
    SETTINGS,
    VERTICAL_LAND,
    VERTICAL_PATH,
    VERTICAL_TAKEOFF,
)
from telemetry.protocol.objects.catalogue import Catalogue

ROLL, PITCH = 0, 1


class Loops:
    """Settings of the Sea Vixen, flying north with 14 m/s at 40 m in still air."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.settings: Any = np.zeros(1, SETTINGS)[0]
        KernelSettings(SimulatedBoard(catalogue, load_preset("sea-vixen")), self.settings).update()
        self.command: Any = np.zeros(1, COMMAND)[0]
        self.control: Any = np.zeros(1, CONTROL)[0]
        self.output: Any = np.zeros(1, OUTPUT)[0]
        self.command["armed"] = 1
        self.command["vertical_mode"] = VERTICAL_PATH
        self.command["velocity_north"] = 14.0
        self.command["down_m"] = self.output["position"][2] = -40.0
        self.output["position_valid"] = 1
        self.output["velocity"][0] = self.output["airspeed_true"] = 14.0

    def run(self) -> tuple[float, float, float]:
        """Roll and pitch in degrees and thrust wished for."""
        guide_wing(self.settings, self.command, self.control, self.output)
        tilt = self.control["tilt_command"]
        return float(tilt[ROLL]), float(tilt[PITCH]), float(self.control["thrust"])


@pytest.fixture
def loops(catalogue: Catalogue) -> Loops:
    return Loops(catalogue)


def test_on_course_at_speed_and_height_nothing_is_to_be_done(loops: Loops) -> None:
    assert loops.run() == pytest.approx((0.0, 3.0, 0.6))  # the neutrals of the settings


@pytest.mark.parametrize(("north", "east", "roll"), [(0, 14, 45), (0, -14, -45), (14, 3, 12.1)])
def test_the_course_sets_the_roll(loops: Loops, north: float, east: float, roll: float) -> None:
    loops.command["velocity_north"], loops.command["velocity_east"] = north, east
    assert loops.run()[ROLL] == pytest.approx(roll, abs=0.1)


def test_a_flipped_sign_rolls_the_other_way(loops: Loops) -> None:
    loops.settings["wing_course_pi"][0] *= -1.0
    loops.command["velocity_east"] = 3.0
    assert loops.run()[ROLL] < 0.0


def test_a_turn_begun_is_not_turned_round_straight_behind(loops: Loops) -> None:
    loops.command["velocity_north"], loops.command["velocity_east"] = -14.0, -1.0
    loops.output["attitude_deg"][0] = 30.0
    assert loops.run()[ROLL] == 45.0
    loops.output["attitude_deg"][0] = -30.0
    assert loops.run()[ROLL] == -45.0


def test_too_slow_lowers_the_nose_and_gives_power(loops: Loops) -> None:
    loops.output["airspeed_true"] = 12.5
    _, pitch, thrust = loops.run()
    assert pitch < 1.0
    assert thrust > 0.7


def test_sinking_gives_power_and_lifts_the_nose(loops: Loops) -> None:
    loops.output["velocity"][2] = 1.0
    _, pitch, thrust = loops.run()
    assert pitch > 5.0
    assert thrust > 0.65


def test_too_low_climbs(loops: Loops) -> None:
    loops.output["position"][2] = -35.0
    assert loops.run()[2] > 0.65
    assert loops.output["velocity_desired"][2] == pytest.approx(-2.0)


def test_crabs_into_the_wind(loops: Loops) -> None:
    """asin(3 / V) into a crosswind of 3 m/s, V what makes 14 m/s over ground."""
    loops.output["wind"][:] = (0.0, 3.0)
    loops.run()
    through = math.hypot(14.0, 3.0)
    assert loops.output["wing_error"][0] == pytest.approx(-math.degrees(math.asin(3.0 / through)))
    assert loops.output["wing_error"][1] == pytest.approx(through - 14.0)


@pytest.mark.parametrize("wind", [(-30.0, 0.0), (0.0, 40.0), (30.0, 30.0)])
def test_a_storm_makes_no_nonsense(loops: Loops, wind: tuple[float, float]) -> None:
    loops.output["wind"][:] = wind
    roll, pitch, thrust = loops.run()
    assert -45.0 <= roll <= 45.0
    assert -12.0 <= pitch <= 20.0
    assert 0.05 <= thrust <= 1.0


@pytest.mark.slow
def test_the_integrals_have_their_limits(loops: Loops) -> None:
    loops.output["airspeed_true"] = 10.0
    for _ in range(5000):
        loops.run()
    assert loops.control["wing_integral"][1] == pytest.approx(10.0)


def test_takes_off_at_full_thrust_with_its_take_off_pitch(loops: Loops) -> None:
    loops.command["vertical_mode"] = VERTICAL_TAKEOFF
    assert loops.run() == pytest.approx((0.0, 18.0, 1.0))
    loops.command["velocity_east"] = 14.0
    loops.output["airspeed_true"] = 3.0  # still in the hand: wings level
    assert loops.run()[ROLL] == 0.0


def test_glides_without_power_and_flares_near_the_ground(loops: Loops) -> None:
    loops.command["vertical_mode"] = VERTICAL_LAND
    loops.command["down_m"] = 0.0
    loops.output["velocity"][2] = 2.0
    _, glide, thrust = loops.run()
    assert thrust == -1.0
    assert glide < 0.0
    loops.output["position"][2] = -1.0
    for _ in range(25):
        flare = loops.run()[PITCH]
    assert flare > glide + 5.0
    assert flare <= 9.0


def test_has_landed_after_lying_still(loops: Loops) -> None:
    loops.command["vertical_mode"] = VERTICAL_LAND
    loops.output["velocity"][:] = 0.0
    for _ in range(60):
        loops.run()
    assert loops.output["landed"] == 1
    loops.command["armed"] = 0
    loops.run()
    assert loops.output["landed"] == 0
