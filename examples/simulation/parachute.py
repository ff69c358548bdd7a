# %% [markdown]
# # A table as a force
#
# What was measured, or computed elsewhere, comes as a table: here the drag of a parachute over the
# airspeed. The first column says over what it is, the others are any of force (body axes or NED),
# moment, and the point where the force acts. On the command line it is a CSV file with these
# columns: `lapwing sim fly --force parachute.csv`.

# %%
import math

import numpy as np

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.environment.earth import GRAVITY
from simulation.records.flight import POSITION
from simulation.simulator.force_table import force_table, table_force
from telemetry.protocol.objects.catalogue import load_catalogue

DRAG_N_PER_MPS2 = 0.9  # half the density times C_D A
speeds_mps = np.linspace(0.0, 20.0, 401)
parachute = force_table(
    {
        "airspeed_mps": speeds_mps,
        "force_z_n": -DRAG_N_PER_MPS2 * speeds_mps**2,  # it falls flat: up is against z
        "point_z_m": np.full(speeds_mps.size, -0.2),  # above the centre of mass
    }
)

# %%
simulator = factory_simulator(load_preset("ar100b"), load_catalogue())
simulator.record["state"]["motion"][POSITION + 2] = -100.0
simulator.act_with(table_force(parachute))
simulator.advance(8000)
sinks_mps = float(simulator.output["true_velocity"][2])

# %% [markdown]
# By hand: the parachute's drag and the aircraft's own carry the weight.

# %%
parameters = simulator.record["parameters"]
own = float(parameters["drag_force"][2] * simulator.output["true_air_density_ratio"])
weight_n = float(parameters["mass"]) * GRAVITY
by_hand_mps = math.sqrt(weight_n / (DRAG_N_PER_MPS2 + own))
print(f"sinks at {sinks_mps:.3f} m/s, by hand {by_hand_mps:.3f} m/s")
