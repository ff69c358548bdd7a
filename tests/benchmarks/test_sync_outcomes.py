"""What the judge of synchronisations says, against figures by hand."""

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.sync.camera_outcome import CameraOutcome, bars, judge_camera
from benchmarks.sync.cases import CASES, verdict

TRUE_CAMERA: dict[str, Any] = {
    "field_of_view_deg": 60.0,
    "mount_roll_deg": 179.0,
    "mount_pitch_deg": -8.0,
    "mount_yaw_deg": 0.0,
    "distortion": [],
}
TRUTH: dict[str, Any] = {"camera": TRUE_CAMERA, "pieces": [{"offset_s": 2.0, "rate": 1.0}]}
FOUND: dict[str, Any] = {
    "found": True,
    "offset_s": 2.03,
    "rate": 0.9999,
    "offset_sigma_s": 0.01,
    "rate_sigma": 1e-4,
    "camera": {
        "field_of_view_deg": 60.6,
        "field_of_view_sigma_deg": 0.3,
        "mount_deg": [-179.0, -8.0, 0.0],
        "mount_sigma_deg": [0.3, 0.4, 0.0],
        "distortion": [],
    },
}


def test_a_camera_is_judged_by_angles_and_by_its_own_sigmas() -> None:
    """60.6 for 60 is 1 %, twice a sigma of 0.3; rolls of 179 and -179 are two degrees apart."""
    outcome = judge_camera("film", TRUTH, FOUND)
    assert outcome.field_percent == pytest.approx(1.0)
    assert outcome.field_ratio == pytest.approx(2.0)
    assert outcome.mount_deg == pytest.approx(2.0)
    assert outcome.mount_sigma_deg == pytest.approx(0.5)
    assert outcome.offset_ratio == pytest.approx(3.0)
    assert outcome.rate_ratio == pytest.approx(-1.0)
    assert outcome.lens_px is not None
    assert outcome.lens_px > 1.0


def test_bars_are_missed_by_too_large_errors_and_by_too_large_sigmas() -> None:
    """24 of 24 with half a sigma each meet them; sigmas of ten times as much do not."""
    good = [CameraOutcome(str(n), 60.0, 0.1 * (-1) ** n, 0.2) for n in range(24)]
    assert all(line.startswith("ok") for line in bars(good))
    lax = [replace(one, field_sigma_percent=2.0) for one in good]
    assert [line[:2] for line in bars(lax)] == ["ok", "ok", "MI", "MI"]
    wrong = [*good[3:], *(replace(one, field_percent=1.2) for one in good[:3])]
    assert bars(wrong)[0].startswith("MISSED")
    unsaid = [*good[3:], *(CameraOutcome("none", 60.0) for _ in range(3))]
    assert bars(unsaid)[0].startswith("MISSED")


def test_a_case_is_right_only_with_the_true_reason_and_offset() -> None:
    """Refused for another reason, half a second off, or placed where it is of another flight."""
    cases = {case.name: case for case in CASES}
    dark: dict[str, Any] = {"pieces": [], "foreign": []}
    for reason, word in (("The picture is too dark.", "right"), ("It repeats itself.", "WRONG")):
        said = verdict(cases["dark"], dark, {"found": False, "reason": reason})
        assert said.startswith(word)
    line = {"offset_s": 3.0, "rate": 1.0, "medium_start_s": 0.0, "medium_end_s": 40.0}
    truth = {"pieces": [line], "foreign": [(40.0, 80.0)]}
    changes: tuple[tuple[dict[str, Any], str, str], ...] = (
        ({}, "From 40 s on it was not placed.", "right"),
        ({}, "", "WRONG"),
        ({"offset_s": 3.5}, "not placed", "WRONG"),
        ({"rate": 1.01}, "not placed", "WRONG"),
        ({"medium_end_s": None}, "not placed", "WRONG"),
    )
    for change, note, word in changes:
        found = {"found": True, "pieces": [{**line, **change}], "note": note}
        assert verdict(cases["joined-other"], truth, found).startswith(word), change
