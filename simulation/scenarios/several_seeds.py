"""Several flights of one experiment, each with the next seed, judged together by the worst."""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from simulation.mathematics.random_numbers import LARGEST_SEED, philox
from simulation.scenarios.experiment import Experiment, Run, RunOutcome
from simulation.scenarios.scenario import Band

_STREAM: Final = 0x5EED
_HALF: Final = 2.0**31


def drawn(seed: int, number: int) -> float:
    """The uniform number from -1 to 1 that a seed has for each `number`."""
    word, _ = philox(seed, number, _STREAM)
    return (word + 0.5) / _HALF - 1.0


def fly_seeds(experiment: Experiment, fly: Run) -> RunOutcome:
    """Fly the experiment's own seed and those after it, as many as its parameter `seeds` says.

    Each metric is that of the flight whose is farthest from the middle of its band, or farthest to
    its closed end; without a band it is the mean. One that a flight could not measure is NaN. The
    figure is of the first flight that crashed, or else of the first. What went wrong in one of
    them went wrong.
    """
    count = int(experiment.values["seeds"])
    seeds = [(experiment.seed + offset) % (LARGEST_SEED + 1) for offset in range(count)]
    flown = [fly(replace(experiment, seed=seed)) for seed in seeds]
    digest = hashlib.sha256("".join(each.log_hash for each in flown).encode())
    return RunOutcome(
        worst([each.metrics for each in flown], experiment.scenario.bands),
        next((each for each in flown if each.crashed), flown[0]).figure,
        digest.hexdigest(),
        any(each.crashed for each in flown),
        _told(seeds, (each.script for each in flown)),
        _told(seeds, (each.diverged for each in flown)),
        _told(seeds, (_note(each) for each in flown)),
        seeds=count,
    )


def _note(flight: RunOutcome) -> str:
    """What is told of one flight; which of them crashed is told of no other way."""
    return " ".join(filter(None, ("It crashed." if flight.crashed else "", flight.note)))


def _told(seeds: Sequence[int], texts: Iterable[str]) -> str:
    """What flights say, each with its seed."""
    said = zip(seeds, texts, strict=True)
    return " ".join(f"Seed {seed}: {text}" for seed, text in said if text)


def worst(rows: Sequence[Mapping[str, float]], bands: Mapping[str, Band]) -> dict[str, float]:
    """Of each metric the value that is worst by its band; see `fly_seeds`."""
    names = {name: bands.get(name, Band()) for row in rows for name in row}
    return {
        name: _worst([row.get(name, math.nan) for row in rows], band)
        for name, band in names.items()
    }


def _worst(values: Sequence[float], band: Band) -> float:
    if any(math.isnan(value) for value in values):
        return math.nan
    is_low, is_high = math.isfinite(band.low), math.isfinite(band.high)
    if is_low and is_high:
        middle = 0.5 * (band.low + band.high)
        return max(values, key=lambda value: abs(value - middle))
    if is_low:
        return min(values)
    return max(values) if is_high else math.fsum(values) / len(values)
