"""Connection as a user means it: it keeps a vehicle's link up until told not to.

    vehicle = connect("tcp:127.0.0.1:9000", open_tcp, catalogue, folder)
    ...
    vehicle.close()

One worker thread per connection owns link, session and recorder and is the sole writer of the
recording. A link that ends is opened again after a while, with a new session and in the same
recording, unless the user disconnected.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from telemetry.base import clock
from telemetry.base.finding import Level
from telemetry.protocol.links.address import AddressError, short_name
from telemetry.protocol.links.capacity import line_bytes_per_s
from telemetry.protocol.links.link import (
    Link,
    LinkError,
    NotThere,
    imu_of,
    is_lossless,
    streams_of,
    world_of,
)
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.config import SessionConfig
from telemetry.recording.disk_columns import DiskColumns
from telemetry.recording.events import Event, Kind
from telemetry.recording.recording import Recording
from telemetry.recording.simulated_imu import SimulatedImu
from telemetry.recording.simulated_world import SimulatedWorld
from telemetry.recording.timed_columns import Grow, grown_in_memory
from telemetry.vehicle.board_memory import BoardMemory, content_store
from telemetry.vehicle.conversation import (
    NOT_VERIFIED,
    Conversation,
    ConversationSetup,
    Report,
)
from telemetry.vehicle.event_journal import EventJournal
from telemetry.vehicle.link_meter import LinkRates
from telemetry.vehicle.link_status import RESTARTS, link_status
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.log_companions import LogCompanions
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from telemetry.vehicle.recorder import Recorder, RecordingLink
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle

if TYPE_CHECKING:
    from telemetry.vehicle.live_streams import LiveStreams
    from telemetry.vehicle.stream_recorder import StreamRecorder


@dataclass(frozen=True, slots=True)
class BoardFolders:
    """Where it is kept what boards had before their metadata was changed temporarily, so that it is
    restored after a crash too, and which settings they told last time.
    """

    metadata: Path
    settings: Path


OpenLink = Callable[[str], Link]

BACKOFF_S = (0.5, 1.0, 2.0, 4.0)
_JOIN_TIMEOUT_S = 5.0
_LOG = logging.getLogger("lapwing.connection")

_WRITABLE = (LinkState.FETCHING, LinkState.CONNECTED)


def connect(
    address: str,
    open_link: OpenLink,
    catalogue: Catalogue,
    record_folder: Path | None,
    config: SessionConfig | None = None,
    kept: BoardFolders | None = None,
) -> Vehicle:
    """Begin to connect and return the vehicle at once; `vehicle.close()` disconnects.

    `open_link` runs in the worker and raises LinkError. Nothing is written to disk when
    `record_folder` is None. What is kept of boards is in the folders `kept`; without them original
    metadata is kept in memory, and nothing is shown from last time.
    """
    recorder = Recorder(record_folder, address, clock.local_now())
    connection = Connection(address, open_link, catalogue, recorder, config, kept)
    connection.start()
    return connection.vehicle


class Connection:
    """Keeps one vehicle's link up in a thread of its own."""

    def __init__(
        self,
        address: str,
        open_link: OpenLink,
        catalogue: Catalogue,
        recorder: Recorder,
        config: SessionConfig | None = None,
        kept: BoardFolders | None = None,
    ) -> None:
        self._address = address
        self._open_link = open_link
        self._recorder = recorder
        recording = Recording(address, clock.wall_now(), _columns_beside(recorder))
        commands = LiveCommands(self._why_not, clock.monotonic_s)
        self.vehicle = Vehicle(
            short_name(address),
            recording,
            catalogue,
            commands,
            on_close=self.disconnect,
            elapsed_s=self._elapsed_s,
        )
        self._setup = ConversationSetup(
            catalogue=catalogue,
            recording=recording,
            commands=commands,
            clock=clock.monotonic_s,
            started_s=clock.monotonic_s(),
            config=config or SessionConfig(),
            originals=OriginalMetadataStore(kept.metadata if kept else None),
            memory=BoardMemory(
                content_store(kept.settings) if kept else None, catalogue, recording
            ),
        )
        self._companions = LogCompanions(recording, catalogue, lambda: recorder.object_ids)
        self._journal = EventJournal(lambda: recorder.file)
        if recorder.folder is not None:
            recording.keep = self._journal.keep
        self._streams: LiveStreams | None = None
        self._stream_recorder: StreamRecorder | None = None
        self._was_connected = False
        self._can_write = True
        self._line_bytes_per_s = inf
        self._unrecorded = ""
        self._journal_problem = ""
        self._streams_problem = ""
        self._unrecorded_sensors: set[str] = set()
        self._stopped_sensors: Mapping[str, str] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"connection {address}")

    def start(self) -> None:
        """Begin to connect."""
        self.vehicle.status = LinkStatus(LinkState.CONNECTING)
        self._thread.start()

    def disconnect(self) -> None:
        """End the link and the worker, and wait for it. Disconnecting twice is fine."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(_JOIN_TIMEOUT_S)
        self._setup.commands.refuse_all("Not sent: disconnected. Connect again first.")

    # The worker thread

    def _run(self) -> None:
        self._journal.start()
        attempt = 0
        while not self._stopping.is_set():
            is_useful, reason = self._attempt()
            if reason is None:
                break
            attempt = 0 if is_useful else attempt + 1
            self._retire(reason)
            self._stopping.wait(BACKOFF_S[min(attempt, len(BACKOFF_S) - 1)])
        self._companions.finish(self._recorder.file)
        self._journal.close()
        self._recorder.close()
        self._show_ended()

    def _attempt(self) -> tuple[bool, str | None]:
        """Connect and converse; return whether it came to a connection and why it ended.

        The reason is None when nothing is to be tried again.
        """
        conversation: Conversation | None = None
        try:
            link = self._open_link(self._address)
            try:
                self.vehicle.link = link
                if link.address.startswith(self._address):  # "usb:" was any board, and is this one
                    self._address = link.address
                self._can_write = link.can_write
                self._line_bytes_per_s = line_bytes_per_s(link.address)
                self._note_world(link)
                self._recorder.open()
                self._open_streams(link)
                recorded = RecordingLink(link, self._recorder, self._elapsed_s)
                self._setup.commands.refuse_all("Not sent: the link was opened anew.")
                conversation = Conversation(recorded, self._setup, self._show)
                conversation.run(self._stopping.is_set, self._stopping.wait)
            finally:
                self.vehicle.link = None
                self._close_streams()
                link.close()
            return True, None
        except AddressError as error:
            self.vehicle.status = replace(self.vehicle.status, reason=str(error))
            return False, None
        except NotThere as error:
            return True, str(error)  # looked for again and again, so that it is back in a second
        except LinkError as error:
            reason = str(error)
        except Exception as error:  # noqa: BLE001 - the worker's border: reported, then retried
            _LOG.exception("The connection to %s failed", self._address)
            reason = f"An internal error ended the link ({error}). Details are in the log."
        return conversation is not None and conversation.was_connected, reason

    def _note_world(self, link: Link) -> None:
        """Have the flight know where it is simulated, if it is in a world, and by which IMU."""
        name, seed, span_m = world_of(link)
        if name:
            self._setup.recording.world = SimulatedWorld(name, seed, span_m)
        if imu := imu_of(link):
            self._setup.recording.imu = SimulatedImu(*imu)

    def _open_streams(self, link: Link) -> None:
        """Take in and record the pictures and scans that come beside a link, if any do."""
        streams = streams_of(link)
        if streams is None:
            return
        from telemetry.vehicle.live_streams import LiveStreams
        from telemetry.vehicle.stream_recorder import StreamRecorder

        recording = self._setup.recording
        if self._stream_recorder is None:
            self._stream_recorder = StreamRecorder(
                recording, lambda: self._recorder.file, is_lossless=is_lossless(link)
            )
        self._streams = LiveStreams(streams, recording, self._elapsed_s, self._stream_recorder)

    def _close_streams(self) -> None:
        streams, self._streams = self._streams, None
        if streams is not None:
            streams.close()

    def _note(self, kind: Kind, level: Level, text: str) -> None:
        """Have it in the flight itself."""
        self._setup.recording.add_event(Event(self._elapsed_s(), kind, level, text))

    def _note_recording(self) -> None:
        """When its file stopped, and in which one it goes on."""
        before, self._unrecorded = self._unrecorded, self._recorder.error
        if self._unrecorded != before:
            text = "Recording goes on in a new file"
            level = Level.ERROR if self._unrecorded else Level.INFO
            self._note("recording", level, self._unrecorded or text)

    def _note_journal(self) -> None:
        """Why events are not on the disk; they are noted all the same, and written later."""
        before, self._journal_problem = self._journal_problem, self._journal.problem
        if self._journal_problem not in ("", before):
            self._note("recording", Level.WARNING, self._journal_problem)

    def _note_streams(self) -> None:
        """Why no more pictures and scans come."""
        before = self._streams_problem
        self._streams_problem = self._streams.problem if self._streams is not None else ""
        if self._streams_problem not in ("", before):
            self._note("recording", Level.WARNING, self._streams_problem)

    def _note_sensors(self) -> None:
        """Which sensors have stopped, and why."""
        before = self._stopped_sensors
        self._stopped_sensors = self._setup.recording.stopped_sensors
        for name, why in self._stopped_sensors.items():
            if before.get(name) != why:
                self._note("sensor", Level.WARNING, why.rstrip("."))

    def _note_unrecorded(self) -> None:
        """Which sensors' samples are not kept, and why."""
        if self._stream_recorder is None or self._recorder.error:  # which says it of them all
            return
        before, tracks = self._unrecorded_sensors, self._setup.recording.media_tracks()
        found = {track.description.name: track.unrecorded for track in tracks}
        self._unrecorded_sensors = {name for name, why in found.items() if why}
        for name in sorted(self._unrecorded_sensors - before):
            self._note("sensor", Level.WARNING, f"{name}: {found[name].rstrip('.')}")

    def _retire(self, reason: str) -> None:
        """The link ended: say so until it is back."""
        is_asked = self._is_restart_awaited
        if self.vehicle.status.state in (*_WRITABLE, LinkState.LOST):
            self._note("link", Level.INFO if is_asked else Level.ERROR, reason)
        state = LinkState.RECONNECTING if self._was_connected else LinkState.CONNECTING
        if is_asked:
            state, reason = LinkState.RESTARTING, f"{RESTARTS} {reason}"
        self.vehicle.status = replace(
            self.vehicle.status,
            state=state,
            reason=reason,
            **asdict(LinkRates()),
            recording_error=self._recorder.error,
        )
        # After the new state, which lets nothing more in.
        self._setup.commands.refuse_all(f"Not sent: {reason}")

    @property
    def _is_restart_awaited(self) -> bool:
        return self._setup.commands.is_restart_awaited(self._setup.clock())

    def _show_ended(self) -> None:
        self.vehicle.status = replace(
            self.vehicle.status,
            state=LinkState.DISCONNECTED,
            reason="" if self._stopping.is_set() else self.vehicle.status.reason,
            **asdict(LinkRates()),
            recording_file="",
            recording_error=self._recorder.error,
        )

    def _show(self, report: Report) -> None:
        """Replace the vehicle's status."""
        self._note_recording()
        self._note_journal()
        self._note_streams()
        self._note_sensors()
        self._note_unrecorded()
        self._companions.keep(self._recorder.file, self._elapsed_s())
        status = link_status(
            report,
            self._setup.config.link_loss_s,
            was_connected=self._was_connected,
            is_restart_awaited=self._is_restart_awaited,
        )
        was_restarting = self.vehicle.status.state is LinkState.RESTARTING
        if was_restarting and status.state is not LinkState.RESTARTING:
            self._setup.commands.end_restart()
        self._was_connected = self._was_connected or status.state in _WRITABLE
        heard_s = self.vehicle.status.heard_s if status.heard_s is None else status.heard_s
        self.vehicle.status = replace(
            status,
            heard_s=heard_s,
            line_bytes_per_s=self._line_bytes_per_s,
            recording_file=self._recorder.file,
            recording_error=self._recorder.error,
        )

    def _elapsed_s(self) -> float:
        return self._setup.clock() - self._setup.started_s

    # For the commands, in the GUI's thread

    def _why_not(self) -> str | None:
        status = self.vehicle.status
        if not self._can_write:
            return "Not sent: this link only receives."
        if status.state in _WRITABLE and not self._stopping.is_set():
            return NOT_VERIFIED if status.from_last_time else None
        return f"Not sent: {status.word.lower()}. {status.reason}".strip()


def _columns_beside(recorder: Recorder) -> Grow:
    """Long columns on the disk that the flight is recorded on; in memory if it is not."""
    folder = recorder.folder
    return DiskColumns(folder).grown if folder is not None else grown_in_memory
