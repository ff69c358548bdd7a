"""Uncertainty of an aircraft: what was identified with its covariance, or stated assumptions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.identification.parameters import BY_NAME, DELAY, INERTIA, MOTOR, PARAMETERS, THRUST
from telemetry.base.text_formats import FormatError, parse_json, read_limited

Array = npt.NDArray[np.float64]

_GROUPS: Final = (THRUST, INERTIA, MOTOR, DELAY)
"""What changes how an aircraft answers to its stabilization."""
_TURNING: Final = tuple(p for p in PARAMETERS if p.group in _GROUPS)
_ASSUMED: Final = {THRUST: 0.05, INERTIA: 0.05, MOTOR: 0.1}
"""Standard deviations, as shares of the value."""
_FARTHEST: Final = 2.0
"""Sigmas: no draw is farther out."""
ASSUMPTION: Final = (
    "Assumed, since nothing was identified: thrust per mass and torque per inertia within 10 % of "
    "the aircraft file, the motor time constant within 20 % (two sigmas each)."
)


class UncertaintyError(ValueError):
    """A file that cannot be used. The text is one sentence for the user."""


@dataclass(frozen=True, slots=True, eq=False)
class Uncertainty:
    """Parameters of `simulation.identification.parameters` by `names` (n,): their `values` (n,) in
    units of the table, and their `covariance` (n, n). `file` is empty for an assumption."""

    names: tuple[str, ...]
    values: Array
    covariance: Array
    text: str
    file: str = ""

    def draw(self, count: int, seed: int) -> list[dict[str, float]]:
        """So many aircraft, none farther out than two sigmas: the first is what the values say."""
        deviations = _root(self.covariance)
        standard = np.random.default_rng(seed).standard_normal((count, len(self.names)))
        length = np.abs(standard).max(axis=1, keepdims=True, initial=_FARTHEST)
        standard *= _FARTHEST / length
        standard[:1] = 0.0
        drawn = self.values + standard @ deviations.T
        return [
            {n: _bounded(n, float(v)) for n, v in zip(self.names, row, strict=True)}
            for row in drawn
        ]


def assumed(parameters: np.void) -> Uncertainty:
    """What is assumed of an aircraft with these PARAMETERS."""
    known = [p for p in _TURNING if p.group in _ASSUMED]
    values = np.array([p.nominal(parameters) for p in known])
    sigmas = values * [_ASSUMED[p.group] for p in known]
    return Uncertainty(tuple(p.name for p in known), values, np.diag(sigmas**2), ASSUMPTION)


def read_identified(path: Path, parameters: np.void) -> Uncertainty:
    """What `lapwing identify --json` has written into a file. Raises UncertaintyError."""
    try:
        found = parse_json(read_limited(path))
    except OSError as error:
        raise UncertaintyError(f"{path} cannot be read: {error.strerror}.") from None
    except FormatError as error:
        raise UncertaintyError(f"{path} is no JSON of 'lapwing identify': {error}.") from None
    return identified(found, path.name, parameters)


def identified(found: Any, file: str, parameters: np.void) -> Uncertainty:
    """Values and covariance out of the object that `lapwing identify --json` prints; what it could
    not tell is assumed. Raises UncertaintyError."""
    try:
        if found["refused"]:
            raise UncertaintyError(f"{file} tells nothing of the aircraft: {found['refused']}")
        told = {n: t for n, t in found["parameters"].items() if _is_told(n, t)}
        values = {name: float(one["value"]) for name, one in told.items()}
        names = [name for name in found["covariance"]["names"] if name in told]
        rows = [found["covariance"]["names"].index(name) for name in names]
        covariance = np.array(found["covariance"]["matrix"], np.float64)[np.ix_(rows, rows)]
    except (KeyError, TypeError, IndexError, ValueError) as error:
        if isinstance(error, UncertaintyError):
            raise
        raise UncertaintyError(
            f"{file} is not what 'lapwing identify --json' prints; let it write the file anew."
        ) from None
    return _beside_assumed(names, values, covariance, (file, assumed(parameters)))


def _is_told(name: str, one: Mapping[str, Any]) -> bool:
    told = BY_NAME.get(name)
    return told is not None and told.group in _GROUPS and bool(one["excited"])


def _beside_assumed(
    names: Sequence[str],
    values: Mapping[str, float],
    covariance: Array,
    beside: tuple[str, Uncertainty],
) -> Uncertainty:
    file, guess = beside
    missing = [name for name in guess.names if name not in names]
    rows = [guess.names.index(name) for name in missing]
    whole = np.zeros((len(names) + len(missing),) * 2)
    whole[: len(names), : len(names)] = covariance
    whole[len(names) :, len(names) :] = guess.covariance[np.ix_(rows, rows)]
    if not np.isfinite(whole).all() or not all(math.isfinite(values[name]) for name in names):
        raise UncertaintyError(f"{file} has values that are no numbers; identify the flight anew.")
    text = f"Identified: {', '.join(BY_NAME[n].title.lower() for n in names) or 'nothing'}."
    if missing:
        text += f" Assumed: {', '.join(BY_NAME[n].title.lower() for n in missing)}."
    every = (*names, *missing)
    middle = np.array([*(values[n] for n in names), *(guess.values[i] for i in rows)])
    return Uncertainty(every, middle, whole, text, file)


def _root(covariance: Array) -> Array:
    """R with R R' = covariance, which may be singular."""
    sizes, directions = np.linalg.eigh(covariance)
    root: Array = directions * np.sqrt(np.maximum(sizes, 0.0))
    return root


def _bounded(name: str, value: float) -> float:
    known = BY_NAME[name]
    return min(max(value, known.low), known.high)
