"""Flights of the bare simulator by a controller."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import pytest

from simulation.records.interface import AXIS_ATTITUDE, AXIS_LOCK, VERTICAL_LAND, VERTICAL_TAKEOFF
from simulation.sil.config import SilConfig
from simulation.sil.loop import SoftwareInTheLoop
from simulation.sil.target import find_compiler
from simulation.simulator.simulator import Simulator
from telemetry.base.installation import ROOT
from tests.simulation.flights import parked
from tests.waiting import PATIENCE_S

EXAMPLES = ROOT / "examples" / "sil"
HOVER_C = str(EXAMPLES / "hover.c")
HOVER_PY = f"{EXAMPLES / 'hover.py'}:Hover"
BLOCK = 100

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


class SilFlight:
    """One flight, noted every BLOCK steps."""

    def __init__(self, loop: SoftwareInTheLoop, seed: int, block: int = BLOCK) -> None:
        self.loop = loop
        self.simulator: Simulator = parked(seed)
        self.advance = loop.attach(self.simulator)
        self.rows: list[list[float]] = []
        self._block = block

    def run(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(round(seconds * 1000) // self._block):
            self.advance(self._block)
            output = self.simulator.output
            self.rows.append([*output["true_position"], *output["true_quaternion"]])

    def take_off(self, height_m: float = 5.0) -> None:
        """Stand for two seconds, then climb."""
        self.run(2.0)
        command = self.simulator.command
        command["armed"] = 1
        command["axis_mode"] = (AXIS_ATTITUDE, AXIS_ATTITUDE, AXIS_LOCK)
        command["vertical_mode"] = VERTICAL_TAKEOFF
        command["velocity_down"] = -2.0
        command["down_m"] = -height_m

    def land(self) -> None:
        """Sink until something says that it has landed."""
        command = self.simulator.command
        command["vertical_mode"] = VERTICAL_LAND
        command["velocity_down"] = 0.7

    @property
    def track(self) -> npt.NDArray[np.float64]:
        """True north, east, down and quaternion, a row per block."""
        return np.array(self.rows)


@contextmanager
def flight_by(target: str, seed: int = 1, block: int = BLOCK, **plan: float) -> Iterator[SilFlight]:
    """A flight whose controller's process ends with the block; how long a step may take says the
    plan, and is not the machine's to decide."""
    loop = SoftwareInTheLoop(SilConfig(target, **{"timeout_s": PATIENCE_S, **plan}))  # type: ignore[arg-type]
    try:
        yield SilFlight(loop, seed, block)
    finally:
        loop.close()
