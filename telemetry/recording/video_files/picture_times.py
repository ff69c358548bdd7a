"""Exact picture times of a video, where recorded beside it; its container rounds them."""

from pathlib import Path

import numpy as np
import numpy.typing as npt


def exact_times(video: Path, times_s: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The times of a file's pictures as its stream file says them; as they are where there is none
    or it is another video's."""
    beside = video.with_suffix(".npz")
    if not beside.is_file():
        return times_s
    from telemetry.protocol.streams.npz_file import FRAME_S, StreamFile, video_times
    from telemetry.protocol.streams.samples import StreamError

    try:
        file = StreamFile(beside)
    except (OSError, StreamError):
        return times_s
    exact = video_times(file.times_s)[: len(times_s)]
    rounded = times_s[: len(exact)]
    if file.video != video.name or np.any(np.abs(exact - rounded) > FRAME_S):
        return times_s
    return np.concatenate((exact, times_s[len(exact) :]))
