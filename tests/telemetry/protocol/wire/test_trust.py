"""Among destroyed frames a good checksum of eight bits is no proof."""

import random
from collections.abc import Callable

import pytest

from telemetry.protocol.wire import trust
from telemetry.protocol.wire.frame import Frame, FrameType
from tests.telemetry.protocol.wire.streams import decode, in_order, scanned, to_bytes

KNOWN_ID = 0x7421C7BA
Damage = Callable[[int, random.Random], int]


def sent_frames(count: int) -> list[Frame]:
    rng = random.Random(7)
    return [Frame(FrameType.OBJ, KNOWN_ID, rng.randbytes(34)) for _ in range(count)]


def damaged(stream: bytes, damage: Damage) -> bytes:
    """XOR each byte with what `damage(position, random)` says."""
    rng = random.Random(3)
    return bytes(byte ^ damage(position, rng) for position, byte in enumerate(stream))


def anyhow(position: int, rng: random.Random) -> int:
    return rng.randrange(1, 256) if position % 20 == 19 else 0


def one_bit(position: int, rng: random.Random) -> int:
    return 1 << rng.randrange(8) if position % 20 == 19 else 0


def rarely(position: int, rng: random.Random) -> int:
    return rng.randrange(1, 256) if rng.random() < 0.002 else 0


def with_known_id(frames: list[Frame]) -> set[Frame]:
    """What would be shown: its id and its length fit an object."""
    return {frame for frame in frames if frame.object_id == KNOWN_ID and len(frame.body) == 34}


@pytest.mark.parametrize("damage", [anyhow, one_bit])
def test_every_20th_byte_damaged_anyhow_shows_nothing_wrong(damage: Damage) -> None:
    sent = sent_frames(10_000)
    received, decoder = decode(damaged(b"".join(map(to_bytes, sent)), damage))
    assert with_known_id(received) <= set(sent)
    assert decoder.crc_errors >= len(sent) * 0.8
    assert decoder.junk_bytes == decoder.bytes - sum(len(to_bytes(frame)) for frame in received)
    assert decoder.doubtful_frames > 0


def test_without_the_doubt_wrong_values_would_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "MOST_ERRORS", 1_000_000)
    sent = sent_frames(10_000)
    received, _ = decode(damaged(b"".join(map(to_bytes, sent)), anyhow))
    assert with_known_id(received) - set(sent)


def test_on_a_noisy_link_every_intact_frame_is_believed() -> None:
    sent = sent_frames(2000)
    received, decoder = decode(damaged(b"".join(map(to_bytes, sent)), rarely))
    assert 0.85 < len(received) / len(sent) < 0.97
    assert decoder.crc_errors > 80
    assert decoder.doubtful_frames == 0


def test_after_a_burst_the_link_is_believed_again_within_a_few_frames() -> None:
    sent = sent_frames(200)
    whole = b"".join(map(to_bytes, sent))
    size = len(to_bytes(sent[0]))
    burst = damaged(whole[50 * size : 100 * size], anyhow)
    received, decoder = decode(whole[: 50 * size] + burst + whole[100 * size :])
    assert decoder.crc_errors > 40
    assert received[-90:] == sent[-90:]
    assert decoder.doubtful_frames <= trust.NEIGHBOURS


@pytest.mark.parametrize("damage", [anyhow, one_bit, rarely])
def test_a_file_is_judged_like_the_same_bytes_received(damage: Damage) -> None:
    quiet, loud = sent_frames(300), sent_frames(600)
    stream = b"".join(map(to_bytes, quiet))
    stream += damaged(b"".join(map(to_bytes, loud)), damage) + stream
    received, decoder = decode(stream)
    found = scanned(stream)
    assert in_order(found) == received
    assert (decoder.crc_errors, decoder.junk_bytes, decoder.doubtful_frames) == (
        found.crc_errors,
        found.junk_bytes,
        found.doubtful_frames,
    )
