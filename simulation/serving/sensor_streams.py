"""Sensor streams of a served aircraft, sent to its station while it flies."""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Protocol

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.autopilot.autopilot import PoweredAircraft
from simulation.perception.followed_motion import FollowedMotion
from simulation.perception.kinds import KINDS
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.sensor_file import load_sensor
from simulation.perception.sensors_inside_bodies import sensors_inside_bodies
from simulation.perception.suite import PerceptionSuite, unknown_mount
from simulation.perception.surroundings import Surroundings
from simulation.serving.real_time_flight import RealTimeFlight
from telemetry.protocol.streams.samples import StreamDescription, StreamSample

CLOCK_US: Final = 100_000
"""How often the simulated time is told."""
_LOOK_S: Final = 0.1
_PATIENCE_S: Final = 5.0


class Sending(Protocol):
    """Where samples go: a StreamSender or a StreamServer."""

    @property
    def is_read(self) -> bool:
        """Whether anybody reads: for nobody, sensors do not look."""

    def announce(self, descriptions: Sequence[StreamDescription]) -> None:
        """Say what streams there are from now on."""

    def put(self, description: StreamDescription, sample: StreamSample) -> None:
        """Send a sample."""

    def tell_clock(self, now_us: int, speed: float, stopped: Mapping[str, str]) -> None:
        """Say what simulated time it is, and why which sensors have `stopped`."""

    def close(self) -> None:
        """Hang up."""


class ServedStreams:
    """Has sensors look at the world in threads of their own, one for those that draw pictures and
    one for the others, which need not wait for those. The thread that flies waits for neither."""

    def __init__(
        self,
        sender: Sending,
        surroundings: Surroundings,
        mounts: Sequence[SensorMount],
        tell: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        """`tell` is told, as a sentence, of each sensor that stops, and once of one that begins
        inside of something. Raises ParameterError for a sensor whose file is wrong."""
        self._sender = sender
        self._tell = tell
        self._told: tuple[int, float] | None = None
        self._stopped: dict[str, str] = {}
        self._buried: set[str] = set()
        self._mounts = mounts
        draws = [KINDS[load_sensor(mount).kind].draws for mount in mounts]
        drawing = [mount for mount, one in zip(mounts, draws, strict=True) if one]
        others = [mount for mount, one in zip(mounts, draws, strict=True) if not one]
        self._groups = ((surroundings, others), (Surroundings(surroundings.scene), drawing))
        self._lookers: list[_Looker] = []
        self._faults: dict[tuple[str, str], float] = {}

    def power_up(self, autopilot: PoweredAircraft) -> PoweredAircraft:
        """Have the sensors carried by a new aircraft, which is returned. Raises ParameterError for
        one that cannot be."""
        self._look_for_buried(autopilot)
        before = self._lookers
        for looker in before:
            looker.end()
        self._lookers = [
            _Looker(PerceptionSuite(motion, around, mounts, must_draw=False), motion)
            for around, mounts in self._groups
            if mounts
            for motion in (FollowedMotion(autopilot.simulator),)
        ]
        for (mount, fault), value in self._faults.items():
            self.set_fault(mount, fault, value)
        self._sender.announce([one for looker in self._lookers for one in looker.streams])
        for number, looker in enumerate(self._lookers):
            looker.begin(self._sender, before[number] if before else None)
        self._told = None
        return autopilot

    def set_fault(self, mount: str, fault: str, value: float) -> None:
        """See PerceptionSuite.set_fault; for this aircraft and those after it."""
        names = [one.name for looker in self._lookers for one in looker.streams]
        if mount not in names:
            raise ValueError(unknown_mount(mount, names))
        for looker in self._lookers:
            if any(one.name == mount for one in looker.streams):
                looker.set_fault(mount, fault, value)
        self._faults[mount, fault] = value

    def sensor_faults(self) -> dict[str, float]:
        """See PerceptionSuite.usual_faults."""
        found: dict[str, float] = {}
        for looker in self._lookers:
            found |= looker.usual_faults()
        return found

    def attend(self, flight: RealTimeFlight) -> None:
        """Tell the time now and then, and whenever it passes otherwise."""
        now_us, speed = round(flight.autopilot.now_s * 1e6), flight.speed
        told_us, told_speed = self._told or (-CLOCK_US, -1.0)
        if speed != told_speed or not 0 <= now_us - told_us < CLOCK_US * max(speed, 1.0):
            self._told = now_us, speed
            self._sender.tell_clock(now_us, speed, self._look_for_stopped())

    def _look_for_buried(self, autopilot: PoweredAircraft) -> None:
        """Not again of those that are told of already: it begins there with every reboot."""
        scene = self._groups[0][0].scene
        for sentence in sensors_inside_bodies(self._mounts, autopilot.simulator.output, scene):
            if sentence not in self._buried:
                self._buried.add(sentence)
                self._tell(sentence)

    def _look_for_stopped(self) -> Mapping[str, str]:
        """Why which sensors have stopped by now."""
        stopped: dict[str, str] = {}
        for looker in self._lookers:
            stopped |= dict(looker.stopped)
        before, self._stopped = self._stopped, stopped
        for name, why in stopped.items():
            if before.get(name) != why:
                self._tell(why)
        return stopped

    def close(self) -> None:
        """End it, and hang up."""
        for looker in self._lookers:
            looker.end()
        for looker in self._lookers:
            looker.join()
        self._sender.close()


class _Looker:
    """Sensors that one aircraft carries, and the thread in which they look."""

    def __init__(self, suite: PerceptionSuite, motion: FollowedMotion) -> None:
        self.streams = suite.descriptions
        self.stopped = suite.stopped
        self.set_fault = suite.set_fault
        self.usual_faults = suite.usual_faults
        self._suite = suite
        self._motion = motion
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None
        motion.on_gap = suite.begin_anew

    def begin(self, sender: Sending, before: "_Looker | None") -> None:
        """Look, once those that looked `before`, at the same things, have ended."""

        def send(taken: SuiteSample) -> None:
            if not self._is_over.is_set():
                sender.put(taken.description, taken.sample)

        self._suite.subscribe(send)
        work = partial(self._work, sender, before)
        self._thread = threading.Thread(target=work, name="sensors", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Look no more after what is being looked at."""
        self._is_over.set()

    def join(self) -> None:
        """Wait for that."""
        if self._thread is not None:
            self._thread.join(_PATIENCE_S)

    def _work(self, sender: Sending, before: "_Looker | None") -> None:
        if before is not None:
            before.join()
        while not self._is_over.is_set():
            if sender.is_read:
                self._motion.follow(_LOOK_S)
            else:
                self._is_over.wait(_LOOK_S)
