"""Vehicle: one aircraft as the station knows it, and the fleet of them.

A vehicle's worker thread writes; everybody else reads. What the worker publishes (`status`,
tickets) is replaced as a whole and never changed in place, so no lock is needed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from math import floor, inf
from typing import Final, TypeVar, cast

from telemetry.base.finding import Level
from telemetry.base.unused_names import unused_name
from telemetry.protocol.links.link import Link
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.events import Event, Kind
from telemetry.recording.recording import Recording
from telemetry.recording.timeline import Timeline
from telemetry.vehicle.commands import Commands


class LinkState(Enum):
    """How a vehicle is reached, as the word the toolbar shows."""

    DISCONNECTED = "Disconnected"
    CONNECTING = "Connecting"
    FETCHING = "Fetching"
    CONNECTED = "Connected"
    LOST = "Link lost"
    RECONNECTING = "Reconnecting"
    RESTARTING = "Restarting"
    """Silent as it was asked to be: its board restarts, and may take `RESTART_S` for it."""
    REPLAY = "Replay"


LATE_S: Final = 1.0
"""After so long without a whole frame the link is amber, and its age is told.

No link that works is silent for longer: boards send their statistics once a second whatever else
was thinned out. In a flight of 2014 over a weak radio nothing but those came for 51 s, and three
pauses took longer than this, one of them minutes. A link of a wider beat is amber between its
frames, which is so: nobody knows then what the aircraft does.
"""
SILENT_S: Final = 2.0
"""After so long it is red: what was heard last does not tell any more what is."""
QUALITY_SPAN_S: Final = 3.0
"""The time that `LinkStatus.quality_percent` is the share of."""
_TENTHS_UP_TO_S = 10.0
_UP = (LinkState.FETCHING, LinkState.CONNECTED)
_WATCHED = (*_UP, LinkState.LOST, LinkState.RECONNECTING)


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """The state of a vehicle's link at one moment; replaced several times a second.

    `fetched` of `total` objects have been retrieved. `heard_s` is when in the recording the last
    whole frame arrived (None before any); `silent_s` is the age of the link: the seconds since
    then, 0 up to `LATE_S` (see `aged`). `quality_percent` is the share of bytes that lay in whole
    frames in the last `QUALITY_SPAN_S`, None while nothing is heard. `reason` says why the state is
    not better. `line_bytes_per_s` is what the line carries each way, infinite where nobody knows.
    `unknown_ids` are those of objects that nobody has a definition of; of `unknown_frames`, all
    that ever came, some may be known by now.
    `from_last_time` settings are shown that the board told on another day and not yet again.
    `recording_file` is empty when nothing is written; `recording_error` says why it ended.
    """

    state: LinkState = LinkState.DISCONNECTED
    fetched: int = 0
    total: int = 0
    heard_s: float | None = None
    silent_s: float = 0.0
    objects_per_s: float = 0.0
    rx_bytes_per_s: float = 0.0
    tx_bytes_per_s: float = 0.0
    line_bytes_per_s: float = inf
    quality_percent: int | None = None
    crc_errors: int = 0
    junk_bytes: int = 0
    unknown_ids: frozenset[int] = frozenset()
    unknown_frames: int = 0
    retries: int = 0
    reason: str = ""
    release: str = ""
    recording_file: str = ""
    recording_error: str = ""
    from_last_time: int = 0

    @property
    def unknown_objects(self) -> int:
        """How many objects nobody has a definition of."""
        return len(self.unknown_ids)

    @property
    def word(self) -> str:
        """The state as shown: how far fetching has come, what is missing, how long it is silent."""
        if self.is_late:
            return f"No data for {self.silence}"
        if self.state is LinkState.LOST and self.silent_s:
            return f"{self.state.value} for {self.silence}"
        if self.state is LinkState.FETCHING and self.from_last_time:
            return f"From last time, verifying {self.fetched}/{self.total}"
        if self.state is LinkState.FETCHING:
            return f"{self.state.value} {self.fetched}/{self.total}"
        if self.state is LinkState.CONNECTED and self.fetched < self.total:
            return f"{self.fetched} of {self.total} objects"
        return str(self.state.value)

    def aged(self, now_s: float) -> "LinkStatus":
        """The same link at `now_s` of the recording, if nothing was heard meanwhile: its age, in
        tenths of a second while it is young so that it is painted ten times a second at most, and
        no rate and no quality, which would be those of then."""
        if self.state not in _WATCHED or self.heard_s is None or now_s - self.heard_s <= LATE_S:
            return self
        age_s = now_s - self.heard_s
        shown_s = floor(age_s * 10 + 1e-6) / 10 if age_s < _TENTHS_UP_TO_S else float(floor(age_s))
        return replace(self, silent_s=shown_s, objects_per_s=0.0, quality_percent=None)

    @property
    def silence(self) -> str:
        """The age in words: "1.4 s", "12 s", "2:05 min"."""
        if self.silent_s < _TENTHS_UP_TO_S:
            return f"{self.silent_s:.1f} s"
        whole = int(self.silent_s)
        return f"{whole} s" if whole < 120 else f"{whole // 60}:{whole % 60:02d} min"

    @property
    def age_level(self) -> Level:
        """What the age of the link means: OK, from `LATE_S` on WARNING, from `SILENT_S` on ERROR;
        so it is shown wherever it is shown."""
        if self.silent_s >= SILENT_S:
            return Level.ERROR
        return Level.WARNING if self.silent_s > 0.0 else Level.OK

    @property
    def is_late(self) -> bool:
        """Whether nothing was heard for longer than a working link takes, over a link that is not
        given up."""
        return self.silent_s > 0.0 and self.state in _UP

    @property
    def is_silent(self) -> bool:
        """Whether it is so late that nobody knows what the aircraft does."""
        return self.silent_s >= SILENT_S and self.state in _UP

    @property
    def is_heard(self) -> bool:
        """Whether what arrives shows that the aircraft is there now."""
        return self.state in _UP and not self.is_late


_Attached = TypeVar("_Attached")


class _Attaching:
    """Something that panels must agree about keeps what they share."""

    def __init__(self) -> None:
        self._attachments: dict[str, object] = {}

    def attachment(self, key: str, make: Callable[[], _Attached]) -> _Attached:
        """The one thing kept under `key` here, made when first asked for.

        Panels that must agree about an aircraft, or about all of them, share it here, whatever
        workspace they are in. A key begins with its plugin's id. Whoever uses it ends it. For the
        GUI thread only.
        """
        if key not in self._attachments:
            self._attachments[key] = make()
        return cast(_Attached, self._attachments[key])


class Vehicle(_Attaching):
    """One aircraft: its recording, the cursor over it, its link's status and its commands."""

    def __init__(
        self,
        name: str,
        recording: Recording,
        catalogue: Catalogue,
        commands: Commands,
        *,
        on_close: Callable[[], None] = lambda: None,
        elapsed_s: Callable[[], float] | None = None,
    ) -> None:
        self.name = name
        self.recording = recording
        self.catalogue = catalogue
        self.commands = commands
        self.timeline = Timeline()
        self._status = LinkStatus()
        self.link_losses = 0
        """How often the link was lost or ended: what was heard before then need not be so after."""
        self.link: Link | None = None
        """The open link, for those who know what its kind can do besides passing bytes. The
        worker replaces it and alone reads and writes it."""
        self.why_stay: Callable[[], str] = lambda: ""
        """Why no other aircraft can be chosen now; set by who flies this one by hand."""
        self._on_close = on_close
        self._elapsed_s = elapsed_s
        super().__init__()

    @property
    def status(self) -> LinkStatus:
        """What the worker last said of the link, and how long it has been silent by now: a worker
        that hangs in the link says nothing new, and the status must still grow old."""
        told = self._status
        if self._elapsed_s is None or told.heard_s is None:
            return told
        now_s = self._elapsed_s()
        return told if now_s - told.heard_s <= LATE_S else told.aged(now_s)

    @status.setter
    def status(self, status: LinkStatus) -> None:
        if self._status.state in _UP and status.state not in _UP:
            self.link_losses += 1
        self._status = status

    @property
    def end_s(self) -> float:
        """The latest instant of the flight: now while it is live, silent or not.

        A cursor that stuck to the newest sample instead would let nothing grow old on screen
        when the link falls silent.
        """
        newest_s = self.recording.last_s
        if self._elapsed_s is None or not self.is_live:
            return newest_s
        return max(newest_s, self._elapsed_s())

    @property
    def is_live(self) -> bool:
        """Whether a link fills the recording, or could come back and fill it."""
        return self.status.state not in (LinkState.REPLAY, LinkState.DISCONNECTED)

    def note(self, kind: Kind, level: Level, text: str, t: float | None = None) -> None:
        """Have it in the flight that this happened: on the timeline, in what is told of the flight
        and, where it is recorded, on the disk.

        `t` is when, in seconds of the recording, now if None; `text` is one short statement without
        a full stop. From any thread, and it does not wait. A flight from a file stays as it is.
        """
        if self._status.state is not LinkState.REPLAY:
            self.recording.add_event(Event(self.end_s if t is None else t, kind, level, text))

    def close(self) -> None:
        """Disconnect, if connected, and wait for the worker to end. Closing twice is fine.

        What was recorded stays readable.
        """
        self._on_close()
        self.timeline.end_live()


class Fleet(_Attaching):
    """All vehicles of the station and which of them is active. For the GUI thread only.

    The active one is shown and can be flown. It changes when somebody chooses another, and by
    nothing else: what is added or removed beside a live one leaves that as it is.
    """

    def __init__(self) -> None:
        super().__init__()
        self.vehicles: tuple[Vehicle, ...] = ()
        self.active: Vehicle | None = None
        self.version = 0

    def add(self, vehicle: Vehicle) -> None:
        """Take in a vehicle. A name in use gets a number. It is the active one if no live one is
        that.
        """
        vehicle.name = unused_name(vehicle.name, {other.name for other in self.vehicles})
        self.vehicles = (*self.vehicles, vehicle)
        if self.active is None or not self.active.is_live:
            self.active = vehicle
        self.version += 1

    def remove(self, vehicle: Vehicle) -> None:
        """Forget a vehicle, which the caller closes. Unknown ones are no error.

        After the active one a flight from a file may show, but no other aircraft: who presses a
        key then must not have a live one by surprise.
        """
        self.vehicles = tuple(other for other in self.vehicles if other is not vehicle)
        if self.active is vehicle:
            is_flown = any(other.is_live for other in self.vehicles)
            self.active = self.vehicles[-1] if self.vehicles and not is_flown else None
        self.version += 1

    def exchange(self, vehicle: Vehicle, other: Vehicle) -> None:
        """Have another vehicle in the place of one that is in the fleet."""
        names = {one.name for one in self.vehicles if one is not vehicle}
        other.name = unused_name(other.name, names)
        self.vehicles = tuple(other if one is vehicle else one for one in self.vehicles)
        if self.active is vehicle:
            self.active = other
        self.version += 1

    def choose(self, vehicle: Vehicle) -> str:
        """Make `vehicle` the active one. Returns why not, "" if it is; raises ValueError if it is
        not in the fleet.

        Refused while the active one is flown by hand: the same stick would fly the other, and the
        one that was flown would fall to its failsafe. What flies by itself flies on.
        """
        if vehicle not in self.vehicles:
            raise ValueError(f"'{vehicle.name}' is not in the fleet")
        if vehicle is self.active:
            return ""
        why = self.active.why_stay() if self.active is not None else ""
        if not why:
            self.active = vehicle
            self.version += 1
        return why
