# %% [markdown]
# # Below another one
#
# In a fleet with `downwash` every rotorcraft feels the wakes of the others as wind: a round
# turbulent jet whose momentum is the thrust. `simulation/environment/wake.py` says the model, its
# sources, and what it leaves out.

# %%
import math
from typing import Any

from simulation.autopilot.preset import load_preset
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.records.flight import POSITION, ROTOR
from simulation.studies.varied_fleet import varied_fleet
from telemetry.protocol.objects.catalogue import load_catalogue

# %% [markdown]
# Three aircraft run their motors in the air with the same pulses: one at 20 m, one 6 m below it,
# one as low and 5 m beside.

# %%
PLACES = ((0.0, 0.0, -20.0), (0.0, 0.0, -14.0), (5.0, 0.0, -14.0))
catalogue = load_catalogue()
fleet = varied_fleet([load_preset("ar100b")] * len(PLACES), catalogue, downwash=True)
with fleet:
    for simulator, place in zip(fleet.simulators, PLACES, strict=True):
        motion = simulator.record["state"]["motion"]
        motion[POSITION : POSITION + 3] = place
        motion[ROTOR : ROTOR + 4] = 300.0
        simulator.command["external"] = 1
        simulator.output["actuator_command"][:4] = 1600.0
    fleet.advance(200)
    upper, lower, beside = fleet.records["output"].copy()
    fleet.advance(1)  # the force felt is that of the step before

# %% [markdown]
# ## By hand
#
# The upper one's thrust T makes a jet of 5.8 sqrt(4 T / (pi rho)) / z on its axis, far below it.


# %%
def thrust_n(aircraft: Any, wind_down_mps: float) -> float:
    """By the law of the file, see its [propulsion]: a rotor at W rad/s, through which air
    goes at v, gives alpha W^2 + beta W + C_T1 v W. Less what the body's drag takes."""
    p, ratio = fleet.records["parameters"][0], float(aircraft["true_air_density_ratio"])
    through = wind_down_mps - float(aircraft["true_velocity"][2])
    rotors = sum(
        w * (p["alpha"] * w + p["beta"] + p["c_t1"] * through) for w in aircraft["rotor_speed"]
    )
    return ratio * float(rotors - p["drag_force"][2] * abs(through) * through)


apart_m = float(lower["true_position"][2] - upper["true_position"][2])
density = SEA_LEVEL_DENSITY * float(upper["true_air_density_ratio"])
jet_mps = 5.8 * math.sqrt(4.0 * thrust_n(upper, 0.0) / (math.pi * density)) / apart_m
felt_n = -fleet.records["parameters"]["mass"] * fleet.records["output"]["true_specific_force"][:, 2]
print(f"wind at the lower one {lower['true_wind'][2]:.3f} m/s, by hand {jet_mps:.3f} m/s")
print(f"it is lifted by {felt_n[1]:.3f} N, by hand {thrust_n(lower, jet_mps):.3f} N")
print(f"beside it {beside['true_wind'][2]:.1e} m/s and {felt_n[2]:.3f} N")
