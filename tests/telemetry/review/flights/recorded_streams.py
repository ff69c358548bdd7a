"""A live flight whose streams are recorded beside a log."""

from pathlib import Path

import numpy as np

from telemetry.protocol.streams.samples import PictureSample
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.vehicle.stream_recorder import StreamRecorder
from tests.telemetry.protocol.streams.samples import CAMERA, LIDAR, scan


def record_streams(log: Path, first_s: float, pictures: int = 10) -> Recording:
    """A camera of 30 and a lidar of 40 Hz from `first_s` on. Each picture is by 20 brighter than
    the one before, and dark again after white."""
    recording = Recording()
    camera, lidar = MediaTrack(CAMERA), MediaTrack(LIDAR)
    recording.add_media(camera)
    recording.add_media(lidar)
    recorder = StreamRecorder(recording, lambda: str(log), lambda folder: 1 << 40)
    for number in range(pictures):
        pixels = np.full((16, 16), 20 * number % 256, np.uint8)
        camera.append(first_s + number / 30.0, PictureSample(number * 33_333, number, pixels))
        lidar.append(first_s + number / 40.0, scan(number))
    recorder.close()
    return recording
