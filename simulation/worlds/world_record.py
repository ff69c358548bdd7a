"""World record of what aircraft fly in, for compiled code."""

from typing import Final

import numpy as np

WORLD_RECORD: Final = np.dtype(
    [
        ("program", np.int64),  # `simulation.programs.world`
        ("grid", np.int64),  # where a GRID is in memory
        ("zones", np.int64),  # ZONE_NUMBERS of each wind zone
        ("zone_count", np.int64),
    ],
    align=True,
)
ZONE_NUMBERS: Final = 10
"""Middle and half the size (NED, m), velocity of the air (NED, m/s), width of the edge (m)."""
LOOKS, TOUCHES, TURNS_BACK = range(3)
"""The parts of what a world does, see `simulation.programs.world`."""
