"""One simulated aircraft: its records and the fixed-step loop. Knows no wall clock, no objects."""

import numpy as np

from simulation.aircraft import Aircraft
from simulation.interface import COMMAND, OUTPUT, SETTINGS, STEP_US


class Simulator:
    """A flight from reset on: write `settings` and `command`, call `advance`, read `output`.

    The three records are views that stay the same objects for the simulator's life. The flight
    depends only on the aircraft, the seed, and what was written before which step: not on the
    number of steps per call.
    """

    settings: np.void
    command: np.void
    output: np.void

    def __init__(self, aircraft: Aircraft, seed: int = 1) -> None:
        self.aircraft = aircraft
        self.settings = np.zeros(1, SETTINGS)[0]
        self.command = np.zeros(1, COMMAND)[0]
        self.output = np.zeros(1, OUTPUT)[0]
        self.reset(seed)

    @property
    def time_us(self) -> int:
        """Simulated time since reset in microseconds."""
        return int(self.output["step"]) * STEP_US

    def reset(self, seed: int | None = None) -> None:
        """Back to time 0: disarmed on the ground, battery full, settings of the aircraft file."""
        raise NotImplementedError

    def advance(self, steps: int) -> None:
        """Simulate `steps` steps of STEP_US."""
        raise NotImplementedError

    def set_wind(self, north: float, east: float, gust: float = 0.0) -> None:
        """Let the air move with this velocity in m/s, plus gusts of this standard deviation."""
        raise NotImplementedError
