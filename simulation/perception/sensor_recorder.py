"""Sensor recorder: the samples of a flight's sensors, kept beside its log, with the truth.

    <log>_<stream>.npz, .mkv        as a station keeps them, see telemetry/vehicle/stream_recorder
    <log>.truth_<stream>.npz        what is true of each of those samples, see truth_file

Seconds of the flight are stamps here: nothing was received.
"""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import MappingProxyType

from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.sensors_inside_bodies import sensors_inside_bodies
from simulation.perception.suite import PerceptionSuite
from simulation.perception.surroundings import Surroundings
from simulation.perception.truth_file import TruthFile
from simulation.simulator.simulator import Simulator
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.vehicle.stream_recorder import StreamRecorder


class SensorRecorder:
    """Records what the sensors of one flight see; `close` finishes the files."""

    def __init__(
        self,
        log: Path,
        is_gpu: bool = False,
        faults: Mapping[tuple[str, str], float] = MappingProxyType({}),
        of_pixels: Collection[str] = (),
        is_lossless: bool = False,
        tell: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        """`log` is the file that the flight is recorded in. `is_gpu`: see Surroundings. `faults`
        have mount and fault, see PerceptionSuite.set_fault; `of_pixels`: see TruthFile;
        `is_lossless`: see StreamRecorder. `tell` is told of sensors that begin inside of
        something."""
        self._tell = tell
        self._of_pixels = of_pixels
        self._faults = faults
        self._log = log
        self._is_gpu = is_gpu
        self._tracks: dict[str, MediaTrack] = {}
        self._truth: dict[str, TruthFile] = {}
        self._recording = Recording(str(log))
        self._recorder = StreamRecorder(self._recording, lambda: str(log), is_lossless=is_lossless)
        self._suite: PerceptionSuite | None = None

    def carry(self, simulator: Simulator) -> None:
        """Have the sensors of this aircraft look at the world it is in. Raises ParameterError for
        one that cannot be, ValueError where there is no world, or not that fault."""
        world = simulator.flown_world
        if world is None:
            raise ValueError("This flight is in no world that sensors could look at.")
        around = Surroundings(world.scene, self._is_gpu)
        suite = PerceptionSuite(simulator, around, simulator.aircraft.mounts)
        for (mount, fault), value in self._faults.items():
            suite.set_fault(mount, fault, value)
        segment_names = world.scene.segments().names
        for description in suite.descriptions:
            name = description.name
            track = self._tracks[name] = MediaTrack(description)
            self._recording.add_media(track)
            path = self._log.with_name(f"{self._log.stem}.truth_{name}.npz")
            self._truth[name] = TruthFile(path, self._of_pixels, segment_names)
        for sentence in sensors_inside_bodies(
            simulator.aircraft.mounts, simulator.output, world.scene
        ):
            self._tell(sentence)
        suite.subscribe(self._take)
        self._suite = suite

    def close(self) -> list[str]:
        """Finish the files; why something is missing in them, in sentences."""
        self._recorder.close()
        for truth in self._truth.values():
            truth.close()
        found = [track.unrecorded for track in self._tracks.values() if track.unrecorded]
        return found + (self._suite.failures if self._suite is not None else [])

    def _take(self, taken: SuiteSample) -> None:
        name = taken.description.name
        self._tracks[name].append(taken.sample.time_us / 1e6, taken.sample)
        self._recorder.catch_up()
        self._truth[name].add(taken)
