"""Where a simulated flight takes place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SimulatedWorld:
    """`name` is what the simulator opens it by: a name, or the path of a folder, with start place
    and values behind it. `seed` chooses what it leaves to chance."""

    name: str
    seed: int = 1
