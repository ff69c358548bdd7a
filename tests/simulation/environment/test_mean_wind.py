"""That the mean wind under gusts is the wind that was set.

Turbulence is linear in its noise: with the noise of the opposite sign each gust is the opposite
one, so both flights together meet the mean wind exactly, whatever the seed, unless the gusts act on
when they come.
"""

from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.environment import air, turbulence, wind
from simulation.mathematics.random_numbers import gaussian_pair
from simulation.simulator.simulator import Simulator

WIND_MPS, UPDATES, SEEDS = 7.72, 250, 6
"""By its mean and its gusts, which 6.1 m up are 1.5 m/s; each flight lasts 5 s."""


def mean_wind(patch: pytest.MonkeyPatch, seed: int, sign: float) -> float:
    """What an AR100B that is held in this wind meets, m/s."""

    def mirrored(*which: int) -> tuple[float, float]:
        first, second = gaussian_pair(*which)
        return sign * first, sign * second

    patch.setattr(turbulence, "gaussian_pair", mirrored)
    flight = Simulator(load_aircraft("ar100b"), seed).record
    p, w, s = flight["parameters"], flight["world"], flight["state"]
    w["wind"][0] = w["turbulence_w20"] = WIND_MPS
    s["motion"][2] = -wind.REFERENCE_M
    turbulence.begin_turbulence(s)
    met = []
    for number in range(UPDATES):
        air.update_air(p, w, s, number * air.PERIOD)
        met.append(float(s["wind"][0]))
    return float(np.mean(met))


def missing_mps(patch: pytest.MonkeyPatch) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """By how much the wind of each seed's two flights is less than the wind that was set."""
    pairs = [[mean_wind(patch, seed, sign) for sign in (1.0, -1.0)] for seed in range(1, SEEDS + 1)]
    return WIND_MPS - np.mean(pairs, axis=1)


def test_gusts_leave_the_mean_wind_as_it_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert np.abs(missing_mps(monkeypatch)).max() < 1e-9


def test_gusts_that_bring_the_next_ones_sooner_take_from_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Negative control: carried by the wind with its gusts, as it was once, the strong ones pass
    faster than the weak ones; their variance over the mean, 0.29 m/s, is missing in the long run
    (7.46 for 7.72 was measured), with more than three deviations of these six seeds."""
    last: list[Any] = [np.zeros(3)]

    def carried(s: Any) -> float:
        return float(np.linalg.norm(last[0] if last[0].any() else s["wind"]))

    def remembered(*arguments: Any) -> None:
        turbulence.add_turbulence(*arguments)
        last[0] = arguments[1]["wind"].copy()

    monkeypatch.setattr(air, "speed_through_air", carried)
    monkeypatch.setattr(air, "add_turbulence", remembered)
    missing = missing_mps(monkeypatch)
    assert missing.mean() > 3.0 * missing.std(ddof=1) / np.sqrt(SEEDS)
