"""A stretch of a log: its bytes as they were, and before them what was known."""

import struct
from pathlib import Path

import pytest

from telemetry.protocol.wire.dialect import Dialect
from telemetry.recording.export.cut import export_opl
from telemetry.recording.export.request import ExportError, ExportRequest
from telemetry.recording.logs.definitions import definitions_path
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from tests.telemetry.recording.logs.books import (
    CATALOGUE,
    WAYPOINT,
    attitude,
    attitudes,
    frame,
    record,
    saved,
    stats,
)


def test_the_stretch_begins_with_what_was_known(tmp_path: Path) -> None:
    waypoint = frame(WAYPOINT, bytes(WAYPOINT.size), 2)
    log = saved(tmp_path, record(0, stats(7000)), record(0, waypoint), *attitudes(21))
    recording = read_log(log, CATALOGUE).recording
    (path,) = export_opl(recording, tmp_path, ExportRequest(start_s=0.55, end_s=1.2))
    cut = read_log(path, CATALOGUE).recording
    times, rolls = cut.series("AttitudeState.Roll")
    assert rolls.tolist() == [5, 6, 7, 8, 9, 10, 11, 12]
    assert times.tolist() == pytest.approx([0, 0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65])
    stats_known = cut.latest("SystemStats", 0.0)
    assert stats_known is not None
    assert stats_known["FlightTime"] == 7000
    assert cut.instances("Waypoint") == (2,)


def test_the_bytes_stay_as_they_are_damage_and_all(tmp_path: Path) -> None:
    damaged = bytearray(attitude(3.0))
    damaged[12] ^= 0xFF
    log = saved(tmp_path, *attitudes(3), record(300, bytes(damaged)), *attitudes(3, 400))
    recording = read_log(log, CATALOGUE).recording
    (path,) = export_opl(recording, tmp_path, ExportRequest(start_s=0.2))
    assert bytes(damaged) in path.read_bytes()
    assert read_log(path, CATALOGUE).info.crc_errors == 1


def test_what_goes_before_is_written_as_the_aircraft_writes(tmp_path: Path) -> None:
    """Older releases have no instance id in frames of single-instance objects."""
    multi = Dialect("multi", 7)
    payload = bytearray(CATALOGUE.find("SystemStats", "OpenPilot-13.06").size)
    struct.pack_into("<I", payload, 0, 1)
    definition = CATALOGUE.find("SystemStats", "OpenPilot-13.06")
    data = frame(definition, bytes(payload), 0, multi)
    log = saved(tmp_path, *(record(100 * n, data) for n in range(5)))
    (path,) = export_opl(read_log(log, CATALOGUE).recording, tmp_path, ExportRequest(start_s=0.25))
    assert path.read_bytes()[12 : 12 + len(data)] == data
    assert read_log(path, CATALOGUE).info.wire.instance_id == "multi"


def test_a_log_is_cut_whole_and_overwrites_nothing(tmp_path: Path) -> None:
    recording = read_log(saved(tmp_path, *attitudes(9)), CATALOGUE).recording
    with pytest.raises(ExportError, match="leave --objects and --rate away"):
        export_opl(recording, tmp_path, ExportRequest(("AttitudeState",)))
    export_opl(recording, tmp_path)
    with pytest.raises(ExportError, match="there already"):
        export_opl(recording, tmp_path)
    with pytest.raises(ExportError, match="Only a log that is a file"):
        export_opl(Recording(source=str(tmp_path / "gone.opl")), tmp_path / "other")


def test_definitions_beside_a_log_go_along(tmp_path: Path) -> None:
    log = saved(tmp_path, *attitudes(9))
    definitions_path(log).write_text("{}")
    (path,) = export_opl(read_log(log, CATALOGUE).recording, tmp_path / "cut")
    assert definitions_path(path).read_text() == "{}"
