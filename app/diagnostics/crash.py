"""Crash handler: unexpected errors are written to a file and told, and the station goes on."""

import faulthandler
import logging
import sys
import threading
import traceback
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from app.messages import Messages
from telemetry.base.finding import Level

Undo = Callable[[], None]

_LOG_BYTES = 1_000_000


def watch_for_crashes(log_file: Path, messages: Messages) -> Undo:
    """Send every uncaught exception of every thread to `log_file` and `messages`.

    A crash of the interpreter itself leaves the stack of all threads in the same folder. Returns
    the undo. A log folder that cannot be written is told and otherwise ignored.
    """
    logger = logging.getLogger("lapwing")
    handler = _file_handler(log_file, messages)
    if handler is not None:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    faults = _watch_faults(log_file.with_suffix(".fault.log"))

    def report(error: BaseException, where: str) -> None:
        details = "".join(traceback.format_exception(error))
        logger.error("unexpected error in %s\n%s", where, details)
        print(*details.split("\n"), sep="\n", end="", file=sys.stderr)
        messages.report(
            f"Something in Lapwing went wrong ({type(error).__name__}: {error}). "
            f"What you see may be incomplete; the connection is not touched. Details: {log_file}",
            Level.WARNING,
            details,
        )

    def on_error(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
        else:
            report(error, "the main thread")

    def on_thread_error(failure: threading.ExceptHookArgs) -> None:
        if failure.exc_value is not None:
            report(failure.exc_value, failure.thread.name if failure.thread else "a thread")

    earlier, earlier_thread = sys.excepthook, threading.excepthook
    sys.excepthook, threading.excepthook = on_error, on_thread_error

    def undo() -> None:
        sys.excepthook, threading.excepthook = earlier, earlier_thread
        faults()
        if handler is not None:
            logger.removeHandler(handler)
            handler.close()

    return undo


def _file_handler(log_file: Path, messages: Messages) -> logging.Handler | None:
    try:
        log_file.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(log_file, maxBytes=_LOG_BYTES, backupCount=2, delay=True)
    except OSError as error:
        messages.report(
            f"The log folder {log_file.parent} cannot be written ({error.strerror}). "
            "Errors are shown but not kept.",
            Level.WARNING,
        )
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler


def _watch_faults(path: Path) -> Undo:
    """Have the interpreter write all stacks to `path` if it dies. Returns the undo."""
    if faulthandler.is_enabled():  # a test runner or a debugger already does it
        return lambda: None
    try:
        file = path.open("a", encoding="utf-8")
    except OSError:
        return lambda: None
    faulthandler.enable(file)

    def undo() -> None:
        faulthandler.disable()
        file.close()

    return undo
