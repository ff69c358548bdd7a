"""The coaxial helicopter flown as seed 003's simulation does: four commands every 16 ms."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.mathematics.rotation import set_euler
from simulation.records.flight import (
    ATTITUDE,
    COAXIAL,
    LOWER,
    POSITION,
    ROTOR,
    SWASH_PITCH,
    SWASH_ROLL,
    UPPER,
    VELOCITY,
)
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.scenario import ScenarioError
from simulation.scenarios.track import OutputTrack
from simulation.simulator.simulator import Simulator
from telemetry.base.rotations import matrix_of

Array = npt.NDArray[np.float64]

CYCLE_STEPS: Final = 16
"""Of its control, and of its cameras."""
CYCLE_S: Final = 0.016
UNIT_RADPS: Final = 500.0
"""What `resources/aircraft/mcx2.toml` takes one unit of a rotor's command for."""
HOVER: Final = 0.3836
"""sqrt(m g / 2 C)."""
SERVO_CONSTANT: Final = 0.1
"""Radians per unit of the swash plate's commands; the seed's is lost."""
_MEMBERS: Final = ("true_position", "true_velocity", "true_rates", "true_quaternion", "crashed")


@dataclass(frozen=True, slots=True)
class CoaxialCommand:
    """What its controller sends: `throttle` of both rotors and the difference `yaw` (positive turns
    the nose right) in units of speed; the servos' `pitch` (positive pulls back) and `roll`
    (positive to the right)."""

    throttle: float = HOVER
    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0


class CoaxialFlight:
    """One flight that begins in the air, level and at rest, with hovering rotors."""

    def __init__(
        self,
        experiment: Experiment,
        position_m: tuple[float, float, float] = (0.0, 0.0, -1.5),
        heading_rad: float = 0.0,
        servo_constant: float = SERVO_CONSTANT,
    ) -> None:
        """At NED `position_m`. Raises ScenarioError for an aircraft without a swash plate."""
        self.simulator = experiment.simulator()
        if self.simulator.record["parameters"]["kind"] != COAXIAL:
            raise ScenarioError(
                f"The scenario '{experiment.scenario.name}' flies a coaxial helicopter, which "
                f"{experiment.aircraft} is not; give --aircraft {experiment.scenario.aircraft}."
            )
        self._motion = self.simulator.record["state"]["motion"]
        self._motion[POSITION : POSITION + 3] = position_m
        self._motion[VELOCITY : VELOCITY + 3] = 0.0
        set_euler(self._motion[ATTITUDE : ATTITUDE + 4], 0.0, 0.0, heading_rad)
        self._motion[ROTOR : ROTOR + 2] = HOVER * UNIT_RADPS
        self._pulses = CoaxialPulses(self.simulator, servo_constant)
        self._flight = experiment.bare_flight(self.simulator, _MEMBERS, CYCLE_STEPS)
        self.command(CoaxialCommand())

    def begin_with(self, velocity_mps: tuple[float, float, float]) -> None:
        """Begin with this velocity, NED, in the place of rest."""
        self._motion[VELOCITY : VELOCITY + 3] = velocity_mps

    @property
    def track(self) -> OutputTrack:
        """Truth at the end of every cycle."""
        return self._flight.track

    @property
    def height_m(self) -> float:
        """Above the ground."""
        return -float(self._motion[POSITION + 2])

    @property
    def place(self) -> tuple[float, float, float]:
        """NED position."""
        north, east, down = self._motion[POSITION : POSITION + 3].tolist()
        return north, east, down

    def pose(self) -> tuple[Array, Array]:
        """NED position, and the matrix that turns body axes into NED."""
        turn = matrix_of(self._motion[ATTITUDE : ATTITUDE + 4].tolist())
        return self._motion[POSITION : POSITION + 3].copy(), turn

    @property
    def touches_something(self) -> bool:
        """Whether a part of it touches a surface of the world."""
        return bool(self.simulator.record["state"]["touches_surface"])

    @property
    def has_crashed(self) -> bool:
        """Whether it hit something too hard."""
        return bool(self.simulator.output["crashed"])

    def command(self, command: CoaxialCommand) -> None:
        """From now on."""
        self._pulses.send(command)

    def advance(self, cycles: int = 1) -> None:
        """Fly on for so many cycles."""
        self._flight.advance_steps(cycles * CYCLE_STEPS)


class CoaxialPulses:
    """Turns commands into the pulses that an aircraft's file says; its own program rests."""

    def __init__(self, simulator: Simulator, servo_constant: float = SERVO_CONSTANT) -> None:
        p: Any = simulator.record["parameters"]
        simulator.command["external"] = 1
        self._outputs = simulator.output["actuator_command"]
        low, high = p["speed_controller_us"]
        self._rotor_us = float(low), float((high - low) * UNIT_RADPS / p["full_speed"])
        low, high = p["swash_pulse_us"]
        self._servo_us = (
            float(0.5 * (low + high)),
            float(0.5 * (high - low) * servo_constant / p["swash_deflection"]),
        )
        self._rotors = int(p["rotor_channel"][LOWER]), int(p["rotor_channel"][UPPER])
        self._servos = int(p["swash_channel"][SWASH_PITCH]), int(p["swash_channel"][SWASH_ROLL])

    def send(self, command: CoaxialCommand) -> None:
        """Set the pulses: the lower rotor turns with throttle - yaw, the upper with their sum."""
        outputs = self._outputs
        least, per_unit = self._rotor_us
        outputs[self._rotors[0]] = least + per_unit * (command.throttle - command.yaw)
        outputs[self._rotors[1]] = least + per_unit * (command.throttle + command.yaw)
        neutral, per_unit = self._servo_us
        outputs[self._servos[0]] = neutral + per_unit * command.pitch
        outputs[self._servos[1]] = neutral + per_unit * command.roll
