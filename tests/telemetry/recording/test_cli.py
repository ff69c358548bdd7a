import argparse
import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE
from telemetry.protocol.wire.frame import FrameType, encode
from telemetry.recording.cli import add_commands
from telemetry.recording.logs.reader import read_log
from telemetry.recording.track import Track
from tests.telemetry.recording.export.ros.reading import read_mcap
from tests.telemetry.recording.logs.books import (
    ATTITUDE,
    CATALOGUE,
    STATS,
    WAYPOINT,
    attitudes,
    frame,
    record,
    saved,
)
from tests.telemetry.review.flights.recorded_streams import record_streams


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers(required=True))
    arguments = parser.parse_args(["log", *words])
    code = arguments.run(arguments)
    assert isinstance(code, int)
    return code


def table(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Two seconds of attitude, and two waypoints."""
    waypoints = [
        record(2000, frame(WAYPOINT, bytes(WAYPOINT.size), instance=instance))
        for instance in (1, 0)
    ]
    return saved(tmp_path, *attitudes(20), *waypoints)


@pytest.mark.slow
def test_info_as_json_is_one_object_with_the_promised_keys(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("info", str(log), "--json") == 0
    info = json.loads(capsys.readouterr().out)
    assert list(info) == [
        "records",
        "frames",
        "crc_errors",
        "junk_bytes",
        "unknown_frames",
        "objects",
        "first_s",
        "last_s",
        "release",
        "wire",
        "reboots",
        "per_object",
        "without_value",
    ]
    assert info["per_object"]["Waypoint"] == {
        "id": "0xD23852DC",
        "count": 2,
        "rate_hz": 1.0,
        "requests": 0,
        "refusals": 0,
    }


@pytest.mark.slow
def test_requests_and_refusals_are_no_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [
        record(2000, encode(kind, definition.object_id, instance=0))
        for definition in (ATTITUDE, WAYPOINT)
        for kind in (FrameType.OBJ_REQ, FrameType.OBJ_REQ, FrameType.NACK, FrameType.ACK)
    ]
    acked = record(2000, encode(FrameType.ACK, STATS.object_id, instance=0))
    path = saved(tmp_path, *attitudes(20), *asked, acked)
    assert run("info", str(path), "--json") == 0
    info = json.loads(capsys.readouterr().out)
    counts = {"requests": 2, "refusals": 1}
    assert info["objects"] == 1
    assert info["per_object"] == {
        "AttitudeState": {"id": "0x7421C7BA", "count": 20, "rate_hz": 10.0, **counts}
    }
    assert info["without_value"] == {
        "Waypoint": {"id": "0xD23852DC", "count": 0, "rate_hz": 0.0, **counts}
    }
    assert run("info", str(path)) == 0
    lines = capsys.readouterr().out.splitlines()
    (row,) = [line.split() for line in lines if line.startswith("AttitudeState")]
    assert row == ["AttitudeState", "0x7421C7BA", "20", "10.000", "2", "1"]
    assert lines[-2].startswith("Asked for, without a value")
    assert lines[-1].split() == ["Waypoint", "0xD23852DC", "0", "0.000", "2", "1"]


@pytest.mark.slow
def test_info_for_people_says_the_same(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("info", str(log)) == 0
    text = capsys.readouterr().out
    assert "LibrePilot-next-2019-02" in text
    assert "0:00.0 to 0:02.0" in text
    assert "instance id in every frame, no metadata seen" in text


@pytest.mark.parametrize("command", [("info",), ("export", "--out", "unused")])
def test_bad_input_is_one_sentence_and_exit_code_1(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command[0], str(saved(tmp_path, b"")), *command[1:]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "flight.opl is empty: nothing was recorded; open another log.\n"


@pytest.mark.slow
def test_export_writes_one_table_per_object(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "tables"
    assert run("export", str(log), "--format", "csv", "--out", str(out)) == 0
    assert sorted(path.name for path in out.iterdir()) == ["AttitudeState.csv", "Waypoint.csv"]
    attitude = table(out / "AttitudeState.csv")
    assert attitude[0] == ["time_s", "instance", *(field.name for field in ATTITUDE.fields)]
    assert len(attitude) == 21
    assert attitude[4][:7] == ["0.300", "0", "0.0", "0.0", "0.0", "0.0", "3.0"]
    waypoints = table(out / "Waypoint.csv")
    assert waypoints[0][:5] == [
        "time_s",
        "instance",
        "Position.North",
        "Position.East",
        "Position.Down",
    ]
    assert [row[1] for row in waypoints[1:]] == ["0", "1"]


@pytest.mark.slow
def test_parquet_holds_the_same_with_units(log: Path, tmp_path: Path) -> None:
    """As the CSV does, and as a track of the recording gives it."""
    from pyarrow import parquet

    out = tmp_path / "tables"
    assert run("export", str(log), "--format", "csv", "--out", str(out)) == 0
    assert run("export", str(log), "--format", "parquet", "--out", str(out)) == 0
    columns = parquet.read_table(out / "AttitudeState.parquet").to_pydict()
    written = table(out / "AttitudeState.csv")
    assert list(columns)[:3] == ["time_s", "instance", "q1"]
    assert [name.split(" [")[0] for name in columns] == written[0]
    assert "Yaw [degrees]" in columns
    rows = [[float(cell) for cell in row] for row in written[1:]]
    saved_rows = np.array(list(columns.values())).T
    assert saved_rows == pytest.approx(np.array(rows))
    track = read_log(log, CATALOGUE).recording.track("AttitudeState", 0)
    assert track is not None
    track.save(tmp_path / "track.parquet")
    alone = parquet.read_table(tmp_path / "track.parquet").to_pydict()
    assert alone == {name: values for name, values in columns.items() if name != "instance"}
    assert track.frame()["Yaw [degrees]"].tolist() == columns["Yaw [degrees]"]


def test_options_are_texts_in_a_table() -> None:
    definition = CATALOGUE.find("FlightTelemetryStats", DEFAULT_RELEASE)
    track = Track(definition, 0)
    for number in (1, 0):
        row = definition.default_row()
        row["Status"], row["TxBytes"] = number, 7
        track.append(0.5 * number, row.tobytes())
    columns = track.columns()
    options = definition.field_named("Status").options
    assert columns["Status"].tolist() == [options[1], options[0]]
    assert columns["TxBytes [bytes]"].tolist() == [7, 7]


def test_without_the_library_parquet_names_the_remedy(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run("export", str(log), "--format", "parquet", "--out", str(tmp_path / "t")) == 1
    assert "pip install 'lapwing[data]'" in capsys.readouterr().err


@pytest.mark.slow
def test_export_takes_some_objects_and_a_span(log: Path, tmp_path: Path) -> None:
    words = ["--objects", "AttitudeState", "--from", "0.5", "--to", "0:00.8"]
    assert run("export", str(log), "--out", str(tmp_path / "t"), *words) == 0
    (path,) = (tmp_path / "t").iterdir()
    assert [row[0] for row in table(path)[1:]] == ["0.500", "0.600", "0.700", "0.800"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--objects", "AttitudeSate"], "no object 'AttitudeSate'; did you mean AttitudeState"),
        (["--objects", "Xyz"], "no object 'Xyz'; 'lapwing log info' lists all"),
        (["--from", "soon"], "'soon' is not a time"),
        (["--from", "-5"], "'-5' is not a time"),
        (["--from", "2", "--to", "1"], "--from 2 lies behind --to 1"),
        (["--from", "100"], "the log goes from 0.000 to 2.000 s"),
    ],
)
def test_export_refuses_what_it_cannot_do(
    log: Path, tmp_path: Path, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("export", str(log), "--out", str(tmp_path / "t"), *words) == 1
    assert sentence in capsys.readouterr().err


@pytest.mark.slow
def test_export_to_a_place_that_cannot_be_written_says_so(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("export", str(log), "--out", str(log / "inside")) == 1
    assert "Cannot write to" in capsys.readouterr().err


@pytest.mark.slow
def test_exported_enums_are_texts(shared_logs: Path, tmp_path: Path) -> None:
    log = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    assert run("export", str(log), "--out", str(tmp_path), "--objects", "FlightStatus") == 0
    rows = table(tmp_path / "FlightStatus.csv")
    assert rows[0][:4] == ["time_s", "instance", "Armed", "FlightMode"]
    assert {row[2] for row in rows[1:]} == {"Disarmed", "Arming", "Armed"}


@pytest.mark.slow
def test_streams_beside_a_log_are_exported_with_it(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record_streams(log, 0.5)
    out = log.parent / "out"
    assert run("export", str(log), "--format", "mcap", "--out", str(out), "--to", "0.7") == 0
    assert "1 file written" in capsys.readouterr().out
    bag = read_mcap(out / f"{log.stem}.mcap")
    assert len(bag["/front/image_raw"]) == 7
    assert len(bag["/lidar/scan"]) == 9
    (log.parent / f"{log.stem}_lidar.npz").write_bytes(b"torn")
    assert run("export", str(log), "--format", "mcap", "--out", str(log.parent / "again")) == 0
    assert f"{log.stem}_lidar.npz is left out" in capsys.readouterr().err


@pytest.mark.slow
def test_export_of_what_was_not_sent_then_writes_nothing(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--objects", "Waypoint", "--to", "1.5"]
    assert run("export", str(log), "--out", str(tmp_path / "t"), *words) == 1
    assert "Nothing was sent then: no file was written." in capsys.readouterr().err
