"""Programs of a flight, ready to run: loaded from the cache on disk, or compiled."""

from functools import cache

from simulation.compiler.program import Function, Handle
from simulation.programs import beside
from simulation.programs.kalman import kalman
from simulation.programs.kernel import run
from simulation.programs.on_board import fly


@cache
def programs() -> tuple[Function, tuple[Handle, ...]]:
    """What runs `run`, and the handles of the programs on board to give it. Takes two seconds of
    two processors the first time after an installation, a tenth of one the first time in a
    process."""
    if not (run.is_kept() or (fly.is_kept() and kalman.is_kept())):
        beside.start()
    return run.run, (fly.handle, kalman.handle)
