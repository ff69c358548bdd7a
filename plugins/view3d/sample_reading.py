"""Stream samples for a view: those in memory at once, the others when a job has read them."""

from collections import OrderedDict
from concurrent.futures import Executor, Future

from telemetry.protocol.streams.samples import StreamSample
from telemetry.recording.media_track import MediaTrack

_KEPT = 96
_Key = tuple[int, int]


class SampleReading:
    """Reads one after the other; what was asked for and is not wanted any more is left out."""

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._read: OrderedDict[_Key, StreamSample | None] = OrderedDict()
        self._reading: tuple[_Key, Future[StreamSample | None]] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something is being read."""
        return self._reading is not None

    def sample(self, track: MediaTrack, index: int) -> StreamSample | None:
        """The sample of a place; None as long as it is not there."""
        held = track.held(index)
        if held is not None:
            return held
        self._take()
        key = id(track), index
        if key not in self._read and self._reading is None:
            self._reading = key, self._jobs.submit(track.sample, index)
        return self._read.get(key)

    def _take(self) -> None:
        if self._reading is None or not self._reading[1].done():
            return
        (key, job), self._reading = self._reading, None
        self._read[key] = None if job.exception() else job.result()
        while len(self._read) > _KEPT:
            self._read.popitem(last=False)
