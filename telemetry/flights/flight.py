"""A flight under review: logs and videos on one time, how they are synchronised, what was noted.

Its time is that of its first log, the one whose recording a vehicle holds; `flight_of` finds the
flight of a vehicle, live or from a file. For the GUI thread: values are replaced, never changed.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from telemetry.flights.marker import Marker
from telemetry.flights.sync import Sync
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Vehicle
from telemetry.video.camera_settings import CameraSettings


@dataclass(frozen=True, slots=True)
class FlightVideo:
    """A video of a flight: one file, or the files of a loop recording as one medium.

    `sync` is None while nobody knows; `problem` says why it cannot be shown ("" if it can).
    """

    name: str
    files: tuple[Path, ...]
    sync: Sync | None = None
    camera: CameraSettings = field(default_factory=CameraSettings)
    problem: str = ""


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


class Flight:
    """What belongs to one flight. `version` rises with every change."""

    def __init__(self) -> None:
        self.path: Path | None = None
        """Its `.lapwing` file, None before it was saved."""
        self.version = 0
        self.saved_version = 0
        self._logs: tuple[FlightLog, ...] = ()
        self._videos: tuple[FlightVideo, ...] = ()
        self._markers: tuple[Marker, ...] = ()
        self._notes = ""
        self._layout: dict[str, Any] = {}

    @property
    def logs(self) -> tuple[FlightLog, ...]:
        """The logs besides the first one."""
        return self._logs

    @logs.setter
    def logs(self, logs: tuple[FlightLog, ...]) -> None:
        self._logs = logs
        self.version += 1

    @property
    def videos(self) -> tuple[FlightVideo, ...]:
        """The videos; their names are unique."""
        return self._videos

    @videos.setter
    def videos(self, videos: tuple[FlightVideo, ...]) -> None:
        self._videos = videos
        self.version += 1

    @property
    def markers(self) -> tuple[Marker, ...]:
        """What was marked, in order of time."""
        return self._markers

    @markers.setter
    def markers(self, markers: tuple[Marker, ...]) -> None:
        self._markers = tuple(sorted(markers))
        self.version += 1

    @property
    def notes(self) -> str:
        """What was written to the whole flight."""
        return self._notes

    @notes.setter
    def notes(self, notes: str) -> None:
        self._notes = notes
        self.version += 1

    @property
    def layout(self) -> dict[str, Any]:
        """The workspace it is looked at in, as workspaces are written; {} for the usual one."""
        return self._layout

    @layout.setter
    def layout(self, layout: dict[str, Any]) -> None:
        self._layout = layout
        self.version += 1

    def video(self, name: str) -> FlightVideo | None:
        """The video of this name."""
        return next((video for video in self._videos if video.name == name), None)

    def replace_video(self, name: str, video: FlightVideo) -> None:
        """Put a changed video in the place of the one of this name; unknown names are no error."""
        self.videos = tuple(video if one.name == name else one for one in self._videos)

    def replace_log(self, name: str, log: FlightLog) -> None:
        """Put a changed log in the place of the one of this name; unknown names are no error."""
        self.logs = tuple(log if one.name == name else one for one in self._logs)


def flight_of(vehicle: Vehicle) -> Flight:
    """The flight of this vehicle, the same for everybody who asks."""
    return vehicle.attachment("flight", Flight)
