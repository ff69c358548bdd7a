"""The truth of every pixel, kept beside a stream and read again as the manual says."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulation.perception.mounted_sensor import SensorTruth, SuiteSample
from simulation.perception.truth_file import TruthFile
from telemetry.base.installation import RESOURCES
from telemetry.protocol.streams.samples import PictureSample
from tests.telemetry.protocol.streams.samples import CAMERA

MANUAL = RESOURCES / "sensors" / "README.md"
FLOW = np.float32([[[0.25, np.nan]] * 40] * 30)


class _Values(Mapping[str, np.ndarray[Any, Any]]):
    """As a camera's: nothing is worked out before it is asked for."""

    large = frozenset(("depth_m", "segment", "flow_px"))

    def __init__(self, number: int) -> None:
        self.asked: set[str] = set()
        self._arrays = {
            "gain": np.array([1.5]),
            "depth_m": np.full((30, 40), number + 0.1, np.float32),
            "segment": np.full((30, 40), number % 3 - 1, np.int32),
            "flow_px": FLOW,
        }

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        self.asked.add(name)
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)


def _written(path: Path, *of_pixels: str) -> list[_Values]:
    file, values = TruthFile(path, of_pixels, ("ground", "house")), []
    for number in range(70):
        sample = PictureSample(0, number, np.zeros((2, 2), np.uint8))
        values.append(_Values(number))
        truth = SensorTruth(1000 * number, np.zeros(3), np.eye(4)[0], values[-1])
        file.add(SuiteSample(CAMERA, sample, truth))
    file.close()
    return values


def test_three_lines_of_the_manual_read_what_is_true_of_every_pixel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _written(tmp_path / "flight.truth_front.npz", "depth_m", "segment", "flow_px")
    monkeypatch.chdir(tmp_path)
    code = re.findall(r"```python\n(.*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL)
    (lines,) = (one for one in code if "truth_front" in one)
    names: dict[str, Any] = {"np": np}
    exec(lines, names)
    assert names["time_us"].tolist() == [1000 * number for number in range(70)]
    assert names["depth_m"].dtype == np.float32
    assert names["depth_m"][:, 7, 5].tolist() == [np.float32(n + 0.1) for n in range(70)]
    with np.load("flight.truth_front.npz") as truth:
        np.testing.assert_array_equal(truth["000000.flow_px"][3], FLOW)
        assert truth["segment_names"].tolist() == ["ground", "house"]
        assert truth["000000.segment"][2, 0, 0] == 1


def test_what_is_not_asked_for_is_not_worked_out(tmp_path: Path) -> None:
    values = _written(tmp_path / "a.npz", "segment")
    assert {name for one in values for name in one.asked} == {"gain", "segment"}
    with np.load(tmp_path / "a.npz") as truth:
        assert "000000.depth_m" not in truth
