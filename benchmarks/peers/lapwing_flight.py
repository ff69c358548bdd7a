"""Lapwing: the whole simulator with all its sensors, whose actuators are driven from outside."""

import math
from pathlib import Path

import numpy as np

from benchmarks.peers import manoeuvre as m
from benchmarks.peers.manoeuvre import FlownManoeuvre, Vector
from simulation.aircraft.aircraft import load_aircraft
from simulation.environment.earth import WorldOrigin
from simulation.records.flight import ATTITUDE, POSITION, RATES, ROTOR, VELOCITY
from simulation.simulator.simulator import Simulator

_AIRCRAFT = Path(__file__).with_name("quadrotor.toml")
# East, north, up to north, east, down, and forward, left, up to forward, right, down.
WORLD = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]])
FLIPPED = np.array([1.0, -1.0, -1.0])
# So deep that the air has its density of sea level where the quadrotor starts: the others' air
# does not thin with height.
_PLACE = WorldOrigin(49.0, 9.5, -m.QUADROTOR_START_M[2])
_NORTH_TO_EAST = math.sqrt(0.5)


class _Flight:
    """A body that flies without a program on board."""

    def __init__(self, start_m: tuple[float, ...]) -> None:
        self.simulator = Simulator(load_aircraft(_AIRCRAFT), place=_PLACE)
        self.simulator.command["external"] = 1
        # The others' gravity, 9.81 m/s2 everywhere.
        self.simulator.world["gravity_excess"] = self.simulator.world["gravity_slope"] = 0.0
        self.simulator.record["state"]["gravity_excess"] = 0.0
        self.parameters = self.simulator.record["parameters"]
        self.motion = self.simulator.record["state"]["motion"]
        self.motion[POSITION : POSITION + 3] = WORLD @ np.array(start_m)
        # Level and heading east: where forward, left, up are the axes east, north, up.
        self.motion[ATTITUDE : ATTITUDE + 4] = (_NORTH_TO_EAST, 0.0, 0.0, _NORTH_TO_EAST)

    def fall(self, _number: int) -> None:
        self.simulator.advance(1)

    def fly(self, number: int) -> None:
        share = m.commanded_radps(number * m.STEP_S) / float(self.parameters["full_speed"])
        self.simulator.output["actuator_command"][:4] = 1000.0 + 1000.0 * share
        self.simulator.advance(1)

    def state(self) -> tuple[object, object]:
        position = WORLD @ self.motion[POSITION : POSITION + 3]
        return position, _to_enu(self.motion[ATTITUDE : ATTITUDE + 4])


def _to_enu(q_wxyz: Vector) -> Vector:
    """FRD in NED to FLU in ENU: level to the east becomes no rotation."""
    w, x, y, z = q_wxyz.tolist()
    s = _NORTH_TO_EAST
    return np.array([s * (w + z), s * (x + y), s * (x - y), s * (w - z)])


def brick() -> FlownManoeuvre:
    """The quadrotor's file with another mass, and its rotors off."""
    flight = _Flight(m.BRICK_START_M)
    flight.parameters["mass"] = m.BRICK_KG
    flight.parameters["inertia"] = m.BRICK_KGM2
    flight.parameters["rotor_count"] = 0
    flight.motion[VELOCITY : VELOCITY + 3] = WORLD @ np.array(m.BRICK_VELOCITY_MPS)
    flight.motion[RATES : RATES + 3] = FLIPPED * m.BRICK_RATES_RADPS
    return m.fly(flight.fall, flight.state, m.BRICK_S)


def _quadrotor() -> _Flight:
    flight = _Flight(m.QUADROTOR_START_M)
    flight.motion[ROTOR : ROTOR + 4] = m.HOVER_RADPS
    return flight


def quadrotor() -> FlownManoeuvre:
    """From a hover in the air."""
    flight = _quadrotor()
    return m.fly(flight.fly, flight.state, m.QUADROTOR_S)


def speed() -> float:
    """Of the quadrotor, in blocks of steps."""
    flight = _quadrotor()
    flight.fly(0)
    return m.steps_per_s(flight.simulator.advance)


if __name__ == "__main__":
    m.print_flown(speed(), brick=brick(), quadrotor=quadrotor())
