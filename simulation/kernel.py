"""The compiled program of one flight: physics, sensors, estimation, control, step by step.

`run` is the only entry compiled ahead and cached on disk. Its cache key contains a digest of all
sources of this package, because numba's own key does not see the files of the parts.
"""

import hashlib
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np

from simulation.control.guidance import PERIOD as GUIDANCE_PERIOD
from simulation.control.guidance import guide, take_manual_thrust
from simulation.control.mixer import drive_motors, mix
from simulation.control.stabilization import stabilize
from simulation.environment.air import PERIOD as AIR_PERIOD
from simulation.environment.air import update_air
from simulation.environment.earth import metres_per_degree
from simulation.estimation.attitude_filter import start, update_attitude
from simulation.estimation.position_filter import correct_height, correct_horizontal, predict
from simulation.interface import ROTORS, STEP_US
from simulation.physics.battery import apply_battery
from simulation.physics.contact import apply_ground
from simulation.physics.rigid_body import integrate
from simulation.records import ATTITUDE, FLIGHT, POSITION, RATES, ROTOR, VELOCITY
from simulation.sensors.sensors import IMU_PERIOD, sample_imu, sample_sensors, turn_on
from telemetry.compiled import njit, njit_part

_COMPILED_ROOMS = (".", "physics", "environment", "sensors", "estimation", "control")


def _sources_digest() -> int:
    """A number that changes with any source file the compiled program is made of."""
    digest = hashlib.sha256()
    for room in _COMPILED_ROOMS:
        for path in sorted((Path(__file__).parent / room).glob("*.py")):
            digest.update(path.read_bytes())
    return int.from_bytes(digest.digest()[:6], "big")


@njit_part
def _fly_aircraft(flight: Any, step: int) -> None:
    """What runs on board: estimate and control, from sensor values only."""
    c, m, o = flight["settings"], flight["command"], flight["output"]
    f, k = flight["filter"], flight["control"]
    if not start(c, f, o):
        return
    update_attitude(c, f, o)
    predict(f, o, step)
    correct_height(f, o)
    correct_horizontal(c, f, o, step)
    if step % GUIDANCE_PERIOD == 0:
        guide(c, m, k, o)
    if m["armed"] == 0:
        k["thrust"] = -1.0
    take_manual_thrust(m, k)
    stabilize(c, m, k, o, flight["scratch"]["attitude"])
    mix(c, m, o, flight["scratch"]["mixed"])


@njit_part
def _begin(p: Any, w: Any, s: Any) -> None:
    """What is computed once per flight."""
    north, east = metres_per_degree(w["latitude_deg"])
    w["metres_per_degree"][0] = north
    w["metres_per_degree"][1] = east
    turn_on(p, s)


@njit_part
def _step(flight: Any, step: int) -> None:
    p, w, s, o = flight["parameters"], flight["world"], flight["state"], flight["output"]
    if step == 0:
        _begin(p, w, s)
    if step % AIR_PERIOD == 0:
        update_air(w, s, step)
    sample_sensors(p, w, s, o, step)
    if step % IMU_PERIOD == 0:
        sample_imu(p, s, o, step // IMU_PERIOD)
        _fly_aircraft(flight, step)
        drive_motors(p, s, o)
    apply_battery(p, w, s, o)
    apply_ground(p, s, o)
    integrate(p, s, flight["scratch"])


@njit_part
def _show_truth(w: Any, s: Any, o: Any) -> None:
    x = s["motion"]
    for i in range(3):
        o["true_position"][i] = x[POSITION + i]
        o["true_velocity"][i] = x[VELOCITY + i]
        o["true_specific_force"][i] = s["specific_force"][i]
        o["true_rates"][i] = math.degrees(x[RATES + i])
        o["true_wind"][i] = s["wind"][i]
    for i in range(4):
        o["true_quaternion"][i] = x[ATTITUDE + i]
    for i in range(ROTORS):
        o["rotor_speed"][i] = x[ROTOR + i]
    scale = w["metres_per_degree"]
    o["true_latitude_deg"] = w["latitude_deg"] + x[POSITION] / scale[0]
    o["true_longitude_deg"] = w["longitude_deg"] + x[POSITION + 1] / scale[1]
    o["true_altitude_m"] = w["altitude"] - x[POSITION + 2]


def _make_run(code: int) -> Callable[["np.ndarray[Any, Any]", int], None]:
    @njit
    def run(memory: Any, steps: int) -> None:
        flight = memory.view(FLIGHT)[0]  # handing over the record itself costs 30 us per call
        output = flight["output"]
        flight["state"]["code"] = code
        for _ in range(steps):
            _step(flight, int(output["step"]))
            output["step"] += 1
            output["time_us"] = output["step"] * STEP_US
        _show_truth(flight["world"], flight["state"], output)

    return cast(Callable[["np.ndarray[Any, Any]", int], None], run)


run = _make_run(_sources_digest())
"""Simulate `steps` steps of the record of type FLIGHT that these bytes hold, in place."""
