"""Frame trust: a good checksum is no proof, eight bits let one damaged frame in 256 pass.

On a usable link that is never noticed. Where nearly every frame is damaged, though, those few
outnumber the intact ones, and values that nobody sent would be shown. So a frame that passed
its checksum is believed only while enough of its neighbours pass theirs, too.
"""

from collections import deque

import numpy as np
import numpy.typing as npt

NEIGHBOURS = 8
"""How many frames with good checksums are looked back."""

MOST_ERRORS = 16
"""With more checksum errors than this among them, less than one frame in three is intact."""


class Trust:
    """Judges the frames of a stream, in order."""

    def __init__(self) -> None:
        self._errors_then = deque([0] * NEIGHBOURS, NEIGHBOURS)

    def believes(self, crc_errors: int) -> bool:
        """Whether to believe a frame before which there were `crc_errors` in all.

        Needs not be asked as long as there were none.
        """
        oldest = self._errors_then[0]
        self._errors_then.append(crc_errors)
        return crc_errors - oldest <= MOST_ERRORS


def believed(crc_errors: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """What `Trust.believes` says to each frame of a whole stream."""
    since = crc_errors.copy()
    since[NEIGHBOURS:] -= crc_errors[:-NEIGHBOURS]
    return since <= MOST_ERRORS
