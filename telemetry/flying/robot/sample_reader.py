"""Sample readers: iterating over what a robot measures and sees, in a loop or a coroutine."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final, Generic, TypeVar

from telemetry.flying.robot.errors import RobotError
from telemetry.flying.robot.passing_time import PassingTime, RealTime
from telemetry.protocol.streams.samples import StreamSample
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.recording.track import Track

_LOOK_EVERY_S: Final = 0.005
WhySilent = Callable[[float], str]
"""Why nothing has come for so many seconds; empty while it is worth waiting."""


def _never(_silent_s: float) -> str:
    return ""


_Column = TypeVar("_Column", Track, MediaTrack)
_Read = TypeVar("_Read", Sample, StreamSample)


class _Reader(ABC, Generic[_Column, _Read]):
    """Oldest first, from now on of a live flight and from the beginning of a recorded one. It ends
    with a recorded flight, or when a live one `is_ended`.

    With `newest_only` a slow reader gets the newest one each time; those it was too slow for are
    counted in `dropped`. Without, it gets every one, late. Where nothing has come for some seconds,
    `why_silent` says, told how many, why nothing will; that is raised as RobotError. It waits by
    `time`.
    """

    def __init__(
        self,
        find: Callable[[], _Column | None],
        is_ended: Callable[[], bool],
        newest_only: bool,
        why_silent: WhySilent,
    ) -> None:
        self.dropped = 0
        self.time: PassingTime = RealTime()
        self._why_silent: WhySilent = why_silent
        self._find: Callable[[], _Column | None] = find
        self._is_ended = is_ended
        self._newest_only = newest_only
        track = find()
        self._next = track.count if track is not None and not is_ended() else 0

    def __iter__(self) -> Iterator[_Read]:
        for sample in self._rounds():
            if sample is not None:
                yield sample
            else:
                self.time.pass_s(_LOOK_EVERY_S)

    async def __aiter__(self) -> AsyncIterator[_Read]:
        for sample in self._rounds():
            if sample is not None:
                yield sample
            else:
                await self.time.let_pass(_LOOK_EVERY_S)

    def _rounds(self) -> Iterator[_Read | None]:
        """The next one each, None while there is none yet."""
        since_s = self.time.now_s
        while True:
            is_last = self._is_ended()  # before looking: what came until then is handed on
            sample = self._take()
            if sample is None and is_last:
                return
            if sample is None:
                self._check(since_s)
            yield sample
            if sample is not None:
                since_s = self.time.now_s

    def _check(self, since_s: float) -> None:
        why = self._why_silent(self.time.now_s - since_s)
        if why:
            raise RobotError(why)

    def _take(self) -> _Read | None:
        """The next one that is to be had; those that are nowhere any more count as dropped."""
        track = self._find()
        while track is not None and self._next < track.count:
            if self._newest_only:
                self.dropped += track.count - 1 - self._next
                self._next = track.count - 1
            found = self._at(track, self._next)
            self._next += 1
            if found is not None:
                return found
            self.dropped += 1
        return None

    @abstractmethod
    def _at(self, track: _Column, index: int) -> _Read | None:
        """What stands there; None if it is nowhere any more."""


class SampleReader(_Reader[Track, Sample]):
    """Samples of one object."""

    def __init__(
        self,
        recording: Recording,
        name: str,
        instance: int = 0,
        is_ended: Callable[[], bool] = lambda: True,
        newest_only: bool = False,
        why_silent: WhySilent = _never,
    ) -> None:
        super().__init__(lambda: recording.track(name, instance), is_ended, newest_only, why_silent)

    def _at(self, track: Track, index: int) -> Sample:
        return track.sample(index)


class MediaReader(_Reader[MediaTrack, StreamSample]):
    """Pictures, scans or values of one sensor, with its own time stamps."""

    def __init__(
        self,
        recording: Recording,
        name: str,
        is_ended: Callable[[], bool] = lambda: True,
        newest_only: bool = False,
        why_silent: WhySilent = _never,
    ) -> None:
        # A recorded flight waits for its reader.
        newest_only = newest_only and not is_ended()
        super().__init__(lambda: recording.media(name), is_ended, newest_only, why_silent)

    def _at(self, track: MediaTrack, index: int) -> StreamSample | None:
        return track.sample(index)
