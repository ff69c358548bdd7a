"""HITL physics: the simulated aircraft in step with a clock, driven by a board's pulses."""

import math
from typing import Any

import numpy as np

from simulation.aircraft.aircraft import AircraftParameters
from simulation.autopilot.truth import attitude_simulated, ground_truth
from simulation.environment.earth import WorldOrigin
from simulation.records.interface import CHANNELS, STEP_US
from simulation.records.members import members_of
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType

STALE_S = 0.5
_MOST_BEHIND_S = 0.25


class DrivenAircraft:
    """Physics and sensors in real time. Pulses older than STALE_S stop the motors."""

    def __init__(
        self, aircraft: AircraftParameters, seed: int, place: WorldOrigin, now: float
    ) -> None:
        self.simulator = Simulator(aircraft, seed, place)
        self.simulator.command["external"] = 1
        # A link carries so few samples that lines of vibration would fold down to what is flown by.
        self.simulator.record["parameters"]["harmonics"] = 0.0
        self.given_up_s = 0.0
        """What the clock has gone ahead without it."""
        self._origin = now
        self._driven_at = -math.inf

    @property
    def output(self) -> Any:
        """The simulator's OUTPUT record."""
        return self.simulator.output

    def drive(self, channels: Any, now: float) -> None:
        """Take over pulses in us, channel by channel; those missing are off."""
        set_pulses(self.simulator, channels)
        self._driven_at = now

    def advance_to(self, now: float) -> None:
        """Let time pass until `now`. What was missed in a long pause is given up, and
        counted.

        Raises Diverged.
        """
        if now - self._driven_at > STALE_S:
            self.simulator.output["actuator_command"] = 0.0
        behind_s = now - self._origin - self.simulator.time_us / 1e6
        if behind_s > _MOST_BEHIND_S:
            self._origin += behind_s
            self.given_up_s += behind_s
        due_us = (now - self._origin) * 1e6 - self.simulator.time_us
        if due_us >= STEP_US:
            self.simulator.advance(int(due_us) // STEP_US)


def set_pulses(simulator: Simulator, channels: Any) -> None:
    """Have the actuators do what a board's pulses in us say; channels that it lacks are off."""
    command, used = simulator.output["actuator_command"], min(len(channels), CHANNELS)
    np.maximum(channels[:used], 0, out=command[:used])
    command[used:] = 0.0


class TruthFrames:
    """How it really moves, as frames of AttitudeSimulated and GroundTruth for the log; their
    definitions are those of Lapwing's own release."""

    def __init__(self, catalogue: Catalogue, dialect: Dialect) -> None:
        self._simulated = catalogue.find("AttitudeSimulated")
        self._truth = catalogue.find("GroundTruth")
        self._dialect = dialect

    def frames(self, output: np.void) -> bytes:
        """Both objects as they are now."""
        members = members_of(output)
        return b"".join(
            self._dialect.encode(
                FrameType.OBJ, definition.object_id, 0, True, np.array(values, "<f4").tobytes()
            )
            for definition, values in (
                (self._simulated, attitude_simulated(members)),
                (self._truth, ground_truth(members)),
            )
        )
