"""What follows from some objects, worked out again when one of them has another value."""

from collections.abc import Callable
from typing import Generic, TypeVar

from telemetry.configuration.arming.checklist import Read
from telemetry.objects.definition import ObjectDefinition
from telemetry.recording.sample import Sample

_Result = TypeVar("_Result")
_Value = tuple[ObjectDefinition, bytes] | None


class Remembered(Generic[_Result]):
    """The result of `work`, which depends on nothing but the objects that it reads."""

    def __init__(self, work: Callable[[Read], _Result]) -> None:
        self._work = work
        self._read: dict[str, _Value] = {}
        self._results: tuple[_Result, ...] = ()

    def read(self, read: Read) -> _Result:
        """The result for what `read` gives now."""
        same = all(_value(read(name)) == value for name, value in self._read.items())
        if not (same and self._results):
            values: dict[str, _Value] = {}

            def note(name: str) -> Sample | None:
                sample = read(name)
                values[name] = _value(sample)
                return sample

            self._results, self._read = (self._work(note),), values
        return self._results[0]


def _value(sample: Sample | None) -> _Value:
    return None if sample is None else (sample.definition, sample.row.tobytes())
