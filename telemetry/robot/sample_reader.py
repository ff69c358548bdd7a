"""Iterating over what a robot measures: samples of an object, in a loop or in a coroutine."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final

from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample

_LOOK_EVERY_S: Final = 0.005


class SampleReader:
    """Samples of one object, oldest first, from now on of a live flight and from the beginning of
    a recorded one. It ends with a recorded flight, or when a live one `is_ended`.

    With `newest_only` a slow reader gets the newest one each time; those it was too slow for are
    counted in `dropped`. Without, it gets every one, late.
    """

    def __init__(
        self,
        recording: Recording,
        name: str,
        *,
        instance: int = 0,
        is_ended: Callable[[], bool] = lambda: True,
        newest_only: bool = False,
    ) -> None:
        self.dropped = 0
        self._recording = recording
        self._name = name
        self._instance = instance
        self._is_ended = is_ended
        self._newest_only = newest_only
        track = recording.track(name, instance)
        self._next = track.count if track is not None and not is_ended() else 0

    def __iter__(self) -> Iterator[Sample]:
        pause = threading.Event()
        while True:
            is_last = self._is_ended()  # before looking: what came until then is handed on
            sample = self._take()
            if sample is not None:
                yield sample
            elif is_last:
                return
            else:
                pause.wait(_LOOK_EVERY_S)

    async def __aiter__(self) -> AsyncIterator[Sample]:
        while True:
            is_last = self._is_ended()
            sample = self._take()
            if sample is not None:
                yield sample
            elif is_last:
                return
            else:
                await asyncio.sleep(_LOOK_EVERY_S)

    def _take(self) -> Sample | None:
        track = self._recording.track(self._name, self._instance)
        if track is None or track.count <= self._next:
            return None
        if self._newest_only:
            self.dropped += track.count - 1 - self._next
            self._next = track.count - 1
        sample = track.sample(self._next)
        self._next += 1
        return sample
