"""Flight under review: logs and videos on one time, how they are synchronised, what was noted.

Its time is that of its first log, the one whose recording a vehicle holds; `flight_of` finds the
flight of a vehicle, live or from a file. For the GUI thread: values are replaced, never changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from telemetry.recording.recording import Recording
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.picture_turn import PictureTurn, turn_shown
from telemetry.review.flights.file_reference import Fingerprint
from telemetry.review.flights.marker import Marker
from telemetry.review.flights.sync import Sync
from telemetry.vehicle.vehicle import Vehicle

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class FlightVideo:
    """A video of a flight: one file, or the files of a loop recording as one medium.

    `sync` is None while nobody knows; `problem` says why it cannot be shown ("" if it can).
    `duration_s` reaches to the end of the last frame, None before the files were opened. `turn` is
    how its picture was turned by hand, None where that is left to `turn_shown`.
    """

    name: str
    files: tuple[Path, ...]
    sync: Sync | None = None
    camera: CameraSettings = field(default_factory=CameraSettings)
    problem: str = ""
    duration_s: float | None = None
    turn: PictureTurn | None = None

    @property
    def turn_shown(self) -> PictureTurn:
        """How its picture stands upright wherever it is shown."""
        return turn_shown(self.turn, self.camera)


@dataclass(frozen=True, slots=True)
class FlightLog:
    """Another log of the same flight, or of another one to compare with.

    `sync` maps the flight's time to the log's own. `recording` is None while it is missing.
    """

    name: str
    path: Path
    recording: Recording | None = None
    sync: Sync = field(default_factory=Sync)
    is_other_flight: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FlightStream:
    """A recorded stream of a sensor's pictures, scans or values: its file, see stream_file."""

    name: str
    path: Path
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FlightContent:
    """All that is kept of a flight, as one value.

    `fingerprints` are of the files as they were last seen. `as_read` is what its file said, for
    the sake of what this version does not know in it.
    """

    logs: tuple[FlightLog, ...] = ()
    videos: tuple[FlightVideo, ...] = ()
    streams: tuple[FlightStream, ...] = ()
    markers: tuple[Marker, ...] = ()
    notes: str = ""
    layout: Mapping[str, Any] = field(default_factory=dict)
    fingerprints: Mapping[Path, Fingerprint] = field(default_factory=dict)
    as_read: Mapping[str, Any] = field(default_factory=dict)

    def without_files(self) -> "FlightContent":
        """What a user has made of it: not what is found anew whenever it is opened, nor how it
        is looked at."""
        return FlightContent(
            logs=tuple(replace(log, recording=None, problem="") for log in self.logs),
            videos=tuple(replace(video, problem="", duration_s=None) for video in self.videos),
            markers=self.markers,
            notes=self.notes,
        )


class _Part(Generic[_Value]):
    """One field of a flight's content, to be read and replaced."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, flight: "Flight", owner: type) -> _Value:
        value: _Value = getattr(flight.content, self._name)
        return value

    def __set__(self, flight: "Flight", value: _Value) -> None:
        changed: dict[str, Any] = {self._name: value}
        flight.content = replace(flight.content, **changed)


class Flight:
    """What belongs to one flight. `version` rises with every change."""

    logs = _Part[tuple[FlightLog, ...]]()
    """The logs besides the first one."""
    videos = _Part[tuple[FlightVideo, ...]]()
    """The videos; their names are unique."""
    streams = _Part[tuple[FlightStream, ...]]()
    """The files of recorded streams."""
    markers = _Part[tuple[Marker, ...]]()
    """What was marked, in order of time."""
    notes = _Part[str]()
    """What was written to the whole flight."""
    layout = _Part[Mapping[str, Any]]()
    """The workspace it is looked at in, as workspaces are written; {} for the usual one."""

    def __init__(self) -> None:
        self.path: Path | None = None
        """Its `.lapwing` file, None before it was saved."""
        self.log: Path | None = None
        """The file of its first log, None where there is none (yet)."""
        self.is_being_read = False
        """Whether that log is being read: what it says is not there yet."""
        self.compared = ""
        """The name of the log that plots draw beside the flight's own, "" for none; not kept."""
        self.version = 0
        self._content = FlightContent()
        self._saved = FlightContent()

    @property
    def content(self) -> FlightContent:
        """All of it, to be kept or put in the place of what there is."""
        return self._content

    @content.setter
    def content(self, content: FlightContent) -> None:
        self._content = replace(content, markers=tuple(sorted(content.markers)))
        self.version += 1

    @property
    def is_unsaved(self) -> bool:
        """Whether its file says something else, or there is something and no file."""
        return self._content.without_files() != self._saved

    def take_saved(self, path: Path, saved: FlightContent) -> None:
        """This is in its file now; it may have changed since."""
        self.path = path
        self._saved = saved.without_files()
        self.content = replace(
            self._content, fingerprints=saved.fingerprints, as_read=saved.as_read
        )

    def take_over(self, other: "Flight") -> None:
        """Become what another flight is, apart from its first log."""
        self.path, self._saved = other.path, other._saved
        self.content = other.content

    def take_recorded(
        self, streams: tuple[FlightStream, ...], videos: tuple[FlightVideo, ...]
    ) -> None:
        """Have streams that the recording has, and the videos of their pictures, in the place of
        those of their names. They are found again with the log: nothing of it needs saving."""
        is_unsaved = self.is_unsaved
        known = {stream.path for stream in streams}
        others = (one for one in self.streams if one.path not in known)
        named = {video.name: video for video in videos}
        present = tuple(named.pop(one.name, one) for one in self.videos)
        self.content = replace(
            self._content,
            streams=(*others, *streams),
            videos=(*present, *named.values()),
        )
        if not is_unsaved:
            self._saved = self._content.without_files()

    def video(self, name: str) -> FlightVideo | None:
        """The video of this name."""
        return next((video for video in self.videos if video.name == name), None)

    def other_log(self, name: str) -> FlightLog | None:
        """The log of this name, besides the first one."""
        return next((log for log in self.logs if log.name == name), None)

    def replace_video(self, name: str, video: FlightVideo) -> None:
        """Put a changed video in the place of the one of this name; unknown names are no error."""
        self.videos = tuple(video if one.name == name else one for one in self.videos)

    def replace_log(self, name: str, log: FlightLog) -> None:
        """Put a changed log in the place of the one of this name; unknown names are no error."""
        self.logs = tuple(log if one.name == name else one for one in self.logs)


def flight_of(vehicle: Vehicle) -> Flight:
    """The flight of this vehicle, the same for everybody who asks."""
    return vehicle.attachment("flight", Flight)


def give_flight(vehicle: Vehicle, flight: Flight) -> None:
    """Have this be the flight of a vehicle that has none yet."""
    vehicle.attachment("flight", lambda: flight)
