"""Least-squares curves through a bench table: F = alpha n^2 + beta n (seed 000, eq. 13) and the
torque, both as the seed has it, M = gamma n (eq. 14), and as k_t F + gamma n.

Eq. 14 alone cannot follow a torque that grows with the square of speed as thrust does; its
residuals tell how much is lost.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from simulation.fitting.bench_table import BenchError, BenchTable, Column

_LEAST_ALPHA_NS2: Final = 1e-12
"""What an aircraft file may have."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Coefficients by name with their covariance in the same order, and how well they fit.

    `residuals` (measured minus fitted) and `rms` are in the unit measured, `r2` is the share of
    the variance about the mean that the curve explains.
    """

    values: dict[str, float]
    covariance: Column
    residuals: Column
    rms: float
    r2: float

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors by name."""
        errors = np.sqrt(np.diag(self.covariance))
        return dict(zip(self.values, errors.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class FittedCurves:
    """What was fitted; without measured torque both fits of it are None."""

    table: BenchTable
    thrust: Fit
    torque: Fit | None
    torque_by_speed: Fit | None

    def thrust_at(self, speed: Column) -> Column:
        """Fitted thrust in N at speeds in rad/s."""
        values = self.thrust.values
        return values["alpha_ns2"] * speed * speed + values["beta_ns"] * speed

    def torque_at(self, speed: Column, fit: Fit) -> Column:
        """Fitted torque in Nm at speeds in rad/s."""
        values = fit.values
        return values.get("k_t_m", 0.0) * self.thrust_at(speed) + values["gamma_nms"] * speed


def fit_curves(table: BenchTable) -> FittedCurves:
    """Fit thrust and, if measured, torque; raise BenchError if this is no propeller."""
    n = table.speed_radps
    thrust = _least_squares({"alpha_ns2": n * n, "beta_ns": n}, table.thrust_n)
    if thrust.values["alpha_ns2"] < _LEAST_ALPHA_NS2:
        raise BenchError(
            "The thrust does not grow with the square of the speed "
            f"(alpha would be {thrust.values['alpha_ns2']:.3g}). Check the columns and their units."
        )
    curves = FittedCurves(table, thrust, None, None)
    if table.torque_nm is None:
        return curves
    parabola = _least_squares({"square": n * n, "linear": n}, table.torque_nm)
    return FittedCurves(
        table,
        thrust,
        _torque_of_thrust(thrust, parabola),
        _least_squares({"gamma_nms": n}, table.torque_nm),
    )


def _torque_of_thrust(thrust: Fit, torque: Fit) -> Fit:
    """The parabola a n^2 + b n through the torque as k_t F + gamma n: k_t = a / alpha and
    gamma = b - k_t beta. Errors of both fits go into the result's, to first order."""
    alpha, beta = thrust.values.values()
    a, b = torque.values.values()
    k_t = a / alpha
    by_torque = np.array([[1.0 / alpha, 0.0], [-beta / alpha, 1.0]])
    by_thrust = np.array([[-k_t / alpha, 0.0], [k_t * beta / alpha, -k_t]])
    covariance = by_torque @ torque.covariance @ by_torque.T
    covariance += by_thrust @ thrust.covariance @ by_thrust.T
    values = {"k_t_m": k_t, "gamma_nms": b - k_t * beta}
    return replace(torque, values=values, covariance=covariance)


def _least_squares(columns: dict[str, Column], measured: Column) -> Fit:
    """Fit measured = sum of coefficient x column. Standard errors assume that all points have the
    same independent error, estimated from the residuals."""
    matrix = np.column_stack(list(columns.values()))
    scale = np.sqrt((matrix * matrix).sum(axis=0))
    scaled = matrix / scale
    solution = np.linalg.lstsq(scaled, measured, rcond=None)[0]
    residuals = measured - scaled @ solution
    freedom = len(measured) - len(columns)
    variance = float(residuals @ residuals) / freedom
    covariance = variance * np.linalg.inv(scaled.T @ scaled)
    spread = float(np.sum((measured - measured.mean()) ** 2))
    return Fit(
        dict(zip(columns, (solution / scale).tolist(), strict=True)),
        covariance / np.outer(scale, scale),
        residuals,
        math.sqrt(float(residuals @ residuals) / len(measured)),
        1.0 - float(residuals @ residuals) / spread if spread > 0.0 else math.nan,
    )
