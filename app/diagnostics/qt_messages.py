"""Qt messages on standard error, and how Qt dies when it finds no screen."""

import os
import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

NO_SCREEN = 2

_ALWAYS_SAID_OFFSCREEN = "propagateSizeHints"


class QtMessages:
    """Takes Qt's messages from its installation on.

    Until `release` they are held back, because a display that cannot be used makes Qt abort the
    process after saying so in several lines. The process ends here before that, with one
    sentence and the exit code of an environment that lacks something.
    """

    def __init__(self) -> None:
        self._held: list[str] | None = []

    def install(self) -> None:
        """Let Qt speak to this object."""
        qInstallMessageHandler(self._take)

    def release(self) -> None:
        """Qt has started: pass on what it said and what it will say."""
        held, self._held = self._held or [], None
        for text in held:
            print(text, file=sys.stderr)

    def _take(self, kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        if _ALWAYS_SAID_OFFSCREEN in text:
            return
        if self._held is None:
            print(text, file=sys.stderr)
        elif kind is QtMsgType.QtFatalMsg:
            reason = (self._held or [text])[0].strip().rstrip(".")
            sentence = f"No window can be opened ({reason}); `lapwing doctor` shows what is missing"
            print(f"{sentence}, and --screenshot needs no display.", file=sys.stderr, flush=True)
            os._exit(NO_SCREEN)
        else:
            self._held.append(text)
