"""What the sensors of a served aircraft see, sent to its station while it flies."""

import threading
from collections.abc import Sequence
from typing import Final, Protocol

from simulation.autopilot.autopilot import Autopilot
from simulation.parameters.mounts import SensorMount
from simulation.perception.followed_motion import FollowedMotion
from simulation.perception.mounted import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.perception.surroundings import Surroundings
from simulation.serving import RealTimeFlight
from telemetry.streams.samples import StreamDescription, StreamSample

CLOCK_US: Final = 100_000
"""How often the simulated time is told."""
_LOOK_S: Final = 0.1
_PATIENCE_S: Final = 5.0


class Sending(Protocol):
    """Where samples go: a StreamSender."""

    def announce(self, descriptions: Sequence[StreamDescription]) -> None:
        """Say what streams there are from now on."""

    def put(self, description: StreamDescription, sample: StreamSample) -> None:
        """Send a sample."""

    def tell_clock(self, now_us: int, speed: float) -> None:
        """Say what simulated time it is."""

    def close(self) -> None:
        """Hang up."""


class ServedStreams:
    """Looks at the world in a thread of its own; the rest is for the thread that flies, which waits
    for none of it."""

    def __init__(
        self, sender: Sending, surroundings: Surroundings, mounts: Sequence[SensorMount]
    ) -> None:
        self._sender = sender
        self._surroundings = surroundings
        self._mounts = mounts
        self._motion: FollowedMotion | None = None
        self._told: tuple[int, float] | None = None
        self._is_closing = False
        self._thread = threading.Thread(target=self._work, name="sensors", daemon=True)

    def power_up(self, autopilot: Autopilot) -> Autopilot:
        """Have the sensors carried by a new aircraft, which is returned. Raises ParameterError for
        one that cannot be."""
        motion = FollowedMotion(autopilot.simulator)
        suite = PerceptionSuite(motion, self._surroundings, self._mounts)
        motion.on_gap = suite.begin_anew
        self._sender.announce(suite.descriptions)
        suite.subscribe(lambda taken: self._send(motion, taken))
        self._told, self._motion = None, motion
        if not self._thread.is_alive():
            self._thread.start()
        return autopilot

    def attend(self, flight: RealTimeFlight) -> None:
        """Tell the time now and then, and whenever it passes otherwise."""
        now_us, speed = round(flight.autopilot.now_s * 1e6), flight.speed
        told_us, told_speed = self._told or (-CLOCK_US, -1.0)
        if speed != told_speed or not 0 <= now_us - told_us < CLOCK_US * max(speed, 1.0):
            self._told = now_us, speed
            self._sender.tell_clock(now_us, speed)

    def close(self) -> None:
        """End it, and hang up."""
        self._is_closing = True
        if self._thread.is_alive():
            self._thread.join(_PATIENCE_S)
        self._sender.close()

    def _send(self, motion: FollowedMotion, taken: SuiteSample) -> None:
        """What an aircraft before this one saw, nobody waits for."""
        if motion is self._motion:
            self._sender.put(taken.description, taken.sample)

    def _work(self) -> None:
        while not self._is_closing:
            motion = self._motion
            if motion is not None:
                motion.follow(_LOOK_S)
