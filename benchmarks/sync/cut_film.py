"""Cut films: films that stand, joined, darkened, covered, written over."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import numpy.typing as npt

from benchmarks.sync.true_line import read_truth, write_truth

Picture = npt.NDArray[np.uint8]
Change = Callable[[Picture, int], None]
"""Changes a picture (rows, columns, RGB) in place; the number is its place in the new film."""

_BITS_PER_S = 3_000_000
_COVER_SHARE = 0.4
_DARK = (np.arange(256) * 0.02).astype(np.uint8)
_GRAIN = np.random.default_rng(1).poisson(2.0, 1_000_003).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class CutStretch:
    """What is taken of a film, by its seconds."""

    film: str
    start_s: float
    end_s: float


def dark(picture: Picture, number: int) -> None:
    """Next to no light, and the grain of a sensor that was turned up for it."""
    first = 997 * number % _GRAIN.size
    grain = np.take(_GRAIN, np.arange(first, first + picture[..., 0].size), mode="wrap")
    picture[:] = cv2.LUT(picture, _DARK) + grain.reshape(picture.shape[:2])[..., None]


def covered(picture: Picture, number: int) -> None:
    """Two fifths are hidden by a part of the aircraft, which has a pattern of its own."""
    rows, columns = picture.shape[:2]
    part = np.random.default_rng(7).integers(30, 200, (rows // 16, columns // 16), np.uint8)
    pattern = cv2.resize(part, (columns, rows), interpolation=cv2.INTER_LINEAR)
    first = round((1.0 - _COVER_SHARE) * columns)
    picture[:, first:] = pattern[:, first:, None]


def written_over(picture: Picture, number: int) -> None:
    """A clock that runs, and words that stand."""
    rows, columns = picture.shape[:2]
    clock = f"2026-03-14 12:{number // 1800:02}:{number // 30 % 60:02}.{number % 30:02}"
    for text, place, size in (
        (clock, (8, 24), 0.8),
        ("ALT 37.2 m  SPD 11 m/s", (8, rows - 12), 0.9),
        ("+", (columns // 2 - 12, rows // 2 + 12), 1.5),
        ("REC", (columns - 80, 28), 0.9),
    ):
        for colour, width in ((0, 5), (255, 2)):
            cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, (colour,) * 3, width)


def cut_film(
    video: Path, stretches: list[tuple[Path, CutStretch]], log_film: str, change: Change | None
) -> None:
    """Write a film of stretches of others, and what is true of it as `.truth.json`: its pieces lie
    on the log of `log_film`; one of another flight is no piece but `foreign`."""
    pieces: list[dict[str, Any]] = []
    foreign: list[tuple[float, float]] = []
    number = 0
    truths = [read_truth(path) for path, _ in stretches]
    frames_per_s = truths[0]["frames_per_s"]
    with av.open(str(video), "w") as container:
        stream = container.add_stream("mpeg4", frames_per_s, options={"threads": "1"})
        stream.width, stream.height = _size(stretches[0][0])
        stream.pix_fmt = "yuv420p"
        stream.bit_rate, stream.codec_context.gop_size = _BITS_PER_S, frames_per_s
        for (path, stretch), truth in zip(stretches, truths, strict=True):
            first = number
            for picture in _pictures(path, stretch, frames_per_s):
                if change is not None:
                    change(picture, number)
                container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
                number += 1
            start_s, end_s = first / frames_per_s, number / frames_per_s
            if stretch.film != log_film:
                foreign.append((start_s, end_s))
                continue
            line = truth["pieces"][0]
            skipped_s = round(stretch.start_s * frames_per_s) / frames_per_s - start_s
            pieces.append(
                {
                    "offset_s": line["offset_s"] - skipped_s,
                    "rate": line["rate"],
                    "medium_start_s": start_s,
                    "medium_end_s": end_s,
                    "file": video.name,
                }
            )
        container.mux(stream.encode())
    of_log = next(t for (_, one), t in zip(stretches, truths, strict=True) if one.film == log_film)
    whole = {"frames": number, "frames_per_s": frames_per_s, "camera": of_log["camera"]}
    write_truth(video, {"make": "cut", "pieces": pieces, "foreign": foreign, **whole})


def _size(path: Path) -> tuple[int, int]:
    with av.open(str(path)) as container:
        context = container.streams.video[0].codec_context
        return context.width, context.height


def _pictures(path: Path, stretch: CutStretch, frames_per_s: int) -> Iterator[Picture]:
    """The pictures of a stretch, one for each frame; where one is damaged the last one again."""
    first, end = round(stretch.start_s * frames_per_s), round(stretch.end_s * frames_per_s)
    number, last = first, None
    for frame in _decoded(path):
        at = round(frame.time * frames_per_s)
        while last is not None and number < min(at, end):
            yield last.copy()
            number += 1
        if at >= end:
            return
        last = frame.to_ndarray(format="rgb24") if at >= first - frames_per_s else None
    while last is not None and number < end:
        yield last.copy()
        number += 1


def _decoded(path: Path) -> Iterator[Any]:
    with av.open(str(path)) as container:
        for packet in container.demux(video=0):
            try:
                yield from packet.decode()
            except av.error.InvalidDataError:
                continue
