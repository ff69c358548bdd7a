# %% [markdown]
# # Aerodynamics of one's own
#
# A force from outside is given the velocity through the air, the body's rates, the density and the
# deflections of the surfaces, and says force and moment in body axes. So it can stand in for our
# own wing: here with a linear model of lift, a parabola of drag and a linear pitching moment.

# %%
import math
from dataclasses import replace
from typing import Any

from simulation.aircraft.aircraft import load_aircraft
from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import set_euler
from simulation.records.flight import ATTITUDE, POSITION, VELOCITY
from simulation.simulator.external_force import compiled_force
from telemetry.protocol.objects.catalogue import load_catalogue

AREA, CHORD = 0.15, 0.18  # m2, m
LIFT_0, LIFT_SLOPE = 0.2, 4.5  # C_L = C_L0 + C_La a
DRAG_0, DRAG_LIFT = 0.03, 0.06  # C_D = C_D0 + k C_L^2
PITCH_0, PITCH_SLOPE, PITCH_RATE, PITCH_ELEVATOR = 0.04, -0.8, -12.0, -0.9


def wing(e: Any) -> None:
    """Force and moment of the wing, FRD."""
    u, w = e["air_velocity"][0], e["air_velocity"][2]
    speed = math.sqrt(u * u + w * w)
    alpha = math.atan2(w, u)
    pressure = 0.5 * e["air_density"] * speed * speed * AREA
    lift = LIFT_0 + LIFT_SLOPE * alpha
    drag = DRAG_0 + DRAG_LIFT * lift * lift
    damping = PITCH_RATE * e["rates"][1] * 0.5 * CHORD / max(speed, 1.0)
    pitching = PITCH_0 + PITCH_SLOPE * alpha + damping + PITCH_ELEVATOR * e["surface"][0]
    e["force"][0] = pressure * (lift * math.sin(alpha) - drag * math.cos(alpha))
    e["force"][2] = -pressure * (lift * math.cos(alpha) + drag * math.sin(alpha))
    e["moment"][1] = pressure * CHORD * pitching


# %% [markdown]
# The aircraft keeps its mass, inertia, servos and sensors, and loses its wing, its propeller and
# the hand that throws it.

# %%
kind = load_aircraft("sea-vixen")
parameters: Any = kind.parameters.copy()
for member in ("wing_area", "propeller_c_t", "propeller_c_q", "drag_force", "launch_height"):
    parameters[member] = 0.0
glider = factory_simulator(
    load_preset("sea-vixen"), load_catalogue(), aircraft=replace(kind, parameters=parameters)
)
glider.act_with(compiled_force(wing))
glider.command["external"] = 1
glider.output["actuator_command"] = 1500.0
glider.output["actuator_command"][int(parameters["rotor_channel"][0])] = 1000.0  # the motor rests

# %% [markdown]
# ## By hand
#
# A steady glide has no pitching moment, and air forces that carry the weight:
#
#     a = -(C_m0 + C_mde de) / C_ma,  tan g = C_D / C_L,  V = sqrt(2 m g cos g / (rho S C_L))
#
# The elevator at 1500 us stands where the aircraft's file says. Let it begin there.

# %%
elevator = float(glider.record["state"]["surface"][0])
alpha = -(PITCH_0 + PITCH_ELEVATOR * elevator) / PITCH_SLOPE
lift = LIFT_0 + LIFT_SLOPE * alpha
glide = math.atan2(DRAG_0 + DRAG_LIFT * lift * lift, lift)
weight_n = float(parameters["mass"]) * GRAVITY


def glide_speed_mps(density: float) -> float:
    """By the equations above."""
    return math.sqrt(2.0 * weight_n * math.cos(glide) / (density * AREA * lift))


# %%
motion = glider.record["state"]["motion"]
motion[POSITION + 2] = -200.0
glider.advance(1)  # the air of that height is there
speed_mps = glide_speed_mps(SEA_LEVEL_DENSITY * float(glider.output["true_air_density_ratio"]))
motion[VELOCITY : VELOCITY + 3] = (
    speed_mps * math.cos(glide),
    0.0,
    speed_mps * math.sin(glide),
)
set_euler(motion[ATTITUDE : ATTITUDE + 4], 0.0, alpha - glide, 0.0)
glider.advance(20_000)

# %%
north, _, down = glider.output["true_velocity"]
flown_mps = math.hypot(north, down)
flown_glide = math.atan2(down, north)
density = SEA_LEVEL_DENSITY * float(glider.output["true_air_density_ratio"])
print(f"speed {flown_mps:.3f} m/s, by hand {glide_speed_mps(density):.3f} m/s")
print(f"glide ratio {1 / math.tan(flown_glide):.3f}, by hand {1 / math.tan(glide):.3f}")
