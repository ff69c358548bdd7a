"""Writes films as that camera does: XviD and 8-bit sound in AVI."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.worlds.motor_sound import SAMPLES_PER_S
from simulation.worlds.scene import Picture

_BITS_PER_S = 2_000_000
_KEY_FRAMES = 30
"""At least one of so many frames stands for itself."""

Damage = Callable[[bytes], bytes]


class AviWriter:
    """A new file, frame by frame, with the sound that belongs to each. OSError is passed on."""

    def __init__(
        self, path: Path, size: tuple[int, int], frames_per_s: int, has_sound: bool
    ) -> None:
        import av

        self._file = av.open(str(path), "w", format="avi")
        self._video: Any = self._file.add_stream("mpeg4", rate=frames_per_s)
        self._video.width, self._video.height = size
        self._video.pix_fmt = "yuv420p"
        self._video.bit_rate = _BITS_PER_S
        self._video.gop_size = _KEY_FRAMES
        self._video.max_b_frames = 0
        self._video.codec_context.codec_tag = "XVID"
        self._sound: Any = None
        if has_sound:
            self._sound = self._file.add_stream("pcm_u8", rate=SAMPLES_PER_S, layout="mono")
        self._frames = self._samples = 0

    def add(self, picture: Picture, is_key: bool = False, damage: Damage | None = None) -> None:
        """The next frame, BGR. `is_key`: it depends on no other. `damage` is given its bytes and
        returns what is written in their place."""
        import av
        from av.video.frame import PictureType

        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="bgr24")
        frame.pts = self._frames
        if is_key:
            frame.pict_type = PictureType.I
        self._frames += 1
        for packet in self._video.encode(frame):
            self._file.mux(packet if damage is None else _damaged(packet, damage))

    def add_sound(self, samples: npt.NDArray[np.uint8]) -> None:
        """The next samples."""
        import av

        frame = av.AudioFrame.from_ndarray(samples[None, :], format="u8", layout="mono")
        frame.sample_rate = SAMPLES_PER_S
        frame.pts = self._samples
        self._samples += len(samples)
        self._file.mux(self._sound.encode(frame))

    def close(self) -> None:
        """Write what is held back, and the index."""
        self._file.mux(self._video.encode(None))
        if self._sound is not None:
            self._file.mux(self._sound.encode(None))
        self._file.close()

    def abandon(self) -> None:
        """Close a file that takes no more."""
        try:
            self._file.close()
        except OSError:
            return


def _damaged(packet: Any, damage: Damage) -> Any:
    import av

    spoilt = av.Packet(damage(bytes(packet)))
    spoilt.stream = packet.stream
    spoilt.time_base = packet.time_base
    spoilt.pts, spoilt.dts, spoilt.duration = packet.pts, packet.dts, packet.duration
    spoilt.is_keyframe = packet.is_keyframe
    return spoilt
