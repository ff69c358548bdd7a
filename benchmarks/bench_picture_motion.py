"""Motion in a video: the cost of measuring it, 640 x 480 at 30 Hz, decoding included.

The film is that of an aeroplane's circuits with one frame in 30 broken. In processor time of all
threads; 6 ms a frame are 0.18 of the video's duration on one core, of the 0.3 that automatic
synchronisation may take in all.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.result import BenchmarkResult, at_most
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.worlds.film import FilmMaker, FilmPlan
from simulation.worlds.video_faults import VideoFaults
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.video_files.reader import open_video
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.synchronisation.picture_motion import measure_motion
from telemetry.review.flights.synchronisation.sound_pitch import measure_sound
from telemetry.review.playback.sound import open_sound

SECONDS = 20.0
"""Six of them on the ground."""


def run() -> Iterator[BenchmarkResult]:
    """Measure picture and sound of the same film."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flight.avi"
        _film(path)
        video, sound = open_video([path]), open_sound([path])
        picture_s = _processor_s(lambda: measure_motion(video, CameraSettings()))
        yield at_most(
            "motion in the picture", 1e3 * picture_s / len(video.times()), "ms/frame", 6.0
        )
        sound_s = _processor_s(lambda: measure_sound(sound))
        share = 100.0 * sound_s / sound.duration_s
        yield at_most("pitch in the sound, of its duration", share, "%", 1.0)
        video.close()
        sound.close()


def _film(path: Path) -> None:
    scenario = load_scenario("guidance", {})
    maker = FilmMaker(FilmPlan(path, VideoFaults(broken=0.033)))
    catalogue = load_catalogue()
    run_scenario(
        Experiment(scenario, 1, scenario.aircraft, catalogue, limit_s=SECONDS, path=maker.recorder)
    )
    maker.make()


def _processor_s(work: Callable[[], object]) -> float:
    start_s = time.process_time()
    work()
    return time.process_time() - start_s
