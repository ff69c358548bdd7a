"""Synchronisation search: finds how a video runs with the log, in a job with progress."""

from concurrent.futures import Executor

from plugins.video.search_job import SearchJob, SearchProgress
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.frame_source import VideoError
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
