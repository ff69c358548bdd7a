"""Other simulators beside ours: measured if they are installed somewhere, else as published.

LAPWING_PEERS names the Python interpreter of an environment that has rotorpy, pybullet or
gym-pybullet-drones. They are no part of ours.
"""

import os
import subprocess

from benchmarks.result import BenchmarkResult, beside

_VARIABLE = "LAPWING_PEERS"
_TIMEOUT_S = 120.0

_ROTORPY = """
import time
import numpy as np
from rotorpy.vehicles.crazyflie_params import quad_params
from rotorpy.vehicles.multirotor import Multirotor
vehicle = Multirotor(quad_params)
state = vehicle.initial_state
control = {"cmd_motor_speeds": np.full(4, 1790.0)}
start = time.perf_counter()
for _ in range(3000):
    state = vehicle.step(state, control, 0.001)
print(3000 / (time.perf_counter() - start))
"""

_PYBULLET_DRONES = """
import time
import numpy as np
from gym_pybullet_drones.envs.CtrlAviary import CtrlAviary
from gym_pybullet_drones.utils.enums import DroneModel, Physics
count = {count}
places = np.array([[i // 10, i % 10, 1.0] for i in range(count)], float)
aviary = CtrlAviary(DroneModel.CF2X, count, initial_xyzs=places, physics=Physics.PYB,
                    pyb_freq=1000, ctrl_freq=10, gui=False, user_debug_gui=False)
aviary.reset()
action = np.full((count, 4), aviary.HOVER_RPM)
aviary.step(action)
rounds = max(300 // count, 3)
start = time.perf_counter()
for _ in range(rounds):
    aviary.step(action)
print(100 * count * rounds / (time.perf_counter() - start))
"""

_PYBULLET = """
import time
import pybullet as p
p.connect(p.DIRECT)
p.setGravity(0, 0, -9.81)
p.setTimeStep(0.001)
shape = p.createCollisionShape(p.GEOM_BOX, halfExtents=[0.05, 0.05, 0.02])
body = p.createMultiBody(0.027, shape, basePosition=[0, 0, 1])
start = time.perf_counter()
for _ in range(20000):
    for x in (-0.03, 0.03):
        for y in (-0.03, 0.03):
            p.applyExternalForce(body, -1, [0, 0, 0.027 * 9.81 / 4], [x, y, 0], p.LINK_FRAME)
    p.applyExternalTorque(body, -1, [0, 0, 0], p.LINK_FRAME)
    p.stepSimulation()
    p.getBasePositionAndOrientation(body)
    p.getBaseVelocity(body)
print(20000 / (time.perf_counter() - start))
"""

_PEERS = (
    ("RotorPy, one quadrotor", _ROTORPY, 1e3),
    ("PyBullet alone, a box with four thrusts", _PYBULLET, 0.0),
    ("gym-pybullet-drones, one", _PYBULLET_DRONES.format(count=1), 64e3),
    ("gym-pybullet-drones, 100, per drone", _PYBULLET_DRONES.format(count=100), 71e3),
)


def peers() -> list[BenchmarkResult]:
    """Steps per second of each: rigid body and rotors only, no sensors, no estimator."""
    python = os.environ.get(_VARIABLE, "")
    results = [_peer(python, *peer) for peer in _PEERS]
    return [result for result in results if result.value > 0.0]


def _peer(python: str, name: str, script: str, published: float) -> BenchmarkResult:
    """`published` is 0 where nothing was published."""
    measured = _measured(python, script) if python else None
    if measured is None:
        return beside(name, published, "steps/s", "published, not measured here")
    return beside(name, measured, "steps/s", "measured here")


def _measured(python: str, script: str) -> float | None:
    try:
        done = subprocess.run(
            [python, "-c", script], capture_output=True, text=True, check=True, timeout=_TIMEOUT_S
        )
        return float(done.stdout.split()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None
