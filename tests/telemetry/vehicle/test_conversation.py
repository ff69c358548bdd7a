"""A conversation in one thread and simulated time: commands, recording, sticks, status."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition, UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.session.config import SessionConfig, SessionState
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.frame import FrameType
from telemetry.recording.logs.records import read_records
from telemetry.recording.recording import Recording
from telemetry.vehicle.commands import Write
from telemetry.vehicle.conversation import Conversation, ConversationSetup, Report
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.recorder import Recorder, RecordingLink
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.protocol.session.fakes import small_board
from tests.telemetry.recording.logs.books import frame
from tests.telemetry.vehicle.fakes import AircraftLink, Clock


class Flight:
    """A conversation with an aircraft, to be run for a while."""

    def __init__(self, catalogue: Catalogue, can_write: bool = True) -> None:
        self.clock = Clock()
        self.catalogue = catalogue
        self.board = small_board(catalogue)
        self.link = AircraftLink(self.clock, catalogue, self.board, can_write)
        self.recording = Recording("test")
        self.commands = LiveCommands(lambda: None, self.clock)
        self.reports: list[Report] = []
        self._setup = ConversationSetup(
            catalogue, self.recording, self.commands, self.clock, self.clock.now, SessionConfig()
        )
        self.conversation = self.converse(self.link)

    def converse(self, link: AircraftLink) -> Conversation:
        return Conversation(link, self._setup, self.reports.append)

    def run(self, seconds: float) -> None:
        end = self.clock.now + seconds
        self.conversation.run(lambda: self.clock.now >= end, lambda _seconds: None)

    def at(self, seconds: float, action: object) -> None:
        assert callable(action)
        self.link.at.append((self.clock.now + seconds, action))


@pytest.fixture
def flight(catalogue: Catalogue) -> Flight:
    return Flight(catalogue)


def test_it_fetches_records_and_reports(flight: Flight) -> None:
    flight.run(3.0)
    assert flight.reports[-1].session.state is SessionState.CONNECTED
    assert flight.reports[-1].rates.quality_percent == 100
    assert flight.reports[-1].rates.objects_per_s > 40
    names = flight.recording.names()
    assert {"MixerSettings", "MixerSettingsMeta", "GCSTelemetryStats", "AttitudeState"} <= set(
        names
    )
    assert 2.9 < flight.recording.last_s <= 3.1
    periods = [
        b.open_for_s - a.open_for_s
        for a, b in zip(flight.reports, flight.reports[1:], strict=False)
    ]
    assert max(periods) < 0.2


def test_send_lays_values_over_what_is_on_board(flight: Flight) -> None:
    tickets = []
    flight.at(
        1.0,
        lambda: tickets.append(
            flight.commands.send("StabilizationSettingsBank1", {"RollPI.Kp": 7.0})
        ),
    )
    flight.at(
        2.0,
        lambda: tickets.append(
            flight.commands.send("StabilizationSettingsBank1", {"PitchPI.Kp": 0.5})
        ),
    )
    flight.run(3.0)
    assert [ticket.state for ticket in tickets] == ["done", "done"]
    sample = flight.recording.latest("StabilizationSettingsBank1", 99.0)
    assert sample is not None
    assert sample["RollPI.Kp"] == 7.0
    assert sample["PitchPI.Kp"] == 0.5
    bank = flight.board.named("StabilizationSettingsBank1")
    assert flight.board.values[(bank.object_id, 0)] == sample.row.tobytes()


def test_a_refused_write_says_so_and_is_not_recorded(flight: Flight) -> None:
    tickets = []
    flight.board.refused.add(flight.board.named("StabilizationSettingsBank1").object_id)
    flight.at(
        1.0,
        lambda: tickets.append(
            flight.commands.send("StabilizationSettingsBank1", {"RollPI.Kp": 7.0})
        ),
    )
    flight.run(2.0)
    assert tickets[0].text == (
        "Not applied: StabilizationSettingsBank1 was refused by the board (NACK). "
        "It is unchanged on board."
    )
    sample = flight.recording.latest("StabilizationSettingsBank1", 99.0)
    assert sample is not None
    assert sample["RollPI.Kp"] != 7.0


@pytest.mark.parametrize(
    ("name", "values", "text"),
    [
        ("Nonsense", {"A": 1}, "Not sent: this aircraft has no object 'Nonsense'."),
        ("MixerSettings", {"Nonsense": 1}, "Not sent: MixerSettings has no field 'Nonsense'."),
    ],
)
def test_what_cannot_be_sent_is_refused_in_words(
    flight: Flight, name: str, values: dict[str, float], text: str
) -> None:
    tickets = []
    flight.at(1.0, lambda: tickets.append(flight.commands.send(name, values)))
    flight.run(1.5)
    assert (tickets[0].state, tickets[0].text) == ("failed", text)


def test_save_request_and_metadata(flight: Flight) -> None:
    tickets = {}
    metadata = Metadata(flight=UpdatePolicy(UpdateMode.PERIODIC, 100))
    commands = flight.commands

    def order() -> None:
        tickets["save"] = commands.persist("Save", "MixerSettings")
        tickets["load"] = commands.persist("Load", "SystemSettings")
        tickets["request"] = commands.request("PathAction", 0)
        tickets["absent"] = commands.request("PathAction", 7)
        tickets["metadata"] = commands.set_metadata("AttitudeState", metadata)
        tickets["read metadata"] = commands.request("AttitudeStateMeta")

    flight.at(1.0, order)
    flight.run(4.0)
    assert {name: ticket.text for name, ticket in tickets.items()} == {
        "save": "Saved: MixerSettings is stored on board and was read back.",
        "load": "Not loaded: SystemSettings was not possible for the board. Boards refuse while "
        "armed, and cannot load or erase what was never saved.",
        "request": "Received PathAction[0].",
        "absent": "Not received: this board does not have PathAction[7] (NACK).",
        "metadata": "Applied: AttitudeStateMeta holds these values on board. "
        "They are not saved there yet.",
        "read metadata": "Received AttitudeStateMeta.",
    }
    attitude = flight.board.named("AttitudeState")
    assert flight.board.values[(attitude.object_id + 1, 0)] == metadata.pack(8)


def test_sticks_stream_while_fresh_and_stop_by_themselves(flight: Flight) -> None:
    for step in range(20):
        flight.at(1.0 + step * 0.05, lambda: flight.commands.set_sticks(Sticks(throttle=0.5)))
    flight.run(4.0)
    track = flight.recording.track("GCSReceiver")
    assert track is not None
    times = track.times[track.times > 1.0]
    assert 20 <= len(times) <= 45
    assert times[-1] < 1.0 + 19 * 0.05 + 0.1 + 0.05
    assert track.sample(track.count - 1)["Channel"][0] == 1500
    receiver = flight.board.named("GCSReceiver")
    assert flight.board.values[(receiver.object_id, 0)][:2] == (1500).to_bytes(2, "little")


def test_what_stands_beside_the_sticks_goes_out_with_them(flight: Flight) -> None:
    """At once and then four times a second, unacknowledged, and no longer than the sticks."""
    bank = flight.board.named("StabilizationSettingsBank1")
    flight.commands.set_beside(Write(bank.name, {"RollPI.Kp": 7.0}))
    for step in range(21):
        flight.at(1.0 + step * 0.05, lambda: flight.commands.set_sticks(Sticks(throttle=0.5)))
    flight.run(3.0)
    frames = FrameDecoder().feed(flight.link.written)
    kinds = [frame.type for frame in frames if frame.object_id == bank.object_id]
    assert kinds == [FrameType.OBJ_REQ, *[FrameType.OBJ] * 5]  # asked for when the link came up
    values = np.frombuffer(flight.board.values[bank.object_id, 0], bank.dtype)[0]
    assert values["RollPI"][0] == 7.0


def streamed(link: AircraftLink, flight: Flight) -> int:
    receiver_id = flight.board.named("GCSReceiver").object_id
    return sum(frame.object_id == receiver_id for frame in FrameDecoder().feed(link.written))


@pytest.mark.parametrize(("sticks", "least"), [(Sticks(), 10), (Sticks(arm=True), 0)])
def test_an_emergency_stop_goes_on_over_a_link_that_does_not_answer(
    flight: Flight, sticks: Sticks, least: int
) -> None:
    """Silent, lost, and opened anew; what flies is not sent before the aircraft answers."""
    flight.commands.set_sticks(Sticks(throttle=0.5, arm=True))
    flight.run(2.0)
    reopened = AircraftLink(flight.clock, flight.catalogue, flight.board)
    reopened.is_silent = True
    conversation = flight.converse(reopened)
    end = flight.clock.now + 1.0

    def is_over() -> bool:
        flight.commands.set_sticks(sticks)
        return flight.clock.now >= end

    conversation.run(is_over, lambda _seconds: None)
    sent = streamed(reopened, flight)
    assert sent >= least
    assert least or not sent


def fly(flight: Flight, until_s: float, *, arm: bool) -> None:
    sticks = Sticks(throttle=0.5, arm=arm)
    for step in range(round(until_s / 0.05)):
        flight.at(step * 0.05, lambda: flight.commands.set_sticks(sticks))


def stick_events(flight: Flight) -> list[tuple[float, str]]:
    return [(round(e.t, 1), e.text) for e in flight.recording.events() if e.kind == "sticks"]


def test_a_stick_stream_that_stops_in_flight_is_an_event_with_its_cause(flight: Flight) -> None:
    fly(flight, 2.0, arm=True)
    flight.at(2.0, lambda: flight.commands.stop_sticks("The window does not answer."))
    flight.run(3.0)
    assert stick_events(flight) == [(2.0, "The stick stream stopped. The window does not answer")]


def test_a_stick_stream_that_dries_up_is_an_event(flight: Flight) -> None:
    fly(flight, 2.0, arm=True)
    flight.run(3.0)
    ((t, text),) = stick_events(flight)
    assert (t, text.endswith("Nothing new came from the station for 0.25 s")) == (2.2, True)


def test_a_pause_that_no_board_notices_is_no_event(flight: Flight) -> None:
    """Its receiver looks for packets every 256 ms (pios_gcsrcvr.c)."""
    fly(flight, 2.0, arm=True)
    flight.at(2.15, lambda: flight.commands.set_sticks(Sticks(throttle=0.5, arm=True)))
    flight.run(2.25)
    assert stick_events(flight) == []


def test_sticks_put_down_after_disarming_are_no_event(flight: Flight) -> None:
    fly(flight, 2.0, arm=False)
    flight.run(3.0)
    assert stick_events(flight) == []


def test_without_sticks_nothing_is_streamed(flight: Flight) -> None:
    flight.at(1.0, lambda: flight.commands.set_sticks(Sticks(throttle=0.5)))
    flight.at(1.01, lambda: flight.commands.set_sticks(None))
    flight.run(2.0)
    frames = FrameDecoder().feed(flight.link.written)
    receiver_id = flight.board.named("GCSReceiver").object_id
    streamed = [frame for frame in frames if frame.object_id == receiver_id and frame.type == 0x20]
    assert len(streamed) <= 1


def test_stopping_says_goodbye(flight: Flight) -> None:
    flight.run(2.0)
    last = FrameDecoder().feed(flight.link.written)[-1]
    assert last.object_id == flight.board.named("GCSTelemetryStats").object_id
    assert last.body[-1] == 0  # Disconnected


def test_an_unplugged_link_ends_it_and_fails_what_waits(flight: Flight) -> None:
    tickets = []
    flight.at(1.0, lambda: setattr(flight.link, "is_unplugged", True))
    flight.at(1.0, lambda: tickets.append(flight.commands.request("MixerSettings")))
    with pytest.raises(LinkClosed, match="unplugged"):
        flight.run(5.0)
    assert flight.conversation.was_connected


def test_silence_and_return_are_events_of_the_flight(flight: Flight) -> None:
    read = flight.link.read

    def deaf(timeout_s: float) -> bytes:
        read(timeout_s)
        return b""

    flight.at(2.0, lambda: setattr(flight.link, "read", deaf))
    flight.at(12.0, lambda: setattr(flight.link, "read", read))
    flight.run(20.0)
    links = [event.text for event in flight.recording.events() if event.kind == "link"]
    assert links == ["Link lost", "Link back"]
    assert flight.reports[-1].session.state is SessionState.CONNECTED


@pytest.mark.parametrize(("silent_s", "is_asked"), [(0.3, False), (2.0, True)])
def test_what_a_board_says_only_once_is_asked_for_after_a_pause(
    flight: Flight, silent_s: float, is_asked: bool
) -> None:
    """FlightStatus is sent on change, unacknowledged: the mode of before stood for good."""
    read, status = flight.link.read, flight.board.named("FlightStatus")

    def deaf(timeout_s: float) -> bytes:
        read(timeout_s)
        return b""

    def change() -> None:
        armed = pack_values(status, {"Armed": "Armed"})
        flight.board.values[(status.object_id, 0)] = armed
        flight.link.flight.publish(status.object_id)

    flight.at(3.0, lambda: setattr(flight.link, "read", deaf))
    flight.at(3.1, change)
    flight.at(3.0 + silent_s, lambda: setattr(flight.link, "read", read))
    flight.run(6.0)
    newest = flight.recording.latest("FlightStatus", flight.recording.last_s)
    assert newest is not None
    assert (newest["Armed"] == "Armed") == is_asked


def test_a_link_that_only_receives_is_observed(catalogue: Catalogue) -> None:
    flight = Flight(catalogue, can_write=False)
    flight.run(2.0)
    assert flight.link.written == b""
    assert flight.reports[-1].session.state is SessionState.CONNECTED
    assert "AttitudeState" in flight.recording.names()


def test_a_link_that_starts_slowly_says_what_it_is_busy_with(flight: Flight) -> None:
    flight.link.progress = "Compiling."
    flight.at(1.0, lambda: setattr(flight.link, "progress", ""))
    flight.run(2.0)
    assert flight.reports[0].progress == "Compiling."
    assert flight.reports[-1].progress == ""


def test_a_second_write_does_not_take_back_the_first(flight: Flight) -> None:
    """Both leave before either is acknowledged."""
    bank = "StabilizationSettingsBank1"

    def twice() -> None:
        flight.commands.send(bank, {"RollPI.Kp": 7.0})
        flight.commands.send(bank, {"PitchPI.Kp": 0.5})

    flight.at(2.0, twice)
    flight.run(4.0)
    sample = flight.recording.latest(bank, flight.recording.last_s)
    assert sample is not None
    assert (sample["RollPI.Kp"], sample["PitchPI.Kp"]) == (7.0, 0.5)


class CatalogueThatLooks:
    """Looks, each time something is looked up, at what then is on disk."""

    def __init__(self, inner: Catalogue, look: Callable[[], None]) -> None:
        self._inner = inner
        self._look = look

    def get(self, object_id: int, release: str = "") -> ObjectDefinition | None:
        self._look()
        return self._inner.get(object_id, release)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class Burst:
    """A link that delivers a burst, then some bytes at each reading, then ends."""

    name, address, can_write = "burst", "test:burst", False

    def __init__(self, burst: bytes, rest: list[bytes]) -> None:
        self._chunks = [burst, *rest]
        self.delivered = 0

    def read(self, _timeout_s: float) -> bytes:
        if not self._chunks:
            raise LinkClosed("It has ended.")
        data = self._chunks.pop(0)
        self.delivered += len(data)
        return data

    def write(self, data: bytes) -> None:
        raise AssertionError(data)

    def close(self) -> None:
        pass


def test_what_has_arrived_is_on_disk_before_any_of_it_is_looked_up(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    """And the link is read again every few objects, however many came at once."""
    frames = [frame(d, bytes(d.size)) for d in catalogue.release("OpenPilot-14.06")]
    link = Burst(b"".join(frames[:80]), frames[80:])
    recorder = Recorder(tmp_path, "burst", datetime(2026, 1, 1, tzinfo=UTC))
    recorder.open()
    missing: list[int] = []
    delivered: list[int] = []

    def look() -> None:
        records = read_records(np.fromfile(recorder.file, np.uint8))
        missing.append(link.delivered - int(records.sizes.sum()))
        delivered.append(link.delivered)

    recording = Recording("burst")
    clock = Clock()
    looking = cast("Catalogue", CatalogueThatLooks(catalogue, look))
    commands = LiveCommands(lambda: None, clock)
    setup = ConversationSetup(looking, recording, commands, clock, clock.now, SessionConfig())
    recorded = RecordingLink(link, recorder, clock)
    conversation = Conversation(recorded, setup, lambda _report: None)
    try:
        with pytest.raises(LinkClosed):
            conversation.run(lambda: False, lambda _seconds: None)
    finally:
        recorder.close()
    assert len(missing) >= len(frames)
    assert set(missing) == {0}
    assert len(recording.tracks()) == len(frames)  # the link's end costs nothing of what came
    looked_up_between = np.unique(delivered, return_counts=True)[1]
    assert looked_up_between.max() < 70
