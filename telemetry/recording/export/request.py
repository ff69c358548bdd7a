"""Export request: what is to be exported, and what every export may refuse."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.base.escaping import file_name_text
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track

Times = npt.NDArray[np.float64]
Progress = Callable[[int, int], None]
"""Told how many parts of how many are written; may raise ExportCancelled."""

_MOST_ROWS = 20_000_000
"""A rate that makes more rows than that is a slip of the finger."""


class ExportError(Exception):
    """An export that cannot be done. One sentence for the user, with a remedy."""


class ExportCancelled(Exception):  # noqa: N818 - reads as what happened
    """The user has changed their mind; what was begun is removed."""


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What of a recording is wanted.

    `objects` are names; none means all but the metaobjects. Samples count with start_s <= time <=
    end_s, None leaving an end open. `rate_hz` asks for values at equal steps of time instead of
    those that were sent. `catalogue` is what the log was read by, where it is known.
    """

    objects: tuple[str, ...] = ()
    start_s: float | None = None
    end_s: float | None = None
    rate_hz: float | None = None
    progress: Progress = lambda _done, _total: None
    catalogue: Catalogue | None = None

    def span(self, recording: Recording) -> tuple[float, float]:
        """The first and the last second, both within the recording."""
        start_s = recording.first_s if self.start_s is None else self.start_s
        end_s = recording.last_s if self.end_s is None else self.end_s
        return max(start_s, recording.first_s), min(end_s, recording.last_s)

    def steps(self, recording: Recording) -> Times:
        """The times at the rate asked for; raise ExportError for a rate that cannot be meant."""
        rate_hz = self.rate_hz or 0.0
        start_s, end_s = self.span(recording)
        if not 0.0 < rate_hz * max(end_s - start_s, 1.0) <= _MOST_ROWS:
            raise ExportError(
                f"A rate of {rate_hz:g} Hz over {end_s - start_s:.0f} s cannot be meant; "
                "give one between 0.1 and 1000."
            )
        count = int((end_s - start_s) * rate_hz + 1e-9) + 1
        return start_s + np.arange(count) / rate_hz


ALL: Final = ExportRequest()


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Make the folder; whatever then cannot be written is an ExportError that names the place."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise ExportError(f"Cannot write to {folder}: {reason}.") from error


def check_names(recording: Recording, objects: Sequence[str]) -> None:
    """Raise ExportError for an object that was not recorded."""
    for name in objects:
        if not recording.instances(name):
            close = get_close_matches(name, recording.names())
            hint = f"did you mean {' or '.join(close)}" if close else "'lapwing log info' lists all"
            raise ExportError(f"The log has no object '{name}'; {hint}.")


def tracks_by_name(recording: Recording, objects: Sequence[str]) -> dict[str, list[Track]]:
    """The wanted tracks by name, all instances of an object together; a second version of a name
    carries its id."""
    check_names(recording, objects)
    ids_by_name: dict[str, int] = {}
    found: dict[str, list[Track]] = {}
    for track in recording.tracks():
        name, object_id = track.definition.name, track.definition.object_id
        wanted = name in objects if objects else track.definition.meta_of is None
        if wanted:
            first_id = ids_by_name.setdefault(name, object_id)
            unique = name if first_id == object_id else f"{name}@{object_id:08X}"
            found.setdefault(unique, []).append(track)
    return found


def file_name(recording: Recording, suffix: str) -> str:
    """What the one file of an export is called: as the log, with another ending."""
    return f"{file_name_text(Path(recording.source).stem) or 'flight'}{suffix}"
