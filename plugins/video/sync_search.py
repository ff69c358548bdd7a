"""Synchronisation search: finds how a video runs with the log, in a job with progress."""

import math
from concurrent.futures import Executor
from dataclasses import replace

from plugins.video.search_job import SearchJob, SearchProgress
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.synchronisation.suggestion import SyncSuggestion


class SyncSearch:
    """One search at a time, in the job pool. For the GUI thread."""

    def __init__(self, jobs: Executor) -> None:
        self.job: SearchJob[SyncSuggestion] = SearchJob(jobs)
        self.video: FlightVideo | None = None
        """The video that is, or was, looked at."""
        self.suggestion: SyncSuggestion | None = None
        """What was found for it; None while it is looked at, and when it was discarded."""

    def is_of(self, video: FlightVideo) -> bool:
        """Whether it is this video that is, or was, looked at."""
        looked_at = self.video
        return looked_at is not None and (looked_at.name, looked_at.files) == (
            video.name,
            video.files,
        )

    def start(self, video: FlightVideo, recording: Recording) -> None:
        """Look at a video; one that is being looked at is given up."""
        self.cancel()
        self.video = video
        self.job.start(lambda progress: _search(video, recording, progress))

    def cancel(self) -> None:
        """Give up, and forget what was found."""
        self.job.cancel()
        self.suggestion, self.video = None, None

    def poll(self) -> None:
        """Take over what was found; call it on the tick."""
        self.suggestion = self.job.outcome() or self.suggestion


def _search(video: FlightVideo, recording: Recording, progress: SearchProgress) -> SyncSuggestion:
    from telemetry.review.flights.synchronisation.find_sync import find_sync

    is_cancelled = progress.is_cancelled.is_set
    try:
        return find_sync(video.files, recording, video.camera, progress.tell, is_cancelled)
    except VideoError as error:
        return SyncSuggestion(None, str(error))


def camera_of(suggestion: SyncSuggestion, camera: CameraSettings) -> CameraSettings:
    """The camera as it was found to stand and to see; what was calibrated stays."""
    if suggestion.mount_deg is not None:
        roll, pitch, yaw = (round(angle, 2) for angle in suggestion.mount_deg)
        camera = replace(camera, mount_roll_deg=roll, mount_pitch_deg=pitch, mount_yaw_deg=yaw)
    scale = suggestion.field_of_view_scale
    if scale is not None and scale > 0.0 and not camera.focal_px:
        half = math.radians(camera.field_of_view_deg) / 2
        half = half / scale if camera.is_fisheye else math.atan(math.tan(half) / scale)
        camera = replace(camera, field_of_view_deg=round(math.degrees(2 * half), 2))
    return camera
