"""Robust fit: least squares that outliers do not bend."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.configuration.calibration.fits.result import Array

_LOSSES = ("soft_l1", "cauchy", "cauchy")
_EFFORT = {"max_nfev": 40, "xtol": 1e-7, "ftol": 1e-9}
"""Data that fits nothing must not be tried for long."""
_OUTLIER_SIGMAS = 4.0
_TO_SIGMA = 1.4826
"""Standard deviation over median absolute deviation of normal noise."""


@dataclass(frozen=True, slots=True, eq=False)
class RobustFit:
    """Parameters, their standard errors (inf where the data does not tell them), and which
    residuals were believed."""

    parameters: Array
    errors: Array
    inliers: npt.NDArray[np.bool_]


def robust_fit(residuals: Callable[[Array], Array], start: Array) -> RobustFit:
    """Fit so that `residuals(parameters)`, (n,), become small for nearly all of them.

    A loss that forgets far residuals finds out which belong to the model; plain least squares
    over those then gives the parameters without the loss's own bias. `start` sets the scale of
    each parameter, too: parameters should be of order one.
    """
    from scipy.optimize import least_squares

    parameters = start
    for loss in _LOSSES:
        width = spread(residuals(parameters))
        found = least_squares(residuals, parameters, loss=loss, f_scale=width, **_EFFORT)
        parameters = found.x
    for _ in range(2):
        inliers = _believed(residuals(parameters))
        found = least_squares(lambda p, kept=inliers: residuals(p)[kept], parameters, **_EFFORT)
        parameters = found.x
    freedom = max(int(inliers.sum()) - len(parameters), 1)
    sigma = float(np.sqrt(2.0 * found.cost / freedom))
    return RobustFit(parameters, _standard_errors(found.jac, sigma), inliers)


def spread(values: Array) -> float:
    """The standard deviation of most of the values, about zero; never quite zero."""
    return max(_TO_SIGMA * float(np.median(np.abs(values))), 1e-12)


def robust_mean(rows: Array) -> Array:
    """The mean of each column without its outliers."""
    centre = np.median(rows, axis=0)
    kept = np.stack([_believed(column) for column in (rows - centre).T], axis=1)
    return np.asarray(np.nanmean(np.where(kept, rows, np.nan), axis=0))


def _believed(values: Array) -> npt.NDArray[np.bool_]:
    return np.asarray(np.abs(values) <= _OUTLIER_SIGMAS * spread(values))


def _standard_errors(jacobian: Array, sigma: float) -> Array:
    _, singular, directions = np.linalg.svd(jacobian, full_matrices=False)
    if singular[-1] <= 1e-10 * singular[0]:
        return np.full(jacobian.shape[1], np.inf)
    return np.asarray(sigma * np.sqrt(((directions.T / singular) ** 2).sum(axis=1)))
