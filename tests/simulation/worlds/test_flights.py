"""The whole of it: the film of a simulated flight beside the flight's log."""

import json
from pathlib import Path

import numpy as np
import pytest

from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.serving.recording_file import RecordingFile
from simulation.worlds import film
from simulation.worlds.camera import FilmCamera
from simulation.worlds.film import FilmMaker, FilmPlan
from simulation.worlds.video_faults import VideoFaults
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.video_files.reader import open_video
from telemetry.review.cameras.camera_settings import CameraSettings
from tests.simulation.worlds.scenes import horizon_deg, plain

CAMERA = FilmCamera((128, 96), 10, CameraSettings(60.0))


@pytest.fixture(scope="module")
def flown(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> Path:
    """A folder with an aeroplane's flight of 20 s: flight.opl, flight.avi and its truth."""
    folder = tmp_path_factory.mktemp("flown")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(film, "make_scene", lambda world, seed: plain())
        faults = VideoFaults(offset=-4.35, rate=1.03)
        maker = FilmMaker(FilmPlan(folder / "flight.avi", faults, CAMERA))
        record = RecordingFile(folder / "flight.opl", print)
        scenario = load_scenario("guidance", {})
        run_scenario(
            Experiment(
                scenario,
                1,
                scenario.aircraft,
                catalogue,
                record=record,
                limit_s=20.0,
                record_steps=50,
                path=maker.recorder,
            )
        )
        record.close()
        maker.make()
    return folder


def seen_rolls(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Times of the film at which a horizon is seen in the middle, and how it stands, in degrees."""
    source = open_video([folder / "flight.avi"])
    times, angles = [], []
    for t in source.times():
        frame = source.frame_at(t)
        assert frame is not None
        sky = (frame.pixels[:, 54:74].astype(int).sum(axis=2) < 360).sum(axis=0)
        if sky.min() > 10 and sky.max() < CAMERA.size[1] - 10:
            times.append(float(t))
            angles.append(horizon_deg(frame.pixels))
    source.close()
    return np.array(times), np.array(angles)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["AttitudeSimulated", "AttitudeState"])
def test_the_film_shows_what_the_log_says_at_the_times_that_the_truth_says(
    flown: Path, catalogue: Catalogue, source: str
) -> None:
    truth = json.loads((flown / "flight.avi.truth.json").read_text())
    track = read_log(flown / "flight.opl", catalogue).recording.track(source)
    assert track is not None
    logged = np.array(track.values("Roll"))
    video_s, seen = seen_rolls(flown)
    assert len(seen) > 100

    def error_deg(late_s: float, sign: float = 1.0) -> float:
        log_s = (video_s + late_s - truth["offset_s"]) / truth["rate"]
        return float(np.sqrt(np.mean((np.interp(log_s, track.times, sign * logged) - seen) ** 2)))

    tried = np.arange(-0.3, 0.301, 0.01)
    best_s = tried[np.argmin([error_deg(late_s) for late_s in tried])]
    assert abs(best_s) <= 0.02
    assert error_deg(0.0) < 2.0
    assert error_deg(0.0, sign=-1.0) > 10.0, "it flies a hexagon in steep turns"
