"""Real time: the same flight whatever the clock does, at the end of a real link."""

import hashlib
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator

import pytest

from simulation.autopilot.autopilot import LOOP_US, Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.serving.real_time_flight import RealTimeFlight
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType
from telemetry.vehicle.sticks import ROLL, Sticks, channels_us


class Sink:
    """A link into which the aircraft speaks; nobody answers, time passes in given portions."""

    name = address = "sink"
    can_write = True

    def __init__(self, naps_s: Iterable[float]) -> None:
        self.now_s = 0.0
        self.content = hashlib.sha256()
        self.said = bytearray()
        self.loops_at: list[tuple[float, int]] = []
        self._naps_s: Iterator[float] = iter(naps_s)

    def read(self, timeout_s: float) -> bytes:
        nap_s = next(self._naps_s, None)
        if nap_s is None:
            raise LinkClosed("The end.")
        self.now_s += nap_s
        return b""

    def write(self, data: bytes) -> None:
        self.content.update(data)
        self.said += data

    def close(self) -> None:
        return


def serve(preset: Preset, catalogue: Catalogue, naps_s: Iterable[float]) -> tuple[Sink, Autopilot]:
    sink = Sink(naps_s)
    config = AutopilotConfig(preset)
    flight = RealTimeFlight(lambda: Autopilot(config, catalogue), sink, lambda: sink.now_s)
    with pytest.raises(LinkClosed):
        flight.run()
    flight.catch_up()
    return sink, flight.autopilot


def test_the_bytes_do_not_depend_on_how_often_the_process_wakes(
    preset: Preset, catalogue: Catalogue
) -> None:
    steady, first = serve(preset, catalogue, [0.005] * 401)
    lazy, second = serve(preset, catalogue, [*itertools.repeat(0.2, 10), 0.005])
    assert first.time_us == second.time_us == 2_000_000
    assert steady.content.digest() == lazy.content.digest()


def test_simulated_time_keeps_up_with_the_clock(preset: Preset, catalogue: Catalogue) -> None:
    sink, autopilot = serve(preset, catalogue, [0.013] * 150)
    assert autopilot.now_s == pytest.approx(sink.now_s, abs=LOOP_US / 1e6)


def test_a_suspended_machine_does_not_make_up_for_hours(
    preset: Preset, catalogue: Catalogue
) -> None:
    _, autopilot = serve(preset, catalogue, [0.02, 3600.0, 0.1])
    assert autopilot.now_s < 1.0


@pytest.mark.parametrize("pause_s", [0.3, 5.0, 3600.0])
def test_a_pause_is_skipped_and_then_it_keeps_step_again(
    preset: Preset, catalogue: Catalogue, pause_s: float
) -> None:
    """As after SIGSTOP and SIGCONT: no backlog is flown, and the pace afterwards is right."""
    before = [0.02] * 50
    _, unpaused = serve(preset, catalogue, before)
    _, resumed = serve(preset, catalogue, [*before, pause_s])
    assert resumed.time_us - unpaused.time_us <= LOOP_US
    _, later = serve(preset, catalogue, [*before, pause_s, *[0.02] * 100])
    assert later.now_s - resumed.now_s == pytest.approx(2.0, abs=1.5 * LOOP_US / 1e6)


def test_a_short_delay_is_made_up_for(preset: Preset, catalogue: Catalogue) -> None:
    sink, autopilot = serve(preset, catalogue, [*[0.02] * 50, 0.24])
    assert autopilot.now_s == pytest.approx(sink.now_s, abs=LOOP_US / 1e6)


def operated(
    preset: Preset, catalogue: Catalogue, naps_s: Iterable[float], act: Callable[[float], float]
) -> tuple[Sink, RealTimeFlight]:
    """Fly with the speed that `act` gives for each second of the clock."""
    sink = Sink(naps_s)
    config = AutopilotConfig(preset)

    def attend(flight: RealTimeFlight) -> None:
        flight.speed = act(sink.now_s)

    flight = RealTimeFlight(
        lambda: Autopilot(config, catalogue), sink, lambda: sink.now_s, attend=attend
    )
    with pytest.raises(LinkClosed):
        flight.run()
    return sink, flight


@pytest.mark.parametrize("speed", [0.1, 0.5, 2.0, 10.0])
def test_time_can_be_slowed_and_hurried(preset: Preset, catalogue: Catalogue, speed: float) -> None:
    _, flight = operated(preset, catalogue, [0.01] * 100, lambda now_s: speed)
    assert flight.autopilot.now_s == pytest.approx(speed, abs=LOOP_US / 1e6 * (1.0 + speed))


def test_time_can_stand_still_and_go_on_without_a_burst(
    preset: Preset, catalogue: Catalogue
) -> None:
    _, flight = operated(
        preset, catalogue, [0.01] * 300, lambda now_s: 0.0 if 1.0 <= now_s < 2.0 else 1.0
    )
    assert flight.autopilot.now_s == pytest.approx(2.0, abs=0.05)


def test_speed_does_not_change_the_flight(preset: Preset, catalogue: Catalogue) -> None:
    """The same second, flown at three speeds and with a pause, to the byte."""
    steady, first = operated(preset, catalogue, [0.01] * 101, lambda now_s: 1.0)
    hurried, second = operated(
        preset, catalogue, [0.01] * 40, lambda now_s: 0.0 if 0.05 < now_s < 0.15 else 5.0
    )
    assert min(first.autopilot.time_us, second.autopilot.time_us) > 900_000
    shorter, longer = sorted((bytes(steady.said), bytes(hurried.said)), key=len)
    assert shorter
    assert longer.startswith(shorter)


def test_a_speed_the_machine_cannot_keep_is_not_made_up_for(
    preset: Preset, catalogue: Catalogue
) -> None:
    _, flight = operated(preset, catalogue, [0.02, 60.0, 0.02], lambda now_s: 10.0)
    assert flight.autopilot.now_s < 3.0


def test_a_new_aircraft_starts_at_the_beginning(preset: Preset, catalogue: Catalogue) -> None:
    sink = Sink([0.02] * 60)
    config = AutopilotConfig(preset)
    flight = RealTimeFlight(lambda: Autopilot(config, catalogue), sink, lambda: sink.now_s)
    with pytest.raises(LinkClosed):
        flight.run()
    first = flight.autopilot
    flight.reset()
    assert flight.autopilot is not first
    assert flight.autopilot.time_us == 0
    flight.catch_up()
    assert flight.autopilot.time_us == 0, "what was due before is forgotten"


class Inbox(Sink):
    """A link that delivers one packet with each reading, as they were sent, on a machine that takes
    a millisecond for that."""

    def __init__(self, naps_s: Iterable[float]) -> None:
        super().__init__(naps_s)
        self.waiting: deque[bytes] = deque()
        self._is_read_on = False

    def read(self, timeout_s: float) -> bytes:
        was_read_on, self._is_read_on = self._is_read_on, bool(self.waiting)
        if self.waiting:
            self.now_s += 0.001
            return self.waiting.popleft()
        return b"" if was_read_on else super().read(timeout_s)


def test_of_sticks_that_waited_while_the_process_stood_still_the_newest_is_flown(
    preset: Preset, catalogue: Catalogue
) -> None:
    """3.5 s of a station that went on sending 50 times a second."""
    inbox, flown = Inbox([0.02] * 100), list[int]()
    config = AutopilotConfig(preset)

    def attend(flight: RealTimeFlight) -> None:
        flown.append(int(flight.autopilot.board["ManualControlCommand"].fields["Channel"][ROLL]))

    flight = RealTimeFlight(
        lambda: Autopilot(config, catalogue), inbox, lambda: inbox.now_s, attend=attend
    )
    flight.run(1.0)
    receiver = flight.autopilot.board["GCSReceiver"].definition
    rolls = [(index - 87) / 100 for index in range(175)]
    for roll in rolls:
        channels = channels_us(Sticks(roll=roll, arm=False))
        payload = pack_values(receiver, {"Channel": list(channels)})
        frame = Dialect().encode(FrameType.OBJ, receiver.object_id, 0, True, payload)
        inbox.waiting.append(frame)
    inbox.now_s += 3.5  # the process was stopped
    flown.clear()
    flight.run(5.2)
    sent = [channels_us(Sticks(roll=roll))[ROLL] for roll in rolls]
    assert [pulse for pulse in dict.fromkeys(flown) if pulse in sent] == [sent[-1]]


class LastWords(Inbox):
    """A link that ends with the last packet."""

    def read(self, timeout_s: float) -> bytes:
        if not self.waiting:
            raise LinkClosed("The end.")
        return super().read(timeout_s)


def test_what_came_before_the_end_of_a_link_is_taken(preset: Preset, catalogue: Catalogue) -> None:
    link, config = LastWords([]), AutopilotConfig(preset)
    flight = RealTimeFlight(lambda: Autopilot(config, catalogue), link, lambda: link.now_s)
    receiver = flight.autopilot.board["GCSReceiver"]
    payload = pack_values(receiver.definition, {"Channel": [1234] * 8})
    link.waiting.append(
        Dialect().encode(FrameType.OBJ, receiver.definition.object_id, 0, True, payload)
    )
    with pytest.raises(LinkClosed):
        flight.run()
    assert receiver.fields["Channel"].tolist() == [1234] * 8
