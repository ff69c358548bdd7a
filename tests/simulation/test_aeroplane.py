"""The Sea Vixen in the air: thrown, flown, stalled, landed."""

import hashlib
import math
import os
import subprocess
import sys

import numpy as np
import pytest

from simulation.environment.earth import gravity_at
from simulation.records.flight import ATTITUDE, POSITION, VELOCITY
from simulation.records.interface import VERTICAL_LAND
from simulation.simulator import controls
from simulation.simulator.controls import apply
from simulation.simulator.simulator import Simulator
from telemetry.base.installation import ROOT
from tests.simulation.aeroplanes import air_velocity, by_hand, cruising, held, launch

# The hand ------------------------------------------------------------------------------------


def test_waits_in_the_hand_whatever_the_wind() -> None:
    simulator = held()
    simulator.set_wind(-6.0, 3.0)
    simulator.advance(3000)
    output = simulator.output
    assert output["true_position"].tolist() == [0.0, 0.0, -1.8]
    assert not output["true_velocity"].any()
    force = output["true_specific_force"]
    gravity = gravity_at(simulator.record["state"])
    assert np.linalg.norm(force) == pytest.approx(gravity)
    assert force[0] == pytest.approx(gravity * math.sin(math.radians(10.0)))


def test_nobody_throws_it_at_half_throttle() -> None:
    simulator = held()
    simulator.advance(1000)
    by_hand(simulator, 0.5)
    simulator.advance(5000)
    assert simulator.output["true_position"][2] == -1.8
    assert simulator.output["rotor_speed"][0] > 500.0


def test_is_thrown_with_25_metres_per_second_squared_for_0_4_s() -> None:
    simulator = held()
    simulator.advance(1000)
    by_hand(simulator, 1.0, 10.0)
    speeds, forces = [], []
    for _ in range(1200):
        simulator.advance(1)
        speeds.append(float(np.linalg.norm(simulator.output["true_velocity"])))
        forces.append(float(simulator.output["true_specific_force"][0]))
    moving = np.flatnonzero(np.array(speeds) > 0.0)
    assert 495 <= moving[0] <= 505  # the motor has run for half a second
    let_go = moving[0] + 400
    assert 10.0 < speeds[let_go] < 14.0  # the throw's 10 m/s, and the propeller's
    # 25 m/s2, the propeller and the weight that the hand carries; afterwards the propeller alone
    assert 25.0 < forces[moving[0] + 100] < 40.0
    assert forces[let_go + 20] < 7.0
    assert simulator.record["state"]["launch_phase"] == 0


def test_without_a_throw_it_does_not_fly() -> None:
    """Negative control: the motor alone does not get it off the hand before it is on the grass."""
    simulator = held()
    simulator.record["parameters"]["launch_acceleration"] = 0.0
    simulator.advance(6000)
    by_hand(simulator, 0.85, 18.0)
    simulator.advance(3000)
    assert simulator.output["true_position"][2] > -1.0


# The motor -----------------------------------------------------------------------------------


def motor_current(simulator: Simulator) -> float:
    """What the motor takes at its voltage and speed."""
    p, state = simulator.aircraft.parameters, simulator.record["state"]
    speed = float(simulator.output["rotor_speed"][0])
    return (float(state["voltage"][0]) - float(p["psi"]) * speed) / float(p["resistance"])


def peak_current(limit_a: float) -> float:
    """The highest current of the motor while it spins up on a battery without resistance."""
    simulator = held()
    parameters = simulator.record["parameters"]
    parameters["cell_resistance"] = parameters["cell_rc_resistance"] = 0.0
    parameters["current_limit"] = limit_a
    parameters["launch_delay"] = 100_000
    simulator.advance(1000)
    by_hand(simulator, 1.0)
    currents = []
    for _ in range(600):
        simulator.advance(1)
        currents.append(motor_current(simulator))
    return max(currents)


def test_speed_controller_keeps_its_limit() -> None:
    assert peak_current(15.0) == pytest.approx(15.0, abs=0.1)
    assert peak_current(1e6) > 50.0  # what the windings would take


def climb_after(cell_v: float) -> tuple[float, float]:
    """Airspeed and rotor speed after 10 s of full throttle, level, with such a battery."""
    simulator = cruising()
    simulator.record["parameters"]["cell_ocv"][:] = cell_v
    by_hand(simulator, 1.0, 0.0)
    simulator.advance(10_000)
    return air_velocity(simulator.output)[0], float(simulator.output["rotor_speed"][0])


def test_an_empty_battery_does_not_make_it_faster() -> None:
    """A known fault of a peer: at 3 V per cell its plane flew faster (ardupilot#20702)."""
    full, empty = climb_after(4.2), climb_after(3.0)
    assert empty[0] < full[0] - 3.0
    assert empty[1] < 0.7 * full[1]


# Flight --------------------------------------------------------------------------------------


def test_cruises_where_and_as_fast_as_told() -> None:
    simulator = cruising(14.0, 0.0)
    output = simulator.output
    assert output["true_velocity"][0] == pytest.approx(14.0, abs=0.7)
    assert abs(output["true_velocity"][1]) < 0.7
    assert output["position"][2] == pytest.approx(-60.0, abs=2.0)
    speed, alpha = air_velocity(output)
    assert 2.0 < alpha < 6.0
    assert output["airspeed_true"] == pytest.approx(speed, abs=0.6)


def test_knows_its_attitude_in_a_turn_that_does_not_end() -> None:
    """Plumb lines lie in coordinated turns; the filter must not believe them."""
    simulator = cruising()
    by_hand(simulator, 0.62, 5.0)
    simulator.command["axis_setpoint"][0] = 35.0
    errors = []
    for _ in range(60):
        simulator.advance(500)
        w, x, y, z = simulator.output["true_quaternion"].tolist()
        roll = math.degrees(math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)))
        errors.append(abs(roll - float(simulator.output["attitude_deg"][0])))
    assert simulator.output["true_position"][2] < -10.0
    assert max(errors) < 4.0


def test_stalls_when_the_nose_is_held_up_without_power() -> None:
    simulator = cruising(height_m=100.0)
    by_hand(simulator, -1.0, 25.0)
    angles, sinks = [], []
    for _ in range(100):
        simulator.advance(50)
        angles.append(air_velocity(simulator.output)[1])
        sinks.append(float(simulator.output["true_velocity"][2]))
    assert max(angles) > 16.0
    assert max(sinks) > 4.0
    # and flies again once the nose is let down and there is power
    by_hand(simulator, 0.8, -40.0)
    simulator.advance(2000)
    by_hand(simulator, 0.6, 4.0)
    simulator.advance(5000)
    assert air_velocity(simulator.output)[1] < 8.0


def test_finds_the_wind_while_turning() -> None:
    simulator = held()
    simulator.set_wind(-2.0, 4.0)
    launch(simulator, 14.0, 0.0, 60.0)
    simulator.command["velocity_north"], simulator.command["velocity_east"] = 0.0, 14.0
    simulator.advance(15_000)
    assert simulator.output["wind"] == pytest.approx(simulator.output["true_wind"][:2], abs=0.9)
    assert abs(simulator.output["true_velocity"][0]) < 0.7  # it crabs


def test_without_its_airspeed_sensor_it_flies_by_the_ground() -> None:
    simulator = held()
    simulator.settings["wing_use_airspeed"] = 0
    launch(simulator, 14.0, 0.0, 60.0)
    assert simulator.output["true_velocity"][0] == pytest.approx(14.0, abs=1.0)


def test_a_silent_airspeed_sensor_leaves_it_the_wind_it_knew() -> None:
    simulator = held()
    simulator.set_wind(-3.0, 0.0)
    launch(simulator, 14.0, 0.0, 60.0)
    controls.apply(simulator, "airspeed_dropout", 1.0)
    simulator.advance(20_000)
    assert simulator.output["airspeed_true"] == pytest.approx(
        air_velocity(simulator.output)[0], abs=1.0
    )


def test_circles_and_keeps_its_height_without_gps() -> None:
    """By Lapwing's own filter, which says when it no longer knows where it is; its height begins
    at the hand's, 1.8 m above the grass."""
    simulator = cruising(has_own_filter=True)
    apply(simulator, "gps_lost", 1.0)
    while simulator.output["position_valid"]:  # it knows for a while by dead reckoning
        simulator.advance(100)
    north = []
    for _ in range(40):
        simulator.advance(500)
        north.append(float(simulator.output["true_position"][0]))
    assert max(north) - min(north) < 200.0
    assert simulator.output["true_position"][2] == pytest.approx(-61.8, abs=6.0)


def test_without_gps_firmwares_filter_goes_on_believing() -> None:
    """Negative control: INS13 reckons on by its gyros and accelerometers and has no word for not
    knowing (filterekf.c), so it flies on and away from where it thinks it is."""
    simulator = cruising()
    apply(simulator, "gps_lost", 1.0)
    simulator.advance(60_000)
    output = simulator.output
    assert output["position_valid"]
    away = (output["true_position"] - output["position"])[:2]
    assert np.linalg.norm(away) > 100.0


# The ground ----------------------------------------------------------------------------------


def landed(flares: bool) -> tuple[float, int]:
    """Sink rate at touchdown and whether it broke. Where the ground is the law has to be told,
    which takes a filter that knows its height: INS13 begins with that of GPS, 3 m off."""
    simulator = cruising(height_m=20.0, has_own_filter=True)
    command = simulator.command
    command["vertical_mode"] = VERTICAL_LAND
    command["velocity_north"] = 15.0
    command["down_m"] = 1.8 if flares else 50.0  # where it believes the ground to be
    sink = 0.0
    for _ in range(1500):
        simulator.advance(20)
        if simulator.output["touches_ground"]:
            break
        sink = float(simulator.output["true_velocity"][2])
    assert simulator.output["battery_current"] < 0.5  # the motor is off
    simulator.advance(6000)
    if flares:
        assert simulator.output["landed"] == 1
    return sink, int(simulator.output["crashed"])


def test_flares_and_slides_to_rest_on_its_belly() -> None:
    sink, crashed = landed(flares=True)
    assert sink < 1.5
    assert not crashed


def test_without_a_flare_it_hits_the_ground() -> None:
    sink, _ = landed(flares=False)
    assert sink > 2.0


def test_a_dive_into_the_ground_breaks_it() -> None:
    simulator = held()
    state = simulator.record["state"]
    simulator.advance(1)
    state["launch_phase"] = 0
    motion = state["motion"]
    motion[POSITION + 2] = -5.0
    motion[VELOCITY : VELOCITY + 3] = (8.0, 0.0, 8.0)
    motion[ATTITUDE : ATTITUDE + 4] = (math.cos(-0.35), 0.0, math.sin(-0.35), 0.0)
    simulator.advance(2000)
    assert simulator.output["crashed"] == 1


# Repeatability -------------------------------------------------------------------------------

_SCRIPT = """
import hashlib
from tests.simulation.aeroplanes import by_hand, held

def fly(block):
    simulator = held(3)
    simulator.set_wind(2.0, 1.0)
    for _ in range(1200 // block):
        simulator.advance(block)
    by_hand(simulator, 1.0, 15.0)
    for _ in range(2400 // block):
        simulator.advance(block)
    return hashlib.sha256(simulator.snapshot()).hexdigest()
"""


def _hash(block: int) -> str:
    names: dict[str, object] = {}
    exec(_SCRIPT, names)
    fly = names["fly"]
    assert callable(fly)
    return str(fly(block))


@pytest.mark.slow
def test_compiled_and_interpreted_flights_are_bit_identical() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT + "\nprint(fly(400))"],
        cwd=ROOT,
        env={**os.environ, "LAPWING_PLAIN_PYTHON": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == _hash(100) == _hash(1200)


def test_the_seed_decides_the_noise_of_the_tube() -> None:
    digests = set()
    for seed in (1, 2):
        simulator = held(seed)
        simulator.advance(100)
        digests.add(hashlib.sha256(simulator.output["airspeed_pressure_pa"].tobytes()).digest())
    assert len(digests) == 2
