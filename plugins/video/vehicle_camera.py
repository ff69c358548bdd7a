"""Vehicle camera: one live camera for all views, recorded as long as the flight is."""

import weakref
from dataclasses import replace

from telemetry.base.unused_names import unused_name
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.cameras.camera_address import parse_camera_address
from telemetry.review.cameras.camera_recorder import CameraRecorder, LiveFrame, RecordedPart
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.live_camera import LiveCamera, LiveCameraStatus
from telemetry.review.flights.camera_video import camera_sync, camera_video
from telemetry.review.flights.flight import FlightVideo, flight_of
from telemetry.review.flights.sync import Sync
from telemetry.vehicle.vehicle import Fleet, LinkState, Vehicle

_NAME = "Live camera"
_CLOSE_PATIENCE_S = 0.2
"""The thread ends, and finishes its file, by itself; the window does not wait for a network."""
_EXIT_PATIENCE_S = 2.0
_NEEDS_LINK = "A live camera runs with a live flight: connect to an aircraft first."


class VehicleCamera:
    """For the GUI thread. It ends by itself with the connection; what it recorded is a video of
    the flight from its first frame on, synchronised by the times at which frames arrived."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.name = ""
        """What its recording is called in the flight; "" before a camera was ever started."""
        self.settings = CameraSettings()
        """How it is mounted and what its lens is, while no video knows it."""
        self._vehicle = vehicle
        self._camera: LiveCamera | None = None
        self._recorder: CameraRecorder | None = None
        self._taken: tuple[RecordedPart, ...] = ()
        self._sync: Sync | None = None

    @property
    def is_on(self) -> bool:
        """Whether pictures come, or are waited for."""
        return self._camera is not None and not self._camera.has_ended

    @property
    def address(self) -> str:
        """Where the camera is, or was."""
        return self._camera.address.text if self._camera is not None else ""

    @property
    def newest(self) -> LiveFrame | None:
        """The picture to show now; None while there is none."""
        camera = self._camera
        return camera.newest if camera is not None and not camera.status.problem else None

    @property
    def frames(self) -> int:
        """How many frames it has sent."""
        return self._camera.status.frames if self._camera is not None else 0

    @property
    def problem(self) -> str:
        """Why there are no pictures now, in a sentence; "" while there are, or may be soon."""
        return self._camera.status.problem if self._camera is not None else ""

    def held_at(self, t: float) -> LiveFrame | None:
        """See LiveSource; of what has passed nothing is in memory."""
        return None

    @property
    def waiting(self) -> str:
        """See LiveSource."""
        return self.problem or f"Opening {self.address}…"

    @property
    def missing(self) -> str:
        """See LiveSource; the strip tells what was lost."""
        return ""

    @property
    def losses(self) -> str:
        """What was lost on the way here, in a sentence; "" if nothing was."""
        status = self._camera.status if self._camera is not None else LiveCameraStatus()
        told = {"times lost": status.interruptions, "damaged pictures": status.damaged}
        counted = ", ".join(f"{count} {what}" for what, count in told.items() if count)
        return f"{counted}." if counted else ""

    @property
    def unrecorded(self) -> str:
        """Why nothing, or not all, is recorded; "" if all is."""
        recorder = self._recorder
        if recorder is None or recorder.error:
            return recorder.error if recorder is not None else ""
        return f"{recorder.dropped} frames were not recorded." if recorder.dropped else ""

    def start(self, address: str) -> None:
        """Have this camera instead of another one. Raises VideoError, with what is to be done."""
        parsed = parse_camera_address(address)
        live = self._vehicle
        if not live.is_live or live.status.state is LinkState.CONNECTING:
            raise VideoError(_NEEDS_LINK)
        self.stop()
        self.name = unused_name(_NAME, [video.name for video in flight_of(live).videos])
        self._taken, self._sync = (), None
        self._recorder = CameraRecorder(lambda: live.status.recording_file)
        self._camera = LiveCamera(
            parsed, lambda: live.end_s, self._recorder, lambda: not live.is_live
        )
        weakref.finalize(self, self._camera.close, _EXIT_PATIENCE_S)  # at the latest at the exit

    def stop(self) -> None:
        """End the camera; its recording stays."""
        if self._camera is not None:
            self._camera.close(_CLOSE_PATIENCE_S)
        self.poll()

    def poll(self) -> None:
        """Take into the flight what was recorded; call it on the tick."""
        parts = self._recorder.parts if self._recorder is not None else ()
        if parts == self._taken or not parts:
            return
        self._taken, flight = parts, flight_of(self._vehicle)
        known = flight.video(self.name)
        if known is None:
            video = camera_video(self.name, parts, self.settings)
            flight.videos = (*flight.videos, video)
        else:
            video = self._grown(known, parts)
            flight.replace_video(self.name, video)
        self._sync = video.sync

    def _grown(self, known: FlightVideo, parts: tuple[RecordedPart, ...]) -> FlightVideo:
        """With more files. What a user has synchronised otherwise stays as it is."""
        is_ours = known.sync == self._sync
        return replace(
            known,
            files=tuple(part.file for part in parts),
            sync=camera_sync(parts) if is_ours else known.sync,
        )


def camera_of_vehicle(vehicle: Vehicle) -> VehicleCamera:
    """The same one for everybody who asks."""
    return vehicle.attachment("video.camera", lambda: VehicleCamera(vehicle))


def poll_cameras(fleet: Fleet) -> None:
    """Take into all flights what was recorded while no view of them was shown."""
    for vehicle in fleet.vehicles:
        camera_of_vehicle(vehicle).poll()
