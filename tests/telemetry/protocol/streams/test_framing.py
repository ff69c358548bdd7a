"""Streams as bytes: there and back, cut anywhere, and what a hostile sender says."""

import json
import random
import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from telemetry.protocol.streams.framing import (
    LARGEST_BODY,
    ClockMessage,
    SampleMessage,
    StreamDecoder,
    StreamMessage,
    StreamsMessage,
    encode_clock,
    encode_sample,
    encode_streams,
)
from telemetry.protocol.streams.samples import PictureSample, StreamError, StreamSample
from tests.telemetry.protocol.streams.samples import (
    CAMERA,
    FLOW,
    LIDAR,
    STREAMS,
    picture,
    same,
    scan,
    values,
)

SAMPLES: Sequence[tuple[str, StreamSample]] = (
    ("front", picture(1, -5, flaw="torn")),
    ("front", PictureSample(7, 2, np.arange(12, dtype=np.uint8).reshape(3, 4)[::2])),
    ("lidar", scan(3)),
    ("lidar", scan(4, has_intensities=False)),
    ("flow", values(5)),
)
CLOCK = ClockMessage(1_250_000, 0.5, {"front": 3}, {"down": "It cannot draw."})


def _bytes() -> bytes:
    parts = [encode_streams(STREAMS), *(encode_sample(*one) for one in SAMPLES)]
    return b"".join(bytes(buffer) for part in (*parts, encode_clock(CLOCK)) for buffer in part)


def _decoded(chunks: Sequence[bytes]) -> list[StreamMessage]:
    decoder = StreamDecoder()
    return [message for chunk in chunks for message in decoder.decode(chunk)]


def _message(kind: int, header: Any, body: bytes = b"") -> bytes:
    said = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<4sB3sII", b"LwS1", kind, b"\0\0\0", len(said), len(body)) + said + body


def _sample(body: bytes = bytes(12), **header: Any) -> bytes:
    said = {"stream": "front", "time_us": 0, "number": 0, "shape": [3, 4], **header}
    return _message(2, {key: value for key, value in said.items() if value != "left out"}, body)


@pytest.mark.parametrize("seed", range(3))
def test_what_was_sent_arrives_to_the_bit_however_it_is_cut(seed: int) -> None:
    whole, random_cut = _bytes(), random.Random(seed)
    cuts = sorted(random_cut.sample(range(len(whole)), 60))
    chunks = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    streams, *samples, clock = _decoded(chunks)
    assert isinstance(streams, StreamsMessage)
    assert streams.descriptions == STREAMS
    assert clock == CLOCK
    for message, (name, sent) in zip(samples, SAMPLES, strict=True):
        assert isinstance(message, SampleMessage)
        assert message.description.name == name
        assert same(message.sample, sent)


def test_a_byte_at_a_time_and_a_torn_end_make_no_half_sample() -> None:
    whole = _bytes()
    found = _decoded([whole[at : at + 1] for at in range(len(whole) - 1)])
    assert len(found) == 1 + len(SAMPLES)
    assert not any(isinstance(message, ClockMessage) for message in found)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "no message"),
        (b"LwS2" + bytes(12), "no message"),
        (struct.pack("<4sB3sII", b"LwS1", 9, b"\0\0\0", 0, 0), "no message"),
        (struct.pack("<4sB3sII", b"LwS1", 2, b"\0\0\1", 0, 0), "no message"),
        (struct.pack("<4sB3sII", b"LwS1", 2, b"\0\0\0", 5000, 0), "too large"),
        (struct.pack("<4sB3sII", b"LwS1", 2, b"\0\0\0", 2, LARGEST_BODY + 1), "too large"),
        (struct.pack("<4sB3sII", b"LwS1", 1, b"\0\0\0", 0xFFFFFFFF, 0), "too large"),
        (_message(2, b"{"), "header cannot be read"),
        (_message(2, b"[" * 2000), "header cannot be read"),
        (_message(2, b'{"time_us": NaN}'), "header cannot be read"),
        (_message(2, [1]), "no object"),
        (_sample(stream="back"), "no stream that there is"),
        (_sample(stream=["front"]), "stream is no text"),
        (_sample(time_us=1.5), "time_us is no whole number"),
        (_sample(time_us=True), "time_us is no whole number"),
        (_sample(number=-1), "counts from 0"),
        (_sample(shape=[3, 5]), "does not have 12 bytes"),
        (_sample(shape=[-3, -4]), "does not have 12 bytes"),
        (_sample(shape=[]), "does not have 12 bytes"),
        (_sample(shape="3x4"), "no list of whole numbers"),
        (_sample(shape=[12]), "height, width"),
        (_sample(shape=[1, 1, 12]), "height, width"),
        (_sample(bytes(8193), shape=[1, 8193]), "sides of 1"),
        (_sample(bytes(11), stream="lidar"), "no whole numbers"),
        (_sample(bytes(12), stream="lidar", has_intensities=True), "as many intensities"),
        (_sample(bytes(8), stream="lidar"), "3 directions, a sample of it 2"),
        (_sample(b"", stream="lidar"), "ranges are 1 to"),
        (_sample(bytes(8), stream="flow"), "2 names, a sample of it 1"),
        (_message(3, {"now_us": 1, "speed": "1"}), "speed of a clock"),
        (_message(3, {"now_us": 1, "speed": -1}), "speed of a clock"),
        (_message(3, {"now_us": 1, "speed": 1, "dropped": [1]}), "dropped is no object"),
        (_message(3, {"now_us": 1, "speed": 1, "stopped": ["down"]}), "no object of sentences"),
        (_message(3, {"now_us": 1, "speed": 1, "stopped": {"down": 1}}), "down is no text"),
        (_message(3, {"now_us": 1, "speed": 1}, b"x"), "no body"),
        (_message(1, {"streams": [{}] * 65}), "no list of up to 64"),
        (_message(1, {"streams": [{"name": "a", "kind": "smells"}]}), "no kind of stream"),
        (_message(1, {"streams": "front"}), "no list"),
    ],
)
def test_what_is_no_message_is_refused(said: bytes, words: str) -> None:
    decoder = StreamDecoder()
    list(decoder.decode(b"".join(bytes(one) for one in encode_streams(STREAMS))))
    with pytest.raises(StreamError, match=words):
        list(decoder.decode(said))


def test_two_streams_of_one_name_are_refused() -> None:
    twice = b"".join(bytes(one) for one in encode_streams([CAMERA, replace(LIDAR, name="front")]))
    with pytest.raises(StreamError, match="one name"):
        _decoded([twice])


def test_a_stream_that_is_not_named_any_more_has_ended() -> None:
    decoder = StreamDecoder()
    list(decoder.decode(b"".join(bytes(one) for one in encode_streams([CAMERA]))))
    list(decoder.decode(b"".join(bytes(one) for one in encode_streams([FLOW]))))
    with pytest.raises(StreamError, match="no stream that there is"):
        list(decoder.decode(b"".join(bytes(one) for one in encode_sample("front", picture(1)))))


def test_bytes_that_anything_may_stand_in_cost_a_stream_error_at_most() -> None:
    whole, chance = bytearray(_bytes()), random.Random(7)
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            _decoded([bytes(damaged)])
        except StreamError:
            continue
