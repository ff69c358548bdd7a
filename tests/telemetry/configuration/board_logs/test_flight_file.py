"""Flights of a board's log as files: opened as any other, at their true times."""

import random
from pathlib import Path

import numpy as np
import pytest

from telemetry.configuration.board_logs.entry_store import EntryStore
from telemetry.configuration.board_logs.errors import BoardLogError
from telemetry.configuration.board_logs.flight_file import contents_of, write_flight
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.logs.reader import LogReading, read_log
from telemetry.recording.wall_time import began_at
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.synchronisation.find_sync import find_sync
from telemetry.review.flights.synchronisation.log_motion import read_log_motion
from tests.boards.emulated_log_flash import LogFlash

WRAP_S = 2**32 / 168e6
UNKNOWN_ID = 0x12345678


def _stored(flash: LogFlash, folder: Path, catalogue: Catalogue) -> EntryStore:
    store = EntryStore(folder / "board", catalogue.find("DebugLogEntry"))
    for (flight, number), row in flash.slots.items():
        store.put(flight, number, row)
    return store


def _read(path: Path, catalogue: Catalogue) -> LogReading:
    return read_log(path, catalogue)


def _log_second(flash: LogFlash, catalogue: Catalogue, t_s: float, rate_dps: float) -> None:
    gyro, stats = catalogue.find("GyroState"), catalogue.find("SystemStats")
    flash.log(t_s * 1e6, stats.object_id, pack_values(stats, {"FlightTime": round(t_s * 1000)}))
    flash.log(t_s * 1e6 + 100, gyro.object_id, pack_values(gyro, {"x": rate_dps}))


def test_columns_and_texts_stand_at_their_times(catalogue: Catalogue, tmp_path: Path) -> None:
    flash, wild, times_s = LogFlash(), random.Random(2), [100.0]
    flash.say(99.5e6, "FlightStatus Armed: On board logging enabled.")
    while times_s[-1] < 700.0:
        times_s.append(times_s[-1] + wild.choice((0.02, 1.0, 40.0)))
    for t_s in times_s:
        _log_second(flash, catalogue, t_s, t_s / 10)
    flash.say((times_s[-1] + 0.01) * 1e6, "FlightStatus Disarmed: On board Logging disabled.")
    flash.end_flight()
    flash.write_all()
    store = _stored(flash, tmp_path, catalogue)
    contents = contents_of(store, 0, catalogue, WRAP_S)
    path = write_flight(tmp_path / "flight.opl", contents, catalogue)
    reading = _read(path, catalogue)
    track = reading.recording.track("GyroState")
    assert track is not None
    assert track.count == len(times_s)
    assert track.times - track.times[0] == pytest.approx(np.array(times_s) - 100.0, abs=1e-3)
    assert track.values("x").ravel() == pytest.approx(np.array(times_s) / 10)
    noted = {event.text: event.t for event in reading.recording.noted()}
    assert noted["FlightStatus Armed: On board logging enabled."] == 0.0
    ended = noted["FlightStatus Disarmed: On board Logging disabled."]
    assert ended - track.times[-1] == pytest.approx(0.01, abs=1e-3)
    assert any("flight 0: it begins about 100 s after" in text for text in noted)
    assert began_at(reading.recording) is None  # no date is invented
    assert not reading.warnings


def test_times_that_are_not_known_are_marked(catalogue: Catalogue, tmp_path: Path) -> None:
    flash, gyro = LogFlash(), catalogue.find("GyroState")
    for t_s in (10.0, 11.0, 37.0, 38.0):
        flash.log(t_s * 1e6, gyro.object_id, bytes(gyro.size))
    flash.say(39e6, "end")
    flash.write_all()
    store = _stored(flash, tmp_path, catalogue)
    contents = contents_of(store, 0, catalogue, WRAP_S)
    path = write_flight(tmp_path / "flight.opl", contents, catalogue)
    recording = _read(path, catalogue).recording
    assert [e.t for e in recording.noted() if "shortest possible" in e.text] == [0.0]
    assert any("begins an unknown time after" in e.text for e in recording.noted())


def test_the_end_of_a_flight_that_was_written_as_the_next_one(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    flash = LogFlash(writes_behind=3)
    for flight in range(2):
        flash.say(1e6 + flight, f"begin {flight}")
        for i in range(9):
            _log_second(flash, catalogue, 10.0 + i, 1.0)
        flash.say(20e6, f"end {flight}")
        flash.end_flight()
        flash.write_all()
    store = _stored(flash, tmp_path, catalogue)
    assert (1, 0) in flash.slots
    for flight in range(2):
        contents = contents_of(store, flight, catalogue, WRAP_S)
        texts = [item.text for item in contents.items if item.text]
        assert texts == [f"begin {flight}", f"end {flight}"]
        assert sum(1 for item in contents.items if item.object_id) == 18


def test_objects_that_nobody_knows_open_when_their_definitions_come(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    flash = LogFlash()
    flash.log(1e6, UNKNOWN_ID, bytes(30))
    _log_second(flash, catalogue, 2.0, 1.0)
    flash.say(3e6, "end")
    flash.write_all()
    contents = contents_of(_stored(flash, tmp_path, catalogue), 0, catalogue, WRAP_S)
    reading = _read(write_flight(tmp_path / "f.opl", contents, catalogue), catalogue)
    assert reading.info.unknown_frames == 1
    assert f"0x{UNKNOWN_ID:08X}" in reading.info.per_object


def test_the_same_again_is_one_file_and_another_gets_a_number(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    paths = []
    for rate_dps in (1.0, 1.0, 2.0):
        flash = LogFlash()
        _log_second(flash, catalogue, 2.0, rate_dps)
        flash.say(3e6, "end")
        flash.write_all()
        folder = tmp_path / str(len(paths))
        contents = contents_of(_stored(flash, folder, catalogue), 0, catalogue, WRAP_S)
        paths.append(write_flight(tmp_path / "f.opl", contents, catalogue).name)
    assert paths == ["f.opl", "f.opl", "f-2.opl"]


def test_a_folder_that_cannot_be_written_is_said(catalogue: Catalogue, tmp_path: Path) -> None:
    flash = LogFlash()
    flash.say(3e6, "end")
    contents = contents_of(_stored(flash, tmp_path, catalogue), 0, catalogue, WRAP_S)
    (tmp_path / "file").touch()
    with pytest.raises(BoardLogError, match="cannot be written"):
        write_flight(tmp_path / "file" / "f.opl", contents, catalogue)
    with pytest.raises(BoardLogError, match="download it first"):
        contents_of(EntryStore(tmp_path, catalogue.find("DebugLogEntry")), 5, catalogue, None)


def _flown_with_a_pause(
    catalogue: Catalogue, folder: Path, told_until_s: float, told_from_s: float
) -> LogReading:
    """100 s of attitude each 0.1 s, whose roll in degrees is the time, with a pause from 40 to 70
    s; SystemStats each second until and from then."""
    flash = LogFlash()
    attitude, stats = catalogue.find("AttitudeState"), catalogue.find("SystemStats")
    for t_s in (number / 10 for number in range(1000)):
        if t_s % 1 == 0.0 and not told_until_s <= t_s < told_from_s and not 40.0 < t_s < 70.0:
            told = pack_values(stats, {"FlightTime": round(t_s * 1000)})
            flash.log(t_s * 1e6, stats.object_id, told)
        if not 40.0 < t_s < 70.0:
            flash.log(t_s * 1e6, attitude.object_id, pack_values(attitude, {"Roll": t_s}))
    flash.write_all()
    contents = contents_of(_stored(flash, folder, catalogue), 0, catalogue, WRAP_S)
    return _read(write_flight(folder / "flight.opl", contents, catalogue), catalogue)


@pytest.mark.parametrize("told_from_s", [85.0, 1000.0], ids=["told again", "not told again"])
def test_with_a_video_is_compared_what_has_a_known_time(
    told_from_s: float, catalogue: Catalogue, tmp_path: Path
) -> None:
    recording = _flown_with_a_pause(catalogue, tmp_path, 30.0, told_from_s).recording
    motion, track = read_log_motion(recording), recording.track("AttitudeState")
    assert motion is not None
    assert track is not None
    is_right = np.abs(track.times - track.values("Roll").ravel()) < 0.01
    assert np.count_nonzero(~is_right) > 100  # a wrap too early
    roll_deg = np.degrees(2 * np.arctan2(motion.q_wxyz[:, 1], motion.q_wxyz[:, 0]))
    assert roll_deg == pytest.approx(motion.times_s, abs=0.01)
    kept_s = motion.times_s
    assert kept_s.min() < 2.0
    assert np.count_nonzero(kept_s < 29.0) > 270
    assert bool((kept_s > 86.0).any()) is (told_from_s < 100.0)


def test_a_video_is_not_compared_where_no_time_is_known(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    recording = _flown_with_a_pause(catalogue, tmp_path, 0.0, 1000.0).recording
    found = find_sync([], recording, CameraSettings())
    assert not found.is_found
    assert "at times that are known" in found.reason
    assert "from 0.0 to 74.2 s are not known" in found.note
