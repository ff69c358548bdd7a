"""Stream file: a stream on disk as `.npz`, which loses half a second at most, whatever happens.

It is a ZIP archive of NumPy arrays, which `numpy.load` reads. `stream.json` says what the stream
is. Samples follow in blocks of half a second, one row a sample: `000000.ranges_m` and
`000000.intensities`, or `000000.values`; and last `000000.index`, a structured array of `time_s`
(of the flight), `time_us` (the sensor's stamp), `number` and `flaw`. Pictures stand in a video
beside it, which `stream.json` names; `video_times` says where in it.

Nothing is compressed and nothing written twice, so that of a file whose end was never written all
whole blocks are found by their own headers.
"""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt

from telemetry.base.input_files import open_file
from telemetry.base.text_formats import FormatError, parse_json
from telemetry.protocol.streams.description_json import (
    description_from_json,
    description_to_json,
    text_of,
)
from telemetry.protocol.streams.samples import (
    LONGEST_FLAW,
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamError,
    StreamKind,
    StreamSample,
    ValueSample,
)

SUFFIX: Final = ".npz"
BLOCK_S: Final = 0.5
FRAME_S: Final = 0.001
"""Frames of a video are no closer together than its file tells times apart."""

_FORMAT, _VERSION = "lapwing-stream", 1
_HEAD: Final = "stream.json"
_BLOCK_BYTES: Final = 4 << 20
_LARGEST_HEAD: Final = 16 << 20
_LARGEST_MEMBER: Final = 256 << 20
_MEMBER: Final = struct.Struct("<4s4xH4xIIIHH")
"""How ZIP begins a member: mark, method, CRC, size as stored, size, lengths of name and extra."""
_MARK, _STORED = b"PK\x03\x04", 0
_END_MARK: Final = b"PK\x01\x02"
"""How the archive's directory begins, which is written last."""
_INDEX: Final = np.dtype(
    [("time_s", "<f8"), ("time_us", "<i8"), ("number", "<i8"), ("flaw", f"S{LONGEST_FLAW}")]
)
_FLOATS, _DOUBLES = np.dtype("<f4"), np.dtype("<f8")
_OF_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)

Array = npt.NDArray[Any]
_Place = tuple[int, int, int]
"""Position, size and CRC of a member's content."""


class StreamFileWriter:
    """Writes a file, which must not be there yet. All methods raise OSError."""

    def __init__(self, path: Path, description: StreamDescription, video: str = "") -> None:
        """`video` is the name of the file beside it that has the pictures."""
        self.path = path
        self._file = path.open("xb")
        self._archive = zipfile.ZipFile(self._file, "w", zipfile.ZIP_STORED)
        self._blocks = 0
        self._waiting: list[tuple[float, StreamSample]] = []
        self._bytes = 0
        head = {
            "format": _FORMAT,
            "version": _VERSION,
            "stream": description_to_json(description),
            "video": video,
        }
        self._write(_HEAD, json.dumps(head, allow_nan=False).encode())
        self._file.flush()

    def add(self, t: float, sample: StreamSample) -> None:
        """Keep a sample of `t` seconds of the flight; times ascend."""
        if self._waiting:
            first_s, first = self._waiting[0]
            is_full = t - first_s >= BLOCK_S or self._bytes >= _BLOCK_BYTES
            if is_full or _shape(sample) != _shape(first):
                self.flush()
        self._waiting.append((t, sample))
        self._bytes += 0 if isinstance(sample, PictureSample) else sample.nbytes

    def flush(self) -> None:
        """Write what waits."""
        waiting, self._waiting, self._bytes = self._waiting, [], 0
        if not waiting:
            return
        for name, column in _columns(waiting):
            data = io.BytesIO()
            np.lib.format.write_array(data, column, allow_pickle=False)
            self._write(f"{self._blocks:06d}.{name}.npy", data.getvalue())
        self._blocks += 1
        self._file.flush()

    def close(self) -> None:
        """Write what is left, and the end. Closing twice is fine."""
        try:
            if not self._file.closed:
                self.flush()
                self._archive.close()
        finally:
            self._file.close()

    def _write(self, name: str, data: bytes) -> None:
        self._archive.writestr(zipfile.ZipInfo(name, _OF_NO_TIME), data)


class StreamFile:
    """A file that was written, or is still being written: `refresh` takes in what was added.

    `times_s`, `stamps_us` and `numbers` have one entry a sample, times ascend. Raises StreamError
    for what is no such file, OSError where it cannot be read; what is damaged is left out. It is
    open only while it is read, by one thread at a time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._position = 0
        self._index = np.empty(0, _INDEX)
        self._blocks: list[dict[str, _Place]] = []
        self._firsts: list[int] = []
        self._held: tuple[int, dict[str, Array]] = (-1, {})
        with open_file(path) as file:
            self.description, self.video = self._head(file)
        self.refresh()

    @property
    def count(self) -> int:
        """How many samples there are."""
        return len(self._index)

    @property
    def times_s(self) -> npt.NDArray[np.float64]:
        """Seconds of the flight."""
        return self._index["time_s"]

    @property
    def stamps_us(self) -> npt.NDArray[np.int64]:
        """The sensor's own stamps."""
        return self._index["time_us"]

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """The sensor's own numbers."""
        return self._index["number"]

    def has_end(self) -> bool:
        """Whether it was written to its end, and nothing has cut it short since."""
        with open_file(self.path) as file:
            file.seek(self._position)
            return file.read(len(_END_MARK)) == _END_MARK

    def refresh(self) -> None:
        """Take in the blocks that were written since."""
        added, count, last_s = [self._index], self.count, -np.inf
        if count:
            last_s = float(self.times_s[-1])
        with open_file(self.path) as file:
            for block in self._whole_blocks(file):
                rows = self._index_of(file, block["index"], last_s)
                if len(rows):
                    last_s = float(rows["time_s"][-1])
                    added.append(rows)
                    self._blocks.append(block)
                    self._firsts.append(count)
                    count += len(rows)
        if len(added) > 1:
            self._index = np.concatenate(added)

    def flaw(self, row: int) -> str:
        """What is wrong with a picture, as its camera said."""
        return bytes(self._index["flaw"][row]).decode("ascii", "replace")

    def sample(self, row: int) -> StreamSample | None:
        """A scan, or values; None of pictures, which the video has, and where it is damaged."""
        if not 0 <= row < self.count or self.description.kind is StreamKind.PICTURES:
            return None
        number = int(np.searchsorted(self._firsts, row, "right")) - 1
        at = row - self._firsts[number]
        stamp = int(self.stamps_us[row]), int(self.numbers[row])
        columns = self._columns_of(number)
        try:
            if self.description.kind is StreamKind.VALUES:
                return ValueSample(*stamp, columns["values"][at])
            intensities = columns["intensities"][at] if "intensities" in columns else None
            return ScanSample(*stamp, columns["ranges_m"][at], intensities)
        except (KeyError, IndexError, StreamError):
            return None

    def _index_of(self, file: IO[bytes], place: _Place, after_s: float) -> Array:
        """The index of a block that goes on after that time; an empty one if it is damaged."""
        try:
            rows = self._array(file, place, _INDEX, ())
        except StreamError:
            return np.empty(0, _INDEX)
        times = np.concatenate(([after_s], rows["time_s"]))
        is_sound = bool(np.all(np.isfinite(times[1:])) and not np.any(np.diff(times) < 0.0))
        return rows if is_sound else np.empty(0, _INDEX)

    def _columns_of(self, number: int) -> dict[str, Array]:
        """The large arrays of a block, as far as they are sound; those read last are kept."""
        if self._held[0] != number:
            found = {}
            with open_file(self.path) as file:
                for name, place in self._blocks[number].items():
                    dtype = _DOUBLES if name == "values" else _FLOATS
                    if name != "index":
                        with suppress(StreamError):
                            found[name] = self._array(file, place, dtype, (-1,))
            self._held = number, found
        return self._held[1]

    def _head(self, file: IO[bytes]) -> tuple[StreamDescription, str]:
        """What the stream is, and the name of its video."""
        name, place = next(self._members(file), ("", (0, 0, 0)))
        if name != _HEAD or place[1] > _LARGEST_HEAD:
            raise StreamError(f"{self.path.name} is no recorded stream")
        try:
            value = parse_json(self._content(file, place), _LARGEST_HEAD)
        except FormatError as error:
            raise StreamError(f"{self.path.name} is no recorded stream: {error}") from None
        if not isinstance(value, dict) or value.get("format") != _FORMAT:
            raise StreamError(f"{self.path.name} is no recorded stream")
        if value.get("version") != _VERSION:
            raise StreamError(f"a newer Lapwing wrote {self.path.name}; update this one")
        video = text_of(value, "video")
        if video != Path(video).name or video in (".", ".."):
            raise StreamError(f"the video of {self.path.name} is not beside it")
        return description_from_json(value.get("stream")), video

    def _whole_blocks(self, file: IO[bytes]) -> Iterator[dict[str, _Place]]:
        """Blocks that have not been looked at; what stands last in each is its index."""
        parts: dict[str, _Place] = {}
        block = ""
        position = self._position
        for name, place in self._members(file):
            number, _, what = name.removesuffix(".npy").partition(".")
            if number != block:
                parts, block = {}, number
            parts[what] = place
            if what == "index":
                position = self._position
                yield parts
        self._position = position

    def _members(self, file: IO[bytes]) -> Iterator[tuple[str, _Place]]:
        """Members of the archive from the present position on, up to one that is not whole."""
        size = file.seek(0, io.SEEK_END)
        while self._position + _MEMBER.size <= size:
            file.seek(self._position)
            begin = file.read(_MEMBER.size)
            mark, method, crc, stored, length, name_length, extra = _MEMBER.unpack(begin)
            name = file.read(name_length).decode("utf-8", "replace")
            content = self._position + _MEMBER.size + name_length + extra
            is_known = mark == _MARK and method == _STORED and stored == length
            if not is_known or length > _LARGEST_MEMBER or content + length > size:
                return
            self._position = content + length
            yield name, (content, length, crc)

    def _content(self, file: IO[bytes], place: _Place) -> bytes:
        """What a member holds; raises StreamError where it is damaged."""
        position, size, crc = place
        file.seek(position)
        data = file.read(size)
        if len(data) != size or zlib.crc32(data) != crc:
            raise StreamError(f"{self.path.name} is damaged")
        return data

    def _array(
        self, file: IO[bytes], place: _Place, dtype: np.dtype[Any], shape: tuple[int, ...]
    ) -> Array:
        """An array of rows of this kind and shape (-1: any); raises StreamError for another one."""
        data = self._content(file, place)
        array = io.BytesIO(data)
        try:
            if np.lib.format.read_magic(array) != (1, 0):
                raise StreamError(f"{self.path.name} is damaged")
            found, by_columns, kind = np.lib.format.read_array_header_1_0(array)
        except (ValueError, TypeError) as error:
            raise StreamError(f"{self.path.name} is damaged") from error
        is_sound = kind == dtype and not by_columns and len(found) == 1 + len(shape)
        size = len(data) - array.tell()
        if not is_sound or size != int(np.prod(found, dtype=object)) * dtype.itemsize:
            raise StreamError(f"{self.path.name} is damaged")
        return np.frombuffer(data, dtype, offset=array.tell()).reshape(found)


def video_times(times_s: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """When in the video the picture of each row is shown, of `times_s` of the flight: seconds from
    the first one on, each at least `FRAME_S` after the one before."""
    least = FRAME_S * np.arange(len(times_s))
    shown: npt.NDArray[np.float64] = np.maximum.accumulate(times_s - times_s[:1] - least) + least
    return shown


def _columns(samples: Sequence[tuple[float, StreamSample]]) -> Iterator[tuple[str, Array]]:
    """The arrays of a block, in their order."""
    only = [sample for _, sample in samples]
    scans = [sample for sample in only if isinstance(sample, ScanSample)]
    values = [sample.values for sample in only if isinstance(sample, ValueSample)]
    if scans:
        yield "ranges_m", np.stack([one.ranges_m for one in scans]).astype(_FLOATS)
        shades = [one.intensities for one in scans if one.intensities is not None]
        if shades:
            yield "intensities", np.stack(shades).astype(_FLOATS)
    if values:
        yield "values", np.stack(values).astype(_DOUBLES)
    rows = [(t, one.time_us, one.number, _flaw(one)) for t, one in samples]
    yield "index", np.array(rows, _INDEX)


def _shape(sample: StreamSample) -> tuple[int, bool]:
    """What samples of one block have in common."""
    if isinstance(sample, ScanSample):
        return len(sample.ranges_m), sample.intensities is not None
    return len(sample.values) if isinstance(sample, ValueSample) else 0, False


def _flaw(sample: StreamSample) -> bytes:
    text = sample.flaw if isinstance(sample, PictureSample) else ""
    return text.encode("ascii", "replace")
