"""Camera and line outcome: what was found of both, and how sure it said it is, against the truth.

Errors of the field of view are of the horizontal angle, in per cent of it. A focal length that is
1 % short makes an angle of 60 degrees 0.83 % wide, one of 110 degrees 0.49 %.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.sync.plain_picture import PlainCamera

MOST_PERCENT, MOST_SIGMA_PERCENT = 1.0, 0.5
SHARE_NEAR, SHARE_INSIDE = 22 / 24, 20 / 24
MEDIAN_BAND = 0.4, 1.0
_COLUMNS, _ROWS = 64, 48
"""Rays that two lenses are compared by."""


@dataclass(frozen=True, slots=True)
class CameraOutcome:
    """One film. Field of view in per cent, mount in degrees (the angle between both); `lens_px` is
    by how much pixels look elsewhere than found, root of the mean square. None: not said."""

    name: str
    field_of_view_deg: float
    field_percent: float | None = None
    field_sigma_percent: float | None = None
    mount_deg: float | None = None
    mount_sigma_deg: float | None = None
    lens_px: float | None = None
    distortion: tuple[float, ...] = ()
    true_distortion: tuple[float, ...] = ()
    offset_ratio: float | None = None
    rate_ratio: float | None = None

    @property
    def field_ratio(self) -> float | None:
        """Error over sigma."""
        return _over(self.field_percent, self.field_sigma_percent)

    @property
    def line(self) -> str:
        """A row of the table."""
        numbers = (
            *((self.field_percent, 9, 2), (self.field_sigma_percent, 8, 2)),
            *((self.field_ratio, 7, 2), (self.mount_deg, 8, 2)),
            *((_over(self.mount_deg, self.mount_sigma_deg), 7, 2), (self.lens_px, 8, 2)),
            *((self.offset_ratio, 8, 2), (self.rate_ratio, 8, 2)),
        )
        cells = "".join(
            f"{'-':>{width}}" if number is None else f"{number:{width}.{digits}f}"
            for number, width, digits in numbers
        )
        lens = f"{_terms(self.distortion)} ({_terms(self.true_distortion)})"
        return f"{self.name:16}{self.field_of_view_deg:6.0f}{cells}  {lens}"


def judge_camera(name: str, truth: dict[str, Any], found: dict[str, Any]) -> CameraOutcome:
    """Compare what `lapwing sync --json` has printed with the film's truth."""
    true, said = truth["camera"], found.get("camera") or {}
    field_deg, distortion = true["field_of_view_deg"], tuple(true["distortion"])
    line, estimated = truth["pieces"][0], said.get("field_of_view_deg")
    if not found["found"]:
        return CameraOutcome(name, field_deg, true_distortion=distortion)
    mount = tuple(true[f"mount_{angle}_deg"] for angle in ("roll", "pitch", "yaw"))
    bent = tuple(said.get("distortion") or ())
    return CameraOutcome(
        name,
        field_deg,
        None if estimated is None else 100.0 * (estimated / field_deg - 1.0),
        _over(said.get("field_of_view_sigma_deg"), field_deg / 100.0),
        _angle_deg(said.get("mount_deg"), mount),
        _length(said.get("mount_sigma_deg")),
        None if estimated is None else _apart_px((field_deg, distortion), (estimated, bent)),
        bent,
        distortion,
        _over(found["offset_s"] - line["offset_s"], found["offset_sigma_s"]),
        _over(found["rate"] - line["rate"], found["rate_sigma"]),
    )


def as_camera_table(outcomes: Sequence[CameraOutcome]) -> str:
    """All rows under a head, and the bars below."""
    head = (
        f"{'film':16}{'true':>6}{'error %':>9}{'sigma %':>8}{'e/s':>7}{'mount':>8}{'e/s':>7}"
        f"{'lens px':>8}{'off e/s':>8}{'rate e/s':>8}  distortion (true)"
    )
    return "\n".join([head, *(outcome.line for outcome in outcomes), *bars(outcomes)])


def bars(outcomes: Sequence[CameraOutcome]) -> list[str]:
    """One line for each, which begins with "ok" or "MISSED"."""
    count = len(outcomes)
    errors = _known(outcome.field_percent for outcome in outcomes)
    ratios = _known(outcome.field_ratio for outcome in outcomes)
    sigmas = _known(outcome.field_sigma_percent for outcome in outcomes)
    near, inside = int(sum(errors <= MOST_PERCENT)), int(sum(ratios <= 2.0))
    median = float(np.median(ratios)) if len(ratios) else np.nan
    lowest, highest = MEDIAN_BAND
    sure = int(sum(sigmas <= MOST_SIGMA_PERCENT))
    lines = [
        (near >= SHARE_NEAR * count, f"field of view within 1 %: {near} of {count}"),
        (inside >= SHARE_INSIDE * count, f"inside of two sigmas: {inside} of {count}"),
        (lowest <= median <= highest, f"median |error| / sigma: {median:.2f}"),
        (sure == count, f"sigma at most {MOST_SIGMA_PERCENT} %: {sure} of {count}"),
    ]
    for word in ("offset", "rate"):
        of_line = _known(getattr(outcome, f"{word}_ratio") for outcome in outcomes)
        if len(of_line):
            root = float(np.sqrt(np.mean(of_line**2)))
            text = f"{word}: |error| / sigma, median {np.median(of_line):.2f}, root mean square"
            lines.append((bool(lowest <= np.median(of_line) <= highest), f"{text} {root:.2f}"))
    return [f"{'ok' if is_met else 'MISSED':8}{text}" for is_met, text in lines]


def _known(values: Iterable[float | None]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.abs([value for value in values if value is not None])


def _over(value: float | None, sigma: float | None) -> float | None:
    return None if value is None or not sigma else value / sigma


def _angle_deg(found: Sequence[float] | None, true: Sequence[float]) -> float | None:
    if found is None:
        return None
    both = Rotation.from_euler("ZYX", [found[::-1], true[::-1]], degrees=True)
    return float(np.degrees((both[0].inv() * both[1]).magnitude()))


def _length(sigmas: Sequence[float] | None) -> float | None:
    return None if sigmas is None else float(np.linalg.norm(sigmas))


Lens = tuple[float, tuple[float, ...]]


def _apart_px(true: Lens, found: Lens) -> float:
    """Root of the mean square over a picture 640 pixels wide."""
    pictures = [
        PlainCamera((_COLUMNS, _ROWS), field_of_view_deg=field, distortion=bent)
        for field, bent in (true, found)
    ]
    rays = [np.stack([*one.rays(), np.ones((_ROWS, _COLUMNS))]) for one in pictures]
    ahead = [ray / np.linalg.norm(ray, axis=0) for ray in rays]
    apart = np.arccos(np.clip((ahead[0] * ahead[1]).sum(axis=0), -1.0, 1.0))
    return float(np.sqrt(np.mean(apart**2)) * pictures[0].focal_px * 640 / _COLUMNS)


def _terms(distortion: tuple[float, ...]) -> str:
    return " ".join(f"{term:.3f}" for term in distortion) or "none"
