# %% [markdown]
# # A fleet of aircraft that are not quite equal
#
# Batteries, propellers and scales differ from one aircraft to the next. How much does that matter?
# `varied_fleet` fills a fleet from presets. What varies is named and said as in the table [vary] of
# a study (`simulation.studies`): by a distribution of values, or of factors on what the aircraft
# has; or it is an array of values.

# %%
import numpy as np

from simulation.autopilot.preset import load_preset
from simulation.records.flight import POSITION
from simulation.studies.varied_fleet import Vary, varied_fleet
from telemetry.protocol.objects.catalogue import load_catalogue

COUNT = 40
vary: Vary = {
    "aircraft.mass_kg": {"normal": [1.0, 0.05], "limits": [0.8, 1.2], "relative": True},
    "aircraft.inertia_kgm2": {"uniform": [0.9, 1.1], "relative": True},
    "settings.StabilizationSettingsBank1.RollRatePID.Kp": np.linspace(0.002, 0.004, COUNT),
}
fleet = varied_fleet([load_preset("ar100b")] * COUNT, load_catalogue(), seed=7, vary=vary)

# %% [markdown]
# All motors get the same pulse from outside, high above the ground. After 0.3 s the rotors run, and
# the force that an aircraft feels times its mass is their thrust.

# %%
with fleet:
    for simulator in fleet.simulators:
        simulator.record["state"]["motion"][POSITION + 2] = -100.0
        simulator.command["external"] = 1
        simulator.output["actuator_command"][:4] = 1700.0
    fleet.advance(300)

# %% [markdown]
# `records` holds all of them as one array. The thrust is nearly the same for all: only that lighter
# ones climb faster already, which costs them some.

# %%
mass_kg = fleet.records["parameters"]["mass"]
thrust_n = -mass_kg * fleet.records["output"]["true_specific_force"][:, 2]
climb_mps = -fleet.records["output"]["true_velocity"][:, 2]
print(f"masses {mass_kg.mean():.3f} kg +- {mass_kg.std() / mass_kg.mean():.1%}")
print(f"thrust {thrust_n.mean():.2f} N +- {thrust_n.std() / thrust_n.mean():.1%}")
