"""An aircraft in real time at the end of a link."""

import sys
from collections.abc import Callable
from contextlib import suppress

from simulation.autopilot.autopilot import LOOP_US, PoweredAircraft
from telemetry.protocol.links.link import Link, LinkClosed

Clock = Callable[[], float]
Record = Callable[[float, bytes, bool], None]

LOOP_S = LOOP_US / 1e6
FASTEST = 50.0
"""The most that simulated time may be hurried."""
_MOST_READS = 1000
"""A flood must not keep the aircraft from flying."""
_MOST_BEHIND_S = 0.25
"""The most that is ever made up for at once, in seconds of the clock."""


class RealTimeFlight:
    """Keeps simulated time in step with a clock, or `speed` times as fast, while it serves a link.

    Loops are made up for when the process was held up briefly, so simulated time never slows
    down. What is lost in a longer pause (a stopped process, a suspended laptop) or what the
    machine cannot keep up with is given up: the flight goes on where it was, without a burst of
    motion or telemetry.
    """

    def __init__(
        self,
        power_up: Callable[[], PoweredAircraft],
        link: Link,
        clock: Clock,
        record: Record | None = None,
        attend: Callable[["RealTimeFlight"], None] = lambda flight: None,
    ) -> None:
        """`power_up` makes the aircraft, again after each reboot; `record` is given the seconds
        since the start, the bytes, and whether the aircraft received (rather than sent) them.
        `attend` is called some fifty times a second and may change `speed` or `reset`."""
        self._power_up = power_up
        self._link = link
        self._clock = clock
        self._record = record
        self._attend = attend
        self._speed = 1.0
        self.autopilot = power_up()
        self._start_s = clock()
        # The clock said `_since_s` when `_flown_s` of simulated time were due.
        self._since_s, self._flown_s = self._start_s, 0.0

    @property
    def speed(self) -> float:
        """How fast time passes, 0 to FASTEST; at 0 it stands still and the link is still served."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._count_from(self._due_s())
        self._speed = speed

    @property
    def trouble(self) -> str:
        """Why the aircraft can fly no more, or ""."""
        return str(self.autopilot.diverged or "")

    def run(self, duration_s: float | None = None) -> None:
        """Fly until the link closes (LinkClosed is passed on) or `duration_s` has passed."""
        while duration_s is None or self._clock() - self._start_s < duration_s:
            self._attend(self)
            self.catch_up()
            data = self._link.read(self._idle_s())
            if data:
                data += self._rest()
                self._note(data, received=True)
                self.autopilot.receive(data)
                self._send()

    def _rest(self) -> bytes:
        """All else that has arrived: after a pause of this process many readings of the sticks
        wait, of which the newest counts, and none of the others is flown for a loop."""
        parts = []
        with suppress(LinkClosed):  # what came before counts; the next reading says so again
            for _ in range(_MOST_READS):
                part = self._link.read(0.0)
                if not part:
                    break
                parts.append(part)
        return b"".join(parts)

    def reset(self) -> None:
        """Put a new aircraft at the start, as after a reboot."""
        self.autopilot = self._power_up()
        self._count_from(0.0)

    def repeat_telemetry(self) -> None:
        """Send again what is sent regularly: a station hears that the aircraft is still there."""
        self.autopilot.repeat_telemetry()
        self._send()

    def catch_up(self) -> None:
        """Run the loops that are due and send what they said."""
        if self._due_s() - self.autopilot.now_s > _MOST_BEHIND_S * max(self._speed, 1.0):
            self._count_from(self.autopilot.now_s)
        last_s = self._due_s() - LOOP_S
        while self.autopilot.now_s <= last_s:
            self._run_loop()
            self._send()
            if self.autopilot.wants_reboot:
                self.reset()
                return

    def _due_s(self) -> float:
        """Up to when, in simulated time, the flight should have come by now."""
        return self._flown_s + (self._clock() - self._since_s) * self._speed

    def _count_from(self, flown_s: float) -> None:
        self._since_s, self._flown_s = self._clock(), flown_s

    def _idle_s(self) -> float:
        """How long nothing is due; never so long that the operator has to wait."""
        if self._speed <= 0.0:
            return LOOP_S
        ahead_s = self.autopilot.now_s + LOOP_S - self._due_s()
        return min(max(ahead_s / self._speed, 0.0), LOOP_S)

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
