"""However a flight ends, the board is as it was: over the bridge, in a time of its own."""

from collections.abc import Callable

import pytest

from simulation.hitl.bridge import HitlBridge
from simulation.hitl.config import HitlConfig
from simulation.hitl.wired_board import ADDRESS, LOOP_S
from telemetry.protocol.links.link import LinkClosed, LinkError
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.recording.logs.opl_writer import WriteFailed
from telemetry.vehicle.original_metadata import OriginalMetadataError
from tests.armed_board import arm_always
from tests.simulation.hitl.wires import Wires, metadata_of, plan


class BoardLink:
    """The board at the other end lives while the station waits to read."""

    can_write = True

    def __init__(self, bench: "Bench") -> None:
        self.name = self.address = ADDRESS
        self._bench = bench

    def read(self, timeout_s: float) -> bytes:
        bench = self._bench
        bench.now_s += LOOP_S
        bench.happen(bench.now_s)
        if bench.is_unplugged:
            raise LinkClosed("The cable is out.")
        bench.wires.board.run_loop()
        return b"" if bench.is_dead else bench.wires.board.bytes_to_send()

    def write(self, data: bytes) -> None:
        if self._bench.is_unplugged:
            raise LinkClosed("The cable is out.")
        self._bench.wires.board.receive(data)

    def close(self) -> None:
        """Nothing is held."""


class Bench:
    """A bridge over a board whose cable can be pulled."""

    def __init__(self, wires: Wires, the_plan: HitlConfig) -> None:
        self.wires = wires
        self.now_s = 0.0
        self.is_unplugged = False
        self.is_dead = False
        self.said: list[str] = []
        self.happen: Callable[[float], None] = lambda now_s: None
        self.bridge = HitlBridge(
            the_plan, wires.catalogue, wires.originals, self._clock, self._open_link
        )
        self.bridge.tell = self.said.append

    def _clock(self) -> float:
        self.now_s += 1e-6
        return self.now_s

    def _open_link(self, address: str) -> BoardLink:
        if self.is_unplugged:
            self.now_s += 1.0
            self.happen(self.now_s)
            raise LinkError("Nothing is there.")
        return BoardLink(self)


@pytest.fixture
def bench(wires: Wires) -> Bench:
    return Bench(wires, plan(duration_s=3.0))


@pytest.mark.slow
def test_a_flight_that_comes_to_its_end(bench: Bench) -> None:
    before = metadata_of(bench.wires.board)
    recorded: list[tuple[float, bytes, bool]] = []
    bench.bridge.record = lambda t_s, data, sent: recorded.append((t_s, data, sent))
    result = bench.bridge.run()
    assert result.problems == ()
    assert result.flown_s == pytest.approx(3.0, abs=0.05)
    assert metadata_of(bench.wires.board) == before
    assert {sent for _, _, sent in recorded} == {True, False}
    assert bench.said[-1] == "Done."


def _truths_per_s(bench: Bench) -> float:
    """How often the log of a flight of three seconds says how it really moves."""
    recorded: list[tuple[float, bytes]] = []
    bench.bridge.record = lambda t_s, data, sent: None if sent else recorded.append((t_s, data))
    assert bench.bridge.run().problems == ()
    end_s = recorded[-1][0]
    flying = b"".join(data for t_s, data in recorded if end_s - 2.5 < t_s < end_s - 0.5)
    simulated = bench.wires.catalogue.find("AttitudeSimulated").object_id
    return sum(frame.object_id == simulated for frame in FrameDecoder().feed(flying)) / 2.0


@pytest.mark.slow
def test_the_log_holds_the_truth_once(bench: Bench) -> None:
    assert _truths_per_s(bench) == pytest.approx(10.0, abs=1.0)


@pytest.mark.slow
def test_a_board_that_goes_on_sending_would_double_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Negative control: real firmware may send zeros."""
    monkeypatch.setattr("simulation.hitl.takeover.TRUTH", ())
    assert _truths_per_s(bench) > 11.0


def _after(bench: Bench, seconds: float, action: Callable[[], None]) -> None:
    """Once, so many seconds into flying."""
    begun: list[float] = []

    def happen(now_s: float) -> None:
        if "Flying." in bench.said and not begun:
            begun.append(now_s)
        if begun and now_s - begun[0] > seconds:
            bench.happen = lambda later_s: None
            action()

    bench.happen = happen


class Boom(Exception):  # noqa: N818 - a bug by any name
    """A bug somewhere."""


def _raise(error: BaseException) -> Callable[[], None]:
    def act() -> None:
        raise error

    return act


@pytest.mark.slow
@pytest.mark.parametrize("error", [KeyboardInterrupt(), Boom("a bug")], ids=["ctrl-c", "bug"])
def test_an_interrupted_flight_gives_back_before_it_passes_the_reason_on(
    bench: Bench, error: BaseException
) -> None:
    before = metadata_of(bench.wires.board)
    _after(bench, 1.0, _raise(error))
    with pytest.raises(type(error)):
        bench.bridge.run()
    assert metadata_of(bench.wires.board) == before
    assert bench.bridge.flight is not None
    assert bench.bridge.flight.result.interrupted
    assert bench.bridge.flight.result.unrestored == ()


@pytest.mark.slow
def test_a_board_left_armed_is_said(bench: Bench) -> None:
    _after(bench, 2.6, lambda: arm_always(bench.wires.board.board))
    assert bench.bridge.run().still_armed


@pytest.mark.slow
def test_a_link_that_ends_is_opened_again_to_restore(bench: Bench) -> None:
    before = metadata_of(bench.wires.board)

    def unplug() -> None:
        bench.is_unplugged = True
        plug_at = bench.now_s + 5.0

        def plug(now_s: float) -> None:
            bench.is_unplugged = now_s < plug_at

        bench.happen = plug

    _after(bench, 1.0, unplug)
    bench.bridge.pausing.set()
    result = bench.bridge.run()
    assert "The cable is out." in result.problems
    assert result.problems[-1] == "All was restored when the board could be reached again."
    assert result.unrestored == ()
    assert set(result.restored) >= {"GyroSensor", "ActuatorCommand"}
    assert metadata_of(bench.wires.board) == before


@pytest.mark.slow
def test_a_link_that_does_not_come_back_leaves_a_note_and_the_next_start_restores(
    bench: Bench,
) -> None:
    before = metadata_of(bench.wires.board)
    _after(bench, 1.0, lambda: setattr(bench, "is_unplugged", True))
    bench.bridge.pausing.set()
    result = bench.bridge.run()
    assert "GyroSensor" in result.unrestored
    assert "--restore" in result.problems[-1]
    assert metadata_of(bench.wires.board) != before
    later = Bench(bench.wires, plan(restore_only=True))
    assert set(later.bridge.run().restored) == set(result.unrestored)
    assert metadata_of(bench.wires.board) == before


@pytest.mark.slow
def test_who_does_not_wait_for_the_board_is_told_how_to_restore(bench: Bench) -> None:
    def unplug() -> None:
        bench.is_unplugged = True
        bench.happen = lambda now_s: _raise(KeyboardInterrupt())()

    _after(bench, 1.0, unplug)
    with pytest.raises(KeyboardInterrupt):
        bench.bridge.run()
    assert bench.bridge.flight is not None
    result = bench.bridge.flight.result
    assert "GyroSensor" in result.unrestored
    assert "--restore" in result.problems[-1]


@pytest.mark.slow
def test_a_board_that_never_answers_is_given_up(bench: Bench) -> None:
    bench.is_dead = True
    result = bench.bridge.run()
    assert result.problems == ("The board did not answer while connecting.",)
    assert bench.now_s < 40.0


@pytest.mark.slow
def test_nothing_is_changed_when_nothing_can_be_remembered(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = metadata_of(bench.wires.board)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("telemetry.base.safe_files.os.fsync", full)
    with pytest.raises(OriginalMetadataError, match="No space left on device"):
        bench.bridge.run()
    assert metadata_of(bench.wires.board) == before


@pytest.mark.slow
def test_a_recording_that_ends_does_not_end_the_flight(bench: Bench) -> None:
    def full(t_s: float, data: bytes, sent: bool) -> None:
        raise WriteFailed("Recording stopped, the disk is full.")

    bench.bridge.record = full
    result = bench.bridge.run()
    assert result.problems == ()
    assert bench.said.count("Recording stopped, the disk is full.") == 1


def test_an_address_that_cannot_be_opened_is_the_callers_to_tell(wires: Wires) -> None:
    bench = Bench(wires, plan())
    bench.is_unplugged = True
    with pytest.raises(LinkError, match="Nothing is there"):
        bench.bridge.run()
