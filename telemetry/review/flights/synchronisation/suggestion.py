"""Sync suggestion: a synchronisation to accept, or why there is none."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.review.flights.sync import Sync
from telemetry.review.flights.synchronisation.camera_estimate import CameraEstimate

_Column = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TurningCompared:
    """Both signals of a synchronisation laid over each other, for a plot.

    `medium_s` (n,) are times of the medium, `picture_deg_s` and `log_deg_s` (n, 3) how fast the
    camera turned by the picture and, at the log's own samples, by the log, about the camera's axes
    (x right: pitch, y down: yaw, z forward: roll); only where the picture tells.
    """

    medium_s: _Column
    picture_deg_s: _Column
    log_deg_s: _Column


@dataclass(frozen=True, slots=True, eq=False)
class SyncSuggestion:
    """What was found: `sync`, or None and the `reason`, a sentence for the user.

    `compared` may be there without a sync, too: the best that was found, for the user to judge.
    `camera` is what the film says of lens and mount, None where it says nothing.
    `note` is a sentence about where it says nothing, found or not.
    `contradicts_horizon` where the horizon in the picture would be on its head: a mirrored picture
    turns like that of a camera which looks backwards and hangs upside down.
    """

    sync: Sync | None
    reason: str = ""
    compared: TurningCompared | None = None
    camera: CameraEstimate | None = None
    note: str = ""
    contradicts_horizon: bool = False

    @property
    def is_found(self) -> bool:
        """Whether there is something to accept."""
        return self.sync is not None

    def as_json(self) -> dict[str, Any]:
        """What `lapwing sync --json` prints. The times of pieces are the medium's, null where
        one goes on."""
        sync = self.sync
        return {
            "found": sync is not None,
            "offset_s": sync and sync.offset_s,
            "rate": sync and sync.rate,
            "offset_sigma_s": sync and sync.offset_sigma_s,
            "rate_sigma": sync and sync.rate_sigma,
            "sigma_s": sync and sync.sigma_s,
            "confidence": sync and sync.confidence,
            "method": sync and sync.method,
            "camera": self.camera and self.camera.as_json(),
            "pieces": [piece.as_json() for piece in sync.pieces] if sync else None,
            **({} if sync else {"reason": self.reason}),
            **({"note": self.note} if self.note else {}),
        }
