"""Fleet program: the kernel on many flights one after another, without Python in between, which
would take 1 us an aircraft and let no other thread run meanwhile."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from simulation.compiler.program import (
    Handle,
    Memory,
    Program,
    address_of,
    call,
    record_at,
    wholes_at,
)
from simulation.compiler.program_record import ProgramCall
from simulation.compiler.source_digest import sources_digest
from simulation.programs import kernel
from simulation.programs.loading import programs
from simulation.records.flight import FLIGHT

_FLEET: Final = np.dtype(
    [
        ("count", np.int64),
        ("steps", np.int64),
        ("run", np.int64),  # programs
        ("on_board", np.int64),
        ("kalman", np.int64),
        ("flights", np.int64),  # where the FLIGHT of each are, and what acts on each
        ("forces", np.int64),
        ("worlds", np.int64),
    ],
    align=True,
)


class FleetCall:
    """Flies records of FLIGHT, which must be kept, each with the surroundings of its simulator."""

    def __init__(
        self, flights: Sequence[Any], surroundings: Sequence[tuple[Handle, Memory]]
    ) -> None:
        _, (on_board, kalman) = programs()
        numbers = {"run": kernel.run.handle, "on_board": on_board, "kalman": kalman}
        columns = {
            "flights": [np.asarray(flight).ctypes.data for flight in flights],
            "forces": [address_of(force) for force, _ in surroundings],
            "worlds": [memory for _, memory in surroundings],
        }
        self._call = ProgramCall(
            _fly_fleet(),
            _FLEET,
            {"count": len(flights), **{name: address_of(one) for name, one in numbers.items()}},
            {name: np.array(column, np.int64) for name, column in columns.items()},
        )

    def fly(self, steps: int) -> None:
        """Simulate so many steps of each; one whose motion is impossible rests."""
        self._call.run({"steps": steps})


def prepare_fleet() -> None:
    """Have all programs ready: compiled, or loaded."""
    programs()
    _ = _fly_fleet().run


def _fly(fleet: Any) -> None:
    flights, forces = wholes_at(fleet["flights"]), wholes_at(fleet["forces"])
    worlds = wholes_at(fleet["worlds"])
    for i in range(fleet["count"]):
        call(
            fleet["run"],
            record_at(flights[i], FLIGHT),
            fleet["steps"],
            fleet["on_board"],
            fleet["kalman"],
            forces[i],
            worlds[i],
        )


_fly_fleet = cache(lambda: Program(_fly, _FLEET, sources=sources_digest(__name__)))
"""Made when it is asked for: it works on addresses only, which no test can draw at random."""
