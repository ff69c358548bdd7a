"""Packets by FFmpeg's demuxers: MP4, MOV, MKV and whatever else it opens."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from telemetry.video.packets import PacketIndex
from telemetry.video.source import VideoError, unreadable

if TYPE_CHECKING:
    import av
    from av.video.codeccontext import VideoCodecContext

_NO_TIME = -(2**62)


class ContainerPackets:
    """The first video stream of a file, in the order in which it is stored.

    Opening reads all packets once, because only they tell what is really there: headers announce
    frames that a truncated file does not have. Raises VideoError.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._container = open_container(path)
        if not self._container.streams.video:
            raise VideoError(f"{path.name} has no pictures, only sound. Take another file.")
        self._stream = self._container.streams.video[0]
        if self._stream.codec_context is None:
            raise VideoError(
                f"{path.name} is coded in a way that is not known here. "
                "Convert it to H.264 in MP4, with HandBrake or FFmpeg."
            )
        try:
            self._pts, self._dts, is_key, last = _read_packets(self._container, self._stream)
        except OSError as error:
            raise unreadable(path, error) from error
        if not len(self._pts):
            raise VideoError(f"{path.name} holds no pictures at all. Take another file.")
        self._rows = {int(pts): row for row, pts in enumerate(self._pts)}
        self.index = self._index(is_key, last)
        self.size = (self._stream.codec_context.width, self._stream.codec_context.height)
        self.codec: str = self._stream.codec_context.codec.canonical_name
        self.has_sound = bool(self._container.streams.audio)
        self.date: str = self._container.metadata.get("creation_time", "")

    def _index(self, is_key: npt.NDArray[np.bool_], last: int) -> PacketIndex:
        base = float(self._stream.time_base or 0)
        has_time = self._pts != _NO_TIME
        order = np.argsort(self._pts, kind="stable")
        numbers = np.empty(len(order), np.int64)
        numbers[order] = np.arange(len(order))
        times = np.where(has_time, (self._pts - self._pts[has_time].min()) * base, np.nan)
        steps = np.diff(np.sort(times[has_time]))
        step = last * base or (float(np.median(steps)) if len(steps) else 0.0)
        return PacketIndex(
            times,
            numbers,
            is_key,
            float(np.nanmax(times)) + step,
            max(self._stream.frames, len(order)),
            max(self._stream.frames - int(has_time.sum()), 0),
            float(self._pts[has_time].min()) * base,
        )

    def decoder(self) -> "VideoCodecContext":
        """See PacketSource."""
        import av

        template = self._stream.codec_context
        context = cast("VideoCodecContext", av.CodecContext.create(template.codec.name, "r"))
        context.extradata = template.extradata
        context.codec_tag = template.codec_tag
        context.width, context.height = self.size
        return context

    def packets(self, first: int) -> Iterator["av.Packet[Any]"]:
        """See PacketSource."""
        try:
            yield from self._packets(first)
        except OSError as error:
            raise unreadable(self._path, error) from error

    def _packets(self, first: int) -> Iterator["av.Packet[Any]"]:
        for start in self._starts(first):
            self._container.seek(int(self._pts[start]), stream=self._stream)
            began = False
            for packet in self._demuxed():
                row = self._rows.get(_NO_TIME if packet.pts is None else packet.pts)
                if not began and row is not None and row > first:
                    break  # sought beyond it: begin earlier
                if row is not None and row >= first:
                    began = True
                    packet.pts, packet.dts = row, None
                    yield packet
            if began:
                return

    def _starts(self, first: int) -> Iterator[int]:
        """Where to seek to, so as to come to a row: its own time, then earlier keys'."""
        yield first
        keys = np.flatnonzero(self.index.is_key[:first])
        yield from (int(key) for key in keys[::-1][:8])
        yield 0

    def _demuxed(self) -> Iterator["av.Packet[Any]"]:
        packets = self._container.demux(self._stream)
        while (packet := next_packet(packets)) is not None:
            if packet.size:
                yield packet

    def close(self) -> None:
        """See PacketSource."""
        self._container.close()


def open_container(path: Path) -> Any:
    """A container of PyAV. Raises VideoError with a remedy."""
    import av

    try:
        return av.open(str(path), metadata_errors="replace")
    except FileNotFoundError as error:
        raise VideoError(f"{path} is not there. Choose where it is now.") from error
    except OSError as error:
        raise unreadable(path, error) from error
    except (av.error.FFmpegError, ValueError) as error:
        raise VideoError(
            f"{path.name} is not a video, or its beginning or index is damaged. "
            "Copy it again from the camera's card, or repair it with the camera's own tool."
        ) from error


def next_packet(packets: Iterator[Any]) -> Any | None:
    """The next packet, None at the end and where damage leaves none. Raises OSError."""
    import av

    try:
        return next(packets, None)
    except OSError:
        raise
    except av.error.FFmpegError:
        return None


def _read_packets(
    container: Any, stream: Any
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_], int]:
    """Times (pts, dts) of all packets, which ones are keys, and the last one's duration."""
    rows: list[tuple[int, int, bool]] = []
    last = (_NO_TIME, 0)
    packets = container.demux(stream)
    while (packet := next_packet(packets)) is not None:
        if packet.size:
            pts = _NO_TIME if packet.pts is None else packet.pts
            rows.append((pts, _NO_TIME if packet.dts is None else packet.dts, packet.is_keyframe))
            last = max(last, (pts, packet.duration or 0))
    pts = np.array([row[0] for row in rows], np.int64)
    dts = np.array([row[1] for row in rows], np.int64)
    return pts, dts, np.array([row[2] for row in rows], np.bool_), last[1]
