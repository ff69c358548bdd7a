"""The station is killed in flight: its recording is there, and nothing of it lives on.

How little of the last moment is lost says the test of a killed process in test_connection.py.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulation.autopilot.board import ABSENT_OBJECTS
from telemetry.base.clock import monotonic_s
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, load_catalogue
from telemetry.recording.logs.reader import LogError, LogReading, read_log
from tests.waiting import wait_for, wait_until

pytestmark = pytest.mark.starts_simulator

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = load_catalogue()
SETTINGS = {
    definition.name
    for definition in CATALOGUE.release(DEFAULT_RELEASE)
    if definition.settings and definition.name not in ABSENT_OBJECTS
}


def recorded(folder: Path) -> LogReading | None:
    """What the recording holds by now."""
    for path in folder.glob("*.opl"):
        try:
            return read_log(path, CATALOGUE)
        except LogError:  # nothing written yet
            return None
    return None


def recorded_with_settings(folder: Path) -> LogReading | None:
    reading = recorded(folder)
    is_complete = reading is not None and set(reading.recording.names()) >= SETTINGS
    return reading if is_complete else None


def has_grown_by_a_second(before: LogReading, folder: Path) -> bool:
    """In its own time, however long that takes."""
    now = recorded(folder)
    return now is not None and now.info.last_s >= before.info.last_s + 1.0


def simulators_of(pid: int) -> list[int]:
    """What a station has started to fly; looking for SDL starts other processes, for moments."""
    return [
        int(child)
        for listing in Path(f"/proc/{pid}/task").glob("*/children")
        for child in listing.read_text().split()
        if b"\0simulation\0" in command_line(child)
    ]


def command_line(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_killed_station_leaves_a_recording_and_no_simulator(tmp_path: Path) -> None:
    environ = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "LAPWING_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    folder = tmp_path / "recordings"
    command = [sys.executable, str(ROOT / "main.py")]
    with subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL) as station:
        try:
            before = wait_for(lambda: recorded_with_settings(folder))
            simulators = simulators_of(station.pid)
            assert len(simulators) == 1
            soonest_s = monotonic_s() + 1.0
            wait_until(lambda: monotonic_s() > soonest_s and has_grown_by_a_second(before, folder))
            assert station.poll() is None
        finally:
            station.kill()
    wait_until(lambda: not any(map(is_running, simulators)))

    after = recorded(folder)
    assert after is not None
    assert after.info.last_s >= before.info.last_s + 1.0
    assert (after.info.crc_errors, after.info.junk_bytes) == (0, 0)
    names = set(after.recording.names())
    assert names >= SETTINGS, "the settings snapshot"
    assert {"GCSTelemetryStats", "FlightTelemetryStats"} <= names, "both directions"
    assert after.recording.series("GCSTelemetryStats.Status")[1].size > 1
