"""Sync suggestion: a synchronisation to accept, or why there is none."""

import math
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.review.flights.sync import Piece, Sync
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


@dataclass(frozen=True, slots=True)
class PieceQuality:
    """How sure a piece is: the largest standard error of the medium's time within it, and the
    confidence, 0 to 1, as in Sync."""

    sigma_s: float
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class SyncSuggestion:
    """What was found: `sync`, or None and the `reason`, a sentence for the user.

    `compared` may be there without a sync, too: the best that was found, for the user to judge.
    `camera` is what the film says of lens and mount, None where it says nothing.
    `sigma_s` is the largest standard error of the medium's time within the video. `note` is a
    sentence about where it says nothing, found or not. `qualities` are those of the pieces.
    `contradicts_horizon` where the horizon in the picture would be on its head: a mirrored picture
    turns like that of a camera which looks backwards and hangs upside down.
    """

    sync: Sync | None
    reason: str = ""
    compared: TurningCompared | None = None
    camera: CameraEstimate | None = None
    sigma_s: float | None = None
    note: str = ""
    qualities: tuple[PieceQuality, ...] = ()
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
            "sigma_s": self.sigma_s if sync else None,
            "confidence": sync and sync.confidence,
            "method": sync and sync.method,
            "camera": self.camera and self.camera.as_json(),
            "pieces": [
                _piece_json(piece, quality)
                for piece, quality in zip_longest(sync.pieces, self.qualities)
            ]
            if sync
            else None,
            **({} if sync else {"reason": self.reason}),
            **({"note": self.note} if self.note else {}),
        }


def _piece_json(piece: Piece, quality: PieceQuality | None) -> dict[str, float | None]:
    start, end = (
        at if math.isfinite(at) else None for at in (piece.medium_start_s, piece.medium_end_s)
    )
    return {
        "offset_s": piece.offset_s,
        "rate": piece.rate,
        "medium_start_s": start,
        "medium_end_s": end,
        "sigma_s": None if quality is None else quality.sigma_s,
        "confidence": None if quality is None else quality.confidence,
    }
