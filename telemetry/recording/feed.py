"""What arrives of an object from now on, each sample once."""

from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample


class Feed:
    """Hands out the samples of one object that were recorded since it was made."""

    def __init__(self, recording: Recording, name: str) -> None:
        self._recording = recording
        self._name = name
        self._track = recording.track(name)
        self._next = self._track.count if self._track is not None else 0

    def take(self) -> list[Sample]:
        """All that is new since the last call, in order."""
        track = self._recording.track(self._name)
        if track is None:
            return []
        first = self._next if track is self._track else 0
        self._track, self._next = track, track.count
        return [track.sample(index) for index in range(first, self._next)]
