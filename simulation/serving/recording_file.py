"""Recording file of a flight: a full disk ends it, not the flight."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.definitions import keep_definitions
from telemetry.recording.logs.opl_writer import OplWriter, WriteFailed
from telemetry.recording.logs.world import write_world_note
from telemetry.recording.simulated_imu import SimulatedImu
from telemetry.recording.simulated_world import SimulatedWorld


class RecordingFile:
    """A new file that takes times and bytes until it takes no more.

    `failure` then says why, in one sentence; the file keeps what was written before.
    """

    def __init__(self, path: Path, on_failure: Callable[[str], None]) -> None:
        """Create the file; raises ValueError if it exists or cannot be created."""
        self.failure = ""
        self._on_failure = on_failure
        try:
            self._writer = OplWriter(path)
        except WriteFailed as error:
            raise ValueError(f"{error} Give another file.") from error

    def __call__(self, t_s: float, data: bytes, received: bool = False) -> None:
        """Add bytes that passed at `t_s` seconds from the start, in one direction."""
        if not self.failure:
            self._attempt(lambda: self._writer.write(t_s, data, received))

    @property
    def object_ids(self) -> set[int]:
        """The ids in the frames that were written."""
        return self._writer.object_ids

    def close(self) -> None:
        """Write what is still held back and close. Closing again does nothing."""
        self._attempt(self._writer.close)

    def discard(self) -> bool:
        """Close, and remove the file if nothing was written; whether that was so."""
        self.close()
        if self.failure or self._writer.bytes_written:
            return False
        self._writer.path.unlink()
        return True

    def _attempt(self, action: Callable[[], None]) -> None:
        try:
            action()
        except WriteFailed as error:
            if not self.failure:
                self.failure = str(error)
                self._on_failure(self.failure)


def open_recording(
    path: Path | None,
    on_failure: Callable[[str], None],
    resources: ExitStack,
    world: SimulatedWorld | None = None,
    catalogue: Catalogue | None = None,
    imu: SimulatedImu | None = None,
) -> RecordingFile | None:
    """The file of `--record`, if one is wanted, until `resources` are closed, and beside it in
    which `world` and by which `imu` it is, and what only this `catalogue` knows of its objects.
    None is left out. Of a flight that was refused before it began nothing is left.

    Raises ValueError if it exists or cannot be created.
    """
    if path is None:
        return None
    recording = RecordingFile(path, on_failure)

    def finish(kind: type[BaseException] | None, *_: object) -> None:
        if kind is None or not recording.discard():
            recording.close()
            try:
                if not recording.failure and path.stat().st_size:
                    _keep_beside(recording, path, world, catalogue, imu)
            except OSError as error:
                what = f"World and definitions were not kept beside {path.name}"
                on_failure(f"{what}: {error.strerror or error}.")

    resources.push(finish)
    return recording


def _keep_beside(
    recording: RecordingFile,
    path: Path,
    world: SimulatedWorld | None,
    catalogue: Catalogue | None,
    imu: SimulatedImu | None,
) -> None:
    """Raises OSError."""
    if world is not None or imu is not None:
        write_world_note(path, world, imu)
    if catalogue is not None:
        keep_definitions(path, recording.object_ids, catalogue)
