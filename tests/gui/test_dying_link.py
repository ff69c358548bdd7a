"""What is said of a link that dies: amber after one second, red after two, the same age everywhere.

The whole window on a conversation in simulated time. What an aircraft no longer tells over a link
that lives is told after three seconds; that alarms come once a second and attitudes ten times is
what LibrePilot's definitions say.
"""

import random
from collections.abc import Callable

import pytest

from app.station import Station
from plugins.flight_display.panel import live_fault
from plugins.pilot.aircraft_row import read_row
from plugins.system_health.link_figures import figures
from plugins.testing import catalogue
from telemetry.base.finding import Level
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.session.config import SessionConfig
from telemetry.recording.recording import Recording
from telemetry.vehicle.conversation import Conversation, ConversationSetup, Report
from telemetry.vehicle.link_status import link_status
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.vehicle import LATE_S, Vehicle
from tests.telemetry.protocol.session.fakes import SMALL, MemoryBoard, frames_of
from tests.telemetry.vehicle.fakes import FLIGHT_STATS_ID, AircraftLink, Clock
from widgets.display_units import METRIC
from widgets.instruments.status_texts import link_word
from widgets.level_mark import LEVEL_TOKENS

BAR_S = 3.0
LOOK_EVERY_S = 0.1
CONFIG = SessionConfig()
NAMES = (*SMALL, "SystemAlarms")


class DyingLink(AircraftLink):
    """An aircraft that tells its alarms once a second. `spoil` is what happens to its frames."""

    def __init__(self, clock: Clock, definitions: list[ObjectDefinition]) -> None:
        super().__init__(clock, catalogue(), MemoryBoard(definitions))
        self.spoil: Callable[[bytes], bytes] = lambda data: data
        self._alarms_id = self.board.named("SystemAlarms").object_id
        self._next_alarms = 0.0

    def read(self, timeout_s: float) -> bytes:
        if self._clock.now >= self._next_alarms:
            self._next_alarms = self._clock.now + 1.0
            self.flight.publish(self._alarms_id)
        return self.spoil(super().read(timeout_s))


def is_quiet(shown: tuple[str, str]) -> bool:
    """Whether the strip has no alarm to tell: then it says what the aircraft lacks to be flown,
    which tells nothing of itself but alarms, attitude and settings."""
    return shown[1].startswith("Not ready: ")


def silent(_data: bytes) -> bytes:
    return b""


def damaged(data: bytes) -> bytes:
    """Every 20th byte has another bit."""
    return bytes(b ^ 4 if i % 20 == 7 else b for i, b in enumerate(data))


def half_damaged(data: bytes) -> bytes:
    frames = frames_of(data)
    return b"".join(damaged(f) if random.Random(f).random() < 0.5 else f for f in frames)


def only_statistics(data: bytes) -> bytes:
    wanted = FLIGHT_STATS_ID.to_bytes(4, "little")
    return b"".join(frame for frame in frames_of(data) if frame[4:8] == wanted)


class Bench:
    """The station's window on an aircraft at the end of a dying link."""

    def __init__(self, station: Station) -> None:
        self.window = station.window
        self.clock = Clock()
        known: Catalogue = catalogue()
        self.link = DyingLink(self.clock, [known.find(name) for name in NAMES])
        started = self.clock.now
        recording = Recording("test")
        commands = LiveCommands(lambda: None, self.clock)
        self.vehicle = Vehicle(
            "quad", recording, known, commands, elapsed_s=lambda: self.clock.now - started
        )
        setup = ConversationSetup(known, recording, commands, self.clock, started, CONFIG)
        self._conversation = Conversation(self.link, setup, self._take)
        self._conversation.start()

    def _take(self, report: Report) -> None:
        self.vehicle.status = link_status(report, CONFIG.link_loss_s, was_connected=True)

    def run(self, seconds: float) -> None:
        end = self.clock.now + seconds
        while self.clock.now < end:
            self._conversation.step()

    def look(self) -> tuple[str, str]:
        """What stands in the toolbar and at the right of the strip."""
        vehicle = self.vehicle
        vehicle.timeline.advance(self.clock.now, vehicle.recording.first_s, vehicle.end_s)
        self.window.show_status(vehicle)
        self.window.show_alarms(vehicle)
        return self.window.toolbar.link_button.text(), self.window.alarm_strip.headline()

    def words(self) -> set[str]:
        """What is said of the link everywhere: toolbar, strip and its fields, Links page, list of
        aircraft, flight display."""
        toolbar, strip = self.look()
        vehicle, status = self.vehicle, self.vehicle.status
        (state,) = (value for name, value, _ in figures(status) if name == "State")
        row = read_row(vehicle, METRIC, is_active=True)
        return {
            toolbar,
            strip.partition("  +")[0],
            link_word(status).text,
            state.partition(". ")[0],
            row.cells[1],
            live_fault(vehicle),
        }

    def levels(self) -> set[Level]:
        """How bad it is said to be: in the strip, its fields and on the Links page."""
        status, tones = self.vehicle.status, {token: level for level, token in LEVEL_TOKENS.items()}
        (state,) = (tone for name, _, tone in figures(status) if name == "State")
        worst = self.window.alarm_strip.items[0]
        return {status.age_level, worst.level, tones[link_word(status).token], tones[state]}

    def until(self, changed: Callable[[tuple[str, str]], bool], patience_s: float = 20.0) -> float:
        """Let time pass until what is shown is so; return the seconds it took."""
        began = self.clock.now
        while not changed(self.look()):
            assert self.clock.now - began < patience_s, self.look()
            self.run(LOOK_EVERY_S)
        return self.clock.now - began


@pytest.fixture
def bench(station: Station) -> Bench:
    bench = Bench(station)
    bench.run(8.0)
    assert bench.look()[0] == "Connected"
    assert is_quiet(bench.look())
    return bench


@pytest.mark.slow
def test_a_silent_link_counts_and_is_lost_after_five_seconds(bench: Bench) -> None:
    bench.link.spoil = silent
    assert bench.until(lambda shown: shown[0] != "Connected") <= LATE_S + LOOK_EVERY_S
    assert bench.words() == {"No data for 1.0 s"}
    assert bench.levels() == {Level.WARNING}
    bench.run(0.5)
    assert bench.words() == {"No data for 1.5 s"}
    assert bench.levels() == {Level.WARNING}
    bench.run(0.5)
    assert bench.words() == {"No data for 2.0 s"}
    assert bench.levels() == {Level.ERROR}
    bench.run(3.1)
    assert bench.words() == {"Link lost for 5.1 s"}
    assert bench.levels() == {Level.ERROR}
    bench.link.spoil = lambda data: data
    assert bench.until(lambda shown: shown[0] == "Connected" and is_quiet(shown)) < 5.0


@pytest.mark.slow
def test_no_rate_and_no_quality_are_said_of_a_link_that_is_silent(bench: Bench) -> None:
    """ "Connected, Link 100 %" stood there for 5 s of silence."""
    status = bench.vehicle.status
    assert (status.quality_percent, status.objects_per_s > 0) == (100, True)
    assert ("Quality", "100\u2009% in the last 3\u2009s", "") in figures(status)
    bench.link.spoil = silent
    bench.run(1.1)
    status = bench.vehicle.status
    assert (status.quality_percent, status.objects_per_s) == (None, 0.0)
    assert ("Quality", "–", "") in figures(status)
    bench.run(30.0)
    assert bench.vehicle.status.quality_percent is None


@pytest.mark.slow
def test_a_link_of_one_frame_a_second_is_heard(bench: Bench) -> None:
    """As of weak radios, that let nothing but the statistics of each second pass."""
    bench.link.spoil = only_statistics
    bench.run(1.0)
    for _ in range(100):
        bench.run(0.1)
        assert bench.look()[0] == "Connected"


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [damaged, half_damaged])
def test_a_damaged_link_is_a_warning_itself(bench: Bench, spoil: Callable[[bytes], bytes]) -> None:
    bench.link.spoil = spoil
    assert bench.until(lambda shown: not is_quiet(shown)) <= BAR_S
    assert bench.look()[1].startswith("Link: ")


@pytest.mark.slow
def test_a_half_dead_link_shows_how_old_alarms_and_attitude_are(bench: Bench) -> None:
    bench.link.spoil = only_statistics
    assert bench.until(lambda shown: not is_quiet(shown)) <= BAR_S + LOOK_EVERY_S
    bench.run(2.0)
    assert bench.look() == ("Connected", "Attitude, 4\u2009s old  +1")
    (attitude, alarms) = bench.window.alarm_strip.items
    assert (attitude.title, alarms.title) == ("Attitude", "Alarms")


@pytest.mark.slow
def test_a_worker_that_hangs_in_its_link_is_noticed_too(bench: Bench) -> None:
    bench.clock.now += 3.1  # and it steps no more
    assert bench.words() == {"No data for 3.1 s"}


@pytest.mark.slow
def test_connected_is_not_said_while_an_object_is_missing(station: Station) -> None:
    bench = Bench(station)
    deaf = bench.link.board.named("PathAction").object_id.to_bytes(4, "little")
    bench.link.spoil = lambda data: b"".join(f for f in frames_of(data) if f[4:8] != deaf)
    bench.run(8.0)
    status = bench.vehicle.status
    assert status.fetched == status.total - 1
    assert bench.look()[0] == f"{status.fetched} of {status.total} objects"
    assert status.reason.startswith("1 kind of data did not come")
    bench.link.spoil = lambda data: data
    bench.link.flight.publish(bench.link.board.named("PathAction").object_id)
    assert bench.until(lambda shown: shown[0] == "Connected") < 1.0
