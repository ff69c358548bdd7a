"""`lapwing tune`, in the process of the test, by a judge that flies nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import Preset, load_preset
from simulation.autopilot.snapshot import settings_frames
from simulation.tuning import cli
from simulation.tuning.gains import BANK
from simulation.tuning.tuned_aircraft import with_values
from telemetry.configuration.settings.files import read_settings
from telemetry.configuration.settings.stabilization_banks import BANKS, SHARED
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.wire.dialect import Dialect
from telemetry.recording.logs.opl_writer import OplWriter
from tests.simulation.tuning.first_order import FirstOrder


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What judges were made of: preset and uncertainty of each."""
    made: list[Any] = []

    def make_judge(_: Any, preset: Preset, uncertainty: Any, __: Any) -> FirstOrder:
        made.append((preset, uncertainty))
        judge = FirstOrder()
        judge.uncertainty = uncertainty
        return judge

    monkeypatch.setattr(cli, "make_judge", make_judge)
    return made


def _log(path: Path, preset: Preset, catalogue: Catalogue) -> Path:
    """The settings of a board, whose switch is in its second position, and no flight."""
    board, dialect = SimulatedBoard(catalogue, preset), Dialect()
    command = board["ManualControlCommand"]
    command.set(FlightModeSwitchPosition=1)
    writer = OplWriter(path)
    writer.write(0.0, settings_frames(board, dialect))
    writer.write(1.0, command.frame(dialect))
    writer.close()
    return path


@pytest.mark.slow
def test_an_aircraft_is_tuned_and_its_gains_saved(
    judged: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], catalogue: Catalogue
) -> None:
    file = tmp_path / "found.settings.toml"
    assert main(["tune", "ar100b", "--json", "--overshoot", "0.1", "--save", str(file)]) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert (told["aircraft"], told["identified"]) == ("ar100b", None)
    assert told["uncertainty"]["source"] == "assumed"
    assert next(o for o in told["objectives"] if o["name"] == "yaw_overshoot")["target"] == 0.1
    assert "balanced: " in printed.err
    saved = read_settings(file, catalogue).snapshot.objects[BANK, 0]
    assert saved.values == pytest.approx(told["settings"][BANK])


@pytest.mark.slow
def test_a_log_gives_the_gains_that_flew_it(
    judged: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], catalogue: Catalogue
) -> None:
    preset = with_values(load_preset("ar100b"), BANKS[1], {"RollPI": [2.5, 0.0, 50.0]})
    banks = {"FlightModeMap": ["Bank1", "Bank2", *["Bank3"] * 4]}
    preset = with_values(preset, SHARED, banks)
    log = _log(tmp_path / "flight.opl", preset, catalogue)
    assert main(["tune", str(log), "--aircraft", "ar100b"]) == 0
    flown, uncertainty = judged[0]
    assert flown.objects[BANK]["RollPI.Kp"] == 2.5
    assert flown.objects["StabilizationSettings"]["GyroTau"] == pytest.approx(0.003)
    assert uncertainty.file == ""
    assert "GyroState" in uncertainty.text  # why nothing was identified
    assert capsys.readouterr().out.startswith("AR100B quadrotor\nAssumed")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["sea-vixen"], "sea-vixen is no multirotor"),
        (["mcx2"], "mcx2 is no multirotor"),
        (["tricopter"], "tricopter turns by a servo at its tail"),
        (["ar100c"], "ar100c"),
        (["ar100b", "--aircraft", "hector"], "leave out --aircraft"),
        (["ar100b", "--save", "found.txt"], "must end with .uav or .settings.toml"),
        (["ar100b", "--identified", "none.json"], "none.json cannot be read"),
        (["ar100b", "--rise-s", "0"], "no rise time"),
        (["ar100b", "--overshoot", "15"], "no overshoot"),
        (["ar100b", "--seed", "-1"], "'-1' is no seed"),
        (["ar100b", "--threads", "1.5"], "no number of threads"),
    ],
)
def test_what_cannot_be_tuned_is_refused(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", *words]) == 1
    printed = capsys.readouterr()
    assert why in printed.err
    assert printed.err.count("\n") == 1
    assert not printed.out


def test_a_log_needs_its_aircraft_and_gains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "flight.opl"
    log.write_bytes(b"")
    assert main(["tune", str(log)]) == 1
    assert "say by --aircraft" in capsys.readouterr().err
    assert main(["tune", str(log), "--aircraft", "ar100b"]) == 1
    assert "flight.opl" in capsys.readouterr().err


@pytest.mark.slow
def test_gains_that_nothing_holds_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "make_judge", lambda *_: FirstOrder(ends_at=1e-6))
    assert main(["tune", "ar100b", "--json"]) == 3
    printed = capsys.readouterr()
    assert "No gains hold the margins" in json.loads(printed.out)["refused"]
    assert "No gains hold the margins" in printed.err
