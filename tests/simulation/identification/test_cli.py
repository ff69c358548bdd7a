"""`lapwing identify`: what it refuses, in a sentence."""

import json
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from benchmarks.object_log import write_log
from simulation.aircraft.aircraft import load_aircraft
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import load_preset
from simulation.autopilot.snapshot import settings_frames
from simulation.identification.identification import Identification
from simulation.identification.logged_flight import LoggedFlight, Signal
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.wire.dialect import Dialect
from telemetry.recording.logs.opl_writer import OplWriter
from telemetry.recording.recording import RecordedColumns
from tests.simulation.identification.kernel_flights import hovered

_XYZ, _NED = ("x", "y", "z"), ("North", "East", "Down")


def _refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["identify", *words]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "none.opl" in _refused([str(tmp_path / "none.opl")], capsys)


def test_unknown_things_to_find(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = _refused([str(tmp_path / "a.opl"), "--what", "wind,colour"], capsys)
    assert "'colour' cannot be found; give some of wind, drag" in said


def test_saving_needs_a_file_to_compare_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = _refused([str(tmp_path / "a.opl"), "--save", str(tmp_path / "b.toml")], capsys)
    assert "add --aircraft FILE" in said


def test_an_aircraft_file_is_named_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(tmp_path / "a.opl"), "--aircraft", "ar100b", "--save", str(tmp_path / "b.txt")]
    assert "b.txt must end with .toml" in _refused(words, capsys)


def test_what_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Identification("shooting", {}, np.zeros((0, 0)), {}, {}, (0.0, 1.0), 1)
    monkeypatch.setattr("simulation.identification.cli._found", lambda options: found)
    file = tmp_path / "none" / "b.toml"
    assert main(["identify", "a.opl", "--aircraft", "ar100b", "--save", str(file)]) == 2
    err = capsys.readouterr().err
    assert "cannot be written: No such file or directory." in err
    assert err.count("\n") == 1


def test_an_airframe_is_no_aircraft(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = _refused([str(tmp_path / "a.opl"), "--aircraft", "my.json"], capsys)
    assert "my.json describes an airframe; give the name or the .toml file" in said


def test_spans_in_which_nothing_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "a.opl"
    writer = OplWriter(log)
    preset, dialect = load_preset("ar100b"), Dialect()
    frames = settings_frames(SimulatedBoard(load_catalogue(), preset), dialect)
    writer.write(0.0, frames)
    writer.write(9.0, frames)
    writer.close()
    words = [str(log), "--aircraft", "ar100b"]
    assert "exchange them" in _refused([*words, "--from", "8", "--to", "2"], capsys)
    assert "the log goes from" in _refused([*words, "--from", "100"], capsys)


@pytest.mark.slow
def test_a_log_tells_the_wind_and_the_aircraft_becomes_a_file(
    tmp_path: Path, catalogue: Catalogue, capsys: pytest.CaptureFixture[str]
) -> None:
    """Truth: the wind that the simulator was given; the flight turns by half."""
    log, saved = tmp_path / "a.opl", tmp_path / "found.toml"
    write_log(log, _objects(hovered(14, (5.0, 0.0), turn_dps=30.0), catalogue))
    words = ["identify", str(log), "--aircraft", "ar100b", "--json", "--save", str(saved)]
    assert main(words) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    wind = report["parameters"]["wind_north_mps"]
    assert abs(wind["value"] - 5.0) < 3.0 * wind["sigma"] < 0.6
    assert report["parameters"]["drag_per_mass"]["value"] is None
    assert f"{saved} is written." in err
    thrust = report["parameters"]["thrust_per_mass"]["value"]
    alpha = [float(load_aircraft(name).parameters["alpha"]) for name in (saved, "ar100b")]
    assert alpha[0] / alpha[1] == pytest.approx(thrust)


def _objects(flight: LoggedFlight, catalogue: Catalogue) -> list[RecordedColumns]:
    """What a log has of a flight."""
    height = flight.height_m
    assert height is not None
    assert flight.voltage is not None
    down = Signal(height.times, -height.values)
    down.values[0] = 0.0  # where the log begins it stands on the ground
    parts = (
        ("GyroState", _XYZ, flight.gyro),
        ("AccelState", _XYZ, flight.accel),
        ("AttitudeState", ("q1", "q2", "q3", "q4"), flight.attitude),
        ("GPSVelocitySensor", _NED, flight.velocity),
        ("FlightBatteryState", ("Voltage",), flight.voltage),
        ("ActuatorCommand", ("Channel",), flight.pulses),
        ("PositionState", ("Down",), down),
    )
    found = []
    for name, fields, signal in parts:
        definition = catalogue.find(name, DEFAULT_RELEASE)
        rows = np.repeat(definition.default_row(), len(signal.times))
        for column, field in enumerate(fields):
            rows[field] = signal.values if field == "Channel" else signal.values[:, column]
        found.append(RecordedColumns(definition, 0, signal.times, rows))
    return found
