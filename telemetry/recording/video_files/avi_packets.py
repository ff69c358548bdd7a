"""AVI packets: pictures of an AVI file, numbered by their place in it.

AVI has no times: the n-th chunk of the stream is shown at n / rate. A chunk without content keeps
the picture before on screen, as the format has it; the report counts it as missing.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

import numpy as np

from telemetry.recording.video_files.avi import AviChunk, AviLayout, AviStream
from telemetry.recording.video_files.frame_source import VideoError, is_size, unreadable
from telemetry.recording.video_files.mpeg4 import Vop, first_layer, pictures_in
from telemetry.recording.video_files.packets import PacketIndex

if TYPE_CHECKING:
    import av
    from av.video.codeccontext import VideoCodecContext

_MPEG4: Final = "mpeg4"
_CODECS: Final = {
    **dict.fromkeys((b"XVID", b"DIVX", b"DX50", b"FMP4", b"MP4V", b"3IV2", b"RMP4"), _MPEG4),
    **dict.fromkeys((b"MJPG", b"AVRN", b"JPEG", b"DMB1"), "mjpeg"),
}
_HEAD_BYTES: Final = 256
_PLACEHOLDER_BYTES: Final = 16
"""A picture that says "as before" is shorter than this."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A coded picture: where it stands in the file, and in whose chunk's place it is shown."""

    offset: int
    size: int
    slot: int
    is_key: bool


def can_read(stream: AviStream) -> bool:
    """Whether the order of its pictures can be told from their headers, and its own header makes
    sense."""
    is_known = stream.codec.upper() in _CODECS
    return is_known and is_size(*stream.size) and 0.5 <= stream.rate / max(stream.scale, 1) <= 1000


class AviPackets:
    """The pictures of one stream. Raises VideoError where there are none, or no file any more."""

    def __init__(self, path: Path, file: BinaryIO, layout: AviLayout, stream: AviStream) -> None:
        self._path, self._file, self._stream = path, file, stream
        self.codec = _CODECS[stream.codec.upper()]
        self.size = stream.size
        self.quarter_turns, self.is_mirrored = 0, False  # AVI does not know it
        with self._reading():
            self._rows = self._find_rows(stream.chunks)
        if not self._rows:
            raise VideoError(f"{path.name} holds no pictures at all. Take another file.")
        self.index = self._index(layout)
        self.has_sound = layout.first(b"auds") is not None
        self.date = layout.date

    def _index(self, layout: AviLayout) -> PacketIndex:
        chunks = self._stream.chunks
        slots = np.array([row.slot for row in self._rows], np.int64)
        frame_s = self._stream.scale / max(self._stream.rate, 1)
        unknown_from = next((n for n, one in enumerate(chunks) if one.is_recovered), len(chunks))
        known = (slots >= 0) & (slots < unknown_from) if unknown_from < len(chunks) else slots >= 0
        first = int(slots[known].min()) if known.any() else 0
        times = np.where(known, (slots - first) * frame_s, np.nan)
        announced = max(self._stream.length, len(chunks))
        last = max(min(len(chunks), unknown_from), int(slots[known].max(initial=-1)) + 1)
        return PacketIndex(
            times,
            np.where(known, slots, -1),
            np.array([row.is_key for row in self._rows], np.bool_),
            (last - first) * frame_s,
            announced,
            announced - int(known.sum()),
            first * frame_s,
            warnings=tuple(self._warnings(layout, unknown_from < len(chunks))),
        )

    def _warnings(self, layout: AviLayout, is_unknown: bool) -> Iterator[str]:
        name, chunks = self._path.name, self._stream.chunks
        if not layout.has_index:
            yield f"{name} has no index: its frames were counted one by one."
        if len(chunks) < self._stream.length:
            yield (
                f"{name} ends early: {len(chunks)} of {self._stream.length} frames are there. "
                "The camera was probably switched off while it recorded."
            )
        if is_unknown:
            yield (
                f"{name} has neither an index nor whole chunk headers: the times of the frames "
                "behind the first damage are unknown, and they are not shown."
            )

    # ------------------------------------------------------------------ order of pictures

    def _find_rows(self, chunks: Sequence[AviChunk]) -> list[_Row]:
        if self.codec != _MPEG4:
            return [
                _Row(one.offset, one.size, slot, True)
                for slot, one in enumerate(chunks)
                if one.size
            ]
        pictures = self._pictures(chunks)
        is_packed = any(sum(vop.is_coded for vop in vops) > 1 for vops in pictures)
        has_b = any(not vop.leads for vops in pictures for vop in vops)
        if is_packed:
            shown = _shown_packed(pictures)
        else:
            shown = _shown_reordered(pictures) if has_b else _shown_in_order(pictures)
        return [
            _Row(chunks[chunk].offset + vop.start, vop.stop - vop.start, slot, vop.kind == "I")
            for chunk, vop, slot in shown
        ]

    def _pictures(self, chunks: Sequence[AviChunk]) -> list[list[Vop]]:
        """The pictures of each chunk. Only where one is packed behind another are whole chunks
        read; otherwise their first bytes tell."""
        layer = first_layer(self._stream.extradata)
        if layer is None:
            whole = next((one for one in chunks if one.size), AviChunk(0, 0))
            layer = first_layer(self._read(whole.offset, whole.size))
        resolution = layer.resolution if layer else None
        sizes = [one.size for one in chunks]
        is_packed = any(0 < size < _PLACEHOLDER_BYTES for size in sizes)
        heads = sizes if is_packed else [min(size, _HEAD_BYTES) for size in sizes]
        found = []
        for chunk, head in zip(chunks, heads, strict=True):
            vops = pictures_in(self._read(chunk.offset, head), resolution) if head else []
            if not vops and chunk.size:
                vops = [Vop(0, chunk.size, "P", True)]  # its header is broken, its place is not
            if vops and not is_packed:
                vops = [Vop(0, chunk.size, vops[0].kind, vops[0].is_coded)]
            found.append(vops)
        return found

    # ------------------------------------------------------------------ PacketSource

    def decoder(self) -> "VideoCodecContext":
        """See PacketSource."""
        import av

        context = cast("VideoCodecContext", av.CodecContext.create(self.codec, "r"))
        context.extradata = self._stream.extradata or None
        context.codec_tag = self._stream.codec.decode("latin-1")
        context.width, context.height = self.size
        return context

    def packets(self, first: int) -> Iterator["av.Packet[Any]"]:
        """See PacketSource."""
        import av

        for number in range(first, len(self._rows)):
            row = self._rows[number]
            with self._reading():
                data = self._read(row.offset, row.size)
            if len(data) < row.size:
                raise VideoError(f"{self._path.name} has changed or gone. Open it again.")
            packet: av.Packet[Any] = av.Packet(len(data))  # of bytes it lacks FFmpeg's padding
            packet.update(data)
            packet.pts, packet.is_keyframe = number, row.is_key
            yield packet

    def close(self) -> None:
        """See PacketSource."""
        self._file.close()

    def _read(self, offset: int, size: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(size)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            raise unreadable(self._path, error) from error


_Shown = tuple[int, Vop, int]
"""The chunk of a picture, the picture, and the number of the chunk in whose place it is shown;
-1 where damage leaves that unknown."""


def _shown_in_order(pictures: list[list[Vop]]) -> list[_Shown]:
    return [(n, vop, n) for n, vops in enumerate(pictures) for vop in vops if vop.is_coded]


def _shown_reordered(pictures: list[list[Vop]]) -> list[_Shown]:
    """With B-pictures, each in a chunk of its own: they are shown as they come, the others when
    the next of them comes, and all one place earlier than they stand."""
    shown: list[_Shown] = []
    waiting: int | None = None
    for n, vops in enumerate(pictures):
        for vop in (one for one in vops if one.is_coded):
            shown.append((n, vop, -1 if vop.leads else n - 1))
            if vop.leads:
                _show(shown, waiting, n - 1)
                waiting = len(shown) - 1
    _show(shown, waiting, len(pictures) - 1)
    return shown


def _shown_packed(pictures: list[list[Vop]]) -> list[_Shown]:
    """With B-pictures packed behind the one that they lean on: the B-picture is shown in the
    chunk's place, the other one in that of the next placeholder."""
    shown: list[_Shown] = []
    waiting: int | None = None
    for n, vops in enumerate(pictures):
        coded = [vop for vop in vops if vop.is_coded]
        if vops and not coded:
            _show(shown, waiting, n)
            waiting = None
        for vop in coded:
            if vop.leads and len(coded) > 1:
                shown.append((n, vop, -1))
                waiting = len(shown) - 1
            else:
                shown.append((n, vop, n))
                waiting = None if vop.leads else waiting  # its placeholder was lost
    _show(shown, waiting, len(pictures))
    return shown


def _show(shown: list[_Shown], at: int | None, slot: int) -> None:
    if at is not None:
        shown[at] = (*shown[at][:2], slot)
