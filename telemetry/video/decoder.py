"""From coded pictures to pictures, in any order, with those around kept."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from telemetry.video.packets import PacketSource

if TYPE_CHECKING:
    import av
    from av.video.codeccontext import VideoCodecContext

LONGEST_REORDER = 64
"""Packets that a decoder may take before it gives a picture; beyond, the picture is lost."""


@dataclass(frozen=True, slots=True, eq=False)
class DecodedPicture:
    """A decoded picture as the codec gives it (mostly YUV 4:2:0, half the size of BGR)."""

    frame: "av.VideoFrame"
    is_damaged: bool

    @property
    def bytes(self) -> int:
        """What it takes of memory."""
        return sum(plane.buffer_size for plane in self.frame.planes)


class PictureDecoder:
    """The picture of any row of an index; seeking only where going on would take longer.

    Pictures are kept up to `cache_bytes`, the newest decoded ones: a step back after a seek is
    then at hand, because everything from the key on was decoded to get there.
    """

    def __init__(self, packets: PacketSource, cache_bytes: int) -> None:
        self._damaged: set[int] = set()
        self._packets = packets
        self._decoder = packets.decoder()
        self._index = packets.index
        self._keys = np.flatnonzero(self._index.is_key)
        self._cache_bytes = cache_bytes
        self._kept: OrderedDict[int, DecodedPicture] = OrderedDict()
        self._kept_bytes = 0
        self._lost: set[int] = set()
        self._run: _Run | None = None

    @property
    def damaged(self) -> int:
        """Pictures that are broken themselves, among those decoded so far, or cannot be decoded.
        Those that only lean on a broken one are not counted."""
        return len(self._damaged | self._lost)

    def picture(self, row: int) -> DecodedPicture | None:
        """The picture of a row, or None if it cannot be decoded. Raises VideoError."""
        if row in self._kept:
            return self._kept[row]
        if row in self._lost:
            return None
        for produced, picture in self._run_to(row).pictures():
            self._keep(produced, picture)
            if produced == row:
                return picture
            if self._index.times_s[produced] > self._index.times_s[row]:
                break
        self._lost.add(row)
        return None

    def _run_to(self, row: int) -> "_Run":
        key = self._key_before(row)
        if self._run is None or not self._run.leads_to(row, key):
            self._decoder.flush_buffers()  # one for all runs: its memory is used again
            self._run = _Run(self._packets, self._decoder, key)
        self._run.target = row
        self._run.keeps_all = row + 1 in self._kept  # stepping back: those before come next
        return self._run

    def _key_before(self, row: int) -> int:
        """The last key from which a row can be decoded. Pictures that are shown before the key
        that they follow need the one before."""
        times = self._index.times_s
        at = int(np.searchsorted(self._keys, row, side="right")) - 1
        while at > 0 and not times[self._keys[at]] <= times[row]:
            at -= 1
        return int(self._keys[at]) if at >= 0 else 0

    def _keep(self, row: int, picture: DecodedPicture) -> None:
        if picture.frame.is_corrupt:
            self._damaged.add(row)
        if row in self._kept:
            return
        self._kept[row] = picture
        self._kept_bytes += picture.bytes
        while self._kept_bytes > self._cache_bytes and len(self._kept) > 1:
            self._kept_bytes -= self._kept.popitem(last=False)[1].bytes


class _Run:
    """Decoding from one key onwards."""

    def __init__(self, packets: PacketSource, decoder: "VideoCodecContext", key: int) -> None:
        self.target = key
        self.keeps_all = False
        self._index = packets.index
        self._key = key
        self._coded = packets.packets(key)
        self._decoder = decoder
        self._next = key
        self._shown_s = -np.inf
        self._doubtful_until = key
        self._waiting: list[tuple[int, DecodedPicture]] = []
        self._is_over = False

    def leads_to(self, row: int, key: int) -> bool:
        """Whether the row comes next or soon, without a key between that is nearer to it."""
        is_ahead = self._index.times_s[row] > self._shown_s
        return not self._is_over and self._key <= key <= self._next and is_ahead

    def pictures(self) -> Iterator[tuple[int, DecodedPicture]]:
        """Pictures in the order of presentation, until far beyond the target."""
        while self._waiting or self._feed():
            while self._waiting:
                row, picture = self._waiting.pop(0)
                self._shown_s = max(self._shown_s, float(self._index.times_s[row]))
                yield row, picture

    def _feed(self) -> bool:
        """Decode one packet more, or what the decoder still holds; False when that is all."""
        if self._is_over:
            return False
        packet = next(self._coded, None) if self._next <= self.target + LONGEST_REORDER else None
        self._is_over = packet is None
        if packet is not None:
            self._next = int(packet.pts or 0) + 1
            is_far = not self.keeps_all and self._next < self.target - LONGEST_REORDER
            self._decoder.skip_frame = "NONREF" if is_far else "DEFAULT"  # nothing leans on those
        self._waiting += self._decoded(packet)
        return True

    def _decoded(self, packet: "av.Packet[Any] | None") -> list[tuple[int, DecodedPicture]]:
        import av

        try:
            frames = self._decoder.decode(packet)
        except av.error.FFmpegError:  # no picture can be made of it: others lean on what was there
            self._doubt(self._next - 1)
            return []
        return [found for frame in frames for found in self._found(frame)]

    def _found(self, frame: "av.VideoFrame") -> Iterator[tuple[int, DecodedPicture]]:
        if frame.pts is None or not self._key <= frame.pts < len(self._index.times_s):
            return
        if frame.is_corrupt:
            self._doubt(frame.pts)
        yield frame.pts, DecodedPicture(frame, frame.is_corrupt or frame.pts < self._doubtful_until)

    def _doubt(self, row: int) -> None:
        """Pictures after a damaged one lean on it, until the next key."""
        keys = np.flatnonzero(self._index.is_key[row + 1 :])
        ends = row + 1 + int(keys[0]) if len(keys) else len(self._index.is_key)
        self._doubtful_until = max(self._doubtful_until, ends)
