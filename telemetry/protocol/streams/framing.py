"""Stream framing: messages on a connection of its own, beside UAVTalk, one after the other.

    offset  bytes
    0       4      "LwS1"
    4       1      what it is: 1 streams, 2 sample, 3 clock
    5       3      0
    8       4      length of the header, little endian
    12      4      length of the body, little endian
    16      …      header: a JSON object in UTF-8
    …       …      body

1 streams: `{"streams": [DESCRIPTION, …]}` (see `description_json`), no body. It comes first; what
   it does not name any more has ended.
2 sample: `{"stream": NAME, "time_us": …, "number": …}` and
   - pictures: `"shape": [height, width, 3]` or `[height, width]`, `"flaw": TEXT`; the body is rows
     of BGR or grey bytes;
   - scans: `"has_intensities"`; the body is float32 little endian, ranges, then intensities;
   - values: float64 little endian.
3 clock: `{"now_us": …, "speed": …, "dropped": {NAME: COUNT, …}, "stopped": {NAME: TEXT, …}}`, no
   body: the simulated time when it was said, how fast that passes (0 stands still), how many
   samples of which stream were left out because the reader was slow, and which sensors send
   nothing any more, each with a sentence that says why; such a one need not have a stream.

They come from the simulator of a station, which dials to that, or from the port that
`lapwing sim serve tcp:… --world NAME` names as "streams" (see `server`): a reader connects there,
at any time, and says nothing.

Whoever says anything else is hung up on: a connection does not tear, so it is no sender of ours.
"""

import json
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from telemetry.base.text_formats import FormatError, parse_json
from telemetry.protocol.streams.description_json import (
    Json,
    description_from_json,
    description_to_json,
    integer_of,
    text_of,
)
from telemetry.protocol.streams.samples import (
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamError,
    StreamKind,
    StreamSample,
    ValueSample,
    check_sample,
)

LARGEST_BODY: Final = 64 << 20
MOST_STREAMS: Final = 64

_PREFIX: Final = struct.Struct("<4sB3sII")
_MAGIC: Final = b"LwS1"
_STREAMS, _SAMPLE, _CLOCK = 1, 2, 3
_LARGEST_HEADER: Final[Mapping[int, int]] = {_STREAMS: 16 << 20, _SAMPLE: 4096, _CLOCK: 65_536}
_FASTEST: Final = 1e6

Buffers = Sequence[bytes | memoryview]


@dataclass(frozen=True, slots=True)
class StreamsMessage:
    """What streams there are from now on."""

    descriptions: tuple[StreamDescription, ...]


@dataclass(frozen=True, slots=True)
class SampleMessage:
    """One sample of one of them."""

    description: StreamDescription
    sample: StreamSample


@dataclass(frozen=True, slots=True)
class ClockMessage:
    """What the sender's clock says, how fast it runs, what was left out by stream, and why sensors
    have stopped, by their names."""

    now_us: int
    speed: float
    dropped: Mapping[str, int]
    stopped: Mapping[str, str] = field(default_factory=dict)


StreamMessage = StreamsMessage | SampleMessage | ClockMessage


def encode_streams(descriptions: Sequence[StreamDescription]) -> Buffers:
    """The message that comes first."""
    return _encoded(_STREAMS, {"streams": [description_to_json(one) for one in descriptions]})


def encode_sample(name: str, sample: StreamSample) -> Buffers:
    """A sample; its arrays are not copied unless they must be."""
    header: Json = {"stream": name, "time_us": sample.time_us, "number": sample.number}
    if isinstance(sample, PictureSample):
        header |= {"shape": list(sample.pixels.shape), "flaw": sample.flaw}
        return _encoded(_SAMPLE, header, sample.pixels)
    if isinstance(sample, ValueSample):
        return _encoded(_SAMPLE, header, sample.values.astype("<f8", copy=False))
    header["has_intensities"] = sample.intensities is not None
    parts = [sample.ranges_m, *([] if sample.intensities is None else [sample.intensities])]
    return _encoded(_SAMPLE, header, np.concatenate(parts).astype("<f4", copy=False))


def encode_clock(message: ClockMessage) -> Buffers:
    """What the clock says now."""
    return _encoded(_CLOCK, asdict(message))


class StreamDecoder:
    """Turns the bytes of a connection into messages. After an error it is of no more use."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._streams: dict[str, StreamDescription] = {}

    def decode(self, data: bytes) -> Iterator[StreamMessage]:
        """All messages that are whole by now. Raises StreamError for what is none, before memory
        is taken for it."""
        self._bytes += data
        while len(self._bytes) >= _PREFIX.size:
            kind, header_length, body_length = _prefix(self._bytes)
            body_at = _PREFIX.size + header_length
            if len(self._bytes) < body_at + body_length:
                return
            header = bytes(self._bytes[_PREFIX.size : body_at])
            with memoryview(self._bytes) as whole:
                body = bytes(whole[body_at : body_at + body_length])
            del self._bytes[: body_at + body_length]
            yield self._message(kind, _parsed(header, kind), body)

    def _message(self, kind: int, header: Json, body: bytes) -> StreamMessage:
        if kind == _SAMPLE:
            description = self._streams.get(text_of(header, "stream"))
            if description is None:
                raise StreamError("a sample is of no stream that there is")
            sample = _READERS[description.kind](header, body)
            check_sample(description, sample)
            return SampleMessage(description, sample)
        if body:
            raise StreamError("a message of this kind has no body")
        return self._streams_message(header) if kind == _STREAMS else _clock_message(header)

    def _streams_message(self, header: Json) -> StreamsMessage:
        listed = header.get("streams")
        if not isinstance(listed, list) or len(listed) > MOST_STREAMS:
            raise StreamError(f"the streams are no list of up to {MOST_STREAMS}")
        found = tuple(description_from_json(one) for one in listed)
        self._streams = {one.name: one for one in found}
        if len(self._streams) != len(found):
            raise StreamError("two streams have one name")
        return StreamsMessage(found)


def _encoded(kind: int, header: Json, body: npt.NDArray[Any] | None = None) -> Buffers:
    said = json.dumps(header, allow_nan=False).encode()
    flat = b"" if body is None else np.ascontiguousarray(body).reshape(-1).view(np.uint8).data
    if len(said) > _LARGEST_HEADER[kind] or len(flat) > LARGEST_BODY:
        raise StreamError(f"a message of {len(said)} and {len(flat)} bytes is too large to send")
    return _PREFIX.pack(_MAGIC, kind, b"\0\0\0", len(said), len(flat)) + said, flat


def _prefix(data: bytearray) -> tuple[int, int, int]:
    """What a message is, and the lengths of its parts."""
    magic, kind, zeros, header_length, body_length = _PREFIX.unpack_from(data)
    if magic != _MAGIC or zeros != b"\0\0\0" or kind not in _LARGEST_HEADER:
        raise StreamError("this is no message of a stream")
    if header_length > _LARGEST_HEADER[kind] or body_length > LARGEST_BODY:
        raise StreamError(f"a message of {header_length} and {body_length} bytes is too large")
    return kind, header_length, body_length


def _parsed(header: bytes, kind: int) -> Json:
    try:
        value = parse_json(header, _LARGEST_HEADER[kind])
    except FormatError as error:
        raise StreamError(f"a header cannot be read: {error}") from None
    if not isinstance(value, dict):
        raise StreamError("a header is no object")
    return value


def _clock_message(header: Json) -> ClockMessage:
    speed, dropped = header.get("speed"), header.get("dropped", {})
    is_number = isinstance(speed, int | float) and not isinstance(speed, bool)
    if not is_number or not 0.0 <= float(speed or 0.0) <= _FASTEST:
        raise StreamError("the speed of a clock is no number")
    if not isinstance(dropped, dict) or len(dropped) > MOST_STREAMS:
        raise StreamError("what was dropped is no object of counts")
    counts = {name: integer_of(dropped, name) for name in dropped}
    return ClockMessage(integer_of(header, "now_us"), float(speed or 0.0), counts, _stopped(header))


def _stopped(header: Json) -> Mapping[str, str]:
    said = header.get("stopped", {})
    if not isinstance(said, dict) or len(said) > MOST_STREAMS:
        raise StreamError("what has stopped is no object of sentences")
    return {name: text_of(said, name) for name in said}


def _picture(header: Json, body: bytes) -> PictureSample:
    shape = header.get("shape")
    if not isinstance(shape, list) or not all(isinstance(side, int) for side in shape):
        raise StreamError("the shape of a picture is no list of whole numbers")
    if not shape or min(shape) < 1 or math.prod(shape) != len(body):
        raise StreamError(f"a picture of {shape} does not have {len(body)} bytes")
    pixels = np.frombuffer(body, np.uint8).reshape(shape)
    return PictureSample(*_stamp(header), pixels, text_of(header, "flaw"))


def _scan(header: Json, body: bytes) -> ScanSample:
    numbers = _floats(body, "<f4").astype(np.float32, copy=False)
    if header.get("has_intensities") is not True:
        return ScanSample(*_stamp(header), numbers)
    if len(numbers) % 2:
        raise StreamError("a scan has not as many intensities as ranges")
    half = len(numbers) // 2
    return ScanSample(*_stamp(header), numbers[:half], numbers[half:])


def _values(header: Json, body: bytes) -> ValueSample:
    return ValueSample(*_stamp(header), _floats(body, "<f8").astype(np.float64, copy=False))


def _floats(body: bytes, kind: str) -> npt.NDArray[Any]:
    if len(body) % np.dtype(kind).itemsize:
        raise StreamError(f"{len(body)} bytes are no whole numbers of {kind[1:]}")
    return np.frombuffer(body, kind)


def _stamp(header: Json) -> tuple[int, int]:
    return integer_of(header, "time_us"), integer_of(header, "number")


_READERS: Final[Mapping[StreamKind, Any]] = {
    StreamKind.PICTURES: _picture,
    StreamKind.SCANS: _scan,
    StreamKind.VALUES: _values,
}
