import pytest

from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.links.memory import MemoryLink, pair


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def bad_link(faults: Faults, seed: int = 1) -> tuple[FaultyLink, MemoryLink, Clock]:
    near, far = pair()
    clock = Clock()
    return FaultyLink(near, faults, clock, seed), far, clock


def through(faults: Faults, chunks: list[bytes], seed: int = 1) -> list[bytes]:
    link, far, _ = bad_link(faults, seed)
    received = []
    for chunk in chunks:
        far.write(chunk)
        received.append(link.read(0.0))
    return received


def test_corruption_turns_over_single_bits_at_the_given_rate() -> None:
    data = b"".join(through(Faults(corruption=0.01), [bytes(1000)] * 100))
    damaged = [byte for byte in data if byte]
    assert len(data) == 100_000
    assert len(damaged) == pytest.approx(1000, rel=0.1)
    assert all(byte.bit_count() == 1 for byte in damaged)


def test_loss_takes_whole_packets_at_the_given_rate_in_both_directions() -> None:
    received = b"".join(through(Faults(loss=0.3), [bytes(64)] * 2000))
    assert len(received) % 64 == 0
    assert len(received) / (64 * 2000) == pytest.approx(0.7, abs=0.03)
    link, far, _ = bad_link(Faults(loss=0.3))
    for _ in range(2000):
        link.write(bytes(64))
    assert len(far.read(0.0)) / (64 * 2000) == pytest.approx(0.7, abs=0.03)


def test_faults_are_repeatable_and_depend_on_the_seed() -> None:
    faults = Faults(loss=0.3, doubling=0.3)
    chunks = [bytes([number]) for number in range(100)]
    once = through(faults, chunks)
    assert once == through(faults, chunks)
    assert once != through(faults, chunks, seed=2)
    assert b"" in once
    assert any(len(chunk) == 2 for chunk in once)


def test_latency_delays_both_directions_and_keeps_the_order() -> None:
    link, far, clock = bad_link(Faults(latency_s=0.2))
    far.write(b"in")
    link.write(b"out")
    assert link.read(0.0) == b""
    assert far.read(0.0) == b""
    clock.now_s = 0.1
    far.write(b"later")
    assert link.read(0.0) == b""
    clock.now_s = 0.21
    assert link.read(0.0) == b"in"
    assert far.read(0.0) == b"out"
    clock.now_s = 0.31
    assert link.read(0.0) == b"later"


def test_faults_can_be_changed_while_in_use() -> None:
    link, far, _ = bad_link(Faults(loss=1.0))
    far.write(b"lost")
    assert link.read(0.0) == b""
    link.faults = Faults()
    far.write(b"heard")
    assert link.read(0.0) == b"heard"


def test_without_faults_nothing_happens() -> None:
    assert through(Faults(), [b"abc", b"def"]) == [b"abc", b"def"]


def test_a_slow_radio_carries_so_many_bytes_a_second_in_each_direction() -> None:
    link, far, clock = bad_link(Faults(bytes_per_s=1000.0))
    far.write(bytes(640))
    link.write(bytes(640))
    assert link.read(0.0) == b""
    clock.now_s = 0.32
    assert len(link.read(0.0)) == 320
    assert len(far.read(0.0)) == 320
    clock.now_s = 0.7
    assert len(link.read(0.0)) == 320
    assert len(far.read(0.0)) == 320


def test_what_a_slow_radio_has_no_room_for_is_lost() -> None:
    link, far, clock = bad_link(Faults(bytes_per_s=1000.0))
    link.write(bytes(10_000))
    clock.now_s = 100.0
    link.read(0.0)
    assert 2048 <= len(far.read(0.0)) <= 2048 + 64
    link.write(bytes(64))
    clock.now_s = 101.0
    link.read(0.0)
    assert len(far.read(0.0)) == 64
