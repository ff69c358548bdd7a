"""Unexpected errors reach the log file and the user, from every thread."""

import sys
import threading
from pathlib import Path

from app.diagnostics.crash import watch_for_crashes
from app.messages import Messages
from telemetry.base.finding import Level


def test_uncaught_errors_are_kept_and_told(tmp_path: Path) -> None:
    messages = Messages()
    log_file = tmp_path / "log" / "lapwing.log"
    before = sys.excepthook, threading.excepthook
    undo = watch_for_crashes(log_file, messages)
    try:
        error = ValueError("in the main thread")
        sys.excepthook(ValueError, error, None)
        thread = threading.Thread(target=lambda: 1 / 0, name="busy")
        thread.start()
        thread.join()
    finally:
        undo()
    told = messages.take()
    assert [message.level for message in told] == [Level.WARNING] * 2
    assert "in the main thread" in told[0].text
    assert "ZeroDivisionError" in told[1].details
    written = log_file.read_text()
    assert "in the main thread" in written
    assert "busy" in written
    assert (sys.excepthook, threading.excepthook) == before


def test_a_log_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("")
    messages = Messages()
    watch_for_crashes(tmp_path / "log" / "lapwing.log", messages)()
    assert "cannot be written" in messages.take()[0].text
