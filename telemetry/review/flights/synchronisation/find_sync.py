"""Automatic synchronisation of a video with a log, without any guess of offset, rate or mount."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from telemetry.base.finding import Level
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.reader import open_video
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.flights.synchronisation.alignment import BestAlignment, align
from telemetry.review.flights.synchronisation.camera_fit import fit_camera
from telemetry.review.flights.synchronisation.errors import MeasuringCancelledError
from telemetry.review.flights.synchronisation.evidence import Evidence
from telemetry.review.flights.synchronisation.log_motion import (
    LogMotion,
    read_log_motion,
    unknown_times,
)
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion, SoundPitch
from telemetry.review.flights.synchronisation.motor_sound_score import motor_sound
from telemetry.review.flights.synchronisation.picture_motion import measure_motion
from telemetry.review.flights.synchronisation.sound_pitch import sound_of
from telemetry.review.flights.synchronisation.suggestion import SyncSuggestion, TurningCompared
from telemetry.review.flights.synchronisation.turns import (
    MOST_TURN_S,
    LogTurns,
    PictureTurns,
    turns_of_log,
    turns_of_picture,
)

_LEAST_VIDEO_S = 10.0
_LEAST_TURN_DEG = 0.25
"""What is least turned in 0.4 s by a camera that flies, in the liveliest tenth of a video."""
_LEAST_CONFIDENCE = 0.5
_LEAST_WINDOWS = 3
_MOST_SIGMA_S = 0.1
_HEARD = 5.0
"""A sound that fits by this log likelihood, 150 to 1, has had a say."""
_PICTURE_SHARE = 0.95
_NO_ATTITUDE = (
    "The log has no attitude (AttitudeState, AttitudeActual) and no gyro readings at 15 Hz or "
    "more to compare with. Take a log that has, or set the synchronisation by hand."
)
_NO_KNOWN_ATTITUDE = (
    "The log has no attitude at times that are known to compare with. Log SystemStats too, which "
    "tells them, or set the synchronisation by hand."
)


def find_sync(
    video_files: Sequence[Path],
    recording: Recording,
    camera: CameraSettings,
    progress: Callable[[float], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> SyncSuggestion:
    """How the video, one file or those of a loop recording, runs against the recording's time.

    Takes about a third of the video's duration: not for the GUI thread. `progress` is told the
    share that is done, 0 to 1; `is_cancelled` is asked at every frame. Raises VideoError where a
    file cannot be read.
    """
    log, note = read_log_motion(recording), _of_unknown_times(recording)
    if log is None:
        return SyncSuggestion(None, _NO_KNOWN_ATTITUDE if note else _NO_ATTITUDE, note=note)
    told = (lambda share: progress(share * _PICTURE_SHARE)) if progress else None
    with closing(open_video(video_files)) as source:
        try:
            motion = measure_motion(source, camera, told, is_cancelled)
        except MeasuringCancelledError:
            return SyncSuggestion(None, "It was cancelled.")
        sound = sound_of(video_files) if source.report.has_sound else None
        suggestion = sync_of_motion(motion, log, source.borders, camera.shutter_s, sound)
    if suggestion.sync is not None:
        found = fit_camera(motion, log, suggestion.sync, camera)
        suggestion = replace(suggestion, camera=found)
    if progress is not None:
        progress(1.0)
    return replace(suggestion, note=note)


def _of_unknown_times(recording: Recording) -> str:
    """What is not synchronised since its times are not known; "" if that is some seconds at most,
    which every log of a board has at its ends."""
    stretches = [
        f"{event.t:.1f} to {event.unknown_to_s:.1f} s"
        for event in unknown_times(recording)
        if event.level is Level.WARNING
    ]
    if not stretches:
        return ""
    return (
        f"Of the log's times those from {' and from '.join(stretches)} are not known: they were "
        "left out, and the video is not synchronised there."
    )


def sync_of_motion(
    motion: PictureMotion,
    log: LogMotion,
    borders_s: Sequence[float] = (),
    shutter_s: float = 0.0,
    sound: SoundPitch | None = None,
) -> SyncSuggestion:
    """How a video of this motion and sound runs against a log of that motion.

    `borders_s` are the medium's times at which a file of a loop recording ends and the next one
    begins; `shutter_s` is the rolling shutter's time from the first row to the last. The medium's
    times are those of the middle rows.
    """
    if len(motion.times_s) < 2 or motion.times_s[-1] - motion.times_s[0] < _LEAST_VIDEO_S:
        return SyncSuggestion(
            None, f"The video is shorter than {_LEAST_VIDEO_S:g} s: too little to recognise."
        )
    seen_at = replace(motion, times_s=motion.exposed_s(shutter_s))
    picture = turns_of_picture(seen_at, np.asarray(borders_s, np.float64))
    turns = turns_of_log(log)
    reason = _unfit(picture, turns, log)
    if reason:
        return SyncSuggestion(None, reason)
    found = align(picture, turns, motor_sound(sound, log))
    if found is None:
        return SyncSuggestion(None, "Video and log nowhere have enough in common to be compared.")
    return _suggestion(found, borders_s, has_horizon=bool(len(picture.roll_s)))


def _unfit(picture: PictureTurns, turns: LogTurns, log: LogMotion) -> str:
    """Why there is nothing to compare; "" if there is."""
    if not len(turns):
        return (
            f"The log has an attitude every {log.interval_s:.1f} s only, and at least one in "
            f"{MOST_TURN_S:g} s is needed. Take the on-board log, or synchronise by hand."
        )
    start_s = np.arange(picture.times_s[0], picture.times_s[-1] - 0.4, 0.2)
    seen, is_seen = picture.between(start_s, start_s + 0.4)
    if np.count_nonzero(is_seen) * 0.2 < _LEAST_VIDEO_S:
        return (
            "The picture's motion could be followed for less than "
            f"{_LEAST_VIDEO_S:g} s: too dark, too blurred, or too damaged. Synchronise by hand."
        )
    if np.degrees(np.percentile(np.linalg.norm(seen[is_seen], axis=1), 90)) < _LEAST_TURN_DEG:
        return (
            "The camera does not move: only a camera on the aircraft shows how it turns. "
            "Synchronise by hand."
        )
    if np.degrees(np.percentile(np.linalg.norm(turns.turn_rad, axis=1), 99)) < _LEAST_TURN_DEG:
        return "The aircraft does not turn in this log: was the flight recorded?"
    return ""


def _suggestion(
    found: BestAlignment, borders_s: Sequence[float], has_horizon: bool
) -> SyncSuggestion:
    alignment, evidence = found.alignment, found.evidence
    compared = _compared(found)
    sigma_s = max(
        float(alignment.sigma_s(_ends(found, number), number).max())
        for number in range(len(alignment.spans))
    )
    reason = _doubt(found, sigma_s)
    if reason:
        return SyncSuggestion(None, reason, compared, sigma_s=sigma_s)
    spread = np.sqrt(np.diag(alignment.covariance))
    sync = Sync(
        pieces=_pieces(found, borders_s),
        method="+".join(_methods(evidence, has_horizon)),
        offset_sigma_s=float(spread[0]),
        rate_sigma=float(spread[-1]),
        confidence=round(evidence.confidence, 4),
    )
    return SyncSuggestion(sync, "", compared, sigma_s=sigma_s)


def _methods(evidence: Evidence, has_horizon: bool) -> list[str]:
    horizon = ["horizon"] if has_horizon else []
    sound = ["sound"] if evidence.rivalry.heard >= _HEARD else []
    return ["rotation", *horizon, *sound]


def _ends(found: BestAlignment, number: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The log's times at which what was compared of a span begins and ends."""
    span = found.alignment.spans[number]
    times_s = found.alignment.times_s
    inside = times_s[(times_s >= span.start_s) & (times_s <= span.end_s)]
    ends = [found.alignment.log_s(float(at), number) for at in (inside[0], inside[-1])]
    return np.array(ends)


def _doubt(found: BestAlignment, sigma_s: float) -> str:
    """Why the best fit is not to be believed; "" if it is."""
    evidence = found.evidence
    if evidence.windows < _LEAST_WINDOWS or evidence.agreeing < evidence.windows / 2:
        return (
            "The camera's motion fits nowhere in the log. Do they belong to the same flight, and "
            "does the camera move with the aircraft?"
        )
    rivalry = evidence.rivalry
    if evidence.confidence < _LEAST_CONFIDENCE and np.isfinite(rivalry.rival_log_s):
        return (
            f"The movement repeats itself: the middle of the video fits at {rivalry.log_s:.1f} s "
            f"of the log and at {rivalry.rival_log_s:.1f} s. Set one anchor by hand."
        )
    if sigma_s > _MOST_SIGMA_S:
        return (
            f"The place was found to within {sigma_s:.2f} s only, because there is little movement "
            "or little attitude in the log. Synchronise by hand."
        )
    return ""


def _pieces(found: BestAlignment, borders_s: Sequence[float]) -> tuple[Piece, ...]:
    """One line for each file that was placed. Where there is no other file, placed or not, it goes
    on beyond the video."""
    first_s, last_s = min(borders_s, default=np.inf), max(borders_s, default=-np.inf)
    return tuple(
        Piece(
            span.offset_s,
            found.alignment.rate,
            span.start_s if span.start_s >= first_s else -np.inf,
            span.end_s if span.end_s <= last_s else np.inf,
        )
        for span in found.alignment.spans
    )


def _compared(found: BestAlignment) -> TurningCompared:
    picture, log = found.fit.rates(found.alignment)
    times_s = found.alignment.times_s
    return TurningCompared(times_s, np.degrees(picture), np.degrees(log))
