"""Remote control of a simulator that this station runs: speed, wind, faults, and its reports.

Speaks the words of `simulation.serving.console` over a loopback connection of its own. Used by the
GUI thread; nothing here waits.
"""

import json
from collections.abc import Callable
from typing import Any

from simulation.serving.report import SimulatorReport, report_from
from telemetry.base.clock import monotonic_s
from telemetry.base.text_formats import parse_json
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.tcp_server import TcpServerLink

_MOST_UNANSWERED = 25
"""Requests a simulator that does not answer may pile up before it is left alone."""
_LONGEST_LINE = 65_536
_STALE_S = 0.3
"""When nobody has polled for so long, whoever looks does."""


class Remote:
    """One simulator process, as its operator commands it."""

    def __init__(self, server: TcpServerLink, clock: Callable[[], float] = monotonic_s) -> None:
        self.report: SimulatorReport | None = None
        """The newest report; None before the first, so nobody is there yet."""
        self._server = server
        self._clock = clock
        self._polled_s = clock()
        self._refusal = ""
        self._rest = b""
        self._requested: dict[str, Any] = {}
        self._unanswered = 0

    @property
    def address(self) -> str:
        """Where the simulator process dials to."""
        return self._server.address

    def ask(self, **options: Any) -> None:
        """Have something done with the next `poll`; see `simulation.serving.console`.

        A later request replaces an earlier one of the same name; those in "set" and "link" add up.
        """
        for name, value in options.items():
            if isinstance(value, dict):
                self._requested.setdefault(name, {}).update(value)
            else:
                self._requested[name] = value

    def poll(self) -> str:
        """Exchange words, a few times a second. Returns why a request was refused, or ""."""
        self._polled_s = self._clock()
        refusal, self._refusal = self._refusal, ""
        try:
            for line in self._lines():
                refusal = self._take(line) or refusal
            self._request()
        except LinkClosed:
            self.report = None
        return refusal

    def look(self) -> SimulatorReport | None:
        """The newest report, for who shows it at any rate and asks for nothing.

        While the controls are hidden this polls in their place, and keeps refusals for them.
        """
        if self._clock() - self._polled_s > _STALE_S:
            self._refusal = self.poll()
        return self.report

    def close(self) -> None:
        """Let go of the connection."""
        self._server.close()

    def _take(self, line: bytes) -> str:
        """Take over a report. Returns why a request was refused, or what is wrong, or ""."""
        try:
            words = parse_json(line, _LONGEST_LINE, takes_nan=True)
            if isinstance(words, dict) and isinstance(words.get("error"), str):
                return str(words["error"])
            self.report = report_from(words)
        except ValueError as error:
            return f"What the simulator says cannot be read: {error}."
        self._unanswered = 0
        return ""

    def _lines(self) -> list[bytes]:
        """Whole lines that have arrived. The first reading takes the call, the next ones words."""
        data = self._server.read(0.0) or self._server.read(0.0)
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            self._rest = b""
        return lines

    def _request(self) -> None:
        """Ask for a report, and for what was requested once it answers."""
        if not self._server.has_listener or self._unanswered >= _MOST_UNANSWERED:
            return
        options: dict[str, Any] = {"report": True}
        if self.report is not None:
            options |= self._requested
            self._requested = {}
        self._server.write(json.dumps(options).encode() + b"\n")
        self._unanswered += 1
