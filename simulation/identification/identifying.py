"""Identifying: a logged flight and an aircraft's file become what the flight tells.

All that can be fitted is fitted together, so that a sigma contains what is not known of the rest;
then what this flight did not excite is taken back, with the reason. One of five windows is not
fitted: there the parameters have to hold.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from simulation.aircraft.aircraft import AircraftParameters
from simulation.identification.excitation import why_untold
from simulation.identification.fit import FlightFit, Prior, Tell, counting_windows, fit, settle
from simulation.identification.fitted_channels import FittedChannel, fitted_channels
from simulation.identification.groups import DELAY, DRAG, INERTIA, THRUST, WHAT
from simulation.identification.identification import Identification, Told
from simulation.identification.logged_flight import (
    Floats,
    IdentificationError,
    LoggedFlight,
    Signal,
)
from simulation.identification.parameters import (
    AXES,
    BY_NAME,
    PARAMETERS,
    RELATIVE_WIND,
    Parameter,
    scale_record,
)
from simulation.identification.priors import accel_bias_sigma, is_vague, priors_of
from simulation.identification.synthesis import Synthesis
from simulation.identification.wind_by_drag import drag_of_wind, wind_by_drag
from simulation.identification.windows import (
    WINDOW_S,
    Windows,
    find_windows,
    mean_duty,
    mean_pulse_share,
)
from simulation.records.flight import MOTOR_LAG_SPEED, ROTORCRAFT
from telemetry.configuration.board_logs.rate_preset import TITLE

_LEAST_HZ: Final = 50.0
_LEAST_WIND_HZ: Final = 5.0
"""Of means over a second."""
_HEADING_RAD: Final = math.radians(1.2)
"""Of ten simulated flights with 3 mGauss of iron: up to 2.4 deg off at one heading."""
_STAMP_MS: Final = 0.05
"""Deviation of delays by stamps that are whole milliseconds, of thousands of them."""
_OWN_ERROR: Final = {THRUST: 0.0015, DRAG: 0.0015, INERTIA: 0.002}
"""Share by which factors come out wrong of flights of the simulator itself, as measured: by the
battery's voltage, which is smoothed, and by the first moments of windows."""
_ALL_COMMANDS_HZ: Final = 450.0
"""Controllers of this family run at 500 Hz. At 250 Hz, firmware's kicks of ten milliseconds begin
and end between two logged commands: torque per inertia came out 0.87 to 1.02 of 1."""
_BY_COMMANDS: Final = {
    *(f"torque_per_inertia_{axis}" for axis in AXES),
    "motor_time_constant_ms",
    "dead_time_ms",
}
_MISSING: Final = 2.0
"""How wrong, for how much it changes when half of the commands that are there are taken away."""
_AGREES: Final = 3.0
_MOST_LEFT_OUT: Final = 0.4
_QUICK: Final = tuple(f"{sensor}_{axis}" for sensor in ("gyro", "accel") for axis in "xyz")
"""Channels whose noise no mean of a window follows."""
_DRAG: Final = "drag_per_mass"
_WIND: Final = ("wind_north_mps", "wind_east_mps")
_NOT_THIS_AIRCRAFT: Final = (
    "With this aircraft file the simulator does not repeat the flight: {}. "
    "Is it the file of the aircraft that flew? Turbulence does it too: fly in calmer air."
)
_LEAST_V_SHARE, _MOST_V_SHARE = 0.25, 4.0
"""Of an empty and of a full battery's voltage: beyond, motors cannot be flown again at all."""
_ACCEL_BIAS_MPS2: Final = 0.1
"""Of an aircraft of which nothing is known."""


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
    _check_rates(flight, _LEAST_HZ, "a flight can be flown again")
    _check_fits(flight, aircraft)
    _check_signals(flight)
    whole = find_windows(flight, mean_duty(flight, p))
    fitted, held_out = whole.split()
    wind, _ = wind_by_drag(flight, p, whole, accel_bias_sigma(p))
    untold = why_untold(flight, p, whole)
    first = dict(zip(_WIND, wind.tolist(), strict=True))
    synthesis = Synthesis(flight, p, fitted, _usual_voltage(p))
    priors = priors_of(p)
    if DRAG not in what or _DRAG in untold:
        del priors[_DRAG]
    found = fit(synthesis, priors, first, tell)
    if _DRAG in priors and is_vague(BY_NAME[_DRAG], p, found.sigma[_DRAG]):
        untold[_DRAG] = f"Wind and drag cannot be told apart. {BY_NAME[_DRAG].excite}"
        del priors[_DRAG]
        found = fit(synthesis, priors, {**found.values, _DRAG: 1.0}, tell)
    tell("Validation")
    checked, strange = _validate(flight, p, held_out, found)
    missing = _by_missing_commands(flight, found, (p, fitted, priors), untold)
    told, covariance = _told(p, (found, missing), what, untold)
    refused = _refusal(told, found, checked)
    if refused is not None:
        told = {name: _taken_back(each, refused) for name, each in told.items()}
        covariance = np.empty((0, 0))
    wind, wind_covariance = wind_by_drag(flight, _with_drag(p, found), whole, accel_bias_sigma(p))
    notes = [_agreement(found, wind, wind_covariance)]
    if _DRAG not in priors:
        notes.append("The drag is the aircraft file's: where that is wrong, the wind is.")
    return Identification(
        "shooting",
        told,
        covariance,
        fitted_channels(synthesis, found.predicted, found.counts),
        checked,
        _span(whole),
        whole.count,
        int((found.counts == 0.0).sum()) + strange,
        refused,
        tuple(notes),
    )


def identify_wind_alone(flight: LoggedFlight) -> Identification:
    """What a hover tells of the wind where nothing is known of the aircraft: where it blows to, and
    how much it brakes. Raises IdentificationError."""
    _check_rates(flight, _LEAST_WIND_HZ, "what is felt in a second can be averaged")
    _check_signals(flight)
    windows = find_windows(flight, mean_pulse_share(flight.pulses))
    drag, covariance = drag_of_wind(flight, windows, _ACCEL_BIAS_MPS2)
    sigma = np.sqrt(np.diag(covariance))
    told = {
        q.name: Told(q, float(drag[row]), float(sigma[row])) for row, q in enumerate(RELATIVE_WIND)
    }
    notes = ("Without an aircraft file the wind's strength is told only by how much it brakes.",)
    return Identification(
        "drag", told, covariance, {}, {}, _span(windows), windows.count, notes=notes
    )


def _span(windows: Windows) -> tuple[float, float]:
    middle = windows.middle_s
    return float(middle[0]) - 0.5 * WINDOW_S, float(middle[-1]) + 0.5 * WINDOW_S


def _check_aircraft(aircraft: AircraftParameters) -> None:
    if aircraft.parameters["kind"] != ROTORCRAFT:
        raise IdentificationError(
            f"{aircraft.name} is no multirotor: identification knows how these fly only."
        )
    if aircraft.parameters["turned_rotor"]:
        raise IdentificationError(
            f"{aircraft.name} turns by a servo at its tail, of which identification knows nothing."
        )


def _check_fits(flight: LoggedFlight, aircraft: AircraftParameters) -> None:
    """What of the log can be no other aircraft's."""
    p, has = aircraft.parameters, flight.pulses.values.shape[1]
    last = int(p["rotor_channel"][: int(p["rotor_count"])].max(initial=-1)) + 1
    if last > has:
        raise IdentificationError(
            f"{aircraft.name} has a motor on channel {last}, and ActuatorCommand of this log has "
            f"{has}. Give the file of the aircraft that flew."
        )
    if flight.voltage is None or p["motor_model"] == MOTOR_LAG_SPEED:
        return
    low, high = (float(p["cells"] * p["cell_ocv"][end]) for end in (0, -1))
    middle = float(np.median(flight.voltage.values))
    if not _LEAST_V_SHARE * low < middle < _MOST_V_SHARE * high:
        raise IdentificationError(
            f"A battery of {middle:.3g} V flew, and {aircraft.name} has one of {low:.3g} to "
            f"{high:.3g} V. Give the file of the aircraft that flew."
        )


def _check_signals(flight: LoggedFlight) -> None:
    for signal, name in (
        (flight.gyro, "gyro"),
        (flight.accel, "accelerometer"),
        (flight.velocity, "velocity"),
    ):
        if signal.is_constant:
            raise IdentificationError(
                f"The {name} shows the same all the time in this span: it was not measured. Choose "
                "another span, or another log."
            )


def _check_rates(flight: LoggedFlight, least_hz: float, what_for: str) -> None:
    for signal, name in (
        (flight.pulses, "ActuatorCommand"),
        (flight.gyro, "GyroState"),
        (flight.accel, "AccelState"),
    ):
        if signal.rate_hz < least_hz * 0.95:
            raise IdentificationError(
                f"{name} was recorded {signal.rate_hz:.3g} times a second, and {least_hz:g} are "
                f"the least by which {what_for}. Record the next one with the telemetry preset "
                f"'{TITLE}'."
            )


def _usual_voltage(p: np.void) -> float:
    """Of a half-full battery."""
    return float(p["cells"] * p["cell_ocv"][len(p["cell_ocv"]) // 2])


def _validate(
    flight: LoggedFlight, p: np.void, held_out: Windows, found: FlightFit
) -> tuple[dict[str, FittedChannel], int]:
    """Of windows that were not fitted, with starts of their own; how many do not count."""
    synthesis = Synthesis(flight, p, held_out, _usual_voltage(p))
    again = settle(synthesis, found.values, found.sigmas)
    counts = counting_windows(synthesis, again.predicted, found.sigmas)
    return fitted_channels(synthesis, again.predicted, counts), int((counts == 0.0).sum())


def _by_missing_commands(
    flight: LoggedFlight,
    found: FlightFit,
    model: tuple[np.void, Windows, Mapping[str, Prior]],
    untold: Collection[str],
) -> dict[str, float]:
    """How wrong parameters may be because the log has fewer commands than the motors had: by what
    they change where every second one is taken away besides (the idea of SIMEX: Cook and Stefanski,
    JASA 1994). Nothing where the log has all, or tells nothing that depends on them."""
    p, windows, priors = model
    if flight.pulses.rate_hz > _ALL_COMMANDS_HZ or set(untold) >= _BY_COMMANDS:
        return {}
    pulses = Signal(flight.pulses.times[::2], flight.pulses.values[::2])
    synthesis = Synthesis(replace(flight, pulses=pulses), p, windows, _usual_voltage(p))
    other = fit(synthesis, priors, found.values, sigmas=found.sigmas)
    return {n: _MISSING * abs(other.values[n] - found.values[n]) for n in found.values}


def _told(
    p: np.void,
    fitted: tuple[FlightFit, Mapping[str, float]],
    what: Collection[str],
    untold: Mapping[str, str],
) -> tuple[dict[str, Told], Floats]:
    """What is said of each parameter that was asked for, and the covariance of what is told; beside
    the fit by how much missing commands may have made it wrong."""
    found, missing = fitted
    own = {q.name: _own_error(q, found.values.get(q.name, 0.0)) ** 2 for q in PARAMETERS}
    covariance = found.covariance + np.diag(
        [own.get(name, 0.0) + missing.get(name, 0.0) ** 2 for name in found.values]
    )
    covariance += _heading_error(found)
    sigma = dict(zip(found.values, np.sqrt(np.diag(covariance)).tolist(), strict=True))
    told = {}
    for q in PARAMETERS:
        if q.group not in what:
            continue
        reason = untold.get(q.name, "")
        if not reason and is_vague(q, p, sigma.get(q.name, 0.0)):
            reason = f"This flight does not tell it. {q.excite}"
            if not is_vague(q, p, found.sigma.get(q.name, np.inf)):
                reason = f"It takes every command of the motors: record with '{TITLE}'."
        is_told = not reason
        told[q.name] = Told(
            q,
            found.values[q.name] if is_told else None,
            sigma[q.name] if is_told else None,
            reason,
        )
    rows = [list(found.values).index(name) for name, each in told.items() if each.excited]
    return told, covariance[np.ix_(rows, rows)]


def _heading_error(found: FlightFit) -> Floats:
    """Covariance (n, n) of a wind that turns with the board's heading, which iron on board makes
    wrong by another angle at each heading."""
    turned = np.zeros(len(found.values))
    north, east = (list(found.values).index(name) for name in _WIND)
    turned[north] = -_HEADING_RAD * found.values[_WIND[1]]
    turned[east] = _HEADING_RAD * found.values[_WIND[0]]
    return np.outer(turned, turned)


def _taken_back(told: Told, refused: str) -> Told:
    return replace(told, value=None, sigma=None, reason=told.reason or refused)


def _own_error(q: Parameter, value: float) -> float:
    """Deviation of what no residual shows."""
    if q.group == DELAY:
        return _STAMP_MS
    return _OWN_ERROR.get(q.group, 0.0) * value


def _refusal(
    told: Mapping[str, Told], found: FlightFit, held_out: Mapping[str, FittedChannel]
) -> str | None:
    """Why nothing of all this is to be believed; None if it is."""
    edges = [
        BY_NAME[name].title
        for name, value in found.values.items()
        if name in BY_NAME and _is_at_an_end(BY_NAME[name], value)
    ]
    if edges:
        return _NOT_THIS_AIRCRAFT.format(f"{', '.join(edges)} would be beyond what is possible")
    worse = [name for name in _QUICK if name in held_out and held_out[name].is_worse_than_nothing]
    if worse:
        what = f"{', '.join(worse)} of windows that were not fitted come out worse than their means"
        return _NOT_THIS_AIRCRAFT.format(what)
    if not found.settled:
        return "The fit comes to no end. Choose a calmer part of the flight, or give a nearer file."
    share = float((found.counts == 0.0).mean())
    if share > _MOST_LEFT_OUT:
        return _NOT_THIS_AIRCRAFT.format(f"{share:.0%} of the windows come out quite otherwise")
    if not any(each.excited for each in told.values()):
        return " ".join(dict.fromkeys(each.reason for each in told.values()))
    return None


def _is_at_an_end(q: Parameter, value: float) -> bool:
    margin = 1e-3 * (q.high - q.low)
    return not q.low + margin < value < q.high - margin


def _with_drag(p: np.void, found: FlightFit) -> np.void:
    """The aircraft's file with the drag that was found, if it was looked for."""
    changed = p.copy()
    if _DRAG in found.values:
        scale_record(changed, p, BY_NAME[_DRAG], found.values[_DRAG])
    return changed


def _agreement(found: FlightFit, wind: Floats, covariance: Floats) -> str:
    """Whether the wind without flying again agrees."""
    rows = [list(found.values).index(name) for name in _WIND]
    difference = np.array([found.values[name] for name in _WIND]) - wind
    together = covariance + found.covariance[np.ix_(rows, rows)]
    distance = float(np.sqrt(difference @ np.linalg.solve(together, difference)))
    agrees = "agrees with" if distance < _AGREES else "does not agree with"
    return (
        f"The accelerometer's drag alone tells a wind of {wind[0]:.2f} m/s to the north and "
        f"{wind[1]:.2f} m/s to the east, which {agrees} this one ({distance:.1f} sigma)."
    )
