"""Container packets by FFmpeg's demuxers: MP4, MOV, MKV and whatever else it opens."""

import math
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from telemetry.base.input_files import check_file
from telemetry.recording.video_files.frame_source import VideoError, is_size, unreadable
from telemetry.recording.video_files.mp4_index import may_have_index, read_index
from telemetry.recording.video_files.packet_table import NO_TIME, next_packet, read_packets, ticks
from telemetry.recording.video_files.packets import PacketIndex

if TYPE_CHECKING:
    import av
    from av.video.codeccontext import VideoCodecContext


class ContainerPackets:
    """The first video stream of a file, in the order in which it is stored.

    Where there is no whole index (see mp4_index), opening reads all packets once, because only they
    tell what is really there. Raises VideoError.
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
        self.size = (self._stream.codec_context.width, self._stream.codec_context.height)
        if not is_size(*self.size):
            raise VideoError(
                f"{path.name} does not say how large its pictures are. Copy it again, or repair it."
            )
        try:
            self._table = self._packets_there()
        except OSError as error:
            raise unreadable(path, error) from error
        if not len(self._table):
            raise VideoError(f"{path.name} holds no pictures at all. Take another file.")
        positions = self._table["position"]
        in_file = np.sort(positions)
        self._by_position = bool(in_file[0] >= 0 and (np.diff(in_file) > 0).all())
        identities = positions if self._by_position else self._table["pts"]
        self._order = np.argsort(identities, kind="stable")
        self._identities = identities[self._order]
        self.codec: str = self._stream.codec_context.codec.canonical_name
        self.has_sound = bool(self._container.streams.audio)
        self.date: str = self._container.metadata.get("creation_time", "")
        self.index = self._index(self._shown_at())
        self.quarter_turns, self.is_mirrored = self._turn()

    def _packets_there(self) -> npt.NDArray[Any]:
        if may_have_index(self._container):
            table = read_index(self._path, self._container, self._stream)
            if table is not None:
                return table
            self._container.close()
            self._container = open_container(self._path)
            self._stream = self._container.streams.video[0]
        return read_packets(self._container, self._stream)

    def _turn(self) -> tuple[int, bool]:
        """Quarter turns clockwise, and whether it is mirrored before, by the display matrix."""
        import av

        self._container.seek(int(self._stream.start_time or 0), stream=self._stream)
        with suppress(av.error.FFmpegError):
            for frame in self._container.decode(self._stream):
                matrix = frame.side_data.get("DISPLAYMATRIX")
                return (0, False) if matrix is None else _turn_of(np.frombuffer(matrix, np.int32))
        return 0, False

    def _shown_at(self) -> npt.NDArray[np.int64]:
        """When each picture is shown, in ticks of the stream. AVI has no times: FFmpeg's are only
        right without B-pictures, so that the decoder has to say in which order it shows them."""
        table = self._table
        if self._container.format.name != "avi" or table["is_key"].all():
            return np.where(table["is_shown"], table["pts"], NO_TIME)
        order = self._order_by_decoding()
        shown_at = np.full(len(table), NO_TIME)
        shown_at[order] = np.sort(table["dts"])[: len(order)]
        return shown_at

    def _order_by_decoding(self) -> list[int]:
        import av

        decoder, order = self.decoder(), []
        for packet in [*self.packets(0), None]:
            with suppress(av.error.FFmpegError):
                order += [frame.pts for frame in decoder.decode(packet) if frame.pts is not None]
        return [row for row in dict.fromkeys(order) if 0 <= row < len(self._table)]

    def _index(self, shown_at: npt.NDArray[np.int64]) -> PacketIndex:
        base = float(self._stream.time_base or 0)
        has_time = shown_at != NO_TIME
        if not has_time.any():
            raise VideoError(
                f"{self._path.name} says nowhere when its pictures are shown. "
                "Convert it to MP4 or MKV with the rate of the camera."
            )
        numbers = np.empty(len(shown_at), np.int64)
        numbers[np.argsort(shown_at, kind="stable")] = np.arange(len(shown_at)) - (~has_time).sum()
        first = int(shown_at[has_time].min())
        times = np.where(has_time, (shown_at - first) * base, np.nan)
        steps = np.diff(np.sort(times[has_time]))
        last = int(self._table["duration"][int(np.argmax(shown_at))])
        step = last * base or (float(np.median(steps)) if len(steps) else 0.0)
        announced = max(self._stream.frames, int(has_time.sum()))
        return PacketIndex(
            times,
            np.where(has_time, numbers, -1),
            self._table["is_key"],
            float(np.nanmax(times)) + step,
            announced,
            announced - int(has_time.sum()),
            first * base,
            picture_bytes=self._path.stat().st_size / len(shown_at),
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
            self._container.seek(start, stream=self._stream)
            began = False
            for packet in self._demuxed():
                row = self._row(ticks(packet.pos if self._by_position else packet.pts))
                if not began and row is not None and row > first:
                    break  # sought beyond it: begin earlier
                if row is not None and row >= first:
                    began = True
                    packet.pts, packet.dts = row, None
                    yield packet
            if began:
                return

    def _row(self, identity: int) -> int | None:
        """The last row of that position or time; looked up in columns, for a dictionary of an
        hour's takes 20 MB and as long as all the rest of opening."""
        at = int(np.searchsorted(self._identities, identity, side="right")) - 1
        return int(self._order[at]) if at >= 0 and self._identities[at] == identity else None

    def _starts(self, first: int) -> Iterator[int]:
        """Where to seek to, so as to come to a row: its own time, then earlier keys', the begin."""
        for time in ("pts", "dts"):
            yield from (int(at) for at in self._table[time][first : first + 1] if at != NO_TIME)
        keys = np.flatnonzero(self._table["is_key"][:first])[::-1][:8]
        yield from (int(at) for at in self._table["dts"][keys] if at != NO_TIME)
        yield int(min(self._stream.start_time or 0, 0))

    def _demuxed(self) -> Iterator["av.Packet[Any]"]:
        packets = self._container.demux(self._stream)
        while (packet := next_packet(packets)) is not None:
            if packet.size:
                yield packet

    def close(self) -> None:
        """See PacketSource."""
        self._container.close()


def _turn_of(matrix: npt.NDArray[np.int32]) -> tuple[int, bool]:
    """Of a display matrix (9,), by rows; it stands right of (x, y, 1), with y downwards."""
    (xx, xy), (yx, yy) = matrix[:2].tolist(), matrix[3:5].tolist()
    is_mirrored = xx * yy < xy * yx
    sign = -1 if is_mirrored else 1
    return round(math.degrees(math.atan2(sign * xy, sign * xx)) / 90.0) % 4, is_mirrored


def open_container(path: Path) -> Any:
    """A container of PyAV. Raises VideoError with a remedy."""
    import av

    try:
        check_file(path)
        return av.open(str(path.absolute()), metadata_errors="replace")  # no name is an address
    except FileNotFoundError as error:
        raise VideoError(f"{path} is not there. Choose where it is now.") from error
    except OSError as error:
        raise unreadable(path, error) from error
    except (av.error.FFmpegError, ValueError) as error:
        raise VideoError(
            f"{path.name} is not a video, or its beginning or index is damaged. "
            "Copy it again from the camera's card, or repair it with the camera's own tool."
        ) from error
