"""Plain film: what a camera of `plain_picture` saw of a flight, whose true path a track holds."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pyarrow.parquet
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from benchmarks.sync.plain_picture import Array, Floats, PlainCamera, PlainPictures
from benchmarks.sync.true_line import write_truth

FRAMES_PER_S = 30
_CAMERA_IN_BODY_M = (0.12, 0.02, 0.03)
_SHAKES = 6
_SHAKE_HZ = 12.0, 70.0
_SKY_UV, _GROUND_UV = (142.0, 118.0), (118.0, 124.0)


class TruePath:
    """True poses of a body at any time of a track, by splines; `shake_deg` is how far its camera
    shakes in the air, besides."""

    def __init__(self, track: Path, shake_deg: float, seed: int) -> None:
        table = pyarrow.parquet.read_table(track)
        times_s, position, q_wxyz = (
            np.stack([table[name].to_numpy() for name in names], axis=1)
            for names in (
                ("time_s",),
                tuple(f"true_position_{axis}_m" for axis in ("north", "east", "down")),
                tuple(f"true_quaternion_{part}" for part in "wxyz"),
            )
        )
        turned = np.where((q_wxyz[1:] * q_wxyz[:-1]).sum(axis=1) < 0.0, -1.0, 1.0)
        signs = np.cumprod(np.concatenate([[1.0], turned]))
        self.end_s = float(times_s[-1, 0])
        self._position = CubicSpline(times_s[:, 0], position)
        self._q_wxyz = CubicSpline(times_s[:, 0], q_wxyz * signs[:, None])
        random = np.random.default_rng(seed)
        self._shake_rad = np.radians(shake_deg) * random.uniform(-1.0, 1.0, (_SHAKES, 3))
        self._shake_hz = random.uniform(*_SHAKE_HZ, _SHAKES)

    def poses(self, times_s: Array) -> tuple[Array, Array]:
        """NED positions (n, 3) of the camera, rotations (n, 3, 3) from the body's axes to NED."""
        times_s = np.clip(times_s, 0.0, self.end_s)
        position = self._position(times_s)
        phase = np.sin(2.0 * np.pi * times_s[:, None] * self._shake_hz)
        is_in_air = np.clip(-position[:, 2:] - 0.5, 0.0, 1.0)
        body = Rotation.from_quat(np.roll(self._q_wxyz(times_s), -1, axis=1))
        body *= Rotation.from_rotvec(is_in_air * (phase @ self._shake_rad))
        matrices: Array = body.as_matrix()
        return position + matrices @ np.array(_CAMERA_IN_BODY_M), matrices


@dataclass(frozen=True, slots=True)
class PlainFilm:
    """A film of a path: its time is `offset_s + rate x log time`. It ends after `longest_s`, or
    with the log."""

    camera: PlainCamera
    path: TruePath
    offset_s: float
    rate: float
    longest_s: float
    seed: int

    @property
    def frames(self) -> int:
        """How many there are."""
        end_s = min(self.longest_s, self.offset_s + self.rate * self.path.end_s)
        return int(end_s * FRAMES_PER_S)

    def write(self, video: Path) -> None:
        """Write the film, and last what is true of it."""
        with av.open(str(video), "w") as container:
            stream = container.add_stream(
                "libx264",
                FRAMES_PER_S,
                options={"preset": "ultrafast", "crf": "20", "threads": "1"},
            )
            stream.width, stream.height = self.camera.size
            stream.pix_fmt = "yuv420p"
            stream.codec_context.gop_size, stream.codec_context.max_b_frames = FRAMES_PER_S, 0
            for planes in self._frames():
                frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
        write_truth(video, self._truth(video.name))

    def _frames(self) -> Iterator[npt.NDArray[np.uint8]]:
        pictures = PlainPictures(self.camera, self.path.poses, self.seed)
        for number in range(self.frames):
            yield _planes(*pictures.picture((number / FRAMES_PER_S - self.offset_s) / self.rate))

    def _truth(self, name: str) -> dict[str, Any]:
        roll, pitch, yaw = self.camera.mount_deg
        said = asdict(self.camera)
        del said["mount_deg"], said["size"]
        line = {"offset_s": self.offset_s, "rate": self.rate}
        whole = {"medium_start_s": 0.0, "medium_end_s": self.frames / FRAMES_PER_S, "file": name}
        mount = {"mount_roll_deg": roll, "mount_pitch_deg": pitch, "mount_yaw_deg": yaw}
        return {
            "make": "second",
            **line,
            "frames": self.frames,
            "frames_per_s": FRAMES_PER_S,
            "pieces": [{**line, **whole}],
            "camera": {**said, **mount},
            "seed": self.seed,
        }


def _planes(light: Floats, ground_share: Floats) -> npt.NDArray[np.uint8]:
    """A picture as yuv420p, its planes one below the other."""
    share = ground_share[::2, ::2]
    colours = [
        (sky + (ground - sky) * share).reshape(-1, light.shape[1])
        for sky, ground in zip(_SKY_UV, _GROUND_UV, strict=True)
    ]
    return np.concatenate([16.0 + light * (219.0 / 255.0), *colours]).astype(np.uint8)
