"""What is no file is refused with a phrase before anything is read of it."""

import errno
import os
import stat
import tracemalloc
from pathlib import Path

import pytest

from telemetry.base import input_files
from telemetry.base.text_formats import FormatError, read_limited
from tests.no_files import make_fifo, make_socket

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xef\xbb\xbfabc")
    assert input_files.read_bytes(path, 6) == b"\xef\xbb\xbfabc"
    assert input_files.read_text(path, 6) == "abc"
    with pytest.raises(OSError, match="larger than 5 bytes") as refused:
        input_files.read_bytes(path, 5)
    assert refused.value.errno == errno.EFBIG
    with pytest.raises(FormatError, match="it is larger than 5 bytes"):
        read_limited(path, 5)
    with pytest.raises(FileNotFoundError):
        input_files.open_file(tmp_path / "none")


def test_a_limit_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    tracemalloc.start()
    try:
        assert input_files.read_bytes(path, 2 << 30) == b"abc"
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="files of Linux")
def test_a_file_that_tells_no_size_is_read_up_to_the_limit() -> None:
    path = Path("/proc/self/status")
    assert input_files.read_bytes(path, 1 << 20).startswith(b"Name:")
    with pytest.raises(OSError, match="larger than 20 bytes"):
        input_files.read_bytes(path, 20)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="it is a folder; name a file in it"):
        input_files.open_file(tmp_path)


@posix
def test_a_pipe_a_socket_and_a_device_are_refused_by_what_they_are(tmp_path: Path) -> None:
    for make, what in ((make_fifo, "a pipe"), (make_socket, "a socket")):
        with pytest.raises(OSError, match=what):
            input_files.open_file(make(tmp_path))
    with pytest.raises(OSError, match="a device"):
        input_files.open_file(Path("/dev/zero"))


@posix
def test_a_file_that_becomes_a_pipe_meanwhile_is_refused_and_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen as a file, and a pipe once it is opened: nothing blocks, nothing stays open."""
    file, fifo = tmp_path / "file", make_fifo(tmp_path)
    file.write_bytes(b"")
    as_file = file.stat()
    monkeypatch.setattr(Path, "stat", lambda _self: as_file)
    closed: list[int] = []
    close = os.close

    def noted(handle: int) -> None:
        closed.append(handle)
        close(handle)

    monkeypatch.setattr(os, "close", noted)
    with pytest.raises(OSError, match="a pipe"):
        input_files.open_file(fifo)
    assert len(closed) == 1
    assert stat.S_ISREG(as_file.st_mode)


def test_a_folder_is_listed_whole_or_refused(tmp_path: Path) -> None:
    (tmp_path / "below" / "deep").mkdir(parents=True)
    for name in ("b", "a", ".hidden", "below/c", "below/deep/d"):
        (tmp_path / name).write_bytes(b"")
    names = [path.name for path in input_files.files_in(tmp_path, 6, deepest=1)]
    assert names == ["a", "b", "c", "deep"]
    with pytest.raises(OSError, match="more than 5 files"):
        input_files.files_in(tmp_path, 5, deepest=1)
