"""Command view: starts a command in a process of its own, ends it, and says how far it is."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from telemetry.base.clock import monotonic_s
from telemetry.base.simulation_command import SimCommand
from widgets.labels import set_text, show_text
from widgets.parts import make_button, make_label, make_row

Report = dict[str, Any]


class CommandView(QWidget):
    """A button that begins, one that cancels, and why neither can be. Reports are read in jobs.

    `begin` is called by the first button and calls `start`; `verb` is what it is called, `doing`
    what the command does meanwhile. `told` is what is said, for a place that scrolls.
    """

    def __init__(
        self, context: PanelContext, verb: str, doing: str, begin: Callable[[], None]
    ) -> None:
        super().__init__()
        self._context = context
        self._doing, self._what = doing, ""
        self._command: SimCommand | None = None
        self._is_running = self._is_cancelled = False
        self._began_s = 0.0
        self._reading: Future[Report | None] | None = None
        self._end_telling: Callable[[], None] = lambda: None
        self.begin = make_button(f"{verb} …", begin, "primary")
        self.cancel = make_button("Cancel", self._cancel)
        self.told = make_label(wraps=True)
        self.refused = make_label(tone="muted", wraps=True)
        self.setLayout(make_row(self.begin, self.cancel, (self.refused, 1)))
        context.on_close(self._close)
        self.say("")
        self.offer("")

    def offer(self, refusal: str) -> None:
        """Enable what makes sense now; `refusal` says why it cannot begin, "" if it can."""
        has_focus = self.begin.hasFocus() or self.cancel.hasFocus()
        set_text(self.refused, refusal)
        self.begin.setEnabled(not refusal and not self._is_running)
        self.cancel.setEnabled(self._is_running)
        if has_focus:
            (self.cancel if self._is_running else self.begin).setFocus()

    def say(self, text: str, tone: str = "") -> None:
        """Say something until the next thing is said."""
        show_text(self.told, text, tone)

    @property
    def is_running(self) -> bool:
        """Whether the command is at it, or its report is being read."""
        return self._is_running

    @property
    def folder(self) -> Path | None:
        """Where the last command was to write files; None before the first one."""
        return self._command.folder if self._command is not None else None

    @property
    def said(self) -> str:
        """The last line that the command has written beside its report."""
        return self._command.said() if self._command is not None else ""

    def start(
        self, program: Sequence[str], arguments: Callable[[Path], Sequence[str]], what: str
    ) -> None:
        """Start a command with its arguments, which may name files in a folder of its own; `what`
        is what it works on. What the last one has written is dropped."""
        self._end()
        self._what = what
        command = SimCommand("lapwing-identification-")
        try:
            command.start(arguments(command.folder), program)
        except OSError as error:
            self.say(f"It cannot be started: {error.strerror}.", "danger")
            return
        self._command, self._is_running, self._is_cancelled = command, True, False
        self._began_s = monotonic_s()
        self._end_telling = self._context.follow(self._words, self._cancel)
        self.say(self._words())
        self.offer("")

    def poll(self) -> Report | None:
        """The report, once when it is there. Where none came it says why."""
        if self._command is None or not self._is_running:
            return None
        if self._reading is None:
            if self._command.is_running:
                self.say(self._words())
            else:
                self._reading = self._context.jobs.submit(self._command.report)
        if self._reading is None or not self._reading.done():
            return None
        report, self._reading = self._reading.result(), None
        self._is_running = False
        self._end_telling()
        self.offer("")
        if self._is_cancelled:
            self.say(f"{self._doing} {self._what} was cancelled.", "muted")
            return None
        self.say("" if report is not None else self._reason(self._command.reason()), "danger")
        return report

    # Inside

    def _reason(self, reason: str) -> str:
        """Why there is no report, with what it would have been of."""
        return reason if self._what in reason else f"{self._what}: {reason}"

    def _words(self) -> str:
        """What it does, for how long and how far it is; "" when it has ended."""
        if self._command is None or not self._command.is_running:
            return ""
        if self._is_cancelled:
            return f"{self._doing} {self._what} is ending …"
        lasts = f"{self._doing} {self._what}, {monotonic_s() - self._began_s:.0f}\u202fs …"
        return f"{lasts} {self._command.said()}".rstrip()

    def _cancel(self) -> None:
        if self._command is not None and self._is_running:
            self._is_cancelled = True
            self._command.ask_to_end()

    def _end(self) -> None:
        self._end_telling()
        if self._command is not None:
            self._command.close()
        self._command, self._reading, self._is_running = None, None, False
        self._end_telling = lambda: None

    def _close(self) -> None:
        self._end()
