"""The air around the aircraft: temperature, pressure and density, and how it moves."""

from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.atmosphere import (
    SEA_LEVEL_DENSITY,
    density_of,
    pressure_pa,
    temperature_k,
)
from simulation.environment.earth import update_gravity
from simulation.environment.turbulence import add_turbulence
from simulation.environment.wind import add_gust, set_mean_wind
from simulation.mathematics.rotation import to_body
from simulation.mathematics.vectors import between, length
from simulation.records.flight import ATTITUDE, POSITION, RATES, VELOCITY
from simulation.records.interface import STEP_S

PERIOD = 20
"""Steps between changes of the air."""
LEAST_SPEED_MPS = 2.0
"""Turbulence and gusts pass a hovering aircraft at least this fast: they drift with the air, but
they also change in time, which the frozen field of the theory leaves out."""


@njit_part
def velocity_through_air(s: Any, x: Any) -> tuple[float, float, float]:
    """How the aircraft, in the motion `x`, moves through the air: body axes, m/s."""
    north, east, down = between(s["wind"], x[VELOCITY : VELOCITY + 3])
    return to_body(x[ATTITUDE : ATTITUDE + 4], north, east, down)


@njit_part
def motion_through_air(s: Any, x: Any) -> tuple[float, float, float, float, float, float]:
    """How the aircraft, in the motion `x`, moves and turns through the air: body axes, m/s and
    rad/s."""
    ahead, right, down = velocity_through_air(s, x)
    roll, pitch, yaw = between(s["air_rates"], x[RATES : RATES + 3])
    return ahead, right, down, roll, pitch, yaw


@njit_part
def speed_through_air(s: Any) -> float:
    """How fast the aircraft moves through the air, m/s."""
    return length(between(s["wind"], s["motion"][VELOCITY : VELOCITY + 3]))


@njit_shared
def update_air(p: Any, w: Any, s: Any, step: int) -> None:
    """Set state and velocity of the air around the aircraft, and gravity there, for the next PERIOD
    steps."""
    update_gravity(w, s)
    altitude = w["altitude"] - s["motion"][POSITION + 2]
    height = s["ground"] - s["motion"][POSITION + 2]
    s["air_temperature"] = temperature_k(altitude, w["weather_warmer"])
    s["air_pressure"] = pressure_pa(altitude, w["weather_warmer"], w["weather_pressure"])
    density = density_of(s["air_pressure"], s["air_temperature"])
    s["air_density_ratio"] = density / SEA_LEVEL_DENSITY
    time_s = step * STEP_S
    set_mean_wind(w, s, height, time_s)
    # By the mean wind: if a gust brought the next one sooner, the wind would be weak for longer
    # than it is strong, and its mean over time would be less by the gusts' variance over itself.
    distance = max(speed_through_air(s), LEAST_SPEED_MPS) * PERIOD * STEP_S
    add_turbulence(w, s, (height, p["gust_span"]), (distance, step // PERIOD))
    add_gust(w, s, time_s, distance)
    for i in range(3):
        if w["wake"][i] != 0.0:
            s["wind"][i] += w["wake"][i]
