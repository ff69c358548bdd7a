"""Keeps beside a recording the definitions that it cannot be read without."""

from pathlib import Path
from typing import Final

from telemetry.logs.definitions import write_definitions
from telemetry.objects.catalogue import Catalogue
from telemetry.recording.recording import Recording

_SETTLED_S: Final = 1.0
"""Objects come in hundreds when a board is connected: written once, not for each."""


class LogDefinitions:
    """Used by the connection's worker. What cannot be written is tried again when more came."""

    def __init__(self, recording: Recording, catalogue: Catalogue) -> None:
        self._recording = recording
        self._catalogue = catalogue
        self._written: tuple[str, int] = ("", 0)
        self._looked_s = -_SETTLED_S

    def keep(self, file: str, now: float) -> None:
        """Have in the folder of `file`, the present recording, what it needs; "" is none."""
        if file and now - self._looked_s >= _SETTLED_S:
            self._looked_s = now
            self.finish(file)

    def finish(self, file: str) -> None:
        """The same at once: the recording ends."""
        tracks = self._recording.tracks()
        if not file or self._written == (file, len(tracks)):
            return
        self._written = (file, len(tracks))
        used = {track.definition for track in tracks if track.definition.meta_of is None}
        try:
            write_definitions(Path(file), sorted(used, key=lambda one: one.name), self._catalogue)
        except OSError:  # the recorder, in the same folder, tells what is wrong with it
            self._written = ("", 0)
