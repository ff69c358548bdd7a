"""A film of an hour in 1080p: a minute of H.264 encoded once, its packets repeated an hour long."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt

SIZE = (1920, 1080)
RATE_HZ = 30
MINUTE_FRAMES = 60 * RATE_HZ
_MARK_PX = 16
_BITS = 16
_SHIFT_PX = 8

Pixels = npt.NDArray[np.uint8]


def write_long_film(path: Path, key_every: int, minutes: int = 60) -> None:
    """Ground that passes by, with the number within its minute in each picture."""
    minute = path.with_suffix(".minute.mp4")
    _encode(minute, key_every)
    with av.open(str(minute)) as read, av.open(str(path), "w") as written:
        old = read.streams.video[0]
        new = written.add_stream_from_template(old)
        packets = [packet for packet in read.demux(old) if packet.size]
        ticks = round(60 / Fraction(old.time_base or 0))
        for number in range(minutes):
            for one in packets:
                packet = av.Packet(bytes(one))
                packet.pts, packet.dts = (
                    (one.pts or 0) + number * ticks,
                    (one.dts or 0) + number * ticks,
                )
                packet.time_base, packet.duration = one.time_base, one.duration
                packet.is_keyframe, packet.stream = one.is_keyframe, new
                written.mux(packet)
    minute.unlink()


def marked(pixels: Pixels, number: int) -> Pixels:
    """A picture with a number of 16 bits at its top."""
    bits = ((number >> np.arange(_BITS)) & 1) * 255
    pixels[:_MARK_PX] = bits.astype(np.uint8).repeat(pixels.shape[1] // _BITS)[:, None]
    return pixels


def number_in(pixels: Pixels) -> int:
    """The number within its minute that a picture shows."""
    wide = pixels.shape[1] // _BITS
    bits = pixels[_MARK_PX // 2, wide // 2 :: wide, 1] > 127
    return int((bits << np.arange(_BITS)).sum())


def _encode(path: Path, key_every: int) -> None:
    width, height = SIZE
    coarse = np.random.default_rng(3).integers(40, 200, (height // 24, width // 12, 3), np.uint8)
    ground = coarse.repeat(24, axis=0).repeat(24, axis=1)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE_HZ)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        keys = f"keyint={key_every}:min-keyint={key_every}:scenecut=0:bframes=0"
        stream.options = {"preset": "ultrafast", "crf": "26", "x264-params": keys}
        for number in range(MINUTE_FRAMES):
            start = number * _SHIFT_PX % width
            pixels = ground[:, start : start + width].copy()
            frame = av.VideoFrame.from_ndarray(marked(pixels, number), format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, RATE_HZ)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
