"""Identification: what a logged flight tells of wind, aircraft and sensors, and what it does not.

All that can be fitted is fitted together, so that a sigma contains what is not known of the rest;
then what this flight did not excite is taken back, with the reason. One of five windows is not
fitted: there the parameters have to hold.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from simulation.aircraft.aircraft import AircraftParameters
from simulation.environment.earth import GRAVITY
from simulation.identification.fit import Fit, Prior, counting_windows, fit, settle
from simulation.identification.logged_flight import Floats, IdentificationError, LoggedFlight
from simulation.identification.parameters import (
    BIAS,
    BY_NAME,
    DELAY,
    DRAG,
    INERTIA,
    MOTOR,
    PARAMETERS,
    THRUST,
    WHAT,
    WIND,
    Parameter,
)
from simulation.identification.residuals import ChannelResidual, judge_residuals
from simulation.identification.synthesis import LATENCY, MIXES, Synthesis, mean_duty
from simulation.identification.wind_by_drag import wind_by_drag
from simulation.identification.windows import Windows, find_windows
from simulation.records.flight import MOTOR_LAG_SPEED, ROTORCRAFT
from simulation.records.sensor_table import ACCEL, GYRO

_LEAST_HZ: Final = 50.0
_QUICK_HZ: Final = 240.0
"""From which on motors' lag and dead time are told; 250 Hz with some jitter."""
_PRIOR_SIGMA: Final = {WIND: 10.0, DRAG: 0.7, THRUST: 0.3, INERTIA: 0.5, DELAY: 15.0}
_MOTOR_SHARE: Final = 0.7
_GYRO_BIAS_DPS: Final = 3.0
_LEAST_ACCEL_BIAS_MPS2: Final = 0.05
_LEAST_MIX: Final = 0.003
_TOLD: Final = 0.3
"""Of the prior's deviation: a parameter with a larger one is not told by the flight."""
_USEFUL: Final = {WIND: 2.0, DRAG: 0.25, THRUST: 0.1, INERTIA: 0.2, DELAY: 5.0}
"""Nobody can do anything with a larger deviation."""
_USEFUL_MOTOR_SHARE: Final = 0.3
_STAMP_MS: Final = 0.3
"""Deviation of stamps that are whole milliseconds."""
_NUISANCES: Final = {
    "attitude_offset_x_deg": Prior(0.0, 2.0, 0.1),
    "attitude_offset_y_deg": Prior(0.0, 2.0, 0.1),
    "attitude_offset_z_deg": Prior(0.0, 2.0, 0.1),
    "velocity_bias_north_mps": Prior(0.0, 0.07, 0.01),
    "velocity_bias_east_mps": Prior(0.0, 0.07, 0.01),
    "velocity_bias_down_mps": Prior(0.0, 0.07, 0.01),
}
"""Errors of the board's attitude and of the receiver that are never told, only allowed for."""
_LATENCY_PRIOR: Final = Prior(0.0, 30.0, 5.0, is_early=False)
_NOT_THIS_AIRCRAFT: Final = (
    "With this aircraft file the simulator does not repeat the flight ({}). "
    "Is it the file of the aircraft that flew?"
)
_AGREES: Final = 3.0
_QUICK: Final = tuple(f"{sensor}_{axis}" for sensor in ("gyro", "accel") for axis in "xyz")
"""Channels whose noise no mean of a window follows."""
_OWN_ERROR: Final = 0.002
"""Share by which factors and lags come out wrong of flights of the simulator itself, by its step
and by the first moments of windows."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of one parameter: value and sigma are None where the flight does not tell it,
    and `reason` is why not."""

    parameter: Parameter
    value: float | None
    sigma: float | None
    reason: str = ""

    @property
    def excited(self) -> bool:
        """Whether the flight tells it."""
        return self.value is not None


@dataclass(frozen=True, slots=True, eq=False)
class Identification:
    """`names` and `covariance` are of those that are told; `residuals` of the windows that were
    fitted, `validation` of those held out, by channel. `refused`: why nothing is told."""

    told: Mapping[str, Told]
    names: tuple[str, ...]
    covariance: Floats
    residuals: Mapping[str, ChannelResidual]
    validation: Mapping[str, ChannelResidual]
    span_s: tuple[float, float]
    windows: int
    refused: str | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def values(self) -> dict[str, float]:
        """Of what is told."""
        return {name: told.value for name, told in self.told.items() if told.value is not None}


def identify(
    flight: LoggedFlight,
    aircraft: AircraftParameters,
    what: Collection[str] = WHAT,
    tell: Tell = lambda text: None,
) -> Identification:
    """Fit `what` (groups of parameters). Raises IdentificationError for a flight or an aircraft
    with which that cannot be begun."""
    p = aircraft.parameters
    _check_aircraft(aircraft)
    _check_rates(flight)
    whole = find_windows(flight, mean_duty(flight, p))
    fitted, held_out = whole.split()
    bias_sigma = _accel_bias_sigma(p)
    wind, wind_covariance = wind_by_drag(flight, p, whole, bias_sigma)
    synthesis = Synthesis(flight, p, fitted, _usual_voltage(p))
    untold = _untellable(flight, p)
    first = dict(zip(("wind_north_mps", "wind_east_mps"), wind.tolist(), strict=True))
    priors = _priors(p, bias_sigma, {*untold, *(() if DRAG in what else (DRAG,))})
    found = fit(synthesis, priors, first, tell)
    if DRAG in what and _is_vague(BY_NAME["drag_per_mass"], p, found):
        untold[DRAG] = (
            "In this flight wind and drag cannot be told apart: the drag is held at the file's."
        )
        del priors["drag_per_mass"]
        found = fit(synthesis, priors, {**first, **found.values, "drag_per_mass": 1.0}, tell)
    tell("Validation")
    checked = _validate(flight, p, held_out, found)
    told = {q.name: _tell(q, p, found, untold) for q in PARAMETERS if q.group in what}
    residuals = judge_residuals(synthesis, found.predicted, found.counts)
    return _result(told, found, (whole, residuals, checked), _notes(found, wind, wind_covariance))


def _check_aircraft(aircraft: AircraftParameters) -> None:
    if aircraft.parameters["kind"] != ROTORCRAFT:
        raise IdentificationError(
            f"{aircraft.name} is no multirotor: identification knows how these fly only."
        )


def _check_rates(flight: LoggedFlight) -> None:
    for signal, name in (
        (flight.pulses, "ActuatorCommand"),
        (flight.gyro, "GyroState"),
        (flight.accel, "AccelState"),
    ):
        if signal.rate_hz < _LEAST_HZ * 0.95:
            raise IdentificationError(
                f"{name} was recorded {signal.rate_hz:.3g} times a second, and {_LEAST_HZ:g} are "
                "the least by which a flight can be flown again. Record the next one with the "
                "telemetry preset 'for tuning'."
            )


def _untellable(flight: LoggedFlight, p: np.void) -> dict[str, str]:
    """Groups that no fit of this log could tell, and why."""
    untold = {}
    slowest = min(flight.pulses.rate_hz, flight.gyro.rate_hz)
    if slowest < _QUICK_HZ:
        reason = (
            f"It takes gyro and motors at 250 Hz or more; this log has {slowest:.0f} Hz. Record "
            "on board, or by a quick link, with the telemetry preset 'for tuning'."
        )
        untold = {MOTOR: reason, DELAY: reason}
    if flight.voltage is None and p["motor_model"] != MOTOR_LAG_SPEED:
        untold[THRUST] = (
            "The log has no battery voltage (FlightBatteryState), which decides how much the "
            "motors give. Record it."
        )
    return untold


def _priors(p: np.void, bias_sigma: float, left_out: Collection[str]) -> dict[str, Prior]:
    """Of all that is fitted: thrust also where it cannot be told, because the rest needs it."""
    priors = {}
    for q in PARAMETERS:
        if q.group in left_out and q.group != THRUST:
            continue
        priors[q.name] = Prior(
            q.nominal(p),
            _prior_sigma(q, p, bias_sigma),
            q.step,
            q.low,
            q.high,
            q.group in (WIND, THRUST, BIAS),
        )
    mixes = {
        name: Prior(0.0, _mix_sigma(p, GYRO if sensor == "gyro" else ACCEL), _LEAST_MIX)
        for name, (sensor, _, _) in MIXES.items()
    }
    return {**priors, **_NUISANCES, **mixes, LATENCY: _LATENCY_PRIOR}


def _mix_sigma(p: np.void, sensor: int) -> float:
    """Of what an axis feels of another, by what the file says of the sensor."""
    tilt = np.radians(float(p["misalignment_deg"][sensor]))
    return max(float(np.hypot(p["cross_axis"][sensor], tilt)), _LEAST_MIX)


def _prior_sigma(q: Parameter, p: np.void, bias_sigma: float) -> float:
    if q.group == MOTOR:
        return _MOTOR_SHARE * q.nominal(p)
    if q.group == BIAS:
        return _GYRO_BIAS_DPS if q.name.startswith("gyro") else bias_sigma
    return _PRIOR_SIGMA[q.group]


def _accel_bias_sigma(p: np.void) -> float:
    """Of what the file says of the accelerometer: offset, drift, and gravity in tilted axes."""
    axes = GRAVITY * (float(p["cross_axis"][1]) + np.radians(float(p["misalignment_deg"][1])))
    offset, drift = float(p["sensor_error"][ACCEL][3]), float(p["sensor_error"][ACCEL][1])
    return max(float(np.hypot(np.hypot(offset, drift), axes)), _LEAST_ACCEL_BIAS_MPS2)


def _usual_voltage(p: np.void) -> float:
    """Of a half-full battery."""
    return float(p["cells"] * p["cell_ocv"][len(p["cell_ocv"]) // 2])


def _is_vague(q: Parameter, p: np.void, found: Fit) -> bool:
    sigma = found.sigma[q.name]
    if q.group == BIAS:
        return False
    if q.group == MOTOR:
        nominal = q.nominal(p)
        return sigma > min(_TOLD * _MOTOR_SHARE, _USEFUL_MOTOR_SHARE) * nominal
    return sigma > min(_TOLD * _PRIOR_SIGMA[q.group], _USEFUL[q.group])


def _tell(q: Parameter, p: np.void, found: Fit, untold: Mapping[str, str]) -> Told:
    if q.group in untold:
        return Told(q, None, None, untold[q.group])
    if _is_vague(q, p, found):
        return Told(q, None, None, f"This flight does not tell it. {q.excite}")
    return Told(q, found.values[q.name], found.sigma[q.name])


def _validate(
    flight: LoggedFlight, p: np.void, held_out: Windows, found: Fit
) -> dict[str, ChannelResidual]:
    """Of windows that were not fitted, with starts of their own."""
    synthesis = Synthesis(flight, p, held_out, _usual_voltage(p))
    again = settle(synthesis, found.values, found.sigmas)
    counts = counting_windows(synthesis, again.predicted, found.sigmas)
    return judge_residuals(synthesis, again.predicted, counts)


def _result(
    told: dict[str, Told],
    found: Fit,
    judged: tuple[Windows, dict[str, ChannelResidual], dict[str, ChannelResidual]],
    notes: tuple[str, ...],
) -> Identification:
    windows, residuals, validation = judged
    names = tuple(name for name, each in told.items() if each.excited)
    rows = [list(found.values).index(name) for name in names]
    covariance = found.covariance[np.ix_(rows, rows)].copy()
    for at, name in enumerate(names):
        q = BY_NAME[name]
        covariance[at, at] += _own_error(q, found.values[name]) ** 2
        told[name] = Told(q, found.values[name], float(np.sqrt(covariance[at, at])))
    middle = windows.middle_s
    return Identification(
        told,
        names,
        covariance,
        residuals,
        validation,
        (float(middle[0]) - 0.5, float(middle[-1]) + 0.5),
        windows.count,
        _refusal(told, found, validation),
        notes,
    )


def _own_error(q: Parameter, value: float) -> float:
    """Deviation of what no residual shows."""
    if q.group == DELAY:
        return _STAMP_MS
    return _OWN_ERROR * value if q.scales else 0.0


def _refusal(
    told: Mapping[str, Told], found: Fit, validation: Mapping[str, ChannelResidual]
) -> str | None:
    """Why nothing of all this is to be believed; None if it is."""
    edges = [
        each.parameter.title
        for name, each in told.items()
        if name in found.values and _is_at_an_end(each.parameter, found.values[name])
    ]
    if edges:
        return _NOT_THIS_AIRCRAFT.format(f"{', '.join(edges)} would be beyond what is possible")
    worse = [n for n in _QUICK if n in validation and validation[n].is_worse_than_nothing]
    if worse:
        return _NOT_THIS_AIRCRAFT.format(f"{', '.join(worse)}: worse than without a model")
    if not any(each.excited for each in told.values()):
        return " ".join(dict.fromkeys(each.reason for each in told.values()))
    return None


def _is_at_an_end(q: Parameter, value: float) -> bool:
    margin = 1e-3 * (q.high - q.low)
    return value >= q.high - margin or (value <= q.low + margin and q.low != 0.0)


def _notes(found: Fit, wind: Floats, covariance: Floats) -> tuple[str, ...]:
    """What is to be said besides: whether the wind without flying again agrees."""
    names = ("wind_north_mps", "wind_east_mps")
    rows = [list(found.values).index(name) for name in names]
    difference = np.array([found.values[name] for name in names]) - wind
    together = covariance + found.covariance[np.ix_(rows, rows)]
    distance = float(np.sqrt(difference @ np.linalg.solve(together, difference)))
    agrees = "agrees with it" if distance < _AGREES else "does not agree with it"
    return (
        f"The wind by the accelerometer's drag alone, {wind[0]:.2f} m/s to the north and "
        f"{wind[1]:.2f} m/s to the east, {agrees} ({distance:.1f} sigma).",
    )
