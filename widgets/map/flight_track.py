"""Flight track: where an aircraft was, as one growing line in world coordinates."""

import numpy as np

from telemetry.recording.flown_places import FlownPlaces
from telemetry.recording.recording import Recording
from telemetry.recording.timed_columns import grown_in_memory
from widgets.map.projection import Floats, GeoPoint, project_many, unproject


class FlightTrack:
    """The line of one recording. `update` reads only what is new; NaN marks a gap."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._places = FlownPlaces(recording)
        self._restarts = -1
        self.x: Floats = np.empty(0)
        self.y: Floats = np.empty(0)
        self._x, self._y = self.x, self.y

    @property
    def key(self) -> str:
        """Changes when the line was drawn anew rather than made longer."""
        return f"{id(self)}/{self._restarts}"

    @property
    def start(self) -> GeoPoint | None:
        """Where the flight began."""
        return unproject(float(self.x[0]), float(self.y[0])) if len(self.x) else None

    @property
    def times(self) -> Floats:
        """When the aircraft was at each point, in seconds."""
        return self._places.times

    @property
    def heights_m(self) -> Floats:
        """How high it was there, above home."""
        return self._places.heights_m

    @property
    def is_relative(self) -> bool:
        """Whether the place on earth is not known."""
        return self._places.is_relative

    def update(self) -> None:
        """Take in the samples recorded since the last call."""
        places = self._places
        places.update()
        if places.restarts != self._restarts:
            self._restarts = places.restarts
            self._x, self._y = self.x, self.y = np.empty(0), np.empty(0)
        done = len(self.x)
        if done == places.count:
            return
        x, y = project_many(places.latitudes_deg[done:], places.longitudes_deg[done:])
        x[places.is_start[done:]] = np.nan
        count = done + len(x)
        if count > len(self._x):
            self._x, self._y = grown_in_memory(self._x, count), grown_in_memory(self._y, count)
        self._x[done:count], self._y[done:count] = x, y
        self.x, self.y = self._x[:count], self._y[:count]

    def past(self, t: float) -> int:
        """How many points lie at or before `t`."""
        return self._places.past(t)
