"""Recording: a flight in progress or on disk, which every view reads at the timeline's cursor.

One thread writes samples, any number read, nothing is ever taken away and readers need no lock: a
track's row is complete before it is counted, and the tables of tracks and events are replaced whole
when they grow. Events that no sample tells are noted from any thread.
"""

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from telemetry.base.finding import Level
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.firmware_description import OBJECT_NAME, read_description
from telemetry.recording.activity import BIN_S, Activity, Counts
from telemetry.recording.event_list import EventList
from telemetry.recording.events import Event, find_events, has_events
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.sample import Key, Sample
from telemetry.recording.simulated_imu import SimulatedImu
from telemetry.recording.simulated_world import SimulatedWorld
from telemetry.recording.timed_columns import Grow, grown_in_memory
from telemetry.recording.track import Track

_PATH = re.compile(r"(?P<name>\w+)(\[(?P<instance>\d+)\])?\.(?P<field>\w+)(\.(?P<element>.+))?")


class RecordedColumns(NamedTuple):
    """Samples of one instance of an object, ascending in time: `times` and packed `rows`."""

    definition: ObjectDefinition
    instance: int
    times: npt.NDArray[np.float64]
    rows: npt.NDArray[Any]


class _Gaps(NamedTuple):
    """The silences up to a bin of the activity, and when that was."""

    busy_bins: int = -1
    late: int = 0
    last_bin: int = 0
    gaps: tuple[tuple[float, float], ...] = ()


class _Merged(NamedTuple):
    """The events in order of time, and of what."""

    derived: list[Event]
    derived_count: int
    noted_count: int
    gaps: tuple[tuple[float, float], ...]
    events: EventList


class Recording:
    """Tracks of samples over time, and the events in them.

    Times are seconds from the start of the recording. `version` rises with every change;
    `first_s` and `last_s` span the samples and are both 0 while there is none. `started_at` is
    the wall time of second 0, where it is known; `source` says where the data comes from.
    `grow` makes the arrays that columns grow into (see disk_columns).
    """

    def __init__(
        self,
        source: str = "",
        started_at: datetime | None = None,
        grow: Grow = grown_in_memory,
    ) -> None:
        self.source = source
        self.started_at = started_at
        self.world: SimulatedWorld | None = None
        """Where it was simulated, if it was, and in a world."""
        self.imu: SimulatedImu | None = None
        """What it was measured by, if that was simulated and is known."""
        self.stopped_sensors: Mapping[str, str] = {}
        """Why a sensor that looks sends nothing now, a sentence with the remedy, by the name of its
        stream; it need not have one. Replaced as a whole by who takes the streams in."""
        self.version = 0
        self.first_s = 0.0
        self.last_s = 0.0
        self._is_empty = True
        self._grow = grow
        self._tracks: dict[Key, Track] = {}
        self._by_name: dict[str, tuple[Track, ...]] = {}
        self._derived: list[Event] = []
        self._noted: list[Event] = []
        self._noting = threading.Lock()
        self.keep: Callable[[Event], object] = lambda event: None
        """Told of every noted event, in the thread that notes it and in the order in which they
        are noted; it must not wait. Set by who has them written to disk."""
        self._media: dict[str, MediaTrack] = {}
        self._activity = Activity()
        self._gaps = _Gaps()
        self._merged = _Merged(self._derived, 0, 0, (), EventList())

    # Writing: one thread only.

    def append(self, t: float, definition: ObjectDefinition, instance: int, payload: bytes) -> None:
        """Add a sample. A `t` before the newest sample's is moved up to it.

        Raises ValueError if the payload's size is not the definition's.
        """
        t = t if self._is_empty else max(t, self.last_s)
        track = self._track_of(definition, instance)
        track.append(t, payload)
        if track.is_unit_doubtful:
            track.judge_unit()
        self._activity.add(t)
        if has_events(track) and not track.repeats_itself():
            self._derived += find_events(track, track.count - 1)
        self._cover(t, t)

    def extend(
        self,
        definition: ObjectDefinition,
        instance: int,
        times: npt.NDArray[np.float64],
        rows: npt.NDArray[Any],
    ) -> None:
        """Add many samples of one object, ascending in time and after its present ones.

        The arrays are taken over, not copied, where that is possible: do not write to them
        afterwards. Raises ValueError if they do not fit the definition or each other.
        """
        self.extend_all([RecordedColumns(definition, instance, times, rows)])

    def extend_all(self, many: Iterable[RecordedColumns]) -> None:
        """The same for many objects: what is worked out of all samples is then done once."""
        arrivals: list[npt.NDArray[np.float64]] = []
        filled = [columns for columns in many if len(columns.times)]
        self._add_tracks((columns.definition, columns.instance) for columns in filled)
        for columns in filled:
            track = self._track_of(columns.definition, columns.instance)
            start = track.count
            track.extend(columns.times, columns.rows)
            if track.is_unit_doubtful:
                track.judge_unit()
            arrivals.append(columns.times)
            self._derived += find_events(track, start)
        if arrivals:
            self._activity.add_many(arrivals)
            self._cover(
                min(float(times[0]) for times in arrivals),
                max(float(times[-1]) for times in arrivals),
            )

    def add_event(self, event: Event) -> None:
        """Note an event that the samples do not tell: the link lost, a device gone, a hang.

        From any thread, without waiting for a disk. `version` stays as it is, which has one
        writer: `events` tells that there is another one.
        """
        with self._noting:
            self._noted.append(event)
            self.keep(event)

    def take_noted(self, events: Iterable[Event]) -> None:
        """Have what was noted in a flight that was read. The recording reaches to the last of it:
        the station went on when the link had ended."""
        self._noted += events
        if self._noted:
            self.last_s = max(self.last_s, *(event.t for event in self._noted))

    def take_definitions(self, define: Callable[[int], ObjectDefinition | None]) -> None:
        """Read everything by the definitions that `define` has for the same ids: it has turned out
        which release this is, and releases differ in defaults, units, limits and element names.
        """
        changed = [track for track in self._tracks.values() if track.take_definition(define)]
        if any(has_events(track) for track in changed):
            tracks = self._tracks.values()
            self._derived = [event for track in tracks for event in find_events(track, 0)]
        if changed:
            self.version += 1

    def add_media(self, track: MediaTrack) -> None:
        """Have pictures, scans or values of a stream beside the samples, in the place of one of
        that name. One thread adds and fills these; it need not be that of the samples, and does
        not change `version`: a media track's `count` says what is new in it."""
        self._media = {**self._media, track.description.name: track}

    def _track_of(self, definition: ObjectDefinition, instance: int) -> Track:
        """The track that takes samples of this; a new one if there is none, or of another size."""
        key = Key(definition.object_id, instance)
        track = self._tracks.get(key)
        if track is None or track.definition.size != definition.size:
            self._add_tracks([(definition, instance)])
            track = self._tracks[key]
        return track

    def _add_tracks(self, wanted: Iterable[tuple[ObjectDefinition, int]]) -> None:
        """Have a track for each of these that has none, or one of another size."""
        tracks, by_name = {**self._tracks}, {**self._by_name}
        for definition, instance in wanted:
            key = Key(definition.object_id, instance)
            present = tracks.get(key)
            if present is None or present.definition.size != definition.size:
                track = tracks[key] = Track(definition, instance, self._grow)
                others = (one for one in by_name.get(definition.name, ()) if one is not present)
                by_name[definition.name] = (*others, track)
        self._tracks, self._by_name = tracks, by_name

    def _cover(self, first_s: float, last_s: float) -> None:
        """Widen the span, then tell readers that something is new."""
        self.first_s = first_s if self._is_empty else min(self.first_s, first_s)
        self.last_s = last_s if self._is_empty else max(self.last_s, last_s)
        self._is_empty = False
        self.version += 1

    # Reading: any thread.

    def tracks(self) -> tuple[Track, ...]:
        """All tracks, in the order in which they were added."""
        return tuple(self._tracks.values())

    def media_tracks(self) -> tuple[MediaTrack, ...]:
        """Pictures, scans and values of all streams, in the order in which they were added."""
        return tuple(self._media.values())

    def media(self, name: str) -> MediaTrack | None:
        """The media track of the stream of this name."""
        return self._media.get(name)

    def names(self) -> tuple[str, ...]:
        """The names of all recorded objects, sorted."""
        return tuple(sorted(self._by_name))

    def track(self, name_or_id: str | int, instance: int = 0) -> Track | None:
        """One instance of an object. Of several versions of a name, the most recent wins."""
        if isinstance(name_or_id, int):
            return self._tracks.get(Key(name_or_id, instance))
        named = self._by_name.get(name_or_id, ())
        if len(named) < 2:
            return named[0] if named and named[0].instance == instance else None
        found = [t for t in named if t.instance == instance]
        if len(found) > 1:
            return max(found, key=_newest)
        return found[0] if found else None

    @property
    def firmware_tag(self) -> str:
        """What the firmware last heard of calls itself: a release's tag or a branch; "" unknown."""
        track = self.track(OBJECT_NAME)
        if track is None or not track.count or not track.definition.has_field("Description"):
            return ""
        found = read_description(track.rows[-1]["Description"].tobytes())
        return found.tag if found is not None else ""

    def instances(self, name_or_id: str | int) -> tuple[int, ...]:
        """The recorded instance numbers of an object, sorted."""
        if isinstance(name_or_id, int):
            found = {key.instance for key in self._tracks if key.object_id == name_or_id}
        else:
            found = {track.instance for track in self._by_name.get(name_or_id, ())}
        return tuple(sorted(found))

    def latest(self, name: str, t: float, instance: int = 0) -> Sample | None:
        """The value of an object that held at `t`, whichever version of it was the newest."""
        newest: Sample | None = None
        for track in self._by_name.get(name, ()):
            if track.instance != instance:
                continue
            sample = track.sample_at(t)
            if sample is not None and (newest is None or sample.t >= newest.t):
                newest = sample
        return newest

    def state_at(self, t: float) -> dict[Key, Sample]:
        """Everything that was known at `t`."""
        state = {}
        for key, track in self._tracks.items():
            sample = track.sample_at(t)
            if sample is not None:
                state[key] = sample
        return state

    def series(
        self, path: str, t0: float | None = None, t1: float | None = None
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[Any]]:
        """Times and values of one column within [t0, t1], as views: do not write.

        `path` is "Object.Field", "Object.Field.element" or "Object[instance].Field...". Enums
        come as numbers; an array field without an element has one column per element. What was
        never recorded, or this version of the object lacks, gives two empty arrays. Raises
        ValueError for text that is no path.
        """
        parts = _PATH.fullmatch(path)
        if parts is None:
            raise ValueError(f"'{path}' is not a path; write Object.Field or Object.Field.element")
        track = self.track(parts["name"], int(parts["instance"] or 0))
        if track is None or not track.definition.has_field(parts["field"]):
            return np.empty(0), np.empty(0)
        start, stop = track.range(t0, t1)
        try:
            values = track.values(parts["field"], parts["element"], start, stop)
        except ValueError:
            return np.empty(0), np.empty(0)
        return track.times[start:stop], values

    def events(self) -> EventList:
        """All events in order of time: derived, noted, silences of over two seconds.

        The same list is returned until there is another event.
        """
        derived, noted, gaps = self._derived, self._noted, self.gaps()
        derived_count, noted_count, before = len(derived), len(noted), self._merged
        if derived is not before.derived or gaps[: len(before.gaps)] != before.gaps:
            # read by other definitions, or a gap filled
            before = _Merged(derived, 0, 0, (), EventList())
        added = [
            *derived[before.derived_count : derived_count],
            *noted[before.noted_count : noted_count],
            *map(_gap_event, gaps[len(before.gaps) :]),
        ]
        events = before.events.with_added(added)
        self._merged = _Merged(derived, derived_count, noted_count, gaps, events)
        return events

    def noted(self) -> tuple[Event, ...]:
        """Those events that no sample tells, in the order in which they were noted."""
        return tuple(self._noted)

    def gaps(self) -> tuple[tuple[float, float], ...]:
        """Start and end of all silences of more than two seconds, in order, to `BIN_S`.

        The same tuple is returned until another sample arrives at an instant without one.
        """
        seen, busy_bins, late = self._gaps, self._activity.busy_bins, self._activity.late
        if busy_bins != seen.busy_bins:
            if late != seen.late:
                seen = _Gaps(late=late)
            found, last_bin = self._activity.gaps(seen.last_bin)
            more = tuple((start, start + length - BIN_S) for start, length in found)
            seen = self._gaps = _Gaps(busy_bins, late, last_bin, seen.gaps + more)
        return seen.gaps

    def activity(self) -> Counts:
        """Samples per `BIN_S` from second 0 on, for an overview. A view: do not write."""
        return self._activity.counts


def _gap_event(gap: tuple[float, float]) -> Event:
    start_s, end_s = gap
    length_s = end_s - start_s + BIN_S
    return Event(start_s, "gap", Level.WARNING, f"No data for {length_s:.0f} s")


def _newest(track: Track) -> float:
    return track.last_s
