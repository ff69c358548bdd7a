# %% [markdown]
# # A load on a rope
#
# A force from outside may have states of its own: here the place and the velocity of a load, which
# the simulator integrates together with the aircraft. The rope is a stiff spring that only pulls,
# from a hook below the centre of mass.

# %%
import math
from dataclasses import replace
from typing import Any

import numpy as np

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.compiler.decorators import njit_part
from simulation.environment.earth import gravity_at, update_gravity
from simulation.mathematics.rotation import to_ned
from simulation.records.flight import POSITION, VELOCITY
from simulation.records.interface import (
    AXIS_LOCK,
    HORIZONTAL_POSITION,
    VERTICAL_HOLD,
    VERTICAL_TAKEOFF,
)
from simulation.simulator.external_force import ExternalForce, compiled_force
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import load_catalogue

LOAD_KG, LENGTH_M, STIFFNESS_NPM = 0.2, 2.0, 2000.0

# %% [markdown]
# `sling` is compiled, so it keeps to numbers, `math` and the simulator's own parts. Constants: the
# load's mass, the rope's length, stiffness and damping, how far the hook is below the centre of
# mass, and a crane's pull upwards, for the first experiment. States: the load's place and velocity,
# NED.


# %%
@njit_part
def tension_n(e: Any, distance: float, stretching: float) -> float:
    """The rope's pull at this length, which grows so fast."""
    taut = distance - e["constants"][1]
    if taut <= 0.0:
        return 0.0
    return float(max(0.0, e["constants"][2] * taut + e["constants"][3] * stretching))


def sling(e: Any) -> None:
    """A load hangs from the aircraft."""
    mass, depth, crane = e["constants"][0], e["constants"][4], e["constants"][5]
    hook = to_ned(e["quaternion"], 0.0, 0.0, depth)
    turning = to_ned(e["quaternion"], e["rates"][1] * depth, -e["rates"][0] * depth, 0.0)
    load, place, velocity = e["state"], e["position"], e["velocity"]
    north, east = load[0] - place[0] - hook[0], load[1] - place[1] - hook[1]
    down = load[2] - place[2] - hook[2]
    distance = math.sqrt(north * north + east * east + down * down)
    rope = (north / distance, east / distance, down / distance)
    stretching = 0.0
    for i in range(3):
        stretching += rope[i] * (load[3 + i] - velocity[i] - turning[i])
    tension = tension_n(e, distance, stretching)
    e["point"][2] = depth
    for i in range(3):
        e["force_ned"][i] = tension * rope[i]
        e["state_rate"][i] = load[3 + i]
        e["state_rate"][3 + i] = -tension * rope[i] / mass
    e["force_ned"][2] -= crane
    e["state_rate"][5] += e["gravity"]


SLING = compiled_force(sling)


def slung(place: Any, velocity: Any, damping: float, depth: float, crane: float) -> ExternalForce:
    """The load, at this place with this velocity."""
    constants = (LOAD_KG, LENGTH_M, STIFFNESS_NPM, damping, depth, crane)
    return replace(SLING, constants=constants, state=(*place, *velocity))


# %% [markdown]
# ## By hand
#
# Without air and motors, a crane carries aircraft and load with the force (M + m) g and lets them
# swing freely: both move against each other, and a small swing takes
#
#     T = 2 pi sqrt(L / (g (1 + m / M)))
#
# with the length L of the loaded rope. Nothing dissipates, so the energy of both together stays.

# %%
aircraft, catalogue = load_preset("ar100b"), load_catalogue()
bare = factory_simulator(aircraft, catalogue)
bare.record["parameters"]["drag_force"] = 0.0
bare.record["state"]["motion"][POSITION + 2] = -50.0
mass_kg = float(bare.record["parameters"]["mass"])
update_gravity(bare.world, bare.record["state"])
gravity = gravity_at(bare.record["state"])
weight_n = (mass_kg + LOAD_KG) * gravity
stretched_m = LENGTH_M + LOAD_KG * gravity / STIFFNESS_NPM
lean = math.radians(4.0)
place = (stretched_m * math.sin(lean), 0.0, -50.0 + stretched_m * math.cos(lean))
bare.act_with(slung(place, (0.0, 0.0, 0.0), 0.0, 0.0, weight_n))


def energy_j(simulator: Simulator) -> float:
    """Of both, of the rope, and of the crane's force."""
    state = simulator.record["state"]
    motion, load = state["motion"], state["force"]["state"]
    place, velocity = motion[POSITION : POSITION + 3], motion[VELOCITY : VELOCITY + 3]
    moving = 0.5 * mass_kg * np.sum(velocity**2) + 0.5 * LOAD_KG * np.sum(load[3:6] ** 2)
    stretch = max(0.0, float(np.linalg.norm(load[:3] - place)) - LENGTH_M)
    down = mass_kg * place[2] + LOAD_KG * load[2]
    return float(moving + 0.5 * STIFFNESS_NPM * stretch**2 - gravity * down + weight_n * place[2])


def swings(simulator: Simulator, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Times, and how far north of the aircraft the load is, every 10 ms."""
    times, leans = [], []
    for _ in range(steps // 10):
        simulator.advance(10)
        times.append(simulator.time_us / 1e6)
        load = simulator.record["state"]["force"]["state"]
        leans.append(float(load[0] - simulator.output["true_position"][0]))
    return np.array(times), np.array(leans)


def period_of(times: np.ndarray, leans: np.ndarray) -> float:
    """Mean time between passages of the middle from the same side."""
    middle = leans - leans.mean()
    i = np.flatnonzero((middle[:-1] < 0.0) & (middle[1:] >= 0.0))
    crossings = times[i] - middle[i] * (times[i + 1] - times[i]) / (middle[i + 1] - middle[i])
    return float(np.diff(crossings).mean())


before_j = energy_j(bare)
free_s = period_of(*swings(bare, 20_000))
gained_j = energy_j(bare) - before_j
swing_j = LOAD_KG * gravity * stretched_m * (1.0 - math.cos(lean))
by_hand_s = 2.0 * math.pi * math.sqrt(stretched_m / (gravity * (1.0 + LOAD_KG / mass_kg)))
print(f"hung freely: {free_s:.4f} s, by hand {by_hand_s:.4f} s")
print(f"energy gained in 20 s: {gained_j / swing_j:.1e} of the swing's")

# %% [markdown]
# ## In flight
#
# The same load hangs 5 cm below the centre of mass of an aircraft that holds its place, and gets a
# push of 0.5 m/s. The motors carry both weights. The swing has neither period: the aircraft gives
# way to the rope, and its position control answers late.

# %%
flight = factory_simulator(aircraft, catalogue)
flight.advance(6000)
command = flight.command
command["armed"] = 1
command["axis_mode"][2] = AXIS_LOCK
command["horizontal_mode"] = HORIZONTAL_POSITION
command["north_m"], command["east_m"] = flight.output["position"][:2]
command["vertical_mode"] = VERTICAL_TAKEOFF
command["down_m"], command["velocity_down"] = -10.0, -2.0
flight.advance(14_000)
command["vertical_mode"] = VERTICAL_HOLD
unloaded = float(flight.output["rotor_speed"][:4].mean())

# %%
DEPTH_M = 0.05
start = flight.output["true_position"] + (0.0, 0.0, LENGTH_M + DEPTH_M)
push = flight.output["true_velocity"] + (0.5, 0.0, 0.0)
flight.act_with(slung(start, push, 1.0, DEPTH_M, 0.0))
flown_s = period_of(*swings(flight, 20_000))
loaded = float(flight.output["rotor_speed"][:4].mean())
wall_s = 2.0 * math.pi * math.sqrt(stretched_m / gravity)
print(f"below an aircraft: {flown_s:.3f} s; below a wall {wall_s:.3f} s")
print(f"rotors {unloaded:.0f} rad/s without the load, {loaded:.0f} with it")
