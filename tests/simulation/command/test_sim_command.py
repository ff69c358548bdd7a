"""`lapwing sim` as other tools call it."""

import argparse
import json
from pathlib import Path

import pytest

from simulation.command.cli import add_commands
from simulation.scenarios.scenario_file import scenario_names
from simulation.worlds.world_file import world_names
from telemetry.base.clock import monotonic_s
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.opl_writer import WriteFailed
from telemetry.recording.logs.reader import read_log
from telemetry.recording.simulated_world import SimulatedWorld


def call(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    options = parser.parse_args(["sim", *arguments])
    return int(options.run(options))


@pytest.mark.slow
def test_json_is_one_object_with_the_outcome(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "flight.opl"
    assert call("--fast", "--seed", "3", "--json", "--record", str(record)) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["passed"] is True
    assert (report["aircraft"], report["seed"]) == ("ar100b", 3)
    assert len(report["log_hash"]) == 64
    assert report["metrics"]["touchdown_mps"] < report["bands"]["touchdown_mps"][1] == 1.0
    speed = report["duration_s"] / report["wall_s"]
    assert report["real_time_factor"] == pytest.approx(speed, rel=0.01, abs=0.1)
    recorded = read_log(record, load_catalogue()).recording
    home = recorded.latest("HomeLocation", 0.0)  # all settings stand at the head
    assert home is not None
    assert home["Set"] == "True"
    assert recorded.latest("AttitudeState", recorded.last_s) is not None


def test_a_duration_without_a_scenario_just_stands(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--fast", "--duration", "3") == 0
    out = capsys.readouterr().out
    assert "duration s            3.0" in out
    assert "armed                 Disarmed" in out


@pytest.mark.slow
def test_truth_and_states_are_recorded_at_every_step(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As a log and as a table, with the same times and numbers; the flight does not notice."""
    log, track = tmp_path / "a.opl", tmp_path / "a.parquet"
    flight = ("--duration", "0.1", "--seed", "5", "--json")
    assert call(*flight) == 0
    assert call(*flight, "--record", str(log), "--record-rate", "1000") == 0
    assert call(*flight, "--track", str(track), "--record-rate", "1000") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len({json.loads(line)["log_hash"] for line in lines}) == 1

    from pyarrow import parquet

    columns = parquet.read_table(track).to_pydict()
    steps = [ms / 1000.0 for ms in range(1, 101)]
    assert columns["time_s"] == pytest.approx(steps, abs=1e-9)
    recording = read_log(log, load_catalogue()).recording
    time_s, forces = recording.series("GroundTruth.AccelerationXYZ")
    assert sorted({round(float(t), 6) for t in time_s}) == pytest.approx(steps, abs=1e-6)
    logged = dict(zip(time_s.round(3).tolist(), forces[:, 2].tolist(), strict=True))
    wanted = columns["true_specific_force_z_mps2"]
    assert list(logged.values()) == pytest.approx(wanted, rel=1e-6)
    assert min(wanted) < max(wanted)


@pytest.mark.parametrize(("rate", "said"), [("300", "333.333 or 250"), ("2000", "0.1 to 1000")])
def test_a_rate_between_two_steps_is_refused(
    rate: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        call("--record", "a.opl", "--record-rate", rate)
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_a_failed_scenario_says_why_and_still_draws(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picture = tmp_path / "hold.png"
    words = ("--scenario", "hold-in-wind", "--set", "wind_mps=20", "--plot", str(picture))
    assert call(*words) == 1
    out = capsys.readouterr().out
    assert "hold-in-wind: Hold position" in out
    assert "wind_mps=20" in out
    assert "at most 2                MISSED" in out
    assert "outside of at most 2 by" in out
    assert out.splitlines()[-1].startswith("FAILED over ")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_list_has_every_scenario_with_its_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--list") == 0
    out = capsys.readouterr().out
    assert "--set dead_time_ms=15  From measurement to actuators, 0 to 30 ms" in out
    assert call("--list", "--json") == 0
    rows = json.loads(capsys.readouterr().out)["scenarios"]
    assert [row["scenario"] for row in rows] == list(scenario_names())
    assert next(row for row in rows if row["test"] == "B1")["parameters"][0]["range"] == [0, 30]


def test_the_list_has_every_world_with_what_can_be_asked_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call("--list-worlds") == 0
    assert "corridor:width_m=2.0,length_m=60.0" in capsys.readouterr().out
    assert call("--list-worlds", "--json") == 0
    rows = json.loads(capsys.readouterr().out)["worlds"]
    assert [row["name"] for row in rows] == list(world_names())
    assert next(row for row in rows if row["name"] == "office")["starts"] == ["corridor", "hall"]


@pytest.mark.slow
def test_a_flight_in_step_with_the_clock_takes_its_time() -> None:
    start_s = monotonic_s()
    assert call("--real-time", "--duration", "0.3") == 0
    assert monotonic_s() - start_s > 0.25


def test_an_interrupted_scenario_has_its_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_experiment: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("simulation.scenarios.report.run_scenario", interrupted)
    assert call() == 130


class _FullDisk:
    """Takes one record and then no more."""

    def __init__(self, path: Path) -> None:
        self._is_full = False

    def write(self, t_s: float, data: bytes, received: bool) -> None:
        if self._is_full:
            raise WriteFailed("Recording stopped, no space left on device.")
        self._is_full = True

    def close(self) -> None:
        """Nothing is held."""


@pytest.mark.slow
def test_a_full_disk_does_not_end_a_served_flight(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("simulation.serving.recording_file.OplWriter", _FullDisk)
    words = ("--serve", "tcp:127.0.0.1:0", "--duration", "0.2", "--record", "a.opl", "--json")
    assert call(*words) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["address"].startswith("tcp:127.0.0.1:")
    assert captured.err.endswith("\nlapwing sim: Recording stopped, no space left on device.\n")


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--duration", "1")])
def test_a_full_disk_does_not_cost_the_report(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("simulation.serving.recording_file.OplWriter", _FullDisk)
    assert call(*words, "--record", "a.opl", "--json") == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["passed"] is True
    assert captured.err == "lapwing sim: Recording stopped, no space left on device.\n"


def test_a_scenario_that_leaves_nothing_to_record_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "curve.opl"
    assert call("--scenario", "thrust-curve", "--record", str(record), "--json") == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["passed"] is True
    assert captured.err.endswith("nothing to record; leave out --record.\n")
    assert not record.exists()


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["png", "json"])
def test_a_picture_that_cannot_be_written_does_not_cost_the_report(
    suffix: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("simulation.scenarios.plot.save_figure", full)
    monkeypatch.setattr("simulation.scenarios.plot.write_png", full)
    words = ("--scenario", "attitude-pulse", "--plot", str(tmp_path / f"a.{suffix}"), "--json")
    assert call(*words) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["scenario"] == "attitude-pulse"
    assert "Cannot write the picture" in captured.err
    assert captured.err.endswith(": No space left on device.\n")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--aircraft", "nix"), 1, "There is no aircraft 'nix'"),
        (("--scenario", "nix"), 1, "There is no scenario 'nix'"),
        (("--scenario", "dead-time", "--set", "x=1"), 1, "'x'; it has: dead_time_ms (0 to 30 ms)"),
        (("--set", "wind_mps=99"), 1, "wind_mps cannot be 99; give 0 to 15 m/s"),
        (("--plot", "/no/such/folder/a.png"), 1, "no folder for the picture"),
        (("--fast", "--real-time"), 1, "exclude each other"),
        (("--duration", "1", "--set", "gps_lost=1"), 1, "add --scenario NAME"),
        (("--serve", "tcp:nowhere"), 1, "tcp:nowhere"),
        (("--serve", "tcp:127.0.0.1:0", "--fast"), 1, "--fast"),
        (("--duration", "1", "--erased"), 1, "--erased says something about --serve"),
        (("--fast", "--duration", "1", "--record", "/"), 1, "recording"),
        (("--plot", "a.jpg"), 1, "must end with .png or .json"),
        (("--plot", "/"), 1, "must end with .png or .json"),
        (("--set", "wind_mps=1", "--set", "wind_mps=2"), 1, "--set wind_mps is given more than"),
        (("--serve", ""), 1, "''"),
        (("--hitl", "", "--restore"), 1, "''"),
        (("--sil", ""), 1, "''"),
        (("--restore",), 1, "--restore says something about --hitl; add --hitl."),
        (("--hitl-rate", "50"), 1, "add --hitl."),
        (("--sil-timeout", "1"), 1, "add --sil."),
        (("--record-rate", "100"), 1, "add --record or --track FILE."),
        (("--record", "a", "--track", "b"), 1, "--record and --track exclude each other"),
        (("--serve", "tcp:a:1", "--record", "a", "--record-rate", "10"), 1, "metadata"),
        (("--serve", "tcp:1", "--record", "a.opl", "--streams"), 1, "leave out --serve"),
        pytest.param(
            *(("--track", "/no/such/folder/a.parquet"), 1, "Cannot write /no/such/folder"),
            marks=pytest.mark.slow,
        ),
        (("--scenario", "power", "--aircraft", "hector"), 1, "an aeroplane, which hector is not"),
        (
            ("--scenario", "battery-low", "--aircraft", "sea-vixen"),
            1,
            "a rotorcraft, which sea-vixen is not",
        ),
        (("--scenario", "thrust-curve", "--aircraft", "sea-vixen"), 1, "such as hector"),
    ],
)
def test_mistakes_are_one_sentence_on_stderr(
    arguments: tuple[str, ...], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*arguments) == code
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


@pytest.mark.slow
def test_the_world_of_a_recorded_flight_is_noted_beside_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("--duration", "0.1", "--world", "corridor:width_m=3", "--seed", "5")
    assert call(*words, "--record", "a.opl", "--json") == 0
    world = read_log(tmp_path / "a.opl", load_catalogue()).recording.world
    assert world == SimulatedWorld("corridor:width_m=3", 5)


def test_a_served_aircraft_in_a_world_says_where_its_streams_are_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    serve = ("--serve", "tcp:127.0.0.1:0", "--duration", "0.05", "--json")
    assert call(*serve, "--aircraft", "hector", "--world", "corridor") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["streams"].startswith("tcp:127.0.0.1:")
    assert told["streams"] != told["address"]
    assert call(*serve, "--world", "corridor") == 0  # which carries no sensors
    assert "streams" not in json.loads(capsys.readouterr().out)
