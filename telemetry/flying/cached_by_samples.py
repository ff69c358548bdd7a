"""Results cached by samples: worked out again when one of some objects has another value."""

from collections.abc import Callable
from typing import Generic, TypeVar

from telemetry.configuration.arming.checklist import Read
from telemetry.recording.sample import Sample

_Result = TypeVar("_Result")


class CachedBySamples(Generic[_Result]):
    """The result of `work`, which depends on nothing but the objects that it reads."""

    def __init__(self, work: Callable[[Read], _Result]) -> None:
        self._work = work
        self._read: dict[str, Sample | None] = {}
        self._results: tuple[_Result, ...] = ()

    def read(self, read: Read) -> _Result:
        """The result for what `read` gives now."""
        samples = {name: read(name) for name in self._read}
        same = all(map(_say_the_same, samples.values(), self._read.values()))
        if not (same and self._results):
            samples = {}

            def note(name: str) -> Sample | None:
                samples[name] = read(name)
                return samples[name]

            self._results = (self._work(note),)
        self._read = samples
        return self._results[0]


def _say_the_same(one: Sample | None, other: Sample | None) -> bool:
    if one is other or one is None or other is None:
        return one is other
    return one.definition is other.definition and one.row.tobytes() == other.row.tobytes()
