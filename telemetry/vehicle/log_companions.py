"""Log companion files: what a recording cannot be understood without, kept beside it.

Definitions that are not shipped, and the world that it was simulated in."""

from collections.abc import Callable, Set
from pathlib import Path
from typing import Final

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.definitions import used_definitions, write_definitions
from telemetry.recording.logs.world import write_world_note
from telemetry.recording.recording import Recording

_SETTLED_S: Final = 1.0
"""Objects come in hundreds when a board is connected: written once, not for each."""


class LogCompanions:
    """Used by the connection's worker. What cannot be written is tried again when more came.

    `written_ids` are those in the file, which has frames without values too."""

    def __init__(
        self,
        recording: Recording,
        catalogue: Catalogue,
        written_ids: Callable[[], Set[int]] = frozenset,
    ) -> None:
        self._recording = recording
        self._catalogue = catalogue
        self._written_ids = written_ids
        self._written: tuple[str, int] = ("", 0)
        self._looked_s = -_SETTLED_S

    def keep(self, file: str, now: float) -> None:
        """Have in the folder of `file`, the present recording, what it needs; "" is none."""
        if file and now - self._looked_s >= _SETTLED_S:
            self._looked_s = now
            self.finish(file)

    def finish(self, file: str) -> None:
        """The same at once: the recording ends."""
        world, imu = self._recording.world, self._recording.imu
        shown = {track.definition.object_id for track in self._recording.tracks()}
        known = used_definitions(shown | self._written_ids(), self._catalogue, self._recording)
        if not file or self._written == (file, len(known)):
            return
        is_begun = self._written[0] == file
        self._written = (file, len(known))
        try:
            write_definitions(Path(file), known, self._catalogue)
            if not is_begun and (world is not None or imu is not None):
                write_world_note(Path(file), world, imu)
        except OSError:  # the recorder, in the same folder, tells what is wrong with it
            self._written = ("", 0)
