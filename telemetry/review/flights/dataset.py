"""SLAM data set of a flight: frames, poses, IMU and intrinsics, for visual odometry too.

Two layouts: EuRoC (mav0/cam0, imu0, state_groundtruth_estimate0; nanoseconds) and TUM (rgb,
rgb.txt, estimate.tum; seconds). Both have frames.csv beside them, which says for each frame when it
was taken and where the aircraft then was. All times are those of the flight, all poses NED and FRD
as in `telemetry.recording.export.trajectory`. What is not known of the camera is told to be
unknown, never filled in. Frames of unknown time, or damaged, are left out.
"""

import csv
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from telemetry.base.escaping import csv_text
from telemetry.base.number_text import significant
from telemetry.recording.export.request import ExportError, ExportRequest, writing_to
from telemetry.recording.export.sensor_yaml import (
    UNKNOWN,
    listed,
    number,
    rate_lines,
    transform_lines,
)
from telemetry.recording.export.trajectory import (
    Trajectory,
    estimated_trajectory,
    export_euroc,
    export_tum,
    true_trajectory,
)
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.frame_source import FrameSource, VideoError
from telemetry.recording.video_files.reader import open_video
from telemetry.review.cameras.camera_knowledge import CameraKnowledge
from telemetry.review.cameras.lens import Lens, four_term_lens, lens_of
from telemetry.review.cameras.projection import camera_from_body
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.sync import Sync
from telemetry.review.flights.video_camera import known_camera

Layout = Literal["euroc", "tum"]

_FRAME = ("time_s", "file", "video_s")
_POSE = (
    *("north_m", "east_m", "down_m"),
    *("q_w", "q_x", "q_y", "q_z"),
    *("v_north_mps", "v_east_mps", "v_down_mps"),
)
_NOT_KNOWN = "not known"
_EARLY_SHARE = 0.05
"""Of a step: by so much a frame may come early, or rounded times cost frames at the film's rate."""
_PICTURE_FROM_CAMERA = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""From the camera's frame (x ahead, y right, z down) to that of pictures (x right, y down)."""


@dataclass(frozen=True, slots=True)
class DatasetSummary:
    """What was written: frames, those of them with a pose, and those left out as damaged."""

    frames: int
    with_pose: int
    damaged: int


@dataclass(frozen=True, slots=True)
class _WrittenFrame:
    flight_s: float
    video_s: float
    file: str


def export_dataset(
    recording: Recording,
    video: FlightVideo,
    layout: Layout,
    folder: Path,
    request: ExportRequest | None = None,
) -> DatasetSummary:
    """Write a data set into a new folder; at most `rate_hz` frames a second.

    Raises ExportError for a folder that has something in it, a video that is not synchronised or
    cannot be read, and a log without poses; then, and when it is cancelled, nothing is left behind.
    """
    request = request or ExportRequest()
    if video.sync is None:
        raise ExportError(f"{video.name} is not synchronised yet: run 'lapwing sync' or set it.")
    with _new_folder(folder):
        _poses(recording, request)  # tells before any frame is written that there are none
        try:
            with closing(open_video(video.files)) as source:
                written, damaged = _write_frames(
                    recording, source, video.sync, layout, folder, request
                )
                size = source.size
        except VideoError as error:
            raise ExportError(str(error)) from error
        if not written:
            raise ExportError(f"No frame of {video.name} lies within that span; give another one.")
        with writing_to(folder):
            with_pose = _write_poses(recording, written, folder, request)
            _write_lists(layout, written, folder)
            lines = _camera_lines(recording, video, size, [frame.flight_s for frame in written])
            place = "mav0/cam0/sensor.yaml" if layout == "euroc" else "camera.yaml"
            (folder / place).write_text("\n".join(lines) + "\n", encoding="utf-8")
        whole = replace(request, rate_hz=None)
        (export_euroc if layout == "euroc" else export_tum)(recording, folder, whole)
    return DatasetSummary(len(written), with_pose, damaged)


@contextmanager
def _new_folder(folder: Path) -> Iterator[None]:
    """A folder that was not there, or empty; emptied again if anything goes wrong."""
    with writing_to(folder):
        if any(folder.iterdir()):
            raise ExportError(f"{folder} is not empty. Give a new folder.")
    is_done = False
    try:
        yield
        is_done = True
    finally:
        if not is_done:
            shutil.rmtree(folder, ignore_errors=True)


def _poses(
    recording: Recording, request: ExportRequest, times: npt.NDArray[np.float64] | None = None
) -> Trajectory:
    """The truth of a simulated flight, else the estimate."""
    truth = true_trajectory(recording, request, times)
    return truth if truth is not None else estimated_trajectory(recording, request, times)


def _write_frames(
    recording: Recording,
    source: FrameSource,
    sync: Sync,
    layout: Layout,
    folder: Path,
    request: ExportRequest,
) -> tuple[list[_WrittenFrame], int]:
    """The pictures, and how many were left out as damaged."""
    import cv2

    chosen = list(_chosen_times(recording, source, sync, request))
    pictures = folder / ("mav0/cam0/data" if layout == "euroc" else "rgb")
    written: list[_WrittenFrame] = []
    damaged = 0
    with writing_to(pictures):
        for done, (flight_s, video_s) in enumerate(chosen):
            request.progress(done, len(chosen))
            frame = source.frame_at(video_s)
            if frame is None or frame.is_damaged or frame.time_s is None:
                damaged += 1
                continue
            file = f"{_stamp(flight_s, layout)}.png"
            encoded = cv2.imencode(".png", frame.pixels)[1]
            (pictures / file).write_bytes(encoded.tobytes())
            written.append(_WrittenFrame(flight_s, video_s, file))
    request.progress(len(chosen), len(chosen))
    return written, damaged


def _chosen_times(
    recording: Recording, source: FrameSource, sync: Sync, request: ExportRequest
) -> Iterator[tuple[float, float]]:
    """Times in the flight and in the video of the frames that are wanted, in the flight's order."""
    start_s, end_s = request.span(recording)
    slot, first_s = -1, None
    taken = ((sync.flight_s(video_s), video_s) for video_s in source.times().tolist())
    known = [(flight_s, video_s) for flight_s, video_s in taken if flight_s is not None]
    for flight_s, video_s in sorted(known):
        if not start_s <= flight_s <= end_s:
            continue
        if request.rate_hz is not None:
            first_s = flight_s if first_s is None else first_s
            before, slot = slot, int((flight_s - first_s) * request.rate_hz + _EARLY_SHARE)
            if slot == before:
                continue
        yield flight_s, video_s


def _stamp(flight_s: float, layout: Layout) -> str:
    return str(round(flight_s * 1e9)) if layout == "euroc" else f"{flight_s:.6f}"


def _write_poses(
    recording: Recording, written: list[_WrittenFrame], folder: Path, request: ExportRequest
) -> int:
    """frames.csv; returns how many frames have a pose."""
    times = np.array([frame.flight_s for frame in written])
    poses = _poses(recording, request, times)
    rows = np.hstack((poses.positions_ned, poses.q_wxyz, poses.velocities_ned)).tolist()
    known = dict(zip(poses.times.tolist(), rows, strict=True))
    with (folder / "frames.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*_FRAME, *_POSE])
        for frame in written:
            pose = known.get(frame.flight_s, [""] * len(_POSE))
            writer.writerow(
                [f"{frame.flight_s:.6f}", csv_text(frame.file), f"{frame.video_s:.6f}", *pose]
            )
    return len(known)


def _write_lists(layout: Layout, written: list[_WrittenFrame], folder: Path) -> None:
    if layout == "euroc":
        lines = ["#timestamp [ns],filename"]
        lines += [f"{_stamp(frame.flight_s, layout)},{frame.file}" for frame in written]
        (folder / "mav0" / "cam0" / "data.csv").write_text("\n".join(lines) + "\n")
    else:
        lines = ["# timestamp filename"]
        lines += [f"{_stamp(frame.flight_s, layout)} rgb/{frame.file}" for frame in written]
        (folder / "rgb.txt").write_text("\n".join(lines) + "\n")


def _camera_lines(
    recording: Recording, video: FlightVideo, size: tuple[int, int], times_s: list[float]
) -> list[str]:
    """Intrinsics and mounting as EuRoC's sensor.yaml has them, and how sure they are."""
    camera = video.camera
    known = known_camera(recording, video)
    turned = camera_from_body(camera).T @ _PICTURE_FROM_CAMERA.T if known.mount else None
    sync = video.sync or Sync()
    return [
        "# Axes of the sensor: those of the picture, x right, y down, z ahead. Body: FRD",
        "sensor_type: camera",
        f"# Mount: {known.mount or _NOT_KNOWN}; where it is: "
        f"{'told by the camera' if known.place_m else _NOT_KNOWN}",
        *transform_lines(turned, known.place_m),
        *rate_lines(np.array(times_s)),
        f"resolution: [{size[0]}, {size[1]}]",
        "camera_model: pinhole",
        *_lens_lines(lens_of(camera, size), known, size),
        f"shutter_s: {number(camera.shutter_s if known.shutter else None)}",
        f"field_of_view_sigma_deg: {number(camera.field_of_view_sigma_deg)}",
        f"mount_sigma_deg: {listed(camera.mount_sigma_deg or (None,) * 3)} # roll, pitch, yaw",
        f"distortion_sigma: {listed(camera.distortion_sigma or (None,) * 4)}",
        f"time_sigma_s: {number(sync.sigma_s)} # of frames against the flight",
    ]


def _lens_lines(lens: Lens, known: CameraKnowledge, size: tuple[int, int]) -> list[str]:
    model = f"distortion_model: {'equidistant' if lens.is_fisheye else 'radial-tangential'}"
    if not known.field_of_view:
        return [
            f"intrinsics: {UNKNOWN} # neither measured nor set",
            model,
            f"distortion_coefficients: {UNKNOWN}",
        ]
    written, off_px = four_term_lens(lens, size)
    terms = (*written.distortion, *(0.0,) * 4)[:4]
    return [
        f"# Field of view: {known.field_of_view}; distortion: {known.distortion or _NOT_KNOWN}",
        f"intrinsics: {listed((*written.focal_px, *written.centre_px))}",
        model,
        f"distortion_coefficients: {listed(terms) if known.distortion else UNKNOWN}",
        *_note_of_k3(lens, off_px),
    ]


def _note_of_k3(lens: Lens, off_px: float) -> list[str]:
    """What became of the fifth term: readers of this model take four and no more (Kalibr refuses
    others, OpenVINS reads the first four), so a fit without it stands above."""
    if not any(lens.distortion[4:]):
        return []
    return [
        f"# The lens was calibrated with k3. The four terms above were fitted to it and are off by "
        f"{significant(off_px, 2)} px at most. As calibrated (k1, k2, p1, p2, k3):",
        f"# intrinsics: {listed((*lens.focal_px, *lens.centre_px))}",
        f"# distortion_coefficients: {listed(lens.distortion)}",
    ]
