"""What the sensors of a flight see, kept beside its log, with the truth.

    <log>_<stream>.npz, .mkv        as a station keeps them, see telemetry/vehicle/stream_recorder
    <log>.truth_<stream>.npz        what is true of each of those samples

A file of truth is a ZIP archive of NumPy arrays in blocks, which `numpy.load` reads:
`000000.number`, `000000.time_us` (simulated time at which the sample began), `000000.position_m`
and `000000.attitude_q_wxyz` (of the sensor then, NED), and what else the kind of sensor knows, such
as `000000.range_m`. Pictures and tables of it are left out: they are many times the sample's size.
"""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.perception.mounted import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.perception.surroundings import Surroundings
from simulation.simulator import Simulator
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.streams.samples import StreamError
from telemetry.vehicle.stream_recorder import StreamRecorder

_BLOCK_ROWS: Final = 64
_OF_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)


class SensorRecorder:
    """Records what the sensors of one flight see; `close` finishes the files."""

    def __init__(
        self,
        log: Path,
        is_gpu: bool = False,
        faults: Mapping[tuple[str, str], float] = MappingProxyType({}),
    ) -> None:
        """`log` is the file that the flight is recorded in. `is_gpu`: see Surroundings. `faults`
        have mount and fault, see PerceptionSuite.set_fault."""
        self._faults = faults
        self._log = log
        self._is_gpu = is_gpu
        self._tracks: dict[str, MediaTrack] = {}
        self._truth: dict[str, TruthFile] = {}
        self._recording = Recording(str(log))
        self._recorder = StreamRecorder(self._recording, lambda: str(log))
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
        for description in suite.descriptions:
            name = description.name
            track = self._tracks[name] = MediaTrack(description)
            self._recording.add_media(track)
            self._truth[name] = TruthFile(self._log.with_name(f"{self._log.stem}.truth_{name}.npz"))
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


class TruthFile:
    """The truth beside one stream. Raises OSError, and StreamError where the file is already
    there."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("xb")
        except FileExistsError:
            raise StreamError(f"{path} is there already; record to another name.") from None
        self._archive = zipfile.ZipFile(self._file, "w", zipfile.ZIP_STORED)
        self._rows: list[dict[str, npt.NDArray[Any]]] = []
        self._blocks = 0

    def add(self, taken: SuiteSample) -> None:
        """Keep what is true of one more sample."""
        truth = taken.truth
        row: dict[str, npt.NDArray[Any]] = {
            "number": np.array(taken.sample.number),
            "time_us": np.array(truth.time_us),
            "position_m": truth.position_m,
            "attitude_q_wxyz": truth.attitude_q_wxyz,
        }
        large = getattr(truth.values, "large", ())
        small = ((name, truth.values[name]) for name in truth.values if name not in large)
        row |= {name: array for name, array in small if array.ndim == 1}
        if self._rows and _shapes(row) != _shapes(self._rows[0]):
            self._flush()
        self._rows.append(row)
        if len(self._rows) >= _BLOCK_ROWS:
            self._flush()

    def close(self) -> None:
        """Write what is left."""
        try:
            self._flush()
            self._archive.close()
        finally:
            self._file.close()

    def _flush(self) -> None:
        rows, self._rows = self._rows, []
        for name in rows[0] if rows else ():
            data = io.BytesIO()
            column = np.stack([row[name] for row in rows])
            np.lib.format.write_array(data, column, allow_pickle=False)
            member = zipfile.ZipInfo(f"{self._blocks:06d}.{name}.npy", _OF_NO_TIME)
            self._archive.writestr(member, data.getvalue())
        self._blocks += 1 if rows else 0


def _shapes(row: dict[str, npt.NDArray[Any]]) -> dict[str, tuple[int, ...]]:
    return {name: array.shape for name, array in row.items()}
