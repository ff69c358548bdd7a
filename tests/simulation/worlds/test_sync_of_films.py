"""`lapwing sync` on films of simulated flights, whose truth stands beside them: the two of issue 11
that CI can afford, small pictures at 10 a second. `make bench-sync` has the twenty long ones."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli import main
from benchmarks.sync.flights import PLANE, QUAD, USUAL, FilmedFlight, airframe_of, scenario_of
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.serving.recording_file import RecordingFile
from simulation.worlds.camera import FilmCamera
from simulation.worlds.film import FilmMaker, FilmPlan
from simulation.worlds.make_scene import make_scene
from simulation.worlds.video_faults import VideoFaults
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.review.flights.sync import Piece

CAMERA = FilmCamera((160, 120), 10)
FLIGHTS = [
    FilmedFlight("quad", QUAD, 28, -14.2, 0.9923, 100, USUAL),
    FilmedFlight("plane", PLANE, 45, 11.7, 1.0081, 30, {**USUAL, "sound": 0.0}),
]


@pytest.fixture(scope="module", autouse=True)
def one_field() -> Iterator[None]:
    """The ground under all flights is the same, and takes seconds to make."""
    plan = FilmPlan(Path())
    field = make_scene(plan.world, plan.seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simulation.worlds.film.make_scene", lambda _world, _seed: field)
        yield


def filmed(flight: FilmedFlight, folder: Path, catalogue: Catalogue) -> tuple[Path, Path]:
    """Its film and its log."""
    video, log = folder / f"{flight.name}.avi", folder / f"{flight.name}.opl"
    scenario_file, airframe = folder / "scenario.json", folder / "airframe.json"
    scenario_file.write_text(json.dumps(scenario_of(flight)), encoding="utf-8")
    airframe.write_text(json.dumps(airframe_of(flight)), encoding="utf-8")
    faults = VideoFaults(**flight.faults, offset=flight.offset_s, rate=flight.rate)
    maker = FilmMaker(FilmPlan(video, faults, CAMERA))
    record = RecordingFile(log, print)
    scenario = load_scenario(str(scenario_file), {})
    run_scenario(
        Experiment(
            scenario,
            flight.seed,
            str(airframe),
            catalogue,
            record=record,
            limit_s=flight.log_s,
            path=maker.recorder,
        )
    )
    record.close()
    maker.make()
    return video, log


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("flight", FLIGHTS, ids=["quad, log first", "plane, video first"])
def test_a_film_is_synchronised_to_the_frame_over_its_whole_length(
    flight: FilmedFlight,
    tmp_path: Path,
    catalogue: Catalogue,
    capsys: pytest.CaptureFixture[str],
) -> None:
    video, log = filmed(flight, tmp_path, catalogue)
    capsys.readouterr()
    assert main(["sync", str(video), str(log), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["found"]
    assert found["method"].startswith("rotation+horizon")
    assert found["confidence"] > 0.5
    truth = json.loads(video.with_name(f"{video.name}.truth.json").read_text())
    true = Piece(truth["offset_s"], truth["rate"])
    line = Piece(found["offset_s"], found["rate"])
    ends_s = max(0.0, -flight.offset_s / flight.rate), flight.log_s
    error_s = max(abs(line.medium_s(at_s) - true.medium_s(at_s)) for at_s in ends_s)
    assert error_s < 1 / 30
    assert error_s < 4 * found["sigma_s"], "the standard error that is told is honest"
