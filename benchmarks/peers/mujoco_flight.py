"""MuJoCo with its RK4: a free body, and a thrust with its torque at the site of each rotor."""

import mujoco
import numpy as np

from benchmarks.peers import manoeuvre as m
from benchmarks.peers.manoeuvre import FlownManoeuvre

_WORLD = """
<mujoco>
  <option timestep="{step_s}" gravity="0 0 -{gravity}" integrator="RK4"/>
  <worldbody>
    <body pos="{start}">
      <freejoint/>
      <inertial pos="0 0 0" mass="{mass_kg}" diaginertia="{inertia}"/>
      {sites}
    </body>
  </worldbody>
  <actuator>{motors}</actuator>
</mujoco>
"""


def _words(values: tuple[float, ...]) -> str:
    return " ".join(repr(value) for value in values)


class _Flight:
    def __init__(
        self, mass_kg: float, inertia: tuple[float, ...], start: tuple[float, ...]
    ) -> None:
        sites = [f'<site name="r{i}" pos="{x} {y} 0"/>' for i, (x, y) in enumerate(m.ROTORS_M)]
        ratio = m.TORQUE_NMS2 / m.THRUST_NS2
        motors = [
            f'<motor site="r{i}" gear="0 0 1 0 0 {spin * ratio}"/>'
            for i, spin in enumerate(m.SPINS)
        ]
        text = _WORLD.format(
            step_s=m.STEP_S,
            gravity=m.GRAVITY,
            start=_words(start),
            mass_kg=mass_kg,
            inertia=_words(inertia),
            sites="".join(sites),
            motors="".join(motors),
        )
        self._model = mujoco.MjModel.from_xml_string(text)
        self.data = mujoco.MjData(self._model)
        self._speeds = np.full(4, m.HOVER_RADPS)

    def advance(self, steps: int = 1) -> None:
        mujoco.mj_step(self._model, self.data, steps)

    def fall(self, _number: int) -> None:
        self.advance()

    def fly(self, number: int) -> None:
        t = number * m.STEP_S
        self.data.ctrl[:] = m.THRUST_NS2 * m.rotor_speeds(t, self._speeds, 0.5 * m.STEP_S) ** 2
        self._speeds = m.rotor_speeds(t, self._speeds, m.STEP_S)
        self.advance()

    def state(self) -> tuple[object, object]:
        return self.data.qpos[:3].copy(), self.data.qpos[3:].copy()


def brick() -> FlownManoeuvre:
    """Thrown and tumbling; its motors stand."""
    flight = _Flight(m.BRICK_KG, m.BRICK_KGM2, m.BRICK_START_M)
    flight.data.qvel[:] = [*m.BRICK_VELOCITY_MPS, *m.BRICK_RATES_RADPS]
    return m.fly(flight.fall, flight.state, m.BRICK_S)


def _quadrotor() -> _Flight:
    return _Flight(m.QUADROTOR_KG, m.QUADROTOR_KGM2, m.QUADROTOR_START_M)


def quadrotor() -> FlownManoeuvre:
    """Speeds that follow the command stand at their values of the step's middle."""
    flight = _quadrotor()
    return m.fly(flight.fly, flight.state, m.QUADROTOR_S)


def speed() -> float:
    """Of the quadrotor, in blocks of steps."""
    flight = _quadrotor()
    flight.data.ctrl[:] = m.THRUST_NS2 * m.HOVER_RADPS**2
    return m.steps_per_s(flight.advance)


if __name__ == "__main__":
    m.print_flown(speed(), brick=brick(), quadrotor=quadrotor())
