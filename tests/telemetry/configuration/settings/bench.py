"""A vehicle with a link, a worker's conversation and an aircraft, all in simulated time."""

from collections.abc import Callable

from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import pack_values, read_path, row_of
from telemetry.protocol.session.config import SessionConfig, SessionState
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Value
from telemetry.vehicle.conversation import Conversation, ConversationSetup, Report
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
from tests.telemetry.protocol.session.fakes import MemoryBoard, small_board
from tests.telemetry.vehicle.fakes import AircraftLink, Clock

_STATES = {
    SessionState.FETCHING: LinkState.FETCHING,
    SessionState.CONNECTED: LinkState.CONNECTED,
    SessionState.LOST: LinkState.LOST,
}
_NUMBERS = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float")


class Bench:
    """`settings` is what is tested. `run` lets time pass until something is so."""

    def __init__(
        self,
        catalogue: Catalogue,
        board: MemoryBoard | None = None,
        originals: OriginalMetadataStore | None = None,
        seed: int = 1,
        store: DraftStore | None = None,
        source: str = "bench",
    ) -> None:
        self.catalogue = catalogue
        self.seed = seed
        self.board = board or small_board(catalogue)
        self.clock = Clock()
        recording = Recording(source)
        commands = LiveCommands(self._why_not, self.clock)
        self.vehicle = Vehicle(
            "bench", recording, catalogue, commands, elapsed_s=lambda: self.clock.now
        )
        self._setup = ConversationSetup(
            catalogue,
            recording,
            commands,
            self.clock,
            0.0,
            SessionConfig(),
            originals or OriginalMetadataStore(),
        )
        self.connect()
        self.settings: Configuration = configuration_of(self.vehicle)
        self.settings.draft_store = store or self.settings.draft_store
        self.run(lambda: self.vehicle.status.state is LinkState.CONNECTED)

    def connect(self) -> None:
        """A new link to the same aircraft."""
        self.aircraft = AircraftLink(self.clock, self.catalogue, self.board)
        self.link = FaultyLink(self.aircraft, Faults(), self.clock, self.seed)
        self._conversation = Conversation(self.link, self._setup, self._show)
        self._conversation.start()

    def leave(self) -> None:
        """The station ends, as it should."""
        self._conversation.say_goodbye()

    def run(self, until: Callable[[], bool], limit_s: float = 120.0) -> None:
        """Let time pass until `until`; fail if it does not come within `limit_s`."""
        end_s = self.clock.now + limit_s
        while not until():
            assert self.clock.now < end_s, "it did not happen in time"
            self.step()
            self.settings.poll()

    def step(self) -> None:
        """One round of the worker."""
        self._conversation.step()

    def pass_time(self, seconds: float) -> None:
        """Let some time pass."""
        end_s = self.clock.now + seconds
        self.run(lambda: self.clock.now >= end_s)

    def finish(self) -> None:
        """Wait for the transfer."""
        self.run(lambda: not self.settings.is_busy)

    def on_board(self, name: str, path: str) -> Value | tuple[Value, ...]:
        """What the aircraft's memory really holds."""
        definition = self.named(name)
        return read_path(definition, self._row(definition), path)

    def stored(self, name: str) -> bytes | None:
        """What would be there after a restart."""
        return self.board.stored.get((self.named(name).object_id, 0))

    def held(self, name: str) -> bytes:
        """What is in the aircraft's memory now."""
        return self.board.values[self.named(name).object_id, 0]

    def put(self, name: str, path: str, value: Value) -> None:
        """Another station writes a value; the aircraft tells ours."""
        definition = self.named(name)
        payload = pack_values(definition, {path: value}, self._row(definition))
        self.board.values[definition.object_id, 0] = payload
        self.aircraft.flight.publish(definition.object_id)
        self.pass_time(0.2)

    def named(self, name: str) -> ObjectDefinition:
        """The board's version of an object."""
        return self.board.named(name)

    def _row(self, definition: ObjectDefinition):  # type: ignore[no-untyped-def]
        return row_of(definition, self.board.values[definition.object_id, 0])

    def _show(self, report: Report) -> None:
        state = _STATES.get(report.session.state, LinkState.CONNECTING)
        self.vehicle.status = LinkStatus(state, heard_s=report.heard_s)

    def _why_not(self) -> str | None:
        state = self.vehicle.status.state
        return None if state in (LinkState.FETCHING, LinkState.CONNECTED) else "Not sent: no link."


def large_board(catalogue: Catalogue, count: int) -> MemoryBoard:
    """A firmware with the usual objects and at least `count` settings."""
    names = [d.name for d in small_board(catalogue).definitions.values()]
    release = [d for d in catalogue.release(DEFAULT_RELEASE) if d.settings and d.single_instance]
    names += [d.name for d in release if d.name not in names][:count]
    return MemoryBoard(catalogue.find(name, DEFAULT_RELEASE) for name in names)


def stage_numbers(bench: Bench, count: int, number: int) -> dict[str, tuple[str, int]]:
    """Stage a number that is new in one field of so many objects; return both by object."""
    wanted: dict[str, tuple[str, int]] = {}
    for name in [d.name for d in bench.board.definitions.values() if d.settings]:
        path = _first_number(bench, name) if len(wanted) < count else None
        if path is not None:
            new = number + (bench.settings.on_board(name, path) == number)
            bench.settings.stage(name, path, new)
            wanted[name] = path, new
    assert len(wanted) == count
    bench.settings.confirm(bench.settings.unconfirmed())  # any number will do
    return wanted


def _first_number(bench: Bench, name: str) -> str | None:
    definition = bench.named(name)
    for path in bench.settings.values(name):
        field = definition.field_named(path.partition(".")[0])
        if field.type.label in _NUMBERS and field.units != "char":
            return path
    return None
