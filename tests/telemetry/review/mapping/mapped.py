"""Recordings of aircraft with sensors that look, made up."""

import math
from collections.abc import Mapping
from typing import Any

from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.streams.samples import StreamDescription, StreamKind
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording

DOWNWARDS = math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0
"""Turns a sensor to look down: pitched by -90 degrees."""


def add_pose(
    recording: Recording,
    t: float,
    place: tuple[float, float, float],
    angles_deg: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> None:
    """Where the aircraft believes to be (NED) and how it is turned (roll, pitch, yaw)."""
    north, east, down = place
    roll, pitch, yaw = angles_deg
    _add(recording, t, "AttitudeState", {"Roll": roll, "Pitch": pitch, "Yaw": yaw})
    _add(recording, t, "PositionState", {"North": north, "East": east, "Down": down})


def add_true_pose(recording: Recording, t: float, place: tuple[float, float, float]) -> None:
    """Where it truly is, level, facing north."""
    north, east, down = place
    values = {"Position.North": north, "Position.East": east, "Position.Down": down}
    _add(recording, t, "AttitudeSimulated", values)


def range_stream(recording: Recording, **details: Any) -> MediaTrack:
    """A single distance downwards."""
    said = {"names": ["range"], "units": ["m"], **details}
    return stream(recording, StreamKind.VALUES, said)


def stream(recording: Recording, kind: StreamKind, details: Mapping[str, Any]) -> MediaTrack:
    """A sensor that looks down."""
    description = StreamDescription(
        kind.value, kind, "Looks down", 10.0, attitude_q_wxyz=DOWNWARDS, details=details
    )
    track = MediaTrack(description)
    recording.add_media(track)
    return track


def _add(recording: Recording, t: float, name: str, values: Mapping[str, Any]) -> None:
    definition = load_catalogue().find(name)
    recording.append(t, definition, 0, pack_values(definition, values))
