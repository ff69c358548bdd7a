"""An aircraft in real time at the end of a link."""

import sys
from collections.abc import Callable

from simulation.autopilot.autopilot import LOOP_US, Autopilot
from telemetry.links.link import Link

Clock = Callable[[], float]
Record = Callable[[float, bytes, bool], None]

LOOP_S = LOOP_US / 1e6
_MOST_BEHIND_S = 0.25
"""The most that is ever made up for at once, in seconds."""


class RealTimeFlight:
    """Keeps simulated time in step with a clock while it serves a link.

    Loops are made up for when the process was held up briefly, so simulated time never slows
    down. What is lost in a longer pause (a stopped process, a suspended laptop) is given up: the
    flight goes on where it was, without a burst of motion or telemetry.
    """

    def __init__(
        self,
        power_up: Callable[[], Autopilot],
        link: Link,
        clock: Clock,
        record: Record | None = None,
    ) -> None:
        """`power_up` makes the aircraft, again after each reboot; `record` is told the seconds
        since the start, the bytes, and whether the aircraft received (rather than sent) them."""
        self._power_up = power_up
        self._link = link
        self._clock = clock
        self._record = record
        self.autopilot = power_up()
        self._start_s = self._origin_s = clock()

    def run(self, duration_s: float | None = None) -> None:
        """Fly until the link closes (LinkClosed is passed on) or `duration_s` has passed."""
        while duration_s is None or self._clock() - self._start_s < duration_s:
            self.catch_up()
            wait_s = self._origin_s + self.autopilot.now_s + LOOP_S - self._clock()
            data = self._link.read(max(wait_s, 0.0))
            if data:
                self._note(data, received=True)
                self.autopilot.receive(data)
                self._send()

    def catch_up(self) -> None:
        """Run the loops that are due and send what they said."""
        behind_s = self._clock() - self._origin_s - self.autopilot.now_s
        if behind_s > _MOST_BEHIND_S:
            self._origin_s += behind_s
        due_s = self._clock() - self._origin_s - LOOP_S
        while self.autopilot.now_s <= due_s:
            self._run_loop()
            self._send()
            if self.autopilot.wants_reboot:
                self.autopilot = self._power_up()
                self._origin_s = self._clock()
                return

    def _run_loop(self) -> None:
        was_possible = self.autopilot.diverged is None
        self.autopilot.run_loop()
        if was_possible and self.autopilot.diverged is not None:
            print(self.autopilot.diverged, file=sys.stderr, flush=True)

    def _send(self) -> None:
        data = self.autopilot.bytes_to_send()
        if data:
            self._link.write(data)
            self._note(data, received=False)

    def _note(self, data: bytes, received: bool) -> None:
        if self._record is not None:
            self._record(self._clock() - self._start_s, data, received)
