"""Fleet: many aircraft flown side by side in one process: Monte Carlo, training, load tests.

Their records lie in one array. They do not meet, so threads share nothing, and each flight is
to the bit the one it would be alone, whatever the number of threads or of steps per call. With
`downwash` they blow at each other (`simulation.environment.wake`), and nothing else.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from simulation.aircraft.aircraft import AircraftParameters
from simulation.compiler.decorators import IS_COMPILING
from simulation.environment.air import PERIOD as AIR_PERIOD
from simulation.environment.earth import FIELD_NEAR_BACKNANG, WorldOrigin
from simulation.environment.wake import wakes
from simulation.programs.fleet import FleetCall, prepare_fleet
from simulation.records.flight import FLIGHT
from simulation.simulator.simulator import Simulator


class SimulatedFleet:
    """Aircraft with consecutive seeds, advanced together; use it as a context manager.

    `simulators` are the aircraft, each to be configured, commanded and read like a single one.
    `records` is the array of FLIGHT they live in, for reading many at once.
    """

    def __init__(
        self,
        aircraft: Sequence[AircraftParameters],
        seed: int = 1,
        place: WorldOrigin = FIELD_NEAR_BACKNANG,
        threads: int = 1,
        downwash: bool = False,
    ) -> None:
        """Aircraft number i has the seed `seed` + i. More threads than cores gain nothing.

        With `downwash` each feels the others' wakes, brought up to date with the air every 20 ms,
        which takes 0.3 ms for ten, 3 ms for a hundred and 0.1 s for a thousand of them.
        """
        self.records = np.zeros(len(aircraft), FLIGHT)
        self.simulators = tuple(
            Simulator(kind, seed + i, place, self.records[i : i + 1])
            for i, kind in enumerate(aircraft)
        )
        self._shares = [_Share(self.simulators[i::threads]) for i in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._downwash = downwash
        self._lost: set[int] = set()

    def __enter__(self) -> "SimulatedFleet":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def advance(self, steps: int) -> None:
        """Simulate `steps` steps of each aircraft.

        Raises an ExceptionGroup of Diverged, once for each aircraft whose motion has become
        impossible, after all others have advanced; it rests from then on.
        """
        prepare_fleet()  # before several threads do
        if self._downwash:
            self._advance_in_wakes(steps)
        else:
            self._advance_apart(steps)
        self._tell_lost()

    def _advance_apart(self, steps: int) -> None:
        if self._pool is None:
            self._shares[0].advance(steps)
        else:
            for done in [self._pool.submit(share.advance, steps) for share in self._shares]:
                done.result()

    def _advance_in_wakes(self, steps: int) -> None:
        """The same, stopping for the wakes before each change of the air."""
        while steps > 0:
            since = int(self.records["output"]["step"].max()) % AIR_PERIOD
            if since == 0:
                self.records["world"]["wake"] = wakes(self.records)
            block = min(steps, AIR_PERIOD - since)
            self._advance_apart(block)
            steps -= block

    def _tell_lost(self) -> None:
        lost = set(np.flatnonzero(self.records["state"]["diverged"]).tolist())
        errors = [self.simulators[i].divergence() for i in sorted(lost - self._lost)]
        self._lost = lost
        if errors:
            raise ExceptionGroup("Aircraft diverged", [error for error in errors if error])


class _Share:
    """The aircraft that one thread flies."""

    def __init__(self, simulators: Sequence[Simulator]) -> None:
        self._simulators = simulators
        self._surroundings: list[object] = []
        self._call: FleetCall | None = None

    def advance(self, steps: int) -> None:
        """Simulate so many steps of each that is still possible."""
        if not IS_COMPILING:
            for simulator in self._simulators:
                simulator.advance_to_divergence(steps)
            return
        surroundings = [simulator.surroundings for simulator in self._simulators]
        if self._call is None or surroundings != self._surroundings:
            self._surroundings = [*surroundings]
            flights = [simulator.record for simulator in self._simulators]
            self._call = FleetCall(flights, surroundings)
        self._call.fly(steps)
