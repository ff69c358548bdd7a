"""Live picture sources of a view: the aircraft's camera, and those that a simulated one carries."""

from typing import Protocol

import numpy as np

from plugins.video.vehicle_camera import camera_of_vehicle
from telemetry.protocol.streams.samples import PictureSample, StreamKind
from telemetry.recording.media_track import MediaTrack
from telemetry.review.cameras.camera_recorder import LiveFrame
from telemetry.review.cameras.camera_settings import CameraSettings, camera_of_stream
from telemetry.review.flights.flight import flight_of
from telemetry.review.flights.streams import take_streams, video_of_stream
from telemetry.vehicle.vehicle import Vehicle


class LiveSource(Protocol):
    """Pictures that arrive now. What is recorded of them is the video of the same name."""

    settings: CameraSettings
    """How the camera is mounted and what its lens is, while no video knows it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def is_on(self) -> bool:
        """Whether pictures come, or are waited for."""

    @property
    def newest(self) -> LiveFrame | None:
        """The picture to show now; None while there is none."""

    def held_at(self, t: float) -> LiveFrame | None:
        """The picture of a second of the flight, if it is still in memory."""

    @property
    def frames(self) -> int:
        """How many there were by now."""

    @property
    def waiting(self) -> str:
        """Why there is none, in a sentence."""

    @property
    def unrecorded(self) -> str:
        """Why nothing, or not all, is recorded, in a sentence; "" if all is."""

    @property
    def missing(self) -> str:
        """How much was lost on the way here; "" if nothing was."""

    def poll(self) -> None:
        """Take into the flight what was recorded."""


class StreamCamera:
    """The pictures of a media track."""

    def __init__(self, vehicle: Vehicle, track: MediaTrack) -> None:
        self.settings = camera_of_stream(track.description)
        self._vehicle = vehicle
        self._track = track
        self._shown: tuple[PictureSample, LiveFrame] | None = None

    @property
    def name(self) -> str:
        """See LiveSource; its video's as soon as there is one."""
        video = video_of_stream(flight_of(self._vehicle), self._track)
        description = self._track.description
        return video.name if video is not None else description.title or description.name

    @property
    def is_on(self) -> bool:
        """See LiveSource."""
        return self._track.is_live

    @property
    def newest(self) -> LiveFrame | None:
        """See LiveSource."""
        return None if self._stopped else self._held(self._track.count - 1)

    def held_at(self, t: float) -> LiveFrame | None:
        """See LiveSource."""
        return self._held(self._track.index_at(t))

    def _held(self, index: int) -> LiveFrame | None:
        """The picture of a place of the track, in colour."""
        sample = self._track.held(index)
        if not isinstance(sample, PictureSample):
            return None
        if self._shown is None or self._shown[0] is not sample:
            pixels = sample.pixels
            if pixels.ndim == 2:
                pixels = np.repeat(pixels[:, :, np.newaxis], 3, axis=2)
            taken_s = float(self._track.times[index])
            self._shown = sample, LiveFrame(pixels, taken_s, sample.number)
        return self._shown[1]

    @property
    def frames(self) -> int:
        """See LiveSource."""
        return self._track.count

    @property
    def waiting(self) -> str:
        """See LiveSource."""
        return self._stopped or f"Waiting for {self.name}…"

    @property
    def unrecorded(self) -> str:
        """See LiveSource."""
        return self._track.unrecorded

    @property
    def _stopped(self) -> str:
        """Why it sends nothing any more; "" while it may."""
        return self._vehicle.recording.stopped_sensors.get(self._track.description.name, "")

    @property
    def missing(self) -> str:
        """See LiveSource."""
        missing, count = self._track.missing, self._track.count
        return f"{missing} of {count + missing} pictures missing" if missing else ""

    def poll(self) -> None:
        """See LiveSource."""
        take_streams(flight_of(self._vehicle), self._vehicle.recording)


class StreamCameras:
    """One for every stream of pictures of a vehicle. For the GUI thread."""

    def __init__(self, vehicle: Vehicle) -> None:
        self._vehicle = vehicle
        self._cameras: dict[MediaTrack, StreamCamera] = {}

    def live(self) -> tuple[StreamCamera, ...]:
        """Those whose pictures come now, in the order of their streams."""
        found = []
        for track in self._vehicle.recording.media_tracks():
            if track.is_live and track.description.kind is StreamKind.PICTURES:
                if track not in self._cameras:
                    self._cameras[track] = StreamCamera(self._vehicle, track)
                found.append(self._cameras[track])
        return tuple(found)


def live_sources(vehicle: Vehicle) -> tuple[LiveSource, ...]:
    """All there are of a vehicle, the same ones for everybody who asks."""
    cameras = vehicle.attachment("video.streams", lambda: StreamCameras(vehicle))
    own = camera_of_vehicle(vehicle)
    return (*((own,) if own.is_on else ()), *cameras.live())
