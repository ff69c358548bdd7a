"""An aircraft in real time at the end of a link."""

import sys
from collections.abc import Callable
from contextlib import suppress

from simulation.autopilot.autopilot import LOOP_US, TICK_US, PoweredAircraft, is_flown_by_ticks
from telemetry.protocol.links.link import Link, LinkClosed

Clock = Callable[[], float]
Record = Callable[[float, bytes, bool], None]

LOOP_S = LOOP_US / 1e6
_TICK_S = TICK_US / 1e6
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

    While a station has the board fly an aircraft of its own (hardware in the loop), the sensors
    that it sends are on board, and the outputs on their way, with every tick of the sensor task.
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
        self._ticked_s = 0.0

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
            self._listen(self._idle_s())

    def _listen(self, patience_s: float) -> None:
        """Take what has arrived, or comes first within that time."""
        data = self._link.read(patience_s)
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
        last_s = self._due_s() - self._portion_s
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
        return self._until_s(self.autopilot.now_s + self._portion_s)

    @property
    def _is_ticked(self) -> bool:
        return self._speed == 1.0 and is_flown_by_ticks(self.autopilot.board)

    @property
    def _portion_s(self) -> float:
        """How much is flown before bytes come and go."""
        return _TICK_S if self._is_ticked else LOOP_S

    def _until_s(self, flown_s: float) -> float:
        """How long until that much is due, by the clock."""
        return min(max((flown_s - self._due_s()) / self._speed, 0.0), LOOP_S)

    def _tick(self) -> None:
        """Between two ticks of a loop, and before the first one of the next: the clock lets the
        next begin, and what arrives meanwhile is on board by then."""
        self._send()
        self._ticked_s += _TICK_S
        while True:
            patience_s = self._until_s(self._ticked_s + _TICK_S)
            self._listen(patience_s)
            if patience_s <= 0.0:
                return

    def _run_loop(self) -> None:
        self._ticked_s = self.autopilot.now_s
        self.autopilot.on_tick = self._tick if self._is_ticked else None
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
