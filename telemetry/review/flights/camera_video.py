"""Camera video: the recording of a live camera as a video of the flight, at its known time."""

import math
from collections.abc import Sequence

from telemetry.review.cameras.camera_recorder import RecordedPart
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.sync import Piece, Sync

LIVE = "live"
"""The method of a synchronisation that was recorded rather than found."""


def camera_video(
    name: str, parts: Sequence[RecordedPart], camera: CameraSettings | None = None
) -> FlightVideo:
    """The parts of a recording, in their order, as one medium; each runs from its first frame's
    stamp on at the flight's own rate. All but the last one are finished.

    Raises ValueError where there is no part.
    """
    files = tuple(part.file for part in parts)
    return FlightVideo(name, files, camera_sync(parts), camera or CameraSettings())


def camera_sync(parts: Sequence[RecordedPart]) -> Sync:
    """How that medium runs with the flight. Raises ValueError where there is no part."""
    pieces, start_s = [], 0.0
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        end_s = math.inf if is_last else start_s + (part.duration_s or 0.0)
        if end_s > start_s:
            since = start_s if number else -math.inf
            pieces.append(Piece(start_s - part.first_s, 1.0, since, end_s))
        start_s = end_s
    return Sync(tuple(pieces), method=LIVE)
