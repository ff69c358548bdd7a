"""Ray sweep: rays that a sensor sends one after the other while its aircraft moves."""

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.program import Program, reals_at
from simulation.compiler.program_record import ProgramCall
from simulation.compiler.source_digest import sources_digest
from simulation.mathematics.rotation import to_ned
from simulation.perception.motion_stretch import MotionStretch
from telemetry.base.rotations import matrix_of

Array = npt.NDArray[np.float64]

_SWEEP: Final = np.dtype(
    [
        ("count", np.int64),
        ("row_count", np.int64),
        ("first_us", np.float64),
        ("grid_us", np.float64),
        ("place", np.float64, 3),
        # --- where these are in memory ---
        ("rows", np.int64),
        ("after_us", np.int64),
        ("ways", np.int64),
        ("origins", np.int64),
        ("directions", np.int64),
    ],
    align=True,
)


class RaySweep:
    """Rays of one scan: `directions` (n, 3) of length 1 in the sensor's axes, which `turn` turns
    into the body's, from `place` there, and `after_us` (n,) from the scan's beginning, ascending.
    """

    def __init__(self, directions: Array, after_us: Array, place: Array, turn: Array) -> None:
        ways = np.ascontiguousarray(directions @ matrix_of(turn).T)
        after = np.ascontiguousarray(after_us, np.float64)
        self.lasts_us = int(after_us[-1])
        self._shape = ways.shape
        numbers = {"count": len(ways), "place": place}
        self._call = ProgramCall(_send_rays, _SWEEP, numbers, {"after_us": after, "ways": ways})

    def of(self, motion: MotionStretch) -> tuple[Array, Array]:
        """NED origins and directions (n, 3) of the rays, each from where its sensor then is."""
        origins, directions = np.empty(self._shape), np.empty(self._shape)
        numbers = {
            "row_count": len(motion.rows),
            "first_us": motion.first_us,
            "grid_us": motion.grid_us,
        }
        arrays = {"rows": motion.rows, "origins": origins, "directions": directions}
        self._call.run(numbers, arrays)
        return origins, directions


def _send(s: Any) -> None:
    rows, after, ways = reals_at(s["rows"]), reals_at(s["after_us"]), reals_at(s["ways"])
    origins, directions = reals_at(s["origins"]), reals_at(s["directions"])
    place = s["place"]
    for i in range(s["count"]):
        along = (after[i] - s["first_us"]) / s["grid_us"]
        low = min(int(along), s["row_count"] - 2)
        share = along - low
        k = 7 * low
        w = rows[k + 3] + share * (rows[k + 10] - rows[k + 3])
        x = rows[k + 4] + share * (rows[k + 11] - rows[k + 4])
        y = rows[k + 5] + share * (rows[k + 12] - rows[k + 5])
        z = rows[k + 6] + share * (rows[k + 13] - rows[k + 6])
        scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
        q = (scale * w, scale * x, scale * y, scale * z)
        north, east, down = to_ned(q, place[0], place[1], place[2])
        j = 3 * i
        origins[j] = rows[k] + share * (rows[k + 7] - rows[k]) + north
        origins[j + 1] = rows[k + 1] + share * (rows[k + 8] - rows[k + 1]) + east
        origins[j + 2] = rows[k + 2] + share * (rows[k + 9] - rows[k + 2]) + down
        north, east, down = to_ned(q, ways[j], ways[j + 1], ways[j + 2])
        directions[j], directions[j + 1], directions[j + 2] = north, east, down


_send_rays = Program(_send, _SWEEP, sources=sources_digest(__name__))
