"""Video writer, with sound: test flights, exports, what a live camera shows."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self

import numpy as np
import numpy.typing as npt

from telemetry.base.safe_files import begun_file
from telemetry.recording.video_files.frame_source import VideoError

if TYPE_CHECKING:
    import av


@dataclass(frozen=True, slots=True)
class _FileKind:
    """What a file of one suffix is written as; the first encoder that there is is taken."""

    container: str
    encoders: tuple[str, ...]
    sound: str
    has_fixed_rate: bool = False


_KINDS: Final = {
    ".avi": _FileKind("avi", ("mpeg4", "mjpeg"), "pcm_u8", has_fixed_rate=True),
    ".mp4": _FileKind("mp4", ("libx264", "libopenh264", "mpeg4"), "aac"),
    ".mov": _FileKind("mov", ("libx264", "libopenh264", "mpeg4", "mjpeg"), "aac"),
    ".mkv": _FileKind("matroska", ("libx264", "libopenh264", "mpeg4", "mjpeg", "ffv1"), "aac"),
}
_OPTIONS: Final = {"libx264": {"preset": "veryfast", "crf": "20"}}
_PIXELS: Final = {"mjpeg": "yuvj420p", "ffv1": "bgr0"}
_FINE_TIME: Final = Fraction(1, 60_000)
_SAFE: Final = {"flush_packets": "1", "cluster_time_limit": "500", "live": "1"}
"""Matroska is appended to only, so that a flight knows a file by its beginning while it grows; a
cluster is written when it is whole, twice a second."""


@dataclass(frozen=True, slots=True)
class VideoEncoding:
    """How a video is written. `size` is width and height, even numbers.

    `encoder` is FFmpeg's name, "" for the usual one of the file's suffix (XviD in .avi as small
    cameras write it, H.264 in .mp4, .mov and .mkv); "ffv1" keeps every pixel. `bits_per_s` 0 leaves
    the rate to the encoder. `key_every` frames decoding can begin. `sound_hz` 0 writes no sound;
    AVI has it as PCM of 8 bits, or 16 with `sound_bits`, the others as AAC.
    """

    size: tuple[int, int]
    rate_hz: float = 30.0
    encoder: str = ""
    bits_per_s: int = 0
    key_every: int = 30
    b_frames: int = 0
    sound_hz: int = 0
    sound_bits: int = 8


def encoders(suffix: str) -> tuple[str, ...]:
    """The encoders that this installation has for a file of a suffix (".mp4"), the usual first."""
    import av

    kind = _KINDS.get(suffix.lower())
    return tuple(one for one in kind.encoders if one in av.codecs_available) if kind else ()


class VideoWriter:
    """Takes frames and sound in order of time; the file appears when it is finished.

    Until then it has another name (`begun_file`); `cancel`, an error and leaving a `with` by an
    exception remove it. A recording, which cannot be made again, is written `in_place`: under its
    name from the first frame on, never over another file, and what was written stays whatever
    happens; in .mkv all but its last moment plays even if the program is killed. Every method
    raises VideoError, which names the file and what to do.
    """

    def __init__(self, path: Path, encoding: VideoEncoding, *, in_place: bool = False) -> None:
        self.dropped = 0
        """Frames left out because the file has a fixed rate and another one has their place."""
        self._path = path
        self._in_place = in_place
        self._part = path
        self.encoding = encoding
        kind, encoder = _kind_and_encoder(path, encoding)
        self._tick = 1 / _rate(encoding) if kind.has_fixed_rate else _FINE_TIME
        self._last_tick = -1
        self._samples = 0
        self._is_open = True
        with self._errors():
            if not in_place:
                self._part = begun_file(path)
            self._file: IO[bytes] = (
                path.open("x+b", buffering=0) if in_place else self._part.open("w+b")
            )
            self._container = self._opened(kind)
            self._video = self._video_stream(encoder)
            self._sound = self._sound_stream(kind) if encoding.sound_hz else None

    def _opened(self, kind: _FileKind) -> Any:
        import av

        options = _SAFE if self._in_place else {}
        return av.open(self._file, "w", format=kind.container, container_options=options)

    def _video_stream(self, encoder: str) -> Any:
        wanted = self.encoding
        options = {} if wanted.bits_per_s else _OPTIONS.get(encoder, {})
        stream = self._container.add_stream(encoder, rate=_rate(wanted), options=options)
        stream.width, stream.height = wanted.size
        stream.pix_fmt = _PIXELS.get(encoder, "yuv420p")
        context = stream.codec_context
        context.time_base = self._tick
        context.gop_size, context.max_b_frames = wanted.key_every, wanted.b_frames
        if wanted.bits_per_s:
            context.bit_rate = wanted.bits_per_s
        elif encoder in ("mpeg4", "mjpeg"):
            context.qmin = context.qmax = 4
        if encoder == "libx264":
            context.thread_type = "FRAME"  # pictures in slices are larger, and read more slowly
        if encoder == "mpeg4" and self._path.suffix.lower() == ".avi":
            context.codec_tag = "XVID"
        return stream

    def _sound_stream(self, kind: _FileKind) -> Any:
        wide = kind.sound == "pcm_u8" and self.encoding.sound_bits > 8
        codec = "pcm_s16le" if wide else kind.sound
        return self._container.add_stream(codec, rate=self.encoding.sound_hz, layout="mono")

    def frame(self, pixels: npt.NDArray[np.uint8], time_s: float, is_key: bool = False) -> None:
        """Add a frame: BGR, shape (height, width, 3), or the pixels of a YuvPicture, shown from
        that time on, the file's first frame being at 0. Times ascend; in .avi they are rounded to
        its rate. `is_key`: decoding can begin with it."""
        from av.video.frame import PictureType

        tick = round(time_s / self._tick)
        if tick <= self._last_tick:
            self.dropped += 1
            return
        self._last_tick = tick
        with self._errors():
            frame = _as_frame(np.ascontiguousarray(pixels))
            frame.pts, frame.time_base = tick, self._tick
            if is_key:
                frame.pict_type = PictureType.I
            self._container.mux(self._video.encode(frame))

    def sound(self, samples: npt.NDArray[np.float32]) -> None:
        """Add sound behind the sound before: mono, -1 to 1, any number of samples."""
        import av

        if self._sound is None or not len(samples):
            return
        with self._errors():
            block = np.clip(samples, -1.0, 1.0).astype(np.float32)[np.newaxis]
            frame = av.AudioFrame.from_ndarray(block, format="flt", layout="mono")
            frame.sample_rate = self.encoding.sound_hz
            frame.pts, frame.time_base = self._samples, Fraction(1, self.encoding.sound_hz)
            self._samples += len(samples)
            self._container.mux(self._sound.encode(frame))

    def finish(self) -> None:
        """Write what is left and give the file its name, replacing one that has it."""
        if not self._is_open:
            return
        with self._errors():
            self._container.mux(self._video.encode(None))
            if self._sound is not None:
                self._container.mux(self._sound.encode(None))
            self._container.close()
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            if not self._in_place:
                self._part.replace(self._path)
            self._is_open = False

    def cancel(self) -> None:
        """Remove what was written, or end it where it is if it was written in place. After the
        end it does nothing."""
        if not self._is_open:
            return
        self._is_open = False
        container = getattr(self, "_container", None)
        if container is not None:
            with suppress(*_failures()):  # its end has no place on a full disk
                container.close()
        if hasattr(self, "_file"):
            with suppress(OSError):
                self._file.close()
        if self._part != self._path:
            with suppress(OSError):
                self._part.unlink(missing_ok=True)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except _failures() as error:
            self.cancel()
            kept = "what was written until then is" if self._in_place else "nothing of it was"
            raise VideoError(
                f"{self._path} could not be written: {getattr(error, 'strerror', '') or error}. "
                f"Choose a place with more room that may be written to; {kept} kept."
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.finish()
        else:
            self.cancel()


def _as_frame(pixels: npt.NDArray[np.uint8]) -> "av.VideoFrame":
    """BGR is converted before it is encoded, so that it need not be copied before."""
    import av

    if pixels.ndim == 2:
        return av.VideoFrame.from_ndarray(pixels, format="yuv420p")
    return av.VideoFrame.from_numpy_buffer(pixels, format="bgr24")


def _failures() -> tuple[type[Exception], ...]:
    """What writing raises; the last where PyAV has told before what a file of ours raised."""
    from av.error import FFmpegError

    return OSError, ValueError, FFmpegError


def _rate(encoding: VideoEncoding) -> Fraction:
    return Fraction(encoding.rate_hz).limit_denominator(1001)


def _kind_and_encoder(path: Path, encoding: VideoEncoding) -> tuple[_FileKind, str]:
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        raise VideoError(
            f"Videos are not written as {path.suffix or path.name}. "
            f"Name the file {', '.join(_KINDS)} instead."
        )
    if any(side < 2 or side % 2 for side in encoding.size):
        raise VideoError(
            f"{path.name} cannot be {encoding.size[0]}x{encoding.size[1]}: "
            "encoders need an even width and height. Choose another size."
        )
    there = encoders(path.suffix)
    if encoding.encoder and encoding.encoder not in there:
        raise VideoError(
            f"{path.name} cannot be written by the encoder {encoding.encoder}. "
            f"Take one of: {', '.join(there)}."
        )
    return kind, encoding.encoder or there[0]
