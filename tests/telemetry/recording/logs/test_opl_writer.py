import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from telemetry.recording.logs.opl_writer import OplWriter, WriteFailed
from telemetry.recording.logs.reader import read_log
from tests.telemetry.recording.logs.books import CATALOGUE, attitude, stats


def test_what_is_written_is_read(tmp_path: Path) -> None:
    writer = OplWriter(tmp_path / "flight.opl")
    for n in range(50):
        writer.write(n / 10, attitude(n))
    writer.close()
    writer.close()
    reading = read_log(writer.path, CATALOGUE)
    assert reading.recording.series("AttitudeState.Roll")[1].tolist() == list(range(50))
    assert reading.recording.series("AttitudeState.Roll")[0][-1] == 4.9
    assert reading.info.junk_bytes == 0
    assert writer.bytes_written == writer.path.stat().st_size


@pytest.mark.parametrize("chunk", [1, 5, 13, 44, 300])
def test_directions_that_interleave_do_not_tear_each_other(tmp_path: Path, chunk: int) -> None:
    received = b"".join(attitude(n) for n in range(40))
    sent = b"".join(stats(1000 * n) for n in range(40))
    writer = OplWriter(tmp_path / "flight.opl")
    for start in range(0, max(len(received), len(sent)), chunk):
        writer.write(start / 1000, received[start : start + chunk])
        writer.write(start / 1000, sent[start : start + chunk], sent=True)
    writer.close()
    reading = read_log(writer.path, CATALOGUE)
    assert reading.info.frames == 80
    assert (reading.info.crc_errors, reading.info.junk_bytes) == (0, 0)
    assert reading.recording.series("AttitudeState.Roll")[1].tolist() == list(range(40))


def test_damaged_and_unfinished_bytes_are_kept(tmp_path: Path) -> None:
    damaged = bytearray(attitude(1))
    damaged[20] ^= 1
    content = attitude(0) + bytes(damaged) + b"noise" + attitude(2) + attitude(3)[:9]
    writer = OplWriter(tmp_path / "flight.opl")
    writer.write(0.0, content)
    writer.close()
    reading = read_log(writer.path, CATALOGUE)
    assert reading.info.frames == 2
    assert reading.info.junk_bytes == len(damaged) + 5 + 9
    assert reading.info.crc_errors >= 1


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "flight.opl"
    path.write_bytes(b"precious")
    with pytest.raises(WriteFailed, match=r"Cannot create the recording .*File exists"):
        OplWriter(path)
    with pytest.raises(WriteFailed, match="No such file"):
        OplWriter(tmp_path / "absent" / "flight.opl")
    assert path.read_bytes() == b"precious"


class FullDisk:
    """A file on a disk that takes so many bytes and then no more."""

    def __init__(self, path: Path, room: int) -> None:
        self._file = path.open("wb", buffering=0)
        self._room = room
        self.truncate = self._file.truncate

    @property
    def closed(self) -> bool:
        return self._file.closed

    def write(self, data: memoryview) -> int:
        taken = min(self._room, len(data))
        if taken == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._room -= taken
        self._file.write(data[:taken])
        return taken

    def close(self) -> None:
        self._file.close()


def test_a_full_disk_is_told_and_what_was_written_still_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "flight.opl"
    disk = FullDisk(path, room=200)
    monkeypatch.setattr(Path, "open", lambda *_, **__: disk)
    writer = OplWriter(path)
    sentence = "Recording stopped, flight.opl takes no more: No space left on device."
    for n in range(3):
        writer.write(n, attitude(n))
    with pytest.raises(WriteFailed, match=sentence):
        writer.write(3, attitude(3))
    with pytest.raises(WriteFailed, match=sentence):
        writer.write(4, attitude(4))
    writer.close()
    monkeypatch.undo()
    reading = read_log(path, CATALOGUE)
    assert reading.recording.series("AttitudeState.Roll")[1].tolist() == [0, 1, 2]
    assert reading.warnings == ()


_ENDLESS = """
import sys
from pathlib import Path
from telemetry.recording.logs.opl_writer import OplWriter
from tests.telemetry.recording.logs.books import attitude
writer = OplWriter(Path(sys.argv[1]))
for n in range(10**9):
    writer.write(n / 100, attitude(n))
    if n % 100 == 0:
        print(n, flush=True)
"""


@pytest.mark.slow
def test_a_killed_recorder_loses_nothing_that_had_arrived(tmp_path: Path) -> None:
    path = tmp_path / "flight.opl"
    command = [sys.executable, "-c", _ENDLESS, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as recorder:
        assert recorder.stdout is not None
        acknowledged = [int(recorder.stdout.readline()) for _ in range(5)][-1]
        recorder.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    reading = read_log(path, CATALOGUE)
    rolls = reading.recording.series("AttitudeState.Roll")[1]
    assert len(rolls) > acknowledged
    assert rolls.tolist() == list(range(len(rolls)))
