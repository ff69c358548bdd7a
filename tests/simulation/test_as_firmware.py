"""The simulated board flies like real firmware: 22 flights of it, flown again from the beginning.

Same scenario, seed, settings and start-up; `../shared/data/firmware-flights` has the firmware's.
Bar: a figure is within 15 %, or within the spread of the firmware's own seeds if that is larger.
Flights with sensors at 100 Hz are left out: the simulated board has its own 500.
"""

import math
from functools import cache

import pytest

from telemetry.protocol.objects.catalogue import load_catalogue
from tests.conftest import SHARED_DATA
from tests.simulation.flown_as_firmware import (
    Flown,
    figures,
    firmware_flight,
    index,
    simulated_flight,
)

_SHARE = 0.15
_SCATTER = {
    "takeoff_tilt_deg": 5.0,
    "max_tilt_deg": 3.5,
    "base_tilt_deg": 0.53,
    "highest_m": 0.22,
    "hold_rms_m": 0.09,
    "touchdown_mps": 0.09,
    "home_m": 0.1,
    "roll_overshoot": 0.05,
    "pitch_overshoot": 0.05,
}
"""How far the firmware is from itself, flown 78 times twice with the same seed: once its telemetry
began up to a second later, so that the pilot saw it ready and armed it later. Overshoots: 5 %."""
_TOUCHDOWNS_OF_TEN = 0.25
"""The mission of ten came down with 0.42, 0.50 and 0.66 m/s in three such flights of one seed."""
_LEAST_ESTIMATE_M = 0.15
"""The same of an estimate's rms, which is compared seed by seed: the sensors' errors are alike."""
_START_IS_UNSEEN = ("max_altitude_m",)
"""Of the firmware's flights, above where the centre of mass of a model not yet standing was: 0.16 m
above where it then stood. `highest_m` says the same of both."""


def _kinds() -> dict[str, list[str]]:
    """The names of flights that differ in their seed only."""
    kinds: dict[str, list[str]] = {}
    if (SHARED_DATA / "firmware-flights" / "index.json").is_file():
        for name, row in index().items():
            if row["sensor_rate_hz"] == 500:
                kinds.setdefault(name.rpartition("-")[0], []).append(name)
    return kinds


_KINDS = _kinds()


@cache
def ours(name: str) -> Flown:
    """Each is flown once."""
    return simulated_flight(name, load_catalogue())


def _tolerance(kind: str, figure: str, firmware: list[float]) -> float:
    """How far the mean over the same seeds may be off."""
    scatter = _SCATTER.get(figure, 0.0)
    if (kind, figure) == ("mission-of-ten", "touchdown_mps"):
        scatter = _TOUCHDOWNS_OF_TEN
    mean = sum(firmware) / len(firmware)
    return max(_SHARE * abs(mean), max(firmware) - min(firmware), scatter)


def misses(kind: str, flights: list[Flown]) -> dict[str, str]:
    """Figures beyond the bar, with what they are."""
    theirs = [figures(firmware_flight(name)) for name in _KINDS[kind]]
    here = [figures(flight) for flight in flights]
    found = {}
    for figure in theirs[0]:
        if figure in _START_IS_UNSEEN:
            continue
        firmware = [row[figure] for row in theirs]
        board = [row.get(figure, math.nan) for row in here]
        apart = abs(sum(board) / len(board) - sum(firmware) / len(firmware))
        if not apart <= _tolerance(kind, figure, firmware):
            found[figure] = f"firmware {firmware}, simulated board {board}"
        if figure.startswith("estimate_"):
            for one, other in zip(firmware, board, strict=True):
                if not abs(one - other) <= max(_SHARE * one, _LEAST_ESTIMATE_M):
                    found[f"{figure} by seed"] = f"firmware {one}, simulated board {other}"
    return found


@pytest.mark.slow
@pytest.mark.skipif(not _KINDS, reason="the flights of firmware are not beside this checkout")
@pytest.mark.parametrize("kind", _KINDS or [""])
def test_what_flies_here_flies_there(kind: str) -> None:
    flights = [ours(name) for name in _KINDS[kind]]
    assert misses(kind, flights) == {}
    for flight in flights:
        assert (flight.crashed, flight.failure) == (False, ""), flight.name


@pytest.mark.slow
@pytest.mark.skipif(not _KINDS, reason="the flights of firmware are not beside this checkout")
def test_other_settings_are_seen_to_fly_otherwise() -> None:
    """Negative control: gains and variances matter as much as there."""
    half = misses("steps", [ours("rate-gains-half-steps-1")] * 2)
    assert {"pitch_rise_s", "yaw_30_to_63_s"} <= set(half)
    defaults = misses("takeoff-hold-land", [ours("ekf-defaults-takeoff-hold-land-1")] * 2)
    assert {"estimate_north_rms_m", "hold_rms_m"} <= set(defaults)


@pytest.mark.slow
@pytest.mark.skipif(not _KINDS, reason="the flights of firmware are not beside this checkout")
def test_the_verdicts_are_the_firmwares() -> None:
    """Passes, misses its bands or crashes, in at least nine of ten."""
    names = [name for names in _KINDS.values() for name in names]
    differing = {
        name: (ours(name).passed, ours(name).crashed)
        for name in names
        if (ours(name).passed, ours(name).crashed)
        != (index()[name]["passed"], index()[name]["crashed"])
    }
    assert len(differing) <= len(names) // 10, differing
