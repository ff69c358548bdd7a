"""Sampling: how many flights a study has, and what each of them draws.

Random flights and a Latin hypercube stand for the distributions; a grid for all combinations of
their values. Sobol's sequence serves sensitivity indices: of N rows A and N rows B the flights are
A, B, and A with one column of B after the other, N (d + 2) in all (Saltelli et al. 2010, Computer
Physics Communications 181), in this order.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from simulation.studies.distribution import Numbers, StudyError, Value
from simulation.studies.study import MOST_FLIGHTS, Study
from simulation.studies.variation import flight_seeds


@dataclass(frozen=True, slots=True)
class StudySample:
    """What all flights of a study draw: a column for each name, and a seed for each flight."""

    study: Study
    columns: Mapping[str, Numbers]
    seeds: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.seeds)

    def values(self, index: int) -> dict[str, Value]:
        """What one flight draws."""
        return self.study.vary.values(self.columns, index)


def flight_count(study: Study) -> int:
    """How many flights its sampling makes of the number that its file names. Raises StudyError for
    more than can be."""
    count = _flight_count(study)
    if count > MOST_FLIGHTS:
        raise StudyError(f"That are {count:,} flights; {MOST_FLIGHTS:,} can be. Vary less.")
    return count


def _flight_count(study: Study) -> int:
    if study.sampling == "sobol":
        return sobol_rows(study) * (len(study.vary.varied) + 2)
    if study.sampling == "grid":
        combinations = math.prod(how.levels for how in study.vary.distributions.values())
        return math.ceil(study.flights / combinations) * combinations
    return study.flights


def sobol_rows(study: Study) -> int:
    """N: the next power of two, for which Sobol's sequence is balanced."""
    return int(2 ** math.ceil(math.log2(study.flights)))


def count_sentence(study: Study) -> str:
    """How many flights that are and why, where it is another number than the file's."""
    count, varied = flight_count(study), len(study.vary.varied)
    if study.sampling == "sobol":
        rows = sobol_rows(study)
        return f"{count:,} flights: {rows:,} (a power of two) times {varied} parameters + 2."
    if count != study.flights:
        return f"{count:,} flights: every combination of the grid equally often."
    return f"{count:,} flights."


def draw_sample(study: Study) -> StudySample:
    """What all of its flights draw: by its seed alone."""
    count = flight_count(study)
    if study.sampling == "random":
        columns = study.vary.draw(study.seed, 0, count)
    else:
        drawn = dict(zip(study.vary.varied, _uniform(study, count).T, strict=True))
        columns = {
            name: how.values(drawn.get(name, np.zeros(count)))
            for name, how in study.vary.distributions.items()
        }
    return StudySample(study, columns, _seeds(study, count))


def _seeds(study: Study, count: int) -> tuple[int, ...]:
    """What else is random in each flight. Of Sobol's it is a parameter that nobody names: what has
    all of A but one column has A's seeds too, or each total index would hold what it does."""
    if study.sampling != "sobol":
        return tuple(flight_seeds(study.seed, 0, count))
    rows = sobol_rows(study)
    a_and_b = flight_seeds(study.seed, 0, 2 * rows)
    return tuple(a_and_b + a_and_b[:rows] * len(study.vary.varied))


def _uniform(study: Study, count: int) -> Numbers:
    """(flights, varied names): numbers from 0 to 1."""
    from scipy.stats import qmc

    dimensions = len(study.vary.varied)
    if study.sampling == "grid":
        return _grid(study, count)
    if study.sampling == "latin-hypercube":
        drawn: Numbers = qmc.LatinHypercube(dimensions, rng=study.seed).random(count)
        return drawn
    rows = sobol_rows(study)
    both = qmc.Sobol(2 * dimensions, rng=study.seed, bits=64).random(rows)
    a, b = both[:, :dimensions], both[:, dimensions:]
    mixed = [a.copy() for _ in range(dimensions)]
    for place, one in enumerate(mixed):
        one[:, place] = b[:, place]
    return np.concatenate([a, b, *mixed])


def _grid(study: Study, count: int) -> Numbers:
    """Every combination, the last name's values changing fastest, all of it over again until there
    are `count`."""
    hows = [study.vary.distributions[name] for name in study.vary.varied]
    axes = [_levels(how.levels, is_choice=bool(how.choices)) for how in hows]
    mesh = np.meshgrid(*axes, indexing="ij")
    once = np.stack([axis.ravel() for axis in mesh], axis=1)
    return np.tile(once, (count // len(once), 1))


def _levels(count: int, *, is_choice: bool) -> Numbers:
    """The middles of so many choices; else numbers from 0 to 1, with both ends."""
    return (np.arange(count) + 0.5) / count if is_choice else np.linspace(0.0, 1.0, count)
