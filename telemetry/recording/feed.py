"""Sample feed: what arrives of some objects from now on, once and in order of time."""

from collections.abc import Iterable

from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.recording.track import Track


class Feed:
    """Hands out the samples of some objects that were recorded since it was made."""

    def __init__(self, recording: Recording, names: Iterable[str]) -> None:
        self._recording = recording
        self._read: dict[str, tuple[Track | None, int]] = {}
        for name in names:
            track = recording.track(name)
            self._read[name] = track, track.count if track is not None else 0

    def take(self) -> list[Sample]:
        """All that is new since the last call."""
        samples: list[Sample] = []
        for name, (known, start) in self._read.items():
            track = self._recording.track(name)
            if track is None:
                continue
            first = start if track is known else 0
            stop = track.count
            samples += (track.sample(index) for index in range(first, stop))
            self._read[name] = track, stop
        return sorted(samples, key=_time)


def _time(sample: Sample) -> float:
    return sample.t
