"""Cameras in a room whose walls are known, and what is true of their pictures."""

import hashlib
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.files.parameter_file import ParameterError
from simulation.perception.cameras.camera_truth import CameraTruth
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.sensor_recorder import TruthFile
from simulation.perception.suite import PerceptionSuite
from simulation.perception.surroundings import Surroundings
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world_file import load_world
from telemetry.protocol.streams.samples import PictureSample
from tests.simulation.perception.paths import digest, still, turning, winding
from tests.simulation.perception.rooms import room

SMALL: Mapping[str, Any] = {"width_px": 96, "height_px": 72, "rate_hz": 50.0}
IDEAL: Mapping[str, Any] = {
    **SMALL,
    **dict.fromkeys(("readout_ms", "exposure_ms", "auto_exposure_s", "vignetting"), 0.0),
    **dict.fromkeys(("noise", "white_balance", "broken", "blur_px"), 0.0),
}


@cache
def corridor() -> Surroundings:
    return Surroundings(make_scene(load_world("corridor")))


def shots(
    pose: Callable[[float], Pose],
    steps: int = 60,
    around: Surroundings | None = None,
    seed: int = 1,
    block: int = 1000,
    **changes: Any,
) -> list[SuiteSample]:
    """What a camera of Price's sends in so many milliseconds."""
    path = GivenPath(pose, seed)
    mount = SensorMount("nose", "price-camera", changes=changes)
    suite = PerceptionSuite(path, around or corridor(), [mount])
    found: list[SuiteSample] = []
    suite.subscribe(found.append)
    for _ in range(-(-steps // block)):
        path.advance(min(block, steps))
    assert not suite.failures
    return found


def pixels(shot: SuiteSample) -> npt.NDArray[np.int64]:
    assert isinstance(shot.sample, PictureSample)
    return shot.sample.pixels.astype(np.int64)


@pytest.mark.slow
def test_the_flow_of_a_camera_that_turns_is_that_of_theory() -> None:
    """Yawing by a, what is seen at (x, y) focal lengths moves to x' = tan(atan x - a), y' = y
    cos(atan x) / cos(atan x - a): exact, for whatever is there."""
    before, now = shots(turning(1.0), 40, **IDEAL)[:2]
    focal = 48.0 / math.tan(math.radians(30.0))
    x, y = np.meshgrid((np.arange(96) - 47.5) / focal, (np.arange(72) - 35.5) / focal)
    bearing = np.arctan(x)
    was = bearing + 0.02  # 1 rad/s for 20 ms, to the right: it stood further right
    theory = focal * np.stack([x - np.tan(was), y - y * np.cos(bearing) / np.cos(was)], axis=-1)
    flow = now.truth.values["flow_px"]
    assert np.hypot(*np.moveaxis(flow - theory, 2, 0)).max() < 0.01 * np.abs(theory).max()
    assert np.isnan(before.truth.values["flow_px"]).all()


@pytest.mark.slow
@pytest.mark.parametrize("readout_ms", [0.0, 15.0])
def test_the_flow_says_where_the_picture_before_had_what_is_seen(readout_ms: float) -> None:
    def pose(t: float) -> Pose:
        (x, y, z), attitude = winding(t + 0.3)
        return (2.0 * x, y, z), attitude

    before, now = shots(pose, 60, **{**IDEAL, "readout_ms": readout_ms})[:2]
    flow = now.truth.values["flow_px"]
    across, along = np.meshgrid(np.arange(96.0), np.arange(72.0))
    inside = (slice(6, -6), slice(6, -6))
    was, wrong = (
        np.abs(moved(pixels(before), np.stack([across, along], axis=2) - sign * flow) - pixels(now))
        for sign in (1.0, -1.0)
    )
    unmoved = np.abs(pixels(before) - pixels(now))[inside].mean()
    assert np.nanmedian(np.hypot(flow[..., 0], flow[..., 1])) > 1.0
    assert was[inside].mean() < 0.5 * unmoved  # the rest is where one pixel sees several checks
    assert wrong[inside].mean() > unmoved


def moved(picture: npt.NDArray[np.int64], at: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
    found = cv2.remap(picture.astype(np.float32), at.astype(np.float32), None, cv2.INTER_LINEAR)
    return np.asarray(found)


@pytest.mark.slow
def test_pictures_and_truth_are_the_same_whatever_the_blocks_and_threads() -> None:
    """With everything that is drawn by chance; and by a renderer that drew larger ones before."""
    changes = {**SMALL, "broken": 0.5, "readout_ms": 10.0, "exposure_ms": 5.0}
    first = digest_of(shots(winding, 150, **changes))
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1 if threads > 1 else 2)
    shots(still(), 20, **{**IDEAL, "width_px": 200, "height_px": 200})
    assert digest_of(shots(winding, 150, block=7, **changes)) == first
    cv2.setNumThreads(threads)
    assert digest_of(shots(winding, 150, seed=2, **changes)) != first


def digest_of(samples: list[SuiteSample]) -> str:
    assert any(isinstance(s.sample, PictureSample) and s.sample.flaw for s in samples)
    drawn = [pixels(each).tobytes() for each in samples]
    return digest(samples) + str(hash(b"".join(drawn)))


def seen_in_the_room() -> str:
    found = shots(winding, 60, Surroundings(room()), **{**IDEAL, "readout_ms": 10.0})
    return hashlib.sha256(b"".join(pixels(each).tobytes() for each in found)).hexdigest()


OTHER_PROCESS = """
from tests.simulation.perception.test_cameras import seen_in_the_room
print(seen_in_the_room())
"""


@pytest.mark.slow
def test_the_renderers_threads_change_nothing() -> None:
    """It is asked for their number once in a process; here it has as many as there are cores."""
    done = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS],
        env={**os.environ, "LP_NUM_THREADS": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == seen_in_the_room()


def test_a_picture_is_stamped_with_its_middle_by_the_cameras_own_clock() -> None:
    changes = {**IDEAL, "readout_ms": 10.0, "exposure_ms": 4.0}
    clock = {"clock_offset_ms": 250.0, "clock_drift_ppm": 1000.0}
    found = shots(still(), 100, **changes, **clock)
    stamps = [each.sample.time_us for each in found]
    assert stamps == [round(1.001 * (20_000 * n + 7_000)) + 250_000 for n in (1, 2, 3, 4)]
    assert [each.truth.time_us for each in found[:2]] == [20_000, 40_000]


def test_what_the_camera_does_to_the_light_is_what_its_numbers_say() -> None:
    around = Surroundings(room())
    (plain,) = shots(still(), 20, around, **IDEAL)
    (grey,) = shots(still(), 20, around, **{**IDEAL, "colours": "grey"})
    assert pixels(grey).shape == (72, 96)
    assert np.abs(pixels(grey) - pixels(plain).mean(axis=2)).max() <= 1
    (dark,) = shots(still(), 20, around, **{**IDEAL, "vignetting": 0.5})
    ratio = pixels(dark)[..., 1] / pixels(plain)[..., 1]
    assert ratio[36, 48] == pytest.approx(1.0, abs=0.02)
    assert ratio[0, 0] == pytest.approx(0.5, abs=0.02)
    noisy = shots(still(), 100, around, **{**IDEAL, "noise": 4.0})
    spread = np.std([pixels(each) - pixels(plain) for each in noisy])
    assert spread == pytest.approx(math.hypot(4.0, 1.0 / math.sqrt(12.0)), rel=0.03)
    one, two = (pixels(each) - pixels(plain) for each in noisy[:2])
    assert abs(np.corrcoef(one.ravel(), two.ravel())[0, 1]) < 0.05


@pytest.mark.slow
def test_exposure_and_white_balance_follow_with_the_time_that_they_take() -> None:
    around = Surroundings(room())
    adapts = {**IDEAL, "auto_exposure_s": 0.1, "brightness": 100.0}
    settled = shots(still(), 100, around, **adapts)
    assert pixels(settled[-1]).mean() == pytest.approx(100.0, abs=2.0)
    drift = {**IDEAL, "white_balance": 0.1, "white_balance_s": 0.1, "width_px": 8, "height_px": 8}
    balance = np.array(
        [each.truth.values["white_balance"] for each in shots(still(), 4000, around, **drift)]
    )
    away = balance - 1.0
    assert away.std() == pytest.approx(0.1, rel=0.2)
    kept = (away[1:] * away[:-1]).mean() / (away * away).mean()
    assert kept == pytest.approx(math.exp(-0.02 / 0.1), abs=0.06)


@pytest.mark.slow
def test_damaged_pictures_are_those_that_say_so() -> None:
    broken = shots(turning(0.5), 1000, **{**IDEAL, "broken": 0.3})
    whole = shots(turning(0.5), 1000, **IDEAL)
    differs = [not np.array_equal(pixels(a), pixels(b)) for a, b in zip(broken, whole, strict=True)]
    flaws = [each.sample.flaw for each in broken if isinstance(each.sample, PictureSample)]
    assert differs == [flaw == "damaged" for flaw in flaws]
    assert differs == [bool(each.truth.values["is_damaged"]) for each in broken]
    assert 5 <= sum(differs) <= 25


def test_a_camera_inside_a_wall_sees_it_from_inside() -> None:
    (found,) = shots(still(0.0, 1.01), 20, **IDEAL)
    depth = found.truth.values["depth_m"]
    assert not np.isinf(depth).any()
    assert depth.min() < 1.0


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"width_px": 0}, "'width_px' in [mounts.nose] is 0"),
        ({"field_of_view_deg": 0.0}, "'field_of_view_deg' in [mounts.nose] is 0"),
        ({"field_of_view_deg": 400.0}, "is 400, which is not possible"),
        ({"field_of_view_deg": 150.0}, 'write lens = "fisheye"'),
        ({"focal_px": [500.0, 500.0]}, "Give one of them"),
        ({"centre_px": [1.0]}, "'centre_px' has 1 numbers. Give [x, y]"),
        ({"distortion": [0.0] * 6}, "Give at most 5"),
        ({"distortion": [0.0] * 5, "lens": "fisheye"}, "Give at most 4"),
        ({"distortion": [-9.0], "centre_px": [-400.0, 0.0]}, "Correct the lens"),
        ({"readout_ms": 40.0}, "'readout_ms' is longer than the 33.3 ms"),
        ({"colours": "infrared"}, "'infrared', which is not known"),
    ],
)
def test_a_camera_that_cannot_be_is_refused_with_what_to_do(
    changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(ParameterError) as found:
        shots(still(), **changes)
    assert says in str(found.value)


def test_a_recorder_of_truth_asks_for_no_pictures_of_it(tmp_path: Path) -> None:
    (found,) = shots(still(), 20, **IDEAL)
    assert isinstance(found.truth.values, CameraTruth)
    file = TruthFile(tmp_path / "truth.npz")
    file.add(found)
    file.close()
    with np.load(tmp_path / "truth.npz") as kept:
        names = {name.partition(".")[2] for name in kept}
    assert {"gain", "white_balance", "is_damaged", "time_us"} <= names
    assert not CameraTruth.large & names
