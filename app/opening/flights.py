"""Flight opening: logs, flights and videos, what belongs together, and what is missing."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.background_jobs import BackgroundJobs
from app.connection.armed import is_armed
from app.messages import Message, Messages
from app.opening.comparison import FlightComparison
from app.opening.flight_reading import FlightReading, FoundFlight, ReadFlight
from app.opening.logs import LogOpening
from app.opening.other_logs import OtherLogs
from app.opening.rereading import LogRereading
from telemetry.base.finding import Level
from telemetry.base.unused_names import unused_name
from telemetry.missions.files.formats import is_mission
from telemetry.review.flights.backups import FlightBackups
from telemetry.review.flights.file_kind import FileKind, kind_of
from telemetry.review.flights.file_reference import whole_path
from telemetry.review.flights.flight import (
    Flight,
    FlightContent,
    FlightLog,
    FlightVideo,
    flight_of,
    give_flight,
)
from telemetry.review.flights.log_alignment import LogAlignment, align_logs
from telemetry.vehicle.replay import vehicle_without_log
from telemetry.vehicle.vehicle import Fleet, LinkState, Vehicle

AskForFile = Callable[[str, Path, Callable[[Path], None]], object]
"""Lets the user choose a file: a title, where it was, and what is done with the file."""

_ARMED = "{name} is armed and stays the active one."


class FlightOpening:
    """Opens files and puts them together to flights. For the GUI thread; the reading is jobs'.

    `on_open` is called with each flight that is there, and the file it was opened by; it is the
    active vehicle then, unless an armed aircraft is that. `on_read` is called when its log has been
    read: one that has videos is there before. `on_videos` is called when videos have joined a
    flight since.
    """

    def __init__(
        self,
        fleet: Fleet,
        logs: LogOpening,
        backups: FlightBackups,
        jobs: BackgroundJobs,
        messages: Messages,
    ) -> None:
        self._fleet = fleet
        self._logs = logs
        self._jobs = jobs
        self._messages = messages
        self.other_logs = OtherLogs(fleet, logs, jobs, messages)
        self.comparison = FlightComparison(logs, jobs, messages)
        self._reading = FlightReading(logs, backups, messages)
        self._rereading = LogRereading(fleet, logs, jobs, messages, self._show_reread)
        self._waiting: list[Path] = []
        self.on_open: Callable[[Vehicle, Path], object] = lambda _vehicle, _path: None
        self.on_read: Callable[[Vehicle], object] = lambda _vehicle: None
        self.ask_for_file: AskForFile = lambda _title, _path, _then: None
        self.ask_for_definitions: Callable[[Callable[[list[Path]], None]], object] = lambda _then: (
            None
        )
        self.offer_joining: Callable[[Vehicle], object] = lambda _vehicle: None
        self.open_folder: Callable[[Path], object] = lambda _folder: None
        self.open_mission: Callable[[Path], object] = lambda _path: None
        self.on_videos: Callable[[Vehicle], object] = lambda _vehicle: None
        self.open_package: Callable[[Path], object] = lambda _path: None

    def open(self, paths: Sequence[Path]) -> None:
        """Open logs and flights, each as a flight of its own; videos among them join the first
        one, and alone the flight that shows. That takes definitions, too."""
        doing = f"Opening {paths[0].name}" if paths else ""
        if paths:
            self._jobs.submit(partial(_kinds_of, paths), doing, self._open_all)

    def find_definitions(self, vehicle: Vehicle) -> None:
        """Have the user choose definitions of what is unknown in a flight, and take them for it."""
        self.ask_for_definitions(partial(self._rereading.read_with, vehicle))

    def open_flight(self, log: Path, content: FlightContent) -> None:
        """Open a log as a flight of what is known to belong to it; that is not saved."""
        self._submit_opening(log, FileKind.LOG, content.videos)

    def add_videos(self, vehicle: Vehicle, files: Sequence[Path]) -> None:
        """Have videos join a flight, those that are any; files of a loop recording as one."""
        if files:
            self._jobs.submit(
                partial(self._reading.look_at_videos, files),
                f"Opening {files[0].name}",
                partial(self._take_videos, vehicle),
            )

    def add_log(self, vehicle: Vehicle, other: Vehicle, *, is_other_flight: bool) -> None:
        """Have the log of `other` join the flight of `vehicle`; see FlightLog."""
        flight, path = flight_of(vehicle), flight_of(other).log
        if path is None:
            self._messages.tell(f"{other.name} has no log that could be added.")
            return
        self._choose(vehicle)
        if is_other_flight:
            self.comparison.compare(vehicle, path, other.recording)
            return
        name = unused_name(path.name, [log.name for log in flight.logs])
        flight.logs = (*flight.logs, FlightLog(name, path, other.recording))
        if not flight_of(other).is_unsaved:
            self._fleet.remove(other)
        self._jobs.submit(
            partial(align_logs, vehicle.recording, other.recording),
            f"Aligning {name} with {vehicle.name}",
            partial(self._take_alignment, flight, name),
        )

    def _take_alignment(self, flight: Flight, name: str, found: LogAlignment) -> None:
        log = flight.other_log(name)
        if found.sync is None:
            self._messages.report(
                f"{name} is part of the flight, but not aligned: {found.reason} Its own seconds "
                "are shown as those of the flight.",
                Level.WARNING,
            )
        elif log is not None:
            flight.replace_log(name, replace(log, sync=found.sync))
            sigma_ms = 1000 * (found.sync.sigma_s or 0.0)
            self._messages.tell(f"{name} is aligned with the flight, to {sigma_ms:.0f} ms.")

    def _open_all(self, kinds: Sequence[tuple[Path, FileKind]]) -> None:
        videos = [path for path, kind in kinds if kind is FileKind.VIDEO]
        if definitions := [path for path, kind in kinds if kind is FileKind.DEFINITIONS]:
            self._rereading.read_with(self._fleet.active, definitions)
        for path, kind in kinds:
            if kind is FileKind.FOLDER:
                self.open_folder(path)
            elif kind is FileKind.MISSION:
                self.open_mission(path)
            elif kind is FileKind.PACKAGE:
                self.open_package(path)
            elif kind not in (FileKind.VIDEO, FileKind.DEFINITIONS):
                self._open(path, kind, videos)
                videos = []
        if videos:
            self._join_active(videos)

    def _open(self, path: Path, kind: FileKind, videos: list[Path]) -> None:
        if kind is FileKind.FLIGHT and (vehicle := self._opened_by(path)):
            self._choose(vehicle)
            self.add_videos(vehicle, videos)
            return

        self._submit_opening(path, kind, (), videos)

    def _submit_opening(
        self,
        path: Path,
        kind: FileKind,
        media: Sequence[FlightVideo],
        files: Sequence[Path] = (),
    ) -> None:
        """Have a log or flight read; `media` are part of it, and so are `files` if they are
        videos."""
        files = [*files, *self._waiting]
        self._waiting.clear()
        doing = f"Opening {path.name}"

        def fail(message: Message) -> None:
            self._messages.put(message)
            self._waiting += files

        def begin(found: FoundFlight) -> None:
            begun = self._begin(found, media)
            is_shown = begun in self._fleet.vehicles

            def take(read: ReadFlight) -> None:
                if not is_shown or begun in self._fleet.vehicles:  # else it was closed meanwhile
                    self._take(begun, found, read)

            def give_up(message: Message) -> None:
                self._fleet.remove(begun)
                fail(message)

            self._jobs.submit(partial(self._reading.read, found), doing, take, give_up)

        self._jobs.submit(partial(self._reading.find, path, kind, files), doing, begin, fail)

    def _opened_by(self, path: Path) -> Vehicle | None:
        whole = whole_path(path)
        return next((one for one in self._fleet.vehicles if flight_of(one).path == whole), None)

    def _join_active(self, videos: list[Path]) -> None:
        """A film belongs to a flight that was, so hardly to one that is just being flown."""
        active = self._fleet.active
        if active is not None and active.status.state is LinkState.REPLAY:
            self.add_videos(active, videos)
            return
        self._waiting += videos
        names = " and ".join(path.name for path in videos)
        text = f"{names}: open the log of the flight, and it joins that."
        if active is None:
            self._messages.report(text, Level.INFO)
            return

        def join() -> None:
            self._waiting = [path for path in self._waiting if path not in videos]
            self.add_videos(active, videos)

        title = f"Add to {active.name}"
        self._messages.put(Message(text, remedy_title=title, remedy=join, topic="video waits"))

    def _begin(self, found: FoundFlight, media: Sequence[FlightVideo]) -> Vehicle:
        """The flight while its log is being read; it shows if there are videos to be seen."""
        reason = f"{found.log.name} is being read."
        vehicle = vehicle_without_log(found.log.name, reason, self._logs.catalogue())
        flight = flight_of(vehicle)
        flight.log, flight.is_being_read = found.log, True
        if found.stored is not None:
            flight.content = found.saved
            flight.take_saved(found.path, found.saved)
        if found.backup is not None:
            saved = found.saved
            flight.content = replace(found.backup, as_read=saved.as_read, layout=saved.layout)
        videos = (*media, *found.videos)
        if videos or any(not video.problem for video in flight.videos):
            self._show(vehicle, found.path)
        self._add_media(vehicle, media)
        self._take_videos(vehicle, found.videos)
        return vehicle

    def _show(self, vehicle: Vehicle, path: Path) -> None:
        self._fleet.add(vehicle)
        self._choose(vehicle)
        self.on_open(vehicle, path)

    def _take(self, begun: Vehicle, found: FoundFlight, read: ReadFlight) -> None:
        """The log is there, and `begun` gives way to the vehicle that was read."""
        vehicle, flight = read.vehicle, flight_of(begun)
        replays = [one for one in self._fleet.vehicles if one.status.state is LinkState.REPLAY]
        give_flight(vehicle, flight)
        flight.is_being_read = False
        if begun in replays:
            self._fleet.exchange(begun, vehicle)
        else:
            self._show(vehicle, found.path)
        self.on_read(vehicle)
        self._tell_brought_back(vehicle, found)
        self.other_logs.read_missing(vehicle)
        self._tell_missing(vehicle, read.problem)
        if found.stored is None and any(one is not begun for one in replays):
            self._offer(vehicle)

    def _show_reread(self, vehicle: Vehicle, path: Path) -> None:
        self.on_open(vehicle, path)
        self.on_read(vehicle)
        self.other_logs.read_missing(vehicle)

    def _choose(self, vehicle: Vehicle) -> None:
        """Show a flight that was opened, unless an armed aircraft shows: reading takes a while,
        and nobody who flies by now is led away."""
        active = self._fleet.active
        if active is vehicle:
            return
        refusal = self._fleet.choose(vehicle) if active is None or not is_armed(active) else _ARMED
        if refusal:
            name = active.name if active is not None else ""
            text = f"{vehicle.name} is open beside {name}. {refusal.format(name=name)}"
            self._messages.report(text, Level.INFO)

    def _tell_brought_back(self, vehicle: Vehicle, found: FoundFlight) -> None:
        """What was not saved the last time stays, until the user says otherwise."""
        flight, saved, backup = flight_of(vehicle), found.saved, found.backup
        if backup is None or backup.without_files() == saved.without_files():
            return

        def forget() -> None:
            flight.content = saved
            self.other_logs.read_missing(vehicle)

        text = "What you did in this flight the last time was not saved; it is here again."
        self._messages.put(
            Message(text, remedy_title="Forget it", remedy=forget, refusal_title="Keep it")
        )

    def _offer(self, vehicle: Vehicle) -> None:
        self._messages.put(
            Message(
                f"{vehicle.name} is open as a flight of its own.",
                remedy_title="Add it to another, or compare …",
                remedy=partial(self.offer_joining, vehicle),
                topic="a flight of its own",
            )
        )

    def _take_videos(self, vehicle: Vehicle, videos: Sequence[FlightVideo]) -> None:
        added = self._add_media(vehicle, videos)
        if added:
            verb = "is" if len(added) == 1 else "are"
            names = " and ".join(video.name for video in added)
            self._messages.tell(f"{names} {verb} part of {vehicle.name} now.")
        elif videos:
            self._messages.tell(f"{videos[0].name} is part of {vehicle.name} already.")

    def _add_media(
        self, vehicle: Vehicle, videos: Sequence[FlightVideo]
    ) -> tuple[FlightVideo, ...]:
        """Add those videos that are not part of the flight; return them as they are called."""
        flight = flight_of(vehicle)
        known = {file for video in flight.videos for file in video.files}
        added: list[FlightVideo] = []
        for video in videos:
            if not known & {*video.files}:
                taken = [other.name for other in (*flight.videos, *added)]
                added.append(replace(video, name=unused_name(video.name, taken)))
        if added:
            flight.videos = (*flight.videos, *added)
            self.on_videos(vehicle)
        return tuple(added)

    def _tell_missing(self, vehicle: Vehicle, problem: str) -> None:
        """Ask for what is not there, one message each; everything else shows meanwhile."""
        flight = flight_of(vehicle)
        for video in flight.videos:
            if video.problem:
                found = partial(self._take_found_video, flight, video.name)
                self._ask_for(video.problem, video.files[0], found)
        for stream in flight.streams:
            if stream.problem:
                self._messages.report(
                    f"{stream.problem} Put it there, and open the flight again.", Level.WARNING
                )
        for log in flight.logs:
            if log.problem:
                self._ask_for(
                    log.problem, log.path, partial(self.other_logs.read_from, vehicle, log.name)
                )
        if problem and flight.log is not None:
            self._ask_for(problem, flight.log, partial(self._rereading.read_from, vehicle))

    def _ask_for(self, problem: str, path: Path, then: Callable[[Path], None]) -> None:
        ask = partial(self.ask_for_file, f"Find {path.name}", path, then)
        text = f"{problem} Everything else of the flight is open."
        self._messages.put(Message(text, Level.WARNING, "", "Find the file …", ask))

    def _take_found_video(self, flight: Flight, name: str, found: Path) -> None:
        """The others of a medium of several files are looked for beside the one found."""
        video = flight.video(name)
        if video is None:
            return
        beside = [
            found if len(video.files) == 1 else found.parent / one.name for one in video.files
        ]
        missing = [one.name for one in beside if not one.is_file()]
        problem = f"{' and '.join(missing)} is not in {found.parent}." if missing else ""
        files = tuple(whole_path(one) for one in beside)
        flight.replace_video(name, replace(video, files=files, problem=problem))
        if problem:
            self._messages.report(problem, Level.WARNING)


def _kinds_of(paths: Sequence[Path]) -> list[tuple[Path, FileKind]]:
    """In a job. What cannot be looked at is a log, whose reader says why."""
    kinds = []
    for path in paths:
        try:
            is_plan = path.is_file() and is_mission(path)
            kinds.append((path, FileKind.MISSION if is_plan else kind_of(path)))
        except OSError:
            kinds.append((path, FileKind.LOG))
    return kinds
