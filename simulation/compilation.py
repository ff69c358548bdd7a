"""Has the programs of a flight at hand: loaded from the cache on disk, or compiled."""

from functools import cache

from simulation.kalman import kalman
from simulation.kernel import run
from simulation.on_board import fly
from simulation.program import Function, Handle


@cache
def programs() -> tuple[Function, tuple[Handle, ...]]:
    """What runs `run`, and the handles of the programs on board to give it. Takes seconds the
    first time after an installation, a tenth of a second the first time in a process."""
    return run.run, (fly.handle, kalman.handle)
