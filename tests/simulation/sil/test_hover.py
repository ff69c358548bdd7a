"""The example: the same algorithm in C and in Python, flying."""

import math
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from simulation.mathematics.rotation import euler_of
from simulation.sil.target import find_compiler
from tests.simulation.sil.flying import (
    EXAMPLES,
    HOVER_C,
    HOVER_PY,
    SilFlight,
    flight_by,
    needs_compiler,
)


def _fly(target: str, seed: int = 1, block: int = 100) -> SilFlight:
    with flight_by(target, seed, block) as flight:
        flight.take_off()
        flight.run(12.0)
        flight.land()
        flight.run(12.0)
    return flight


@pytest.mark.slow
@needs_compiler
def test_the_c_controller_takes_off_hovers_at_five_metres_and_lands() -> None:
    flight = _fly(HOVER_C)
    track = flight.track
    hover = track[90:140]
    heights = track[0, 2] - hover[:, 2]
    assert np.abs(heights - 5.0).max() < 0.5
    tilts = [math.degrees(max(abs(a) for a in euler_of(row[3:].tolist())[:2])) for row in hover]
    assert max(tilts) < 2.0
    output = flight.simulator.output
    assert (output["landed"], output["disarm_request"], output["crashed"]) == (1, 1, 0)
    assert flight.loop.failure == ""
    assert flight.loop.report()["steps"] == 26_000 // 2


@pytest.mark.slow
@needs_compiler
def test_c_and_python_fly_the_same_flight() -> None:
    with flight_by(HOVER_C) as one, flight_by(HOVER_PY) as other:
        for flight in (one, other):
            flight.take_off()
            flight.run(8.0)
    assert np.abs(one.track - other.track).max() < 1e-6
    assert one.track[-1, 2] < -4.0


@pytest.mark.slow
@needs_compiler
def test_the_readmes_command_builds_a_library_that_flies(tmp_path: Path) -> None:
    (command,) = re.findall(r"^cc (.*)$", (EXAMPLES / "README.md").read_text(), re.M)
    compiler = find_compiler()
    assert compiler is not None
    library = tmp_path / "hover.so"
    arguments = command.replace("hover.so", str(library)).split()
    subprocess.run([compiler, *arguments], cwd=EXAMPLES.parents[1], check=True)
    with flight_by(str(library)) as flight:
        flight.take_off()
        flight.run(3.0)
    assert flight.track[-1, 2] < -1.0


@pytest.mark.slow
def test_a_flight_is_repeatable_whatever_the_block_size() -> None:
    snapshots = []
    for block in (100, 20):
        with flight_by(HOVER_PY, block=block) as flight:
            flight.take_off()
            flight.run(1.0)
        snapshots.append(flight.simulator.snapshot())
    assert snapshots[0] == snapshots[1]


@pytest.mark.slow
def test_with_its_motors_turned_round_it_does_not_hover() -> None:
    """Negative control: the controller, not the simulator, holds the aircraft."""
    with flight_by(HOVER_PY) as flight:
        flight.simulator.settings["mixer_vector"][:, 2:4] *= -1.0
        flight.take_off()
        flight.run(5.0)
    assert flight.simulator.output["crashed"] == 1
