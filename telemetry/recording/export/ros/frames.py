"""ROS axes and units (REP-103): the one place where ours become theirs.

Ours: north, east, down and forward, right, down. Theirs: the world east, north, up (ENU), the body
forward, left, up (FLU); a camera's optical frame has z along its line of sight, x right, y down.
Quaternions are (w, x, y, z) here too.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

TESLA_PER_MILLIGAUSS: Final = 1e-7
OPTICAL_IN_FLU_WXYZ: Final = (0.5, -0.5, 0.5, -0.5)
"""Turns vectors of a camera's optical frame into the sensor's FLU."""

_HALF: Final = math.sqrt(0.5)


def enu(ned: Floats) -> Floats:
    """Vectors (..., 3) of NED in ENU."""
    return ned[..., [1, 0, 2]] * (1.0, 1.0, -1.0)


def flu(frd: Floats) -> Floats:
    """Vectors (..., 3) of FRD in FLU."""
    return frd * (1.0, -1.0, -1.0)


def flu_in_enu_wxyz(q_wxyz: Floats) -> Floats:
    """What turns FLU into ENU, (..., 4), of what turns FRD into NED.

    It is (0, √½, √½, 0) * q * (0, 1, 0, 0): half a turn about north-east, and one about forward.
    """
    w, x, y, z = np.moveaxis(q_wxyz, -1, 0)
    return _HALF * np.stack((w + z, x + y, x - y, w - z), axis=-1)


def flu_in_flu_wxyz(q_wxyz: Floats) -> Floats:
    """What turns a sensor's FLU into the body's, (..., 4), of what turns its FRD into the body's:
    both with half a turn about forward."""
    return q_wxyz * (1.0, 1.0, -1.0, -1.0)
