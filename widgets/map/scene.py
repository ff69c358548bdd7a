"""What a map shows: values handed over by whoever knows aircraft and recordings."""

from dataclasses import dataclass

from widgets.map.projection import Bounds, Floats, Place


@dataclass(frozen=True, slots=True)
class VehicleMark:
    """One aircraft on the map. `heading_deg` and `course_deg` are clockwise from true north."""

    name: str
    place: Place
    heading_deg: float | None = None
    course_deg: float | None = None
    groundspeed_mps: float | None = None
    is_active: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class TrackLine:
    """Where an aircraft went: world coordinates x, y in order of time.

    The first `past` points lie before the cursor and are drawn strongly, the rest faintly.
    `key` tells one line from another; points of an equal key are only ever appended. NaN points
    break the line.
    """

    key: str
    x: Floats
    y: Floats
    past: int
    color: str = "track"
    is_active: bool = True

    @property
    def stamp(self) -> tuple[str, int, int, str, bool]:
        """Equal stamps look the same."""
        return self.key, len(self.x), self.past, self.color, self.is_active

    @property
    def bounds(self) -> Bounds | None:
        """The rectangle around all points, or None without any."""
        if not len(self.x):
            return None
        x, y = self.x[self.x == self.x], self.y[self.y == self.y]
        if not len(x):
            return None
        return Bounds(float(x.min()), float(y.min()), float(x.max()), float(y.max()))


@dataclass(frozen=True, slots=True)
class MapScene:
    """Everything on the map besides the ground."""

    vehicles: tuple[VehicleMark, ...] = ()
    tracks: tuple[TrackLine, ...] = ()
    home: Place | None = None
    start: Place | None = None
    target: Place | None = None
    note: str = ""

    @property
    def active(self) -> VehicleMark | None:
        """The aircraft that is followed and whose distance home is shown."""
        return next((mark for mark in self.vehicles if mark.is_active), None)

    @property
    def stamp(self) -> tuple[object, ...]:
        """Equal stamps look the same."""
        tracks = tuple(line.stamp for line in self.tracks)
        return self.vehicles, tracks, self.home, self.start, self.target, self.note
