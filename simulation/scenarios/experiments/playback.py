"""C5: an estimator reads a robot that flies, and once more the recording of that flight, through
the same object; what it finds is the same to the bit.

The estimator is dead reckoning on the AR.Drone's navdata: velocity along the heading, height by
sonar where that is heard, time by the sensor's own stamps. The flight goes the whole way: bytes of
the stream's connection, the recording, the file beside the log, and back.

It is judged by the velocity that the board itself has, summed up at the navdata's rate without any
of that way. How far both are from the truth is the board's error, 0.06 to 0.7 m in 2 s by the seed.
"""

import hashlib
import math
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.records.interface import STEP_US
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.experiments.commanded import command, hovering
from simulation.scenarios.figure import Axes, Figure, series
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world_file import load_world
from telemetry.flying.robot.robot import Robot
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.streams.framing import Buffers, encode_sample, encode_streams
from telemetry.protocol.streams.samples import StreamSample, ValueSample
from telemetry.recording.recorded_streams import attach_streams, streams_beside
from telemetry.recording.recording import Recording
from telemetry.recording.stream_intake import StreamIntake
from telemetry.vehicle.commands import RefusedCommands
from telemetry.vehicle.stream_recorder import StreamRecorder
from telemetry.vehicle.vehicle import Vehicle

Array = npt.NDArray[np.float64]

_WORLD: Final = "arena"
_NAVDATA: Final = "navdata"
_PARTS, _PART_S = 20, 0.1
_YAW, _AHEAD, _RIGHT, _SONAR = 2, 3, 4, 12
_SONAR_SHARE: Final = 0.1
_NAVDATA_STEPS: Final = 5


class DeadReckoning:
    """Where it is, in metres north, east and up of where it began, by one navdata after another."""

    def __init__(self) -> None:
        self.place = np.zeros(3)
        self.path: list[Array] = []
        self._before_us: int | None = None
        self.first_us = self.last_us = 0
        """Stamps of the first sample and of the newest."""

    def take(self, samples: Iterable[StreamSample]) -> None:
        """Go on by these."""
        for sample in samples:
            if isinstance(sample, ValueSample):
                self._take(sample)

    @property
    def digest(self) -> str:
        """Of every place it found."""
        return hashlib.sha256(np.array(self.path).tobytes()).hexdigest()

    def _take(self, sample: ValueSample) -> None:
        before_us, self._before_us = self._before_us, sample.time_us
        self.last_us = sample.time_us
        if before_us is None:
            self.first_us = sample.time_us
            self.place[2] = sample.values[_SONAR]
            return
        seconds = 1e-6 * (sample.time_us - before_us)
        yaw = math.radians(sample.values[_YAW])
        ahead, right = sample.values[_AHEAD], sample.values[_RIGHT]
        self.place[0] += (ahead * math.cos(yaw) - right * math.sin(yaw)) * seconds
        self.place[1] += (ahead * math.sin(yaw) + right * math.cos(yaw)) * seconds
        self.place[2] += (sample.values[_SONAR] - self.place[2]) * _SONAR_SHARE
        self.path.append(self.place.copy())


def run(experiment: Experiment) -> RunOutcome:
    """Metrics: estimates that differ between flight and playback, how many there are, and how far
    the last one is from the board's velocity summed up, and from the truth, in metres."""
    with TemporaryDirectory(prefix="lapwing-playback-") as folder:
        log = Path(folder) / "flight.opl"
        flown, summed_m, truth_m = _fly(experiment, log)
        played = DeadReckoning()
        played.take(_with_lost(_recorded(log, experiment.catalogue), experiment))
    live, again = np.array(flown.path), np.array(played.path)
    rows = min(len(live), len(again))
    differ = int(np.any(live[:rows] != again[:rows], axis=1).sum()) + abs(len(live) - len(again))
    metrics = {
        "different": float(differ),
        "estimates": float(len(live)),
        "reckoning_error_m": float(np.linalg.norm(live[-1, :2] - summed_m)),
        "error_m": float(np.linalg.norm(live[-1, :2] - truth_m)),
        "flown_m": float(np.linalg.norm(truth_m)),
    }
    lines = (
        series("in flight", live[:, 1], live[:, 0]),
        series("played back", again[:, 1], again[:, 0], "dashed"),
    )
    axes = Axes("Dead reckoning on navdata", "east, m", "m", lines)
    return RunOutcome(metrics, Figure(experiment.scenario.title, (axes,)), flown.digest)


def _fly(experiment: Experiment, log: Path) -> tuple[DeadReckoning, Array, Array]:
    """Estimated while it flies, and recorded beside a log; where it came to by the board's velocity
    summed up over the same time; and where it truly came to."""
    flight = hovering(experiment, 20)
    simulator = flight.simulator
    recording = Recording("live")
    intake = StreamIntake(recording)
    recorder = StreamRecorder(recording, lambda: str(log), lambda _: 1 << 40)
    mounts = [one for one in simulator.aircraft.mounts if one.name == _NAVDATA]
    suite = PerceptionSuite(simulator, make_scene(load_world(_WORLD)), mounts)

    def hand_over(words: Buffers) -> None:
        intake.take(b"".join(words), 1e-6 * simulator.time_us)

    def send(taken: SuiteSample) -> None:
        hand_over(encode_sample(_NAVDATA, taken.sample))

    velocities: dict[int, Array] = {}

    def note(output: np.void) -> None:
        velocities[simulator.time_us] = np.array(output["velocity"][:2])

    simulator.watch(note, _NAVDATA_STEPS)
    hand_over(encode_streams(suite.descriptions))
    suite.subscribe(send)
    stream = _robot(recording, experiment.catalogue).stream(_NAVDATA)
    estimator = DeadReckoning()
    start = np.array(simulator.output["true_position"][:2])
    for part in range(_PARTS):
        turn = math.sin(0.5 * part)
        command(simulator, (0.1 * turn, -0.2, 0.3, 0.1 * turn))
        flight.advance(_PART_S)
        estimator.take(stream)
        recorder.catch_up()
    recorder.close()
    lasted = (v for at, v in velocities.items() if estimator.first_us < at <= estimator.last_us)
    summed_m = 1e-6 * _NAVDATA_STEPS * STEP_US * np.sum(list(lasted), axis=0)
    return estimator, summed_m, np.array(simulator.output["true_position"][:2]) - start


def _recorded(log: Path, catalogue: Catalogue) -> Iterable[StreamSample]:
    """The navdata of a recorded flight, as anybody finds it who opens the log."""
    recording = Recording(str(log))
    attach_streams(recording, streams_beside(log))
    return _robot(recording, catalogue).stream(_NAVDATA)


def _with_lost(samples: Iterable[StreamSample], experiment: Experiment) -> Iterable[StreamSample]:
    """Without the sample of the number asked for, if one is."""
    lost = round(experiment.values["lost"])
    return (sample for at, sample in enumerate(samples, 1) if at != lost)


def _robot(recording: Recording, catalogue: Catalogue) -> Robot:
    return Robot(Vehicle(recording.source, recording, catalogue, RefusedCommands("Not flown.")))
