"""Conditions that gains have to hold in: an aircraft out of the uncertainty, wind and battery."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from simulation.tuning.uncertainty import Uncertainty

WINDY_MPS: Final = 6.0
FULL, NEARLY_EMPTY = 1.0, 0.35
"""Charges, 0 to 1; with less the lightest aircraft cannot hold their height for a flight."""
_CALM: Final = 0.0
_SEARCHED: Final = tuple(product((_CALM, WINDY_MPS), (FULL, NEARLY_EMPTY)))
_MORE: Final = ((WINDY_MPS, FULL), (_CALM, FULL))


@dataclass(frozen=True, slots=True)
class Condition:
    """What a flight is flown in: `values` of the aircraft's parameters, the wind and its direction
    (where it blows to, degrees from north), turbulence as of the wind at 6.1 m, charge 0 to 1."""

    values: Mapping[str, float]
    wind_mps: float
    wind_to_deg: float
    charge: float
    seed: int

    @property
    def turbulence_mps(self) -> float:
        """As the same wind stirs it up."""
        return self.wind_mps


def conditions_of_search(uncertainty: Uncertainty, seed: int) -> list[Condition]:
    """Six that every candidate is flown in: calm and windy, each with a full and a nearly empty
    battery, of the aircraft as it is known and of others."""
    weather = (*_SEARCHED, *_MORE)
    aircraft = uncertainty.draw(len(weather), seed)
    towards = np.random.default_rng((seed, 1)).uniform(0.0, 360.0, len(weather))
    return [
        Condition(values, wind, float(to), charge, seed + i)
        for i, (values, (wind, charge), to) in enumerate(
            zip(aircraft, weather, towards, strict=True)
        )
    ]


def conditions_of_validation(uncertainty: Uncertainty, count: int, seed: int) -> list[Condition]:
    """So many drawn anew: any wind up to that of the search, any charge."""
    aircraft = uncertainty.draw(count + 1, seed)[1:]
    drawn = np.random.default_rng((seed, 2)).uniform(
        (0.0, 0.0, NEARLY_EMPTY), (WINDY_MPS, 360.0, FULL), (count, 3)
    )
    return [
        Condition(values, wind, to, charge, seed + 1 + i)
        for i, (values, (wind, to, charge)) in enumerate(zip(aircraft, drawn.tolist(), strict=True))
    ]
