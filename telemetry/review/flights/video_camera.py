"""Camera of a flight's video: what is known of it and how sure, for reports and data sets."""

from telemetry.base.number_text import significant
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.recorded_stream import RecordedParts
from telemetry.review.analysis.summary.figure import SummaryFigure, SummarySection
from telemetry.review.cameras.camera_knowledge import CameraKnowledge, knowledge_of
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.synchronisation.camera_estimate import with_sigma

_NOT_KNOWN = "not known"


def known_camera(recording: Recording, video: FlightVideo) -> CameraKnowledge:
    """What is known of a video's camera, by its settings and, if its pictures came as a stream, by
    what that tells."""
    for track in recording.media_tracks():
        parts = track.store.parts if isinstance(track.store, RecordedParts) else ()
        if {*video.files} & {part.video for part in parts}:
            return knowledge_of(video.camera, track.description)
    return knowledge_of(video.camera)


def camera_section(recording: Recording, video: FlightVideo) -> SummarySection:
    """Lens, mount and time as a report says them."""
    camera, known = video.camera, known_camera(recording, video)
    terms = ", ".join(significant(term, 3) for term in camera.distortion) or "none"
    return SummarySection(
        f"Camera of {video.name}",
        (
            _figure(
                "Field of view",
                _angle(camera.field_of_view_deg, camera.field_of_view_sigma_deg),
                known.field_of_view,
                f"the station's views assume {camera.field_of_view_deg:g}°",
            ),
            *(
                _figure(
                    f"Mount, {name}",
                    _angle(angle, sigma),
                    known.mount,
                    f"the station's views assume {angle:g}°",
                )
                for name, angle, sigma in zip(
                    ("roll", "pitch", "yaw"),
                    camera.mount_deg,
                    camera.mount_sigma_deg or (None,) * 3,
                    strict=True,
                )
            ),
            _figure("Distortion", terms, known.distortion, "none is assumed"),
            _time(video),
        ),
    )


def _figure(name: str, value: str, known: str, assumed: str) -> SummaryFigure:
    return SummaryFigure(name, value if known else _NOT_KNOWN, note=known or assumed)


def _angle(value: float, sigma: float | None) -> str:
    return f"{value:g}°" if sigma is None else f"{with_sigma(value, sigma)}°"


def _time(video: FlightVideo) -> SummaryFigure:
    sync = video.sync
    if sync is None:
        return SummaryFigure("Time", "not synchronised")
    by = f"by {sync.method}" if sync.method else ""
    if sync.sigma_s is None:
        return SummaryFigure("Time", "synchronised", note=f"not known how sure {by}".rstrip())
    return SummaryFigure("Time", f"± {significant(1000 * sync.sigma_s, 2)} ms", note=by)
