"""Perception suite: carries an aircraft's sensors that look at the world, in simulated time."""

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.perception.kinds import KINDS
from simulation.perception.mounted_sensor import MountedSensor, SuiteSample
from simulation.perception.pose_history import PoseHistory
from simulation.perception.sensor_file import check_fault, load_sensor
from simulation.perception.surroundings import Surroundings
from simulation.records.interface import STEP_US
from simulation.records.members import members_of
from simulation.worlds.film_error import NoRendererError
from simulation.worlds.scene import WorldScene
from telemetry.protocol.streams.samples import StreamDescription

Take = Callable[[SuiteSample], object]


def unknown_mount(mount: str, known: Iterable[str]) -> str:
    """What to say of a sensor that is not there."""
    return f"There is no sensor mounted as {mount!r}; there are: {', '.join(known) or 'none'}."


class WatchedMotion(Protocol):
    """What carries sensors: a Simulator or a GivenPath."""

    @property
    def seed(self) -> int:
        """What all randomness comes from."""

    @property
    def output(self) -> Any:
        """The record OUTPUT, of which step, true position and true attitude are read."""

    def watch(self, take: Callable[[np.void], object], every: int) -> None:
        """See Simulator.watch."""


class PerceptionSuite:
    """Samples every mounted sensor while a simulator flies, each at its own period.

    Samples depend on the flight, the scene, the mounts and the seed; not on blocks of `advance`,
    on speed, threads, or on which other sensors there are. A sample whose beginning was before the
    suite was made, or before a reset, is not taken. The flight depends on no sensor.
    """

    def __init__(
        self,
        simulator: WatchedMotion,
        scene: WorldScene | Surroundings,
        mounts: Sequence[SensorMount],
        seed: int | None = None,
        must_draw: bool = True,
    ) -> None:
        """`seed`: by default the simulator's. Give several suites the same Surroundings and what
        they look at is made once. Unless it `must_draw`, cameras of a computer that cannot stand in
        `stopped` and have no stream. Raises ParameterError for a sensor that cannot be,
        NoRendererError."""
        surroundings = scene if isinstance(scene, Surroundings) else Surroundings(scene)
        seed = simulator.seed if seed is None else seed
        self._sensors: dict[str, MountedSensor] = {}
        self.stopped: dict[str, str] = {}
        """Why which sensors send nothing any more, a sentence each."""
        for mount in mounts:
            settings = load_sensor(mount)
            if mount.name in self._sensors:
                raise settings.error("", f"Two mounts are named {mount.name!r}.", "Rename one.")
            try:
                sensor = KINDS[settings.kind].make(settings, surroundings)
            except NoRendererError as error:
                if must_draw:
                    raise
                self.stopped[mount.name] = f"The sensor {mount.name!r} sends nothing. {error}"
                continue
            self._sensors[mount.name] = MountedSensor(settings, sensor, seed, simulator.output)
        self._takers: list[Take] = []
        self._lost_takers: list[str] = []
        self._working = dict(self._sensors)
        output = members_of(simulator.output)
        self._position, self._quaternion = output["true_position"], output["true_quaternion"]
        self._step = output["step"]
        sensors = self._sensors.values()
        every = math.gcd(*(sensor.grid_steps for sensor in sensors)) or 1
        longest = max((sensor.sensor.lasts_us for sensor in sensors), default=0)
        self._history = PoseHistory(every, longest)
        self._begin(int(self._step))
        if sensors:
            simulator.watch(self._advance, every)

    @property
    def descriptions(self) -> tuple[StreamDescription, ...]:
        """The stream of each sensor, in the order of the mounts."""
        return tuple(sensor.sensor.description for sensor in self._sensors.values())

    @property
    def failures(self) -> list[str]:
        """Why sensors send nothing any more, and subscribers are none any more."""
        return [*self.stopped.values(), *self._lost_takers]

    def subscribe(self, take: Take) -> None:
        """Have `take` called with every sample as it arrives, in the thread that flies.

        The flight waits for it, in the clock's time and not in simulated time; who needs longer
        puts samples into a `StreamOutbox`. One that raises is not called any more, and stands in
        `failures`.
        """
        self._takers.append(take)

    def set_fault(self, mount: str, fault: str, value: float) -> None:
        """Change a fault of a sensor, for samples that are taken from now on. Raises ValueError for
        what is none."""
        if mount not in self._sensors:
            raise ValueError(unknown_mount(mount, self._sensors))
        sensor = self._sensors[mount]
        check_fault(sensor.settings, fault, value)
        sensor.faults[fault] = value

    def usual_faults(self) -> dict[str, float]:
        """All faults that its sensors can have, as "MOUNT.FAULT", and what their files say."""
        return {
            f"{name}.{fault}": value
            for name, sensor in self._sensors.items()
            for fault, value in sensor.settings.faults.items()
        }

    def begin_anew(self) -> None:
        """Take no sample that began before now: what the motion was until then is not known."""
        self._begin(int(self._step))

    def _begin(self, step: int) -> None:
        self._last_step = step
        self._history.begin()
        for sensor in self._sensors.values():
            sensor.begin(step * STEP_US)
        self._next_step = 0

    def _advance(self, _: Any) -> None:
        step = int(self._step)
        if step <= self._last_step:
            self._begin(step)  # the simulator was reset, or went back to a snapshot
        self._last_step = step
        self._history.add(step, self._position, self._quaternion)
        if step < self._next_step:
            return
        for name, sensor in tuple(self._working.items()):
            if step >= sensor.next_step:
                for sample in self._taken(name, sensor, step):
                    self._hand_out(sample)
        due = (sensor.next_step for sensor in self._working.values())
        self._next_step = min(due, default=sys.maxsize)

    def _taken(self, name: str, sensor: MountedSensor, step: int) -> list[SuiteSample]:
        """What arrives of a sensor; nothing for ever of one that cannot go on."""
        try:
            return sensor.advance(step, self._history)
        except Exception as error:  # noqa: BLE001 - the flight and other sensors go on
            del self._working[name]
            why = str(error).rstrip(".") or type(error).__name__
            self.stopped[name] = (
                f"The sensor {name!r} has stopped: {why}. Start the flight anew to have it go on."
            )
            return []

    def _hand_out(self, sample: SuiteSample) -> None:
        for take in tuple(self._takers):
            try:
                take(sample)
            except Exception as error:  # noqa: BLE001 - a reader's fault must not end the flight
                self._takers.remove(take)
                self._lost_takers.append(f"{type(error).__name__}: {error}")
