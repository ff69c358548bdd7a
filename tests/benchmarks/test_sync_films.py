"""Films of the second make and cut ones: which instants they show, and what they say is true."""

import json
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.transform import Rotation

from benchmarks.sync.cut_film import CutStretch, cut_film
from benchmarks.sync.plain_film import PlainFilm, TruePath
from benchmarks.sync.plain_picture import PlainCamera
from telemetry.base.table_files import save_parquet

Array = npt.NDArray[np.float64]
CAMERA = PlainCamera((64, 48))


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """Ten seconds at 10 m that turn to the right by 30 degrees a second, 20 rows a second; the
    quaternion changes its sign on the way, which turns nothing."""
    times_s = np.arange(0.0, 10.0, 0.05)
    half = np.radians(30.0 * times_s) / 2.0
    sign = np.where(times_s > 4.0, -1.0, 1.0)
    zero = np.zeros_like(times_s)
    parts = {"w": sign * np.cos(half), "x": zero, "y": zero, "z": sign * np.sin(half)}
    axes = {"north": 3.0 * times_s, "east": zero, "down": zero - 10.0}
    path = tmp_path / "track.parquet"
    save_parquet(
        {
            "time_s": times_s,
            **{f"true_position_{axis}_m": column for axis, column in axes.items()},
            **{f"true_quaternion_{part}": column for part, column in parts.items()},
        },
        path,
    )
    return path


def test_between_rows_of_the_track_the_path_goes_on(track: Path) -> None:
    """At 3.975 and 4.025 s it has turned by 30 degrees for each second, and flown 3 m."""
    position, body = TruePath(track, 0.0, 1).poses(np.array([3.975, 4.025]))
    yaw_deg = Rotation.from_matrix(body).as_euler("ZYX", degrees=True)[:, 0]
    assert yaw_deg == pytest.approx([119.25, 120.75], abs=1e-3)
    assert position[1, 0] - position[0, 0] == pytest.approx(0.15, abs=0.02)


def test_a_picture_shows_the_log_s_time_at_its_own(tmp_path: Path, track: Path) -> None:
    """Picture n is of (n / 30 - offset) / rate; a whole one ends with the log."""
    path, seen = TruePath(track, 0.0, 1), []

    class Watched(TruePath):
        def poses(self, times_s: Array) -> tuple[Array, Array]:
            seen.append(float(times_s.mean()))
            return path.poses(times_s)

    film = PlainFilm(CAMERA, Watched(track, 0.0, 1), -1.0, 0.5, 0.2, 1)
    film.write(tmp_path / "film.mp4")
    assert seen == pytest.approx([2.0 + number / 15 for number in range(6)])
    truth = json.loads((tmp_path / "film.mp4.truth.json").read_text())
    assert (truth["offset_s"], truth["rate"], truth["frames"]) == (-1.0, 0.5, 6)
    assert PlainFilm(CAMERA, path, -1.0, 0.5, 99.0, 1).frames == int((0.5 * 9.95 - 1.0) * 30)


def numbered(path: Path, first_grey: int, line: dict[str, float]) -> None:
    """Two seconds of pictures, each lighter than the one before, and their truth."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", 30)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(60):
            picture = np.full((48, 64, 3), first_grey + 2 * number, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    truth = {"frames_per_s": 30, "camera": {}, "pieces": [line]}
    path.with_name(f"{path.name}.truth.json").write_text(json.dumps(truth))


def greys(path: Path) -> list[float]:
    with av.open(str(path)) as container:
        return [
            float(frame.to_ndarray(format="gray").mean()) for frame in container.decode(video=0)
        ]


def test_stretches_are_joined_with_the_lines_that_they_lie_on(tmp_path: Path) -> None:
    """Its second second comes from 1.5 s of a film with an offset of 7: 7 - 1.5 + 1 = 6.5; what
    is of another flight is foreign, and no piece."""
    one, other, joined = (tmp_path / f"{name}.avi" for name in ("one", "other", "joined"))
    line: dict[str, Any] = {"offset_s": 7.0, "rate": 1.01}
    numbered(one, 20, line)
    numbered(other, 130, {"offset_s": 0.0, "rate": 1.0})
    stretches = [
        (one, CutStretch("one", 0.0, 1.0)),
        (one, CutStretch("one", 1.5, 2.0)),
        (other, CutStretch("other", 0.0, 0.5)),
    ]
    cut_film(joined, stretches, "one", None)
    truth = json.loads((tmp_path / "joined.avi.truth.json").read_text())
    assert [piece["offset_s"] for piece in truth["pieces"]] == pytest.approx([7.0, 6.5])
    assert [piece["medium_start_s"] for piece in truth["pieces"]] == pytest.approx([0.0, 1.0])
    assert truth["foreign"] == [[1.5, 2.0]]
    shown, first = greys(joined), greys(one)
    assert len(shown) == 60
    assert shown[:30] == pytest.approx(first[:30], abs=3.0)
    assert shown[30:45] == pytest.approx(first[45:], abs=3.0)
    assert shown[45:] == pytest.approx(greys(other)[:15], abs=3.0)
