# %% [markdown]
# # A flight as a table
#
# An `OutputTrack` takes rows of everything the simulation knows of an aircraft. It becomes columns
# with axis and unit in their names, a DataFrame, or a Parquet file. On the command line the same is
# `lapwing sim fly NAME --track flight.parquet --record-rate 1000`.

# %%
import tempfile
from pathlib import Path

import numpy as np

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.records.flight import POSITION
from simulation.scenarios.track import OutputTrack
from telemetry.protocol.objects.catalogue import load_catalogue

# %% [markdown]
# Drop an aircraft from 50 m, motors off, and look at it after every step, which is one millisecond.

# %%
simulator = factory_simulator(load_preset("ar100b"), load_catalogue())
simulator.record["state"]["motion"][POSITION + 2] = -50.0
track = OutputTrack(("true_position", "true_velocity", "true_specific_force", "accel"))
simulator.watch(track.add, every=1)
simulator.advance(1000)

# %%
flight = track.frame().set_index("time_s")
print(flight[["true_position_down_m", "true_velocity_down_mps"]].describe())

# %% [markdown]
# Where it is differs from where its speed, added up, takes it by less than a micrometre.

# %%
fallen_m = flight["true_position_down_m"].iloc[-1] - flight["true_position_down_m"].iloc[0]
added_up_m = float(np.trapezoid(flight["true_velocity_down_mps"], flight.index))

# %% [markdown]
# Parquet keeps every number to the bit.

# %%
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "flight.parquet"
    track.save(path)
    size_bytes = path.stat().st_size
print(f"{len(track)} rows in {size_bytes} bytes; fell {fallen_m:.3f} m")
