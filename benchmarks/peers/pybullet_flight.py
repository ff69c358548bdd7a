"""PyBullet, the engine below gym-pybullet-drones, used as that does: a force at each rotor.

It knows no motors; the speeds that follow the command stand at their values of the step's middle.
"""

import numpy as np
import pybullet as bullet

from benchmarks.peers import manoeuvre as m
from benchmarks.peers.manoeuvre import FlownManoeuvre, Vector


class _Flight:
    def __init__(self, mass_kg: float, inertia: tuple[float, ...], start: object) -> None:
        bullet.resetSimulation()
        bullet.setGravity(0, 0, -m.GRAVITY)
        bullet.setTimeStep(m.STEP_S)
        shape = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=[0.05, 0.05, 0.02])
        self._body = bullet.createMultiBody(mass_kg, shape, basePosition=start)
        bullet.changeDynamics(
            self._body, -1, linearDamping=0, angularDamping=0, localInertiaDiagonal=inertia
        )
        self._speeds = np.full(4, m.HOVER_RADPS)

    def throw(self, velocity: object, rates: object) -> None:
        bullet.resetBaseVelocity(self._body, velocity, rates)

    def fall(self, _number: int) -> None:
        bullet.stepSimulation()

    def step(self, squares: Vector) -> None:
        """By the squares of the rotors' speeds; forces last for one step."""
        for (x, y), square in zip(m.ROTORS_M, squares.tolist(), strict=True):
            thrust = [0, 0, m.THRUST_NS2 * square]
            bullet.applyExternalForce(self._body, -1, thrust, [x, y, 0], bullet.LINK_FRAME)
        torque = [0, 0, m.TORQUE_NMS2 * float(np.dot(m.SPINS, squares))]
        bullet.applyExternalTorque(self._body, -1, torque, bullet.LINK_FRAME)
        bullet.stepSimulation()

    def fly(self, number: int) -> None:
        t = number * m.STEP_S
        squares = m.rotor_speeds(t, self._speeds, 0.5 * m.STEP_S) ** 2
        self._speeds = m.rotor_speeds(t, self._speeds, m.STEP_S)
        self.step(squares)

    def state(self) -> tuple[object, object]:
        position, quaternion = bullet.getBasePositionAndOrientation(self._body)
        return position, np.roll(quaternion, 1)


def brick() -> FlownManoeuvre:
    """Thrown and tumbling."""
    flight = _Flight(m.BRICK_KG, m.BRICK_KGM2, m.BRICK_START_M)
    flight.throw(m.BRICK_VELOCITY_MPS, m.BRICK_RATES_RADPS)
    return m.fly(flight.fall, flight.state, m.BRICK_S)


def _quadrotor() -> _Flight:
    return _Flight(m.QUADROTOR_KG, m.QUADROTOR_KGM2, m.QUADROTOR_START_M)


def quadrotor() -> FlownManoeuvre:
    """Four forces and a torque."""
    flight = _quadrotor()
    return m.fly(flight.fly, flight.state, m.QUADROTOR_S)


def speed() -> float:
    """Of the quadrotor."""
    flight, squares = _quadrotor(), np.full(4, m.HOVER_RADPS**2)

    def advance(steps: int) -> None:
        for _ in range(steps):
            flight.step(squares)

    return m.steps_per_s(advance)


if __name__ == "__main__":
    bullet.connect(bullet.DIRECT)
    m.print_flown(speed(), brick=brick(), quadrotor=quadrotor())
