"""Flown places: an aircraft's positions, read from a recording and growing with it.

The estimated position counts, laid over the home position that held at the time; where there is
none, or it has been silent for `ESTIMATE_LASTS_S`, the places that the GPS receiver reported.
`read_flight_state` decides the same way, so that the line ends at the aircraft. With neither home
nor GPS the places lie around latitude and longitude zero: the shape and the size of the flight are
right, where it was is not known (`is_relative`).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telemetry.base.earth.tangent_plane import plane_at, steps_m_of
from telemetry.recording.event_list import EventList
from telemetry.recording.flight_state import ESTIMATE_LASTS_S, POSITION, home_above_sea_m
from telemetry.recording.gps_fix import GPS, height_flags, place_flags
from telemetry.recording.recording import Recording
from telemetry.recording.timed_columns import grown_in_memory
from telemetry.recording.track import Track

_GAP_S = 5.0
_RESTART_TOLD_S = 3.0
"""Within so long a restart is heard of: SystemStats comes once a second."""
_NOWHERE = ((-np.inf, 0.0, 0.0, 0.0),)

Floats = NDArray[np.float64]
Homes = tuple[tuple[float, float, float, float], ...]
"""From when each held, latitude and longitude in degrees, altitude in metres."""
Places = Floats
"""Times in seconds, latitudes and longitudes in degrees, heights in metres: (4, n)."""
_NONE: Places = np.empty((4, 0))


class FlownPlaces:
    """The places of one recording, ascending in time. `update` reads only what is new.

    `heights_m` count from home, or from the first height where home is not known; they are NaN
    where nothing tells. `is_start` marks the places that do not join the one before: after a
    silence, or a restart of the aircraft. `restarts` rises when what was read already has changed.
    """

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._version = -1
        self.restarts = 0
        self._homes_read: tuple[Track, int] | None = None
        self._fixes = _Reader(GPS)
        self._first_fix_s = math.inf
        self._restart(())

    @property
    def count(self) -> int:
        """How many places there are."""
        return len(self.times)

    @property
    def key(self) -> str:
        """Changes when what was read already has changed."""
        return f"{id(self)}/{self.restarts}"

    @property
    def ground_altitude_m(self) -> float | None:
        """The altitude above sea level from which the heights count; None if it is not known."""
        home_m = self._home_altitude_m()
        return self._ground_m if home_m is None else home_m

    def _home_altitude_m(self) -> float | None:
        home = self.recording.latest("HomeLocation", np.inf)
        if not self._homes or home is None:
            return None
        return home_above_sea_m(self.recording, home)

    def _restart(self, homes: Homes) -> None:
        self.restarts += 1
        self._homes = homes
        self._position = _Reader(POSITION)
        self._gps = _Reader(GPS)
        self._ground_m: float | None = None
        self._told = EventList()
        self.is_relative = False
        self._columns: list[Floats] = list(_NONE)
        self._starts: NDArray[np.bool_] = np.empty(0, np.bool_)
        self._show(0)

    def _show(self, count: int) -> None:
        rows = [column[:count] for column in self._columns]
        self.times, self.latitudes_deg, self.longitudes_deg, self.heights_m = rows
        self.is_start = self._starts[:count]

    def update(self) -> None:
        """Take in the samples recorded since the last call."""
        version = self.recording.version
        if version == self._version:
            return
        self._version = version
        self._look_for_fix()
        homes = self._read_homes()
        has_fix = bool(homes) or self._gps.has_fix(self.recording)
        if homes != self._homes or (self.is_relative and has_fix):
            self._restart(homes)
        self.is_relative = not has_fix
        self._append(_merged(self._measured(), self._estimated()))
        self._break_at_restarts()

    def past(self, t: float) -> int:
        """How many places lie at or before `t`."""
        return int(self.times.searchsorted(t, "right"))

    def had_fix(self, t: float) -> bool:
        """Whether the receiver had a fix by then. Until it has one, an estimate knows its height
        alone: north and east stay where they began. True where no receiver could tell."""
        return self._fixes.find(self.recording) is None or self._first_fix_s <= t

    def _look_for_fix(self) -> None:
        chunk = self._fixes.read(self.recording) if math.isinf(self._first_fix_s) else None
        if chunk is not None:
            self._first_fix_s = float(min(chunk.times[chunk.has_place()], default=math.inf))

    def _append(self, places: Places) -> None:
        if len(self.times):  # read while they were written, places may overlap a little
            places = places[:, places[0] >= self.times[-1]]
        times = places[0]
        if not len(times):
            return
        before = self.times[-1:] if len(self.times) else times[:1]
        is_start = np.diff(times, prepend=before) > _GAP_S
        done, count = len(self.times), len(self.times) + len(times)
        if count > len(self._starts):
            self._columns = [grown_in_memory(column, count) for column in self._columns]
            self._starts = grown_in_memory(self._starts, count)
        for column, row in zip(self._columns, places, strict=True):
            column[done:count] = row
        self._starts[done:count] = is_start
        self._show(count)

    def _break_at_restarts(self) -> None:
        """Do not join where an aircraft ended to where a restarted one begins. A restart is heard
        of a little after the first places that follow it: the widest step before it is the leap.
        """
        told, self._told = self._told, self.recording.events()
        restarts = [event.t for event in self._told.since(told) if event.kind == "reboot"]
        for restarted_s in restarts:
            first = int(self.times.searchsorted(restarted_s - _RESTART_TOLD_S))
            stop = self.past(restarted_s)
            if stop - first < 2:
                continue
            steps_m = steps_m_of(self.latitudes_deg[first:stop], self.longitudes_deg[first:stop])
            self.is_start[first + 1 + int(np.argmax(steps_m))] = True
            self.restarts += 1

    def _read_homes(self) -> Homes:
        track = self.recording.track("HomeLocation")
        if track is not None and (track, track.count) != self._homes_read:
            self._homes_read = (track, track.count)
            return read_homes(track)
        return self._homes

    def _measured(self) -> Places:
        """New places from the receiver, where there is no estimate or only an old one."""
        chunk = self._gps.read(self.recording)
        if chunk is None:
            return _NONE
        latitude, longitude = chunk.column("Latitude") * 1e-7, chunk.column("Longitude") * 1e-7
        good = place_flags(chunk.track, chunk.start, chunk.stop) & (
            (latitude != 0.0) | (longitude != 0.0)
        )
        good &= chunk.times - self._estimated_before(chunk.times) > ESTIMATE_LASTS_S
        return np.array((chunk.times, latitude, longitude, self._above_ground(chunk)))[:, good]

    def _above_ground(self, chunk: "_Chunk") -> Floats:
        """Heights above home, or above the first height with a fix where home is not known."""
        if not chunk.track.definition.has_field("Altitude"):
            return np.full(len(chunk.times), np.nan)
        is_known = height_flags(chunk.track, chunk.start, chunk.stop)
        altitudes = np.where(is_known, chunk.column("Altitude"), np.nan)
        if self._ground_m is None:
            first = float(altitudes[is_known][0]) if is_known.any() else None
            home_m = self._home_altitude_m()
            self._ground_m = first if home_m is None else home_m
        return altitudes - (np.nan if self._ground_m is None else self._ground_m)

    def _estimated_before(self, times: Floats) -> Floats:
        """When the newest estimate with a home to lay it over came; minus infinity if never."""
        track = self._position.find(self.recording)
        if track is None or not self._homes:
            return np.full(len(times), -np.inf)
        estimated = track.times
        which = estimated.searchsorted(times, "right") - 1
        found = np.append(estimated, -np.inf)[which]
        return np.where(found >= self._homes[0][0], found, -np.inf)

    def _estimated(self) -> Places:
        """New places from the estimated position and the home of their time."""
        homes = self._homes or (_NOWHERE if self.is_relative else ())
        chunk = self._position.read(self.recording)
        if chunk is None or not homes:
            return _NONE
        which = np.array([home[0] for home in homes]).searchsorted(chunk.times, "right") - 1
        places = np.stack((chunk.times, *np.empty((2, len(which))), -chunk.metres("Down")))
        north, east = chunk.metres("North"), chunk.metres("East")
        for number in np.unique(which[which >= 0]):
            here = which == number
            plane = plane_at(*homes[number][1:])
            places[1:3, here] = plane.latitude_longitude_many(north[here], east[here]).T
        return places[:, which >= 0]


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Samples start to stop of a track."""

    track: Track
    start: int
    stop: int

    @property
    def times(self) -> Floats:
        return self.track.times[self.start : self.stop]

    def has_place(self) -> NDArray[np.bool_]:
        return place_flags(self.track, self.start, self.stop)

    def column(self, field: str) -> Floats:
        values: Floats = self.track.values(field, None, self.start, self.stop).astype(np.float64)
        return values

    def metres(self, field: str) -> Floats:
        """A length; OpenPilot before 2012 wrote centimetres."""
        units = self.track.definition.field_named(field).units
        return self.column(field) / (100.0 if units == "cm" else 1.0)


class _Reader:
    """Remembers how far an object was read, whatever its release calls it."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._track: Track | None = None
        self._done = 0

    def find(self, recording: Recording) -> Track | None:
        found = (recording.track(name) for name in self._names)
        return next((track for track in found if track is not None), None)

    def has_fix(self, recording: Recording) -> bool:
        """Whether any sample of a receiver has a fix."""
        track = self.find(recording)
        return track is not None and bool(place_flags(track, 0, None).any())

    def read(self, recording: Recording) -> _Chunk | None:
        """The samples since the last call, or None."""
        track = self.find(recording)
        if track is not self._track:
            self._track, self._done = track, 0
        if track is None or track.count == self._done:
            return None
        chunk = _Chunk(track, self._done, track.count)
        self._done = chunk.stop
        return chunk


def read_homes(track: Track) -> Homes:
    """Every home position that was set, with the time from which it held, repeats left out."""
    if not track.definition.has_field("Set"):
        return ()
    homes: list[tuple[float, float, float, float]] = []
    for index in range(track.count):
        sample = track.sample(index)
        if str(sample["Set"]).upper() != "TRUE":
            continue
        altitude_m = sample["Altitude"] if track.definition.has_field("Altitude") else 0.0
        altitude_m = altitude_m if math.isfinite(altitude_m) else 0.0
        home = sample["Latitude"] * 1e-7, sample["Longitude"] * 1e-7, altitude_m
        if not homes or homes[-1][1:3] != home[:2]:
            homes.append((sample.t, *home))
    return tuple(homes)


def _merged(ones: Places, others: Places) -> Places:
    """Both in order of time."""
    both = np.hstack((ones, others))
    return both[:, both[0].argsort(kind="stable")]
