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
from telemetry.review.flights.synchronisation.alignment import BestAlignment, UnplacedStretch
from telemetry.review.flights.synchronisation.camera_fit import fit_camera
from telemetry.review.flights.synchronisation.errors import MeasuringCancelledError
from telemetry.review.flights.synchronisation.evidence import (
    Evidence,
    darkness,
    in_film,
    picture_doubt,
)
from telemetry.review.flights.synchronisation.log_motion import (
    LogMotion,
    read_log_motion,
    unknown_times,
)
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion, SoundPitch
from telemetry.review.flights.synchronisation.motor_sound_score import motor_sound
from telemetry.review.flights.synchronisation.picture_motion import measure_motion
from telemetry.review.flights.synchronisation.pieces import align
from telemetry.review.flights.synchronisation.sound_pitch import sound_of
from telemetry.review.flights.synchronisation.suggestion import (
    SyncSuggestion,
    TurningCompared,
)
from telemetry.review.flights.synchronisation.turns import (
    LEAST_SEEN_S,
    LEAST_TURN_DEG,
    MOST_TURN_S,
    LogTurns,
    PictureTurns,
    turns_of_log,
    turns_of_picture,
)

_LAST_S = 0.5
"""So much longer than what was compared a video may last."""
_HEARD = 5.0
"""A sound that fits by this log likelihood, 150 to 1, has had a say."""
_PICTURE_SHARE = 0.7
"""Of the time that it takes, where something is found."""
_LEAST_HORIZONS = 20
_ON_ITS_HEAD = (
    "The horizon stands on its head beside what the picture turns: the picture is mirrored, or "
    "snow passes for the sky. Lens and mount are not told."
)
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

    Takes a tenth of the video's duration or so: not for the GUI thread. `progress` is told
    the share that is done, 0 to 1; `is_cancelled` is asked at every frame. Raises VideoError where
    a file cannot be read.
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
    if suggestion.sync is not None and not suggestion.contradicts_horizon:
        found = fit_camera(motion, log, suggestion.sync, camera)
        suggestion = replace(suggestion, camera=found)
    if progress is not None:
        progress(1.0)
    return replace(suggestion, note=" ".join(filter(None, (suggestion.note, note))))


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
    if len(motion.times_s) < 2 or motion.times_s[-1] - motion.times_s[0] < LEAST_SEEN_S:
        return SyncSuggestion(
            None, f"The video is shorter than {LEAST_SEEN_S:g} s: too little to recognise."
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
    suggestion = _suggestion(found, picture)
    dark = darkness(picture) if suggestion.sync is None else ""
    return replace(suggestion, note=" ".join(filter(None, (suggestion.note, dark))))


def _unfit(picture: PictureTurns, turns: LogTurns, log: LogMotion) -> str:
    """Why there is nothing to compare; "" if there is."""
    if not len(turns):
        return (
            f"The log has an attitude every {log.interval_s:.1f} s only, and at least one in "
            f"{MOST_TURN_S:g} s is needed. Take the on-board log, or synchronise by hand."
        )
    doubt = picture_doubt(picture)
    if doubt is not None:
        return doubt.of_video
    if np.degrees(np.percentile(np.linalg.norm(turns.turn_rad, axis=1), 99)) < LEAST_TURN_DEG:
        return "The aircraft does not turn in this log: was the flight recorded?"
    return ""


def _suggestion(found: BestAlignment, picture: PictureTurns) -> SyncSuggestion:
    compared = _compared(found)
    note = " ".join(_not_placed(one) for one in found.left_out)
    if found.doubt is not None:
        reason = in_film(found.doubt, picture).of_video
        return SyncSuggestion(None, reason, compared, note=note)
    off_rad = found.fit.horizon_off_rad(found.alignment)
    on_its_head = len(off_rad) >= _LEAST_HORIZONS and float(np.median(off_rad)) > np.pi / 2
    note = f"{note} {_ON_ITS_HEAD}".lstrip() if on_its_head else note
    spread = np.sqrt(np.diag(found.alignment.covariance))
    sync = Sync(
        pieces=_pieces(found),
        method="+".join(_methods(found.evidence, bool(len(picture.roll_s)) and not on_its_head)),
        offset_sigma_s=float(spread[0]),
        rate_sigma=float(spread[-1]),
        confidence=round(found.evidence.confidence, 4),
    )
    return SyncSuggestion(sync, "", compared, note=note, contradicts_horizon=on_its_head)


def _not_placed(one: UnplacedStretch) -> str:
    return (
        f"The stretch from {one.start_s:.1f} to {one.end_s:.1f} s of the video was not placed: "
        f"{one.reason}."
    )


def _methods(evidence: Evidence, has_horizon: bool) -> list[str]:
    horizon = ["horizon"] if has_horizon else []
    sound = ["sound"] if evidence.rivalry.heard >= _HEARD else []
    return ["rotation", *horizon, *sound]


def _pieces(found: BestAlignment) -> tuple[Piece, ...]:
    """One line for each file or clip that was placed. Where there is no other one, placed or not,
    it goes on beyond the video, unless another clip shows what would be there."""
    borders_s, spans = found.borders_s, found.alignment.spans
    first_s, last_s = min(borders_s, default=np.inf), max(borders_s, default=-np.inf)
    starts_s = [found.alignment.log_s(span.start_s, i) for i, span in enumerate(spans)]
    goes_on = starts_s == sorted(starts_s)
    return tuple(
        Piece(
            span.offset_s,
            found.alignment.rate,
            span.start_s if span.start_s >= first_s else -np.inf if goes_on else 0.0,
            span.end_s if span.end_s <= last_s else np.inf if goes_on else span.end_s + _LAST_S,
            found.sigma_s(number),
            round(told.confidence, 4),
        )
        for number, (span, told) in enumerate(zip(spans, found.spans, strict=True))
    )


def _compared(found: BestAlignment) -> TurningCompared:
    picture, log = found.fit.rates(found.alignment)
    times_s = found.alignment.times_s
    return TurningCompared(times_s, np.degrees(picture), np.degrees(log))
