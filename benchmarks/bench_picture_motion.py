"""Synchronisation of a video: what 190 s of 640 x 480 at 30 Hz cost, decoding included.

The film is that of an aeroplane's circuits with one frame in 30 broken, shorter, and what it took
is told for 190 s of it. In processor time of all threads.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.result import BenchmarkResult, at_most
from benchmarks.sync.lapwing_run import lapwing
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.video_files.reader import open_video
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.synchronisation.find_sync import find_sync
from telemetry.review.flights.synchronisation.picture_motion import measure_motion
from telemetry.review.flights.synchronisation.sound_pitch import measure_sound
from telemetry.review.playback.sound import open_sound

SECONDS = 45.0
"""Six of them on the ground."""
_TOLD_S = 190.0


def run() -> Iterator[BenchmarkResult]:
    """Measure picture, sound and the whole of the same film."""
    with tempfile.TemporaryDirectory() as folder:
        path, log = Path(folder) / "flight.avi", Path(folder) / "flight.opl"
        film = ("--record", log, "--video", path, "--video-fault", "broken=0.033")
        lapwing("sim", "fly", "guidance", "--duration", SECONDS, *film)
        video, sound = open_video([path]), open_sound([path])
        picture_s = _processor_s(lambda: measure_motion(video, CameraSettings()))
        yield at_most(
            "motion in the picture", 1e3 * picture_s / len(video.times()), "ms/frame", 1.0
        )
        sound_s = _processor_s(lambda: measure_sound(sound))
        share = 100.0 * sound_s / sound.duration_s
        yield at_most("pitch in the sound, of its duration", share, "%", 1.0)
        duration_s = video.duration_s
        video.close()
        sound.close()
        yield _whole(path, log, duration_s)


def _whole(path: Path, log: Path, duration_s: float) -> BenchmarkResult:
    recording = read_log(log, load_catalogue()).recording
    found = []
    whole_s = _processor_s(lambda: found.append(find_sync([path], recording, CameraSettings())))
    if not found[0].is_found or found[0].camera is None:
        raise RuntimeError(f"the film was not synchronised: {found[0].reason}")
    return at_most("190 s of 480p synchronised", whole_s * _TOLD_S / duration_s, "s", 6.0)


def _processor_s(work: Callable[[], object]) -> float:
    start_s = time.process_time()
    work()
    return time.process_time() - start_s
