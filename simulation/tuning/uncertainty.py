"""Uncertainty of an aircraft: what was identified with its covariance, or stated assumptions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.identification.groups import DELAY, INERTIA, MOTOR, THRUST
from simulation.identification.parameters import BY_NAME, PARAMETERS
from telemetry.base.text_formats import FormatError, parse_json, read_limited

Array = npt.NDArray[np.float64]

_GROUPS: Final = (THRUST, INERTIA, MOTOR, DELAY)
"""What changes how an aircraft answers to its stabilization."""
_TURNING: Final = tuple(p for p in PARAMETERS if p.group in _GROUPS)
_ASSUMED: Final = {THRUST: 0.05, INERTIA: 0.05, MOTOR: 0.1}
"""Standard deviations, as shares of the value."""
_LEAST: Final = {THRUST: 0.02, INERTIA: 0.02, MOTOR: 0.05}
"""Shares that no identification is surer of: a model has errors that its residuals do not show."""
_FARTHEST: Final = 2.0
"""Sigmas: no draw is farther out."""
ASSUMPTION: Final = (
    "Assumed, nothing being identified: thrust per mass and torque per inertia within 10 % of "
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
        """So many aircraft, the first of which is what the values say; along no axis of the
        covariance they are farther out than two sigmas."""
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


def assumed(parameters: np.void, why: str = "") -> Uncertainty:
    """What is assumed of an aircraft with these PARAMETERS, and a sentence that says why."""
    known = [p for p in _TURNING if p.group in _ASSUMED]
    values = np.array([p.nominal(parameters) for p in known])
    sigmas = values * [_ASSUMED[p.group] for p in known]
    return Uncertainty(
        tuple(p.name for p in known), values, np.diag(sigmas**2), f"{ASSUMPTION} {why}".rstrip()
    )


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
        refused = found["refused"]
        told = {n: one["value"] for n, one in found["parameters"].items() if one["excited"]}
        names = tuple(found["covariance"]["names"])
        covariance = np.array(found["covariance"]["matrix"], np.float64)
        values = {name: float(told[name]) for name in names}
        is_whole = covariance.shape == (len(names),) * 2 and np.isfinite(covariance).all()
        if not (is_whole and np.isfinite(list(values.values())).all()):
            raise ValueError
    except (KeyError, TypeError, AttributeError, ValueError):
        raise UncertaintyError(
            f"{file} is not what 'lapwing identify --json' prints; let it write the file anew."
        ) from None
    if refused:
        raise UncertaintyError(f"{file} tells nothing of the aircraft: {refused}")
    return beside_assumed(values, (names, covariance), (file, parameters))


def beside_assumed(
    values: Mapping[str, float],
    known: tuple[Sequence[str], Array],
    source: tuple[str, np.void],
) -> Uncertainty:
    """What was identified, by the names and rows of its covariance, out of a file and of an
    aircraft with PARAMETERS; what matters and was not is assumed."""
    file, parameters = source
    every, covariance = known
    guess = assumed(parameters)
    rows = [i for i, name in enumerate(every) if name in BY_NAME and BY_NAME[name] in _TURNING]
    names = [every[i] for i in rows]
    guessed = [i for i, name in enumerate(guess.names) if name not in names]
    missing = [guess.names[i] for i in guessed]
    whole = np.zeros((len(names) + len(missing),) * 2)
    whole[: len(names), : len(names)] = covariance[np.ix_(rows, rows)]
    least = np.array([_LEAST.get(BY_NAME[name].group, 0.0) * values[name] for name in names])
    whole[: len(names), : len(names)] += np.diag(
        np.maximum(least**2 - np.diag(covariance)[rows], 0.0)
    )
    whole[len(names) :, len(names) :] = guess.covariance[np.ix_(guessed, guessed)]
    middle = np.array([*(values[name] for name in names), *guess.values[guessed]])
    text = f"Identified: {_titles(names) or 'nothing'}; nothing to better than 2 %, motors 5 %."
    if missing:
        text += f" Assumed, as of any aircraft: {_titles(missing)}."
    return Uncertainty((*names, *missing), middle, whole, text, file)


def _titles(names: Sequence[str]) -> str:
    return ", ".join(f"{t[0].lower()}{t[1:]}" for t in (BY_NAME[name].title for name in names))


def _root(covariance: Array) -> Array:
    """R with R R' = covariance, which may be singular."""
    sizes, directions = np.linalg.eigh(covariance)
    root: Array = directions * np.sqrt(np.maximum(sizes, 0.0))
    return root


def _bounded(name: str, value: float) -> float:
    known = BY_NAME[name]
    return min(max(value, known.low), known.high)
