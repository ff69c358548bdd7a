"""Streams of frames, good and damaged, for the tests of the wire and of the logs."""

import numpy as np
from hypothesis import strategies as st

from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.frame import KNOWN_TYPES, Frame, encode
from telemetry.protocol.wire.scan import FoundFrames, scan

frames = st.builds(
    Frame,
    st.sampled_from(sorted(KNOWN_TYPES)),
    st.integers(0, 0xFFFFFFFF),
    st.binary(max_size=60),
)
noise = st.binary(max_size=30) | st.lists(st.sampled_from([0x3C, 0x20, 0x0A, 0, 0xFF])).map(bytes)


@st.composite
def damaged_streams(draw: st.DrawFn) -> bytes:
    """Frames, noise that resembles frames, and a few flipped bytes."""
    parts = draw(st.lists(frames.map(to_bytes) | noise, max_size=12))
    stream = bytearray(b"".join(parts))
    for position in draw(st.lists(st.integers(0, max(0, len(stream) - 1)), max_size=4)):
        if stream:
            stream[position] ^= draw(st.integers(1, 255))
    return bytes(stream)


def to_bytes(frame: Frame) -> bytes:
    return encode(frame.type, frame.object_id, frame.body)


def decode(stream: bytes) -> tuple[list[Frame], FrameDecoder]:
    """All frames of a complete stream, and the decoder with its counters."""
    decoder = FrameDecoder()
    found = decoder.feed(stream)
    return found + decoder.finish(), decoder


def scanned(stream: bytes) -> FoundFrames:
    """What the scan finds in a complete stream."""
    return scan(np.frombuffer(stream, np.uint8))


def in_order(found: FoundFrames) -> list[Frame]:
    """The frames that a scan has found, in the order of the stream."""
    numbered = {
        number: Frame(group.type, group.object_id, body.tobytes())
        for group in found.groups
        for number, body in zip(group.numbers.tolist(), group.bodies, strict=True)
    }
    assert sorted(numbered) == list(range(len(found)))
    return [numbered[number] for number in sorted(numbered)]


def flip_every(stream: bytes, distance: int) -> bytes:
    """Invert every `distance`-th byte."""
    damaged = bytearray(stream)
    for position in range(distance - 1, len(damaged), distance):
        damaged[position] ^= 0xFF
    return bytes(damaged)
