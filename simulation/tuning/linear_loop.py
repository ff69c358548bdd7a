"""Linearised loops of stabilization: gain and phase margins about hover.

Rates of an axis follow its actuator u through motors with one lag, a dead time, and the
anti-alias filter of the gyro (second order, Butterworth):

    q / u = A (1 + s z) / (s (1 + s tau)) e^(-s dead) / (1 + sqrt(2) s/w + (s/w)^2)

A and tau are those of `simulation.aircraft.performance.authority`; z is in yaw what rotors that
speed up push back, `reaction_s`, and 0 otherwise. Control is a program that runs every T = 2 ms,
and its output is held: e^(-s T/2). With d = e^(-s T) and the members of SETTINGS, as
`simulation.control.inner_loop` computes them:

    gyro filter  F = (1 - keep) / (1 - keep d)
    rate loop    P + I, of wanted less flown:  C = Kp + Ki T / (1 - d)
                 D, of gamma wanted less flown: D = Kd / T (1 - d) share / (1 - (1 - share) d)
    angle loop   wanted rate = K angle error, K = (Kp + Ki 4T / (1 - d^4)) e^(-s 2T) d
                 held for four samples, and used one later

Three loops are cut open: at the actuator with an angle held, at the actuator with a rate held, and
at the wanted rate. A frequency response's margins are where it passes -180 degrees and gain 1
(Astrom and Murray, Feedback Systems, section 10.3). 6 dB and 45 degrees are what MIL-DTL-9490E asks
of flight control below the first mode of the structure.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.aircraft.performance import authority
from simulation.records.interface import IMU_S, STEP_S
from simulation.tuning.gains import GainSet

Array = npt.NDArray[np.float64]
Complex = npt.NDArray[np.complex128]

LEAST_GAIN_MARGIN_DB: Final = 6.0
LEAST_PHASE_MARGIN_DEG: Final = 45.0
_YAW: Final = 2
_RADPS: Final = 2.0 * np.pi * np.geomspace(0.02, 240.0, 240)
_OUTER: Final = 4
_NOTHING: Final = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class LinearAircraft:
    """What the actuators of an aircraft do about hover, roll, pitch, yaw: `acceleration_dps2` (3,)
    per actuator of 1, `zero_s` (3,); lag, dead time, and the gyro's bandwidth (0: none)."""

    acceleration_dps2: Array
    zero_s: Array
    lag_s: float
    dead_s: float
    gyro_hz: float

    def response(self) -> Complex:
        """(3, frequencies): rates in deg/s of a held actuator of 1."""
        s = 1j * _RADPS
        late = np.exp(-s * (self.dead_s + 0.5 * IMU_S))
        if self.gyro_hz > 0.0:
            x = s / (2.0 * np.pi * self.gyro_hz)
            late = late / (1.0 + np.sqrt(2.0) * x + x * x)
        rates: Complex = (
            self.acceleration_dps2[:, None]
            * (1.0 + np.outer(self.zero_s, s))
            * (late / (s * (1.0 + s * self.lag_s)))
        )
        return rates


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """The least of all cuts, of several candidates and each axis (n, 3); negative: not stable."""

    gain_db: Array
    phase_deg: Array


def linear_aircraft(parameters: Any, settings: Any) -> LinearAircraft:
    """About hover on a full battery, where actuators do most."""
    can = authority(parameters, settings)
    return LinearAircraft(
        np.array(can.acceleration_dps2),
        np.array([0.0, 0.0, can.reaction_s]),
        can.motor_lag_s,
        float(parameters["dead_steps"]) * STEP_S,
        float(parameters["bandwidth_hz"][0]),
    )


def margins(aircraft: LinearAircraft, settings: Any, gains: GainSet) -> Margins:
    """The margins of each candidate (n,) with the filters of SETTINGS."""
    plant = aircraft.response() * _gyro_filter(settings)
    rate, angle = gains.rate_pid[..., None], gains.attitude_pi[..., None]
    d = np.exp(-1j * _RADPS * IMU_S)
    of_error = rate[:, :, 0] + rate[:, :, 1] * IMU_S / (1.0 - d)
    share = settings["derivative_share"]
    of_slope = rate[:, :, 2] / IMU_S * (1.0 - d) * share / (1.0 - (1.0 - share) * d)
    wanted = angle[:, :, 0] + angle[:, :, 1] * _OUTER * IMU_S / (1.0 - d**_OUTER)
    wanted = wanted * np.exp(-1j * _RADPS * 0.5 * _OUTER * IMU_S) * d
    angle_of_rate = (
        1.0 / (1j * _RADPS) / _gyro_filter(settings)
    )  # the attitude's gyro has no filter
    asked = of_error + settings["derivative_gamma"] * of_slope
    held_rate = plant * (of_error + of_slope)
    held_angle = plant * (of_error + of_slope + asked * wanted * angle_of_rate)
    at_wanted = plant * asked / (1.0 + held_rate) * wanted * angle_of_rate
    found = [_margins(loop) for loop in (held_rate, held_angle, at_wanted)]
    gain_db = np.min([one[0] for one in found], axis=0)
    phase_deg = np.min([one[1] for one in found], axis=0)
    return Margins(gain_db, phase_deg)


def _gyro_filter(settings: Any) -> Complex:
    keep = settings["gyro_keep"]
    smooth: Complex = (1.0 - keep) / (1.0 - keep * np.exp(-1j * _RADPS * IMU_S))
    return smooth


def _margins(loop: Complex) -> tuple[Array, Array]:
    """Gain in dB and phase in degrees of (..., frequencies), (...) each.

    The phase begins above -360 degrees, since the loops have up to three integrators. Passing -180
    degrees downwards a loop has to be weaker than 1, passing it upwards stronger.
    """
    phase = np.degrees(np.unwrap(np.angle(loop), axis=-1))
    phase = phase - 360.0 * np.ceil(phase[..., :1] / 360.0)
    size_db = 20.0 * np.log10(np.maximum(np.abs(loop), _NOTHING))
    above = phase + 180.0
    turns = _crossings(above, size_db)
    falling = above[..., :-1] > 0.0
    gain = np.where(falling, -turns, turns).min(axis=-1, initial=np.inf, where=~np.isnan(turns))
    away = _crossings(size_db, above)
    return gain, away.min(axis=-1, initial=np.inf, where=~np.isnan(away))


def _crossings(through: Array, values: Array) -> Array:
    """The values where `through` passes 0 between two frequencies, in straight lines; else NaN."""
    before, after = through[..., :-1], through[..., 1:]
    passes = (before > 0.0) != (after > 0.0)
    share = np.where(passes, before / np.where(passes, before - after, 1.0), np.nan)
    crossed: Array = values[..., :-1] + share * (values[..., 1:] - values[..., :-1])
    return crossed
