"""Sound of a video, as samples on the video's own time."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import numpy as np
import numpy.typing as npt

from telemetry.base.input_files import open_file
from telemetry.recording.video_files.avi import AviStream, is_avi, read_layout
from telemetry.recording.video_files.container import open_container
from telemetry.recording.video_files.frame_source import VideoError, unreadable
from telemetry.recording.video_files.packet_table import next_packet
from telemetry.recording.video_files.packets import PacketSource
from telemetry.recording.video_files.reader import open_packets

Samples = npt.NDArray[np.float32]

_PCM: Final = 1
_PCM_TYPES: Final[dict[int, np.dtype[Any]]] = {
    8: np.dtype("u1"),
    16: np.dtype("<i2"),
    32: np.dtype("<i4"),
}
_LEAD_S: Final = 0.25
"""Coded sound is only right some packets after the place where decoding began."""


@dataclass(frozen=True, slots=True, eq=False)
class SoundBlock:
    """Mono samples from -1 to 1; the first one at `time_s` of the medium."""

    time_s: float
    rate_hz: int
    samples: Samples

    @property
    def times_s(self) -> npt.NDArray[np.float64]:
        """The time of each sample."""
        return self.time_s + np.arange(len(self.samples)) / self.rate_hz


class _Part(Protocol):
    """The sound of one file; sample 0 is at the container's time 0."""

    rate_hz: int
    count: int

    def read(self, first: int, last: int) -> Samples:
        """Samples `first` to `last`; silence where there are none. Raises OSError."""

    def close(self) -> None: ...


class SoundTrack:
    """The sound of one medium: mono, on the time of its pictures, silent where there is none.

    For one thread at a time. Holds no more than what is asked for.
    """

    def __init__(self, paths: Sequence[Path], parts: Sequence[_Part | None], starts: "_Starts"):
        self._paths, self._parts, self._starts = paths, parts, starts
        self.rate_hz = next(part.rate_hz for part in parts if part is not None)

    @property
    def duration_s(self) -> float:
        """The end of the medium: that of the pictures, or of the sound where there are none."""
        return self._starts.begins[-1]

    def samples(self, first_s: float, last_s: float) -> SoundBlock:
        """The sound between two times. Raises VideoError when a file is gone."""
        first, last = round(first_s * self.rate_hz), round(last_s * self.rate_hz)
        block = np.zeros(max(last - first, 0), np.float32)
        pairs = itertools.pairwise(self._starts.begins)
        for path, part, origin, (begin_s, end_s) in zip(
            self._paths, self._parts, self._starts.origins, pairs, strict=True
        ):
            begin, end = round(begin_s * self.rate_hz), round(end_s * self.rate_hz)
            low, high = max(first, begin), min(last, end)
            if part is None or low >= high:
                continue
            shift = round(origin * self.rate_hz) - begin
            try:
                block[low - first : high - first] = part.read(low + shift, high + shift)
            except OSError as error:
                raise unreadable(path, error) from error
        return SoundBlock(first / self.rate_hz, self.rate_hz, block)

    def blocks(self, length_s: float = 10.0) -> Iterator[SoundBlock]:
        """The whole track, one block after the other; the last one is shorter."""
        for number in itertools.count():
            begin_s = number * length_s
            if begin_s >= self.duration_s:
                return
            yield self.samples(begin_s, min(begin_s + length_s, self.duration_s))

    def close(self) -> None:
        """Let go of the files. Closing twice is fine."""
        for part in self._parts:
            if part is not None:
                part.close()


def open_sound(files: Sequence[Path]) -> SoundTrack:
    """The sound of a medium, whose files are those of `open_video`; files that have only sound
    will do. Raises VideoError where a file is missing or none of them has sound."""
    parts: list[_Part | None] = []
    origins, begins = [], [0.0]
    rate: int | None = None
    for path in files:
        part = _open_part(path, rate)
        rate = part.rate_hz if part else rate
        origin, duration = _pictures(path)
        if duration is None:
            duration = part.count / part.rate_hz if part else 0.0
        parts.append(part)
        origins.append(origin)
        begins.append(begins[-1] + duration)
    if rate is None:
        raise VideoError(
            f"{', '.join(path.name for path in files) or 'No file'} has no sound. "
            "Synchronise by the picture or by hand."
        )
    return SoundTrack(tuple(files), parts, _Starts(tuple(origins), tuple(begins)))


@dataclass(frozen=True, slots=True)
class _Starts:
    """Where files begin: the first picture by each container's clock; files in the medium, and
    its end."""

    origins: tuple[float, ...]
    begins: tuple[float, ...]


def _pictures(path: Path) -> tuple[float, float | None]:
    """When the first picture comes by the container's clock, and how long the pictures last."""
    packets: PacketSource | None = None
    with suppress(VideoError):  # it may have sound alone
        packets = open_packets(path)
    if packets is None:
        return 0.0, None
    packets.close()
    return packets.index.origin_s, packets.index.duration_s


def _open_part(path: Path, rate: int | None) -> _Part | None:
    try:
        part = _pcm_part(path)
    except OSError:
        part = None  # FFmpeg says why
    if part is not None:
        if rate in (None, part.rate_hz):
            return part
        part.close()
    return _decoded_part(path, rate)


# ---------------------------------------------------------------------- uncompressed in AVI


def _pcm_part(path: Path) -> "_PcmPart | None":
    if not is_avi(path):
        return None
    file = open_file(path)
    layout = read_layout(file)
    stream = layout.first(b"auds") if layout else None
    if stream is None or not _is_pcm(stream):
        file.close()
        return None
    return _PcmPart(file, stream)


def _is_pcm(stream: AviStream) -> bool:
    form, channels, rate, _, _, bits = stream.wave
    return form == _PCM and channels > 0 and rate > 0 and bits in _PCM_TYPES


class _PcmPart:
    """Found by the place in the file, as the pictures are: damage in one chunk shifts no other."""

    def __init__(self, file: BinaryIO, stream: AviStream) -> None:
        _, self._channels, self.rate_hz, _, _, bits = stream.wave
        self._type = _PCM_TYPES[bits]
        self._file = file
        self._chunks = stream.chunks
        frame = self._channels * self._type.itemsize
        sizes = [chunk.size // frame for chunk in stream.chunks]
        self._begins = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self.count = int(self._begins[-1])

    def read(self, first: int, last: int) -> Samples:
        """See _Part."""
        found = np.zeros(last - first, np.float32)
        low, high = max(first, 0), min(last, self.count)
        if low >= high:
            return found
        at = int(np.searchsorted(self._begins, low, side="right")) - 1
        while at < len(self._chunks) and (begin := int(self._begins[at])) < high:
            block = self._decoded(at)[max(low - begin, 0) : high - begin]
            start = max(begin, low) - first
            found[start : start + len(block)] = block
            at += 1
        return found

    def _decoded(self, at: int) -> Samples:
        count = int(self._begins[at + 1] - self._begins[at])
        self._file.seek(self._chunks[at].offset)
        data = self._file.read(count * self._channels * self._type.itemsize)
        whole = len(data) // (self._channels * self._type.itemsize)
        raw = np.frombuffer(data, self._type, whole * self._channels).astype(np.float32)
        half = float(1 << (8 * self._type.itemsize - 1))
        levels = raw / half - 1 if self._type.kind == "u" else raw / half
        return np.asarray(levels.reshape(whole, self._channels).mean(axis=1), np.float32)

    def close(self) -> None:
        """See _Part."""
        self._file.close()


# ---------------------------------------------------------------------- coded, by FFmpeg


def _decoded_part(path: Path, rate: int | None) -> "_DecodedPart | None":
    container = open_container(path)
    streams = container.streams.audio
    context = streams[0].codec_context if streams else None
    if context is None or not context.sample_rate:
        container.close()
        return None
    return _DecodedPart(container, rate)


class _DecodedPart:
    def __init__(self, container: Any, rate: int | None) -> None:
        self._container = container
        self._stream = container.streams.audio[0]
        self.rate_hz: int = rate or self._stream.codec_context.sample_rate
        length = self._stream.duration
        base = float(self._stream.time_base or 0)
        whole = (container.duration or 0) / 1e6
        self.count = round((length * base if length else whole) * self.rate_hz)

    def read(self, first: int, last: int) -> Samples:
        """See _Part."""
        import av

        found = np.zeros(last - first, np.float32)
        resampler = av.AudioResampler(format="flt", layout="mono", rate=self.rate_hz)
        start_s = first / self.rate_hz - _LEAD_S  # may be below 0: the coder's own lead is there
        self._container.seek(int(start_s / self._stream.time_base), stream=self._stream)
        for frame in self._frames():
            if frame.time is not None and frame.time * self.rate_hz >= last:
                break
            with suppress(ValueError, av.error.FFmpegError):  # damage may change its kind midway
                for piece in resampler.resample(frame):
                    if piece.time is not None:
                        _put(found, round(piece.time * self.rate_hz) - first, piece.to_ndarray()[0])
        return found

    def _frames(self) -> Iterator[Any]:
        import av

        packets = self._container.demux(self._stream)
        while (packet := next_packet(packets)) is not None:
            try:
                yield from packet.decode()
            except av.error.FFmpegError:
                continue  # one broken packet: silence

    def close(self) -> None:
        """See _Part."""
        self._container.close()


def _put(into: Samples, at: int, samples: Samples) -> None:
    begin, end = max(at, 0), min(at + len(samples), len(into))
    if begin < end:
        into[begin:end] = samples[begin - at : end - at]
