"""Flown track: as the aircraft believes, in one colour or by a quantity, and truly."""

import math

import numpy as np

from plugins.view3d.flown_line import GrowingLine
from plugins.view3d.layers import SceneParts, SpaceInstant
from plugins.view3d.poses import switched_on_down_m, truth_track
from telemetry.recording.flown_places import FlownPlaces
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track
from widgets.map.scene import Shading
from widgets.scene3d.scene import Floats, Floats32, Rgb
from widgets.track_shading import TrackShading

_RESTART_TOLD_S = 3.0
"""Within so long a restart is heard of."""


class FlownTrack:
    """The tracks of one flight, kept and only made longer."""

    def __init__(self, places: FlownPlaces) -> None:
        self._places = places
        self._shading = TrackShading(places)
        self._believed = GrowingLine(2.5)
        self._true = GrowingLine(1.5)

    @property
    def problem(self) -> str:
        """Why the track has not the colours that were asked for."""
        return self._shading.problem

    def add(self, parts: SceneParts, now: SpaceInstant) -> None:
        """See SpaceLayer."""
        track = truth_track(now.vehicle.recording)
        if track is None or self._places.had_fix(math.inf):
            self._update_believed(now)
            parts.lines += self._believed.lines(self._places.past(now.t))
        if track is not None:
            self._update_true(track, now)
            parts.lines += self._true.lines(int(track.times.searchsorted(now.t, "right")))

    def _update_believed(self, now: SpaceInstant) -> None:
        places = self._places
        lift = switched_on_down_m(now.vehicle.recording)
        shading = self._shading.of(now.options.track_color)

        def flown(start: int, stop: int) -> tuple[Floats, Floats32 | Rgb]:
            part = slice(start, stop)
            flown_deg = places.latitudes_deg[part], places.longitudes_deg[part]
            ground = now.origin.north_east_many(*flown_deg)
            down = lift - np.nan_to_num(places.heights_m[part])
            points = np.column_stack((ground, down))
            points[places.is_start[part]] = np.nan
            return points, _colours(shading, start, stop, now)

        key = now.origin, places.key, lift, now.look, shading.stamp if shading else None
        self._believed.update(key, places.count, flown)

    def _update_true(self, track: Track, now: SpaceInstant) -> None:
        broken = _restarts(now.vehicle.recording, track)

        def true(start: int, stop: int) -> tuple[Floats, Rgb]:
            points = np.array(track.rows["Position"][start:stop], np.float64)
            here = [row - start for row in broken if start <= row < stop]
            points[here] = np.nan
            return points, now.look.truth

        self._true.update((track, broken, now.look), track.count, true)


def _colours(shading: Shading | None, start: int, stop: int, now: SpaceInstant) -> Floats32 | Rgb:
    """One for each point, or for all; what is not known has the track's own."""
    if shading is None:
        return now.look.track
    rows = np.array([*now.look.shades, now.look.track], np.float32)
    return rows[shading.levels(start, stop)]


def _restarts(recording: Recording, track: Track) -> tuple[int, ...]:
    """The rows of a track that do not join those before: the widest step before a restart is heard
    of is the leap."""
    rows = []
    for restart_s in (event.t for event in recording.events() if event.kind == "reboot"):
        first, stop = track.range(restart_s - _RESTART_TOLD_S, restart_s)
        steps = np.diff(track.rows["Position"][first:stop], axis=0)
        if len(steps):
            rows.append(first + 1 + int(np.argmax(np.linalg.norm(steps, axis=1))))
    return tuple(rows)
