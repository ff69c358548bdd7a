"""Camera rotation comparison: does a camera turn as a log says? The surest sign, and slowest."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.reader import open_video
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.matching.facts import LogFacts, VideoFacts
from telemetry.review.flights.sync import Sync
from telemetry.review.flights.synchronisation.errors import MeasuringCancelledError
from telemetry.review.flights.synchronisation.find_sync import sync_of_motion
from telemetry.review.flights.synchronisation.picture_motion import measure_motion


def syncs_by_pictures(
    video: VideoFacts,
    logs: Sequence[LogFacts],
    progress: Callable[[float], None],
    is_cancelled: Callable[[], bool],
) -> dict[Path, Sync]:
    """By the log's path, the synchronisation with every log that the camera's turning fits.

    Takes a tenth of the video's duration or so, however many logs there are.
    """
    try:
        with closing(open_video(video.files)) as reader:
            motion = measure_motion(reader, CameraSettings(), progress, is_cancelled)
            borders_s = reader.borders
    except (VideoError, MeasuringCancelledError):
        return {}
    found = (
        (log.path, sync_of_motion(motion, log.motion, borders_s).sync)
        for log in logs
        if log.motion is not None
    )
    return {path: sync for path, sync in found if sync is not None}
