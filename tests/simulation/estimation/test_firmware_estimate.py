"""The estimate of the simulated board is that of real firmware, wrong by as much.

24 flights of firmware, see `tests.simulation.estimation.firmware_flights`: what its own board told
of where it is, beside what ours makes of the same motion and the same samples. Nothing of control
is in it, so the difference is the estimator's alone.
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import SHARED_DATA
from tests.simulation.estimation.firmware_flights import (
    Agreement,
    FirmwareFlight,
    board_for,
    compared,
    flown_again,
    load_flight,
)

_FOLDER = SHARED_DATA / "firmware-flights"
_PLACE, _ANGLES, _SPEED = slice(0, 3), slice(3, 6), slice(6, 9)
_SHARE = 0.15
_SAMPLE = {
    "ekf-defaults-steps-1",
    "hold-in-wind-1",
    "lost-sticks-1",
    "mission-of-ten-1",
    "out-and-back-2",
    "steps-1",
    "takeoff-hold-land-100hz-1",
    "takeoff-hold-land-1",
}


def _names() -> list[str]:
    """One of each motion, with either seed; `LAPWING_ALL_WAYS=1` takes all 24. Gains of the rate
    loop are nothing that an estimator sees."""
    index = _FOLDER / "index.json"
    if not index.is_file():
        return [""]
    names = [str(flight["flight"]) for flight in json.loads(index.read_text())]
    every = bool(os.environ.get("LAPWING_ALL_WAYS"))
    return [name for name in names if every or name in _SAMPLE]


@pytest.fixture
def folder() -> Path:
    if not _FOLDER.is_dir():
        pytest.skip("the flights of firmware are not beside this checkout")
    return _FOLDER


def _agrees(found: Agreement) -> bool:
    """The bar of the comparison: the estimates are within centimetres of each other."""
    return bool((found.apart[_PLACE] < 0.1).all() and (found.apart[_SPEED] < 0.1).all())


def _is_as_wrong(found: Agreement) -> bool:
    """rms errors of place and velocity and the mean of height within 15 %, or 5 cm and cm/s."""
    wrong = np.concatenate((found.firmware_error[_PLACE], found.firmware_error[_SPEED]))
    ours = np.concatenate((found.our_error[_PLACE], found.our_error[_SPEED]))
    height = abs(found.our_mean[2] - found.firmware_mean[2])
    return bool((np.abs(ours - wrong) < np.maximum(_SHARE * wrong, 0.05)).all() and height < 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("name", _names())
def test_of_the_same_motion_it_says_what_firmware_says(folder: Path, name: str) -> None:
    flight = load_flight(folder, name)
    found = compared(flight, flown_again(flight))
    assert _agrees(found), found
    assert _is_as_wrong(found), found
    # Angles move by degrees within the time for which what is told is too old. At 100 Hz it begins
    # with another sample of the accelerometer, and so for half a minute at another angle.
    most_deg = 0.2 if flight.sensor_rate_hz == 500 else 1.0
    assert (np.abs(found.our_mean - found.firmware_mean)[_ANGLES] < most_deg).all(), found


def _flight(folder: Path, name: str = "takeoff-hold-land-1") -> FirmwareFlight:
    return load_flight(folder, name)


@pytest.mark.slow
def test_our_own_filter_is_seen_to_be_another(folder: Path) -> None:
    """Negative control: it finds the height that GPS had wrong, and compensates its lag."""
    flight = _flight(folder)
    board = board_for(flight)
    board.settings["own_filter"] = 1
    found = compared(flight, flown_again(flight, board))
    assert not _agrees(found)
    assert not _is_as_wrong(found)
    assert found.our_error[2] < 0.5 * found.firmware_error[2]


@pytest.mark.slow
def test_a_board_with_other_variances_is_seen_to_be_another(folder: Path) -> None:
    """Negative control: EKFConfiguration matters as much as there."""
    flight = _flight(folder, "ekf-defaults-takeoff-hold-land-1")
    board = board_for(_flight(folder))
    found = compared(flight, flown_again(flight, board))
    assert not _agrees(found)
    assert found.our_error[0] < 0.5 * found.firmware_error[0]


@pytest.mark.slow
def test_another_seed_is_seen(folder: Path) -> None:
    flight = _flight(folder)
    found = compared(flight, flown_again(flight, board_for(_flight(folder, "takeoff-hold-land-2"))))
    assert not _agrees(found)


@pytest.mark.slow
def test_a_quick_start_is_seen_and_flies_as_well(folder: Path) -> None:
    """The window's default: the height is that of nine seconds before."""
    flight = _flight(folder)
    board = board_for(flight)
    board.settings["baro_samples"] = 50
    found = compared(flight, flown_again(flight, board))
    assert (found.apart[_PLACE] < 0.5).all()
    assert found.our_error[2] == pytest.approx(found.firmware_error[2], rel=_SHARE)
