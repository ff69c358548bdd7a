"""Picture decoder: coded pictures to pictures, in any order, with those around kept."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from telemetry.recording.video_files.frame_source import DecodingLeft
from telemetry.recording.video_files.h264 import is_reference, length_bytes
from telemetry.recording.video_files.mpeg4 import first_layer
from telemetry.recording.video_files.packets import PacketSource

if TYPE_CHECKING:
    import av
    from av.video.codeccontext import VideoCodecContext

LONGEST_REORDER = 64
"""Packets that a decoder may take before it gives a picture; beyond, the picture is lost."""

_STEPS_BACK = 16
"""Pictures before the one asked for that are decoded on the way, although nothing leans on them."""

_FAR, _FAR_BYTES = 45, 1_000_000
"""Pictures after a key, and what they take in the file: to decode more takes longer than a hand
notices. 45 of 1080p and 1 MB of H.264 at 30 Mbit/s take 0.1 s each on one core."""

_LARGER_THAN_SAID = 4
"""So many times the pixels that its file says may a coded picture have: damage makes 8191 x 8191 of
32 x 32, for which each thread of a decoder takes 60 MB before it finds that out."""
_FEWEST_PIXELS = 1 << 18
"""What any picture may have: FFmpeg's limit counts 53,791 for one of 32 x 32."""

_RUNS_AT_MOST = 3
_RUNS_MB = 32
_PICTURES_OF_DECODER = 12
"""About as many a decoder holds that others lean on, or that its threads are at."""
_THREADS = 4
"""Pictures that are decoded side by side. On two cores 250 of XviD take half as long as one after
the other, 250 of H.264 three quarters; two threads gain less."""


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
    then at hand, because everything from the key on was decoded to get there. Some decoders stay
    where they were left, as many as memory allows: where keys are far apart, one is often nearer.
    They decode in several threads until something is found damaged: only one tells which it was.
    """

    def __init__(self, packets: PacketSource, cache_bytes: int) -> None:
        self._is_threaded = True
        self._damaged: set[int] = set()
        self._packets = packets
        self._index = packets.index
        self._keys = np.flatnonzero(self._index.is_key)
        self._cache_bytes = cache_bytes
        self._kept: dict[int, DecodedPicture] = {}
        self._lost: set[int] = set()
        self._runs: list[_Run] = []  # the one used last stands last
        width, height = packets.size
        picture_bytes = 1.5 * width * height
        runs = int(_RUNS_MB * 1e6 / picture_bytes / _PICTURES_OF_DECODER)
        self._most_runs = min(_RUNS_AT_MOST, max(1, runs))
        self._share = int(cache_bytes / self._most_runs / picture_bytes)

    @property
    def damaged(self) -> int:
        """Pictures that are broken themselves, among those decoded so far, or cannot be decoded.
        Those that only lean on a broken one are not counted."""
        return len(self._damaged | self._lost)

    def picture(
        self, row: int, is_left: Callable[[], bool] = lambda: False
    ) -> DecodedPicture | None:
        """The picture of a row, or None if it cannot be decoded; `is_left` as in PreviewedSource.
        Raises VideoError, DecodingLeft."""
        if row in self._kept:
            return self._kept[row]
        if row in self._lost:
            return None
        try:
            picture = self._decoded(row, is_left)
        except _DamagedError:
            picture = None
        if picture is None and self._is_threaded:
            self._is_threaded = False
            self.rest()
            picture = self._decoded(row, is_left)
        if picture is None:
            self._lost.add(row)
        return picture

    def far_key(self, row: int) -> int | None:
        """The key from which a row has to be decoded, where that takes long; None where the row
        comes soon, or after what was decoded last."""
        key = self._key_before(row)
        between = row - key
        is_near = between < _FAR and between * self._index.picture_bytes < _FAR_BYTES
        is_soon = row in self._kept or is_near
        return None if is_soon or any(run.leads_to(row, key) for run in self._runs) else key

    def rest(self) -> None:
        """Let go of threads and pictures; the next picture asked for takes them up again."""
        self._runs.clear()
        self._kept.clear()

    def shares_key(self, row: int, other: int) -> bool:
        """Whether both are decoded from the same key on."""
        return self._key_before(row) == self._key_before(other)

    def _decoded(self, row: int, is_left: Callable[[], bool]) -> DecodedPicture | None:
        run = self._run_to(row)
        for produced, picture in run.pictures():
            self._keep(run, produced, picture)
            if produced == row:
                return picture
            if self._index.times_s[produced] > self._index.times_s[row]:
                break
            if is_left():
                raise DecodingLeft
        return None

    def _run_to(self, row: int) -> "_Run":
        """The run that is nearest before a row, ready to go on."""
        key = self._key_before(row)
        leading = [run for run in self._runs if run.leads_to(row, key)]
        run = max(leading, key=lambda run: run.next_row) if leading else self._begun(key)
        if run not in self._runs[-1:]:
            run.go_on()
            self._runs = [*(one for one in self._runs if one is not run), run]
        run.target = row
        is_stepping_back = row + 1 in self._kept  # those before come next
        run.wanted_from = row - (self._share if is_stepping_back else _STEPS_BACK)
        return run

    def _begun(self, key: int) -> "_Run":
        """A run from a key, with the decoder that was not used for longest."""
        if len(self._runs) < self._most_runs:
            return _Run(self._packets, self._new_decoder(), key, deque())
        idle = self._runs.pop(0)
        idle.decoder.flush_buffers()
        return _Run(self._packets, idle.decoder, key, idle.kept)

    def _new_decoder(self) -> "VideoCodecContext":
        decoder = self._packets.decoder()
        decoder.options = {"max_pixels": str(_most_pixels(self._packets))}
        if _is_too_large(self._packets, decoder.extradata or b""):
            decoder.extradata = None
        if self._is_threaded:
            decoder.thread_type, decoder.thread_count = "FRAME", _THREADS
        return decoder

    def _key_before(self, row: int) -> int:
        """The last key from which a row can be decoded. Pictures that are shown before the key
        that they follow need the one before."""
        times = self._index.times_s
        at = int(np.searchsorted(self._keys, row, side="right")) - 1
        while at > 0 and not times[self._keys[at]] <= times[row]:
            at -= 1
        return int(self._keys[at]) if at >= 0 else 0

    def _keep(self, run: "_Run", row: int, picture: DecodedPicture) -> None:
        """Keep a picture, and as many of a decoder's as are its share: what it has once taken for
        its pictures it never gives back."""
        if picture.frame.is_corrupt:
            self._damaged.add(row)
        most = max(1, self._cache_bytes // self._most_runs // picture.bytes)
        is_passing = row < run.target - most  # would be gone when that is reached
        if row in self._kept or is_passing:
            return
        self._kept[row] = picture
        run.kept.append(row)
        while len(run.kept) > most:
            del self._kept[run.kept.popleft()]


def _most_pixels(packets: PacketSource) -> int:
    width, height = packets.size
    return max(_LARGER_THAN_SAID * width * height, _FEWEST_PIXELS)


def _is_too_large(packets: PacketSource, data: bytes | memoryview) -> bool:
    """Whether a header of MPEG-4 says a size for which FFmpeg would take memory unasked; of others
    it knows `max_pixels` before."""
    layer = first_layer(data) if packets.codec == "mpeg4" else None
    return layer is not None and layer.size[0] * layer.size[1] > _most_pixels(packets)


class _DamagedError(Exception):
    """Threads have come upon damage; they tell of it when other pictures are under way."""


class _Run:
    """Decoding from one key onwards."""

    def __init__(
        self, packets: PacketSource, decoder: "VideoCodecContext", key: int, kept: deque[int]
    ) -> None:
        self.kept = kept
        """The rows whose pictures of this decoder are kept, the oldest first."""
        self.target = key
        self.wanted_from = key
        self.decoder = decoder
        self.next_row = key
        self._packets, self._index = packets, packets.index
        self._unit_length_bytes = length_bytes(packets.codec, decoder.extradata)
        self._key = key
        self._coded: Iterator[av.Packet[Any]] = iter(())
        self._shown_s = -np.inf
        self._doubtful_until = key
        self._waiting: list[tuple[int, DecodedPicture]] = []
        self._is_over = False

    def go_on(self) -> None:
        """Begin, or take up again after another run has read from the same file."""
        coded, first = self._packets.packets(self._key), self.next_row
        self._coded = (packet for packet in coded if int(packet.pts or 0) >= first)

    def leads_to(self, row: int, key: int) -> bool:
        """Whether the row comes next or soon, without a key between that is nearer to it."""
        if any(waiting == row for waiting, _ in self._waiting):
            return True
        is_ahead = self._index.times_s[row] > self._shown_s
        return not self._is_over and self._key <= key <= self.next_row and is_ahead

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
        packet = next(self._coded, None) if self.next_row <= self.target + LONGEST_REORDER else None
        self._is_over = packet is None
        if packet is not None:
            self.next_row = int(packet.pts or 0) + 1
            is_far = self.next_row < self.wanted_from
            if is_far and not is_reference(memoryview(packet), self._unit_length_bytes):
                return True  # nothing leans on it, and no thread need be asked
            self.decoder.skip_frame = "NONREF" if is_far else "DEFAULT"
        if packet is not None and _is_too_large(self._packets, memoryview(packet)):
            self._doubt(self.next_row - 1)
            return True
        self._waiting += self._decoded(packet)
        return True

    def _decoded(self, packet: "av.Packet[Any] | None") -> list[tuple[int, DecodedPicture]]:
        import av

        try:
            frames = self.decoder.decode(packet)
        except av.error.FFmpegError:  # no picture can be made of it: others lean on what was there
            self._doubt(self.next_row - 1)
            return []
        return [found for frame in frames for found in self._found(frame)]

    def _found(self, frame: "av.VideoFrame") -> Iterator[tuple[int, DecodedPicture]]:
        if frame.pts is None or not self._key <= frame.pts < len(self._index.times_s):
            return
        if frame.is_corrupt:
            self._doubt(frame.pts)
        yield frame.pts, DecodedPicture(frame, frame.is_corrupt or frame.pts < self._doubtful_until)

    def _doubt(self, row: int) -> None:
        """Pictures after a damaged one lean on it, until the next key. Raises _DamagedError where
        it is not sure which one it is."""
        from av.codec.context import ThreadType

        if self.decoder.thread_type is ThreadType.FRAME:
            raise _DamagedError
        keys = np.flatnonzero(self._index.is_key[row + 1 :])
        ends = row + 1 + int(keys[0]) if len(keys) else len(self._index.is_key)
        self._doubtful_until = max(self._doubtful_until, ends)
