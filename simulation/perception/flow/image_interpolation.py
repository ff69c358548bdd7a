"""Image interpolation (I2A): by how much a picture has moved since the one before it.

Seed 003 (Cherney), chapter 5.1, eq. 23 to 30, after Srinivasan 1994. The picture before, f0, is
shifted by s pixels to the left (f1), right (f2), up (f3) and down (f4); the new one, f, is taken as
a mixture of these, and the mixture that comes nearest to it in least squares tells the motion:

    A = sum (f2 - f1)^2    B = sum (f4 - f3)(f2 - f1)    C = sum (f - f0)(f2 - f1)
    D = sum (f4 - f3)^2    E = sum (f - f0)(f4 - f3)
    dx = 2 s (C D - B E) / (A D - B^2)    dy = 2 s (A E - C B) / (A D - B^2)

dx > 0: what is seen has moved to the right, dy > 0: downwards. The sums leave out s pixels at each
edge. A picture without texture has A D = B^2 and gives 0, as the seed's program does. Beyond s
pixels the mixture is an extrapolation and falls short.

As firmware: pixels are whole numbers, flow is a whole number of counts, COUNTS of which are one
pixel, rounded towards zero and kept within a limit (127 for a signed char). All sums are exact, as
in 64-bit integers; the seed divides in single precision, which can differ by one count where a
quotient is whole.
"""

from typing import Any, Final

import numpy as np

from simulation.compiler.decorators import njit_part, njit_shared

COUNTS: Final = 127.0
"""Of firmware's flow, per pixel."""
CAMERAS: Final = 8
"""Most cameras whose flow is found together."""
PIXELS: Final = 64 * 64
"""Most pixels of a picture."""

FLOW: Final = np.dtype(
    [
        ("cameras", np.int64),
        ("columns", np.int64),
        ("rows", np.int64),
        ("shift", np.int64),  # s
        ("limit", np.float64),  # counts, of firmware; 0: real numbers of pixels without a limit
        ("frame", np.int64),  # pictures seen
        ("pictures", np.float64, (2, CAMERAS, PIXELS)),  # by turns the newest and the one before
        ("flow", np.float64, (CAMERAS, 2)),  # to the right and down, pixels or counts
        ("saturated", np.int64, (CAMERAS, 2)),  # 1: at the limit
    ],
    align=True,
)


@njit_shared
def interpolated(before: Any, now: Any, columns: int, rows: int, shift: int) -> tuple[float, float]:
    """dx and dy in pixels between two pictures, row by row from the top."""
    a = b = c = d = e = 0.0
    for y in range(shift, rows - shift):
        first = y * columns
        for i in range(first + shift, first + columns - shift):
            across = before[i - shift] - before[i + shift]  # f2 - f1
            down = before[i - shift * columns] - before[i + shift * columns]  # f4 - f3
            change = now[i] - before[i]
            a += across * across
            b += down * across
            c += change * across
            d += down * down
            e += change * down
    whole = a * d - b * b
    if whole == 0.0:
        return 0.0, 0.0
    scale = 2.0 * shift / whole
    return scale * (c * d - b * e), scale * (a * e - c * b)


@njit_part
def find_flow(f: Any) -> None:
    """Set `flow` and `saturated` of a FLOW record from its two newest pictures; the first picture
    gives no flow."""
    newest = (f["frame"] - 1) % 2
    for i in range(f["cameras"]):
        dx = dy = 0.0
        if f["frame"] > 1:
            before, now = f["pictures"][1 - newest, i], f["pictures"][newest, i]
            dx, dy = interpolated(before, now, f["columns"], f["rows"], f["shift"])
        _keep(f, i, 0, dx)
        _keep(f, i, 1, dy)


@njit_part
def _keep(f: Any, camera: int, axis: int, moved: float) -> None:
    limit = f["limit"]
    f["saturated"][camera, axis] = 0
    if limit <= 0.0:
        f["flow"][camera, axis] = moved
        return
    counts = COUNTS * moved
    if abs(counts) > limit:
        f["saturated"][camera, axis] = 1
        counts = limit if counts > 0.0 else -limit
    f["flow"][camera, axis] = float(int(counts))
