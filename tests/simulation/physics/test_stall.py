"""The wing past the stall, each half for itself, and the tail in the slipstream."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.mathematics.rotation import euler_of
from simulation.physics.fixed_wing import add_airframe
from simulation.physics.wing import halves, lift_and_drag, plate_force, stalled_share
from simulation.records.flight import ATTITUDE, ELEVATOR, LEFT_AILERON, RIGHT_AILERON, STATE
from tests.simulation.flights import parked, thrown
from tests.simulation.physics.wing_textbook import DISC, RHO, C, S

STALLED, CRUISING = math.radians(14.5), math.radians(4.0)


@pytest.fixture
def sea_vixen() -> Any:
    return load_aircraft("sea-vixen").parameters


def at_angle(p: Any, alpha: float) -> tuple[float, float, float]:
    return lift_and_drag(p, alpha, math.sin(alpha), math.cos(alpha))


def wrench(
    p: Any, air: tuple[float, ...], elevator: float = 0.0, aileron: float = 0.0, thrust: float = 0.0
) -> np.ndarray:
    """Force and moment at sea level."""
    state: Any = np.zeros(1, STATE)[0]
    state["air_density_ratio"] = 1.0
    state["surface"][ELEVATOR] = elevator
    state["surface"][LEFT_AILERON], state["surface"][RIGHT_AILERON] = aileron, -aileron
    sums = np.zeros(6)
    add_airframe(p, state, air, thrust, sums)
    return sums


def gliding(alpha: float, slip: float = 0.0, roll_rate: float = 0.0) -> tuple[float, ...]:
    """10 m/s through the air with these angles in rad."""
    ahead = 10.0 * math.cos(slip)
    place = (ahead * math.cos(alpha), 10.0 * math.sin(slip), ahead * math.sin(alpha))
    return (*place, roll_rate, 0.0, 0.0)


# Lift and drag -------------------------------------------------------------------------------


def test_lift_breaks_down_beyond_the_stall_but_not_to_nothing(sea_vixen: Any) -> None:
    angles = np.radians(np.arange(-90.0, 90.5, 0.5))
    lift = np.array([at_angle(sea_vixen, a)[0] for a in angles])
    best = math.degrees(angles[lift.argmax()])
    assert 11.0 < best < 15.0
    assert lift.max() == pytest.approx(0.81, abs=0.02)  # with the elevator up, 9.7 m/s
    at_17 = at_angle(sea_vixen, math.radians(17.0))[0]
    assert at_17 < 0.8 * lift.max()
    assert stalled_share(sea_vixen, 0.0) < 1e-4
    assert stalled_share(sea_vixen, math.pi) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("degrees", "least", "most"), [(20.0, 0.60, 0.70), (30.0, 0.70, 0.82), (45.0, 0.68, 0.85)]
)
def test_a_stalled_wing_lifts_as_plates_in_the_tunnel_do(
    sea_vixen: Any, degrees: float, least: float, most: float
) -> None:
    """Hoerner, Fluid-Dynamic Drag, chapter 3; at 20 degrees 2 sin^2 a cos a has 0.22."""
    assert least < at_angle(sea_vixen, math.radians(degrees))[0] < most


def test_across_the_flow_it_is_the_plate_of_viterna(sea_vixen: Any) -> None:
    """Viterna & Janetzke, NASA TM-82944: C_Dmax = 1.11 + 0.018 AR."""
    aspect = 0.835**2 / 0.1738
    assert plate_force(sea_vixen, 1.0) == pytest.approx(1.11 + 0.018 * aspect, rel=0.01)
    assert plate_force(sea_vixen, -1.0) == -plate_force(sea_vixen, 1.0)


def test_no_attitude_takes_energy_from_the_air(sea_vixen: Any) -> None:
    """Without rates, power and deflections the force is never along the motion."""
    for alpha in np.linspace(-math.pi, math.pi, 73):
        for slip in np.linspace(-1.5, 1.5, 13):
            air = gliding(float(alpha), float(slip))
            assert wrench(sea_vixen, air)[:3] @ air[:3] < -0.01


@pytest.mark.parametrize("slip_deg", [15.0, 40.0, 90.0])
def test_side_slip_brakes(sea_vixen: Any, slip_deg: float) -> None:
    """Along the motion: (C_D0 + 0.25 sin^2 b) + 0.4 sin^2 b of the side force, and the lift's own
    from the speed across the span, at 10 m/s."""
    slip = math.radians(slip_deg)
    air = gliding(0.0, slip)
    lift, induced, _ = at_angle(sea_vixen, 0.0)
    coefficient = 0.045 + 0.65 * math.sin(slip) ** 2 + induced * math.cos(slip) ** 3
    found = -wrench(sea_vixen, air)[:3] @ air[:3] / 10.0
    assert found == pytest.approx(0.5 * RHO * S * 100.0 * coefficient, rel=0.01)
    assert lift == pytest.approx(0.15, abs=1e-3)


# Halves --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rolling", [-0.05, 0.0, 0.02])
def test_in_attached_flow_the_halves_roll_as_the_coefficients_say(
    sea_vixen: Any, rolling: float
) -> None:
    lift, _, roll, yaw = halves(sea_vixen, math.cos(CRUISING), math.sin(CRUISING), rolling)
    assert roll == pytest.approx(rolling, abs=1e-4)
    assert lift == pytest.approx(0.15 + 3.4 * CRUISING, rel=1e-3)
    assert abs(yaw) < 1e-3


def test_a_wing_that_drops_in_the_stall_drops_on(sea_vixen: Any) -> None:
    """Autorotation: rolling right is resisted in cruise and goes on by itself in the stall."""
    assert wrench(sea_vixen, gliding(CRUISING, roll_rate=0.5))[3] < 0.0
    stalled = wrench(sea_vixen, gliding(STALLED, roll_rate=0.5))
    assert stalled[3] > 0.0
    assert stalled[5] > wrench(sea_vixen, gliding(CRUISING, roll_rate=0.5))[5]


def test_side_slip_stalls_the_half_it_lifts(sea_vixen: Any) -> None:
    """Wind from the right lifts the right wing; at the stall it is the right one that drops."""
    assert wrench(sea_vixen, gliding(CRUISING, 0.1))[3] < 0.0
    assert wrench(sea_vixen, gliding(STALLED, 0.1))[3] > 0.0


def test_ailerons_cannot_hold_a_stalled_wing(sea_vixen: Any) -> None:
    """Left aileron down rolls right, and in the stall stalls the left half."""
    assert wrench(sea_vixen, gliding(CRUISING), aileron=0.2)[3] > 0.0
    assert wrench(sea_vixen, gliding(STALLED), aileron=0.2)[3] < 0.0


def furthest_bank_deg(spin: int = 1, stall_deg: float = 14.0) -> float:
    """In a second and a half with the nose held up without power, the propeller dragged round."""
    simulator = parked(1, "sea-vixen")
    parameters = simulator.record["parameters"]
    parameters["rotor_spin"][0], parameters["stall"][0] = spin, math.radians(stall_deg)
    simulator.advance(1)
    simulator.record["state"]["launch_phase"] = 0
    thrown(simulator, 100.0, velocity=(12.0, 0.0, 0.0))
    simulator.command["external"] = 1
    simulator.output["actuator_command"] = 1500.0
    simulator.output["actuator_command"][:2] = (1000.0, 1700.0)
    banks = []
    for _ in range(30):
        simulator.advance(50)
        attitude = simulator.record["state"]["motion"][ATTITUDE : ATTITUDE + 4]
        banks.append(math.degrees(euler_of(attitude)[0]))
    return max(banks, key=abs)


@pytest.mark.parametrize("spin", [1, -1])
def test_the_stall_drops_the_wing_that_the_propeller_turns_down(spin: int) -> None:
    bank = spin * furthest_bank_deg(spin)
    assert bank > 45.0
    assert bank == spin * furthest_bank_deg(spin)


def test_a_wing_that_does_not_stall_drops_none() -> None:
    """Negative control."""
    assert abs(furthest_bank_deg(stall_deg=60.0)) < 15.0


# Propwash ------------------------------------------------------------------------------------


def test_full_power_at_rest_gives_the_elevator_the_slipstream(sea_vixen: Any) -> None:
    """By hand: V_far^2 = 2 T / (rho A), on three tenths of the tail."""
    square = 2.0 * 6.7 / (RHO * DISC)
    assert math.sqrt(square) == pytest.approx(24.5, abs=0.1)
    still = (1e-3, 0.0, 0.0, 0.0, 0.0, 0.0)
    moment = wrench(sea_vixen, still, elevator=-0.3, thrust=6.7)[4]
    assert moment == pytest.approx(0.3 * 0.5 * RHO * S * C * square * 0.6 * 0.3, rel=1e-3)
    assert wrench(sea_vixen, still, elevator=-0.3)[4] == pytest.approx(0.0, abs=1e-6)


def test_power_steadies_and_a_tail_outside_the_slipstream_feels_nothing(sea_vixen: Any) -> None:
    air = (12.0, 0.0, 1.5, 0.0, 0.4, 0.0)
    idle, pulling = (wrench(sea_vixen, air, thrust=t) for t in (0.0, 4.0))
    assert pulling[4] < idle[4], "it damps and points into the flow more strongly"
    assert (pulling[[0, 1, 3, 5]] == idle[[0, 1, 3, 5]]).all(), "it reaches wing and fins not"
    p = sea_vixen.copy()
    p["tail_in_wash"] = 0.0
    assert (wrench(p, air, thrust=4.0) == idle).all()
