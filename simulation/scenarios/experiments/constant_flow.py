"""Constant flow: the coaxial helicopter in a corridor, as fast as its mean optic flow allows.

It flies faster where the corridor is wider (seed 003, section 7.3). How fast is worked out from the
geometry alone: the motion of what pin-hole cameras see of walls, floor and ceiling. In 2.4 m it
flies with 0.99 to 1.12 of that, by the walls' texture, whose edges image interpolation weighs; in
1.6 m it falls short of 20 counts and more, and it flies 15 to 40 % faster. Place and heading at the
beginning are drawn.
"""

import math
from typing import Final

import numpy as np

from simulation.perception.flow.image_interpolation import COUNTS
from simulation.perception.flow.ring_layout import LAYOUTS, RingLayout
from simulation.scenarios.coaxial_flight import CYCLE_S
from simulation.scenarios.controllers.constant_flow import ConstantFlow
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.flow_flight import fly_in_world
from simulation.scenarios.several_seeds import drawn, fly_seeds

_START_M: Final = (2.0, 0.1, -1.5)
_CEILING_M: Final = 2.5
_ALONG_M, _ASIDE_M, _TURNED_RAD = 1.0, 0.1, math.radians(3.0)
_FOUND_S: Final = 6.0
"""Until it has found its speed."""


def run(experiment: Experiment) -> RunOutcome:
    """See `_flown`."""
    return fly_seeds(experiment, _flown)


def _flown(experiment: Experiment) -> RunOutcome:
    """Mean flow of all cameras and mean speed once it is found, that speed over the one by
    geometry, largest distance from the middle, and for how long it flew."""
    values, seed = experiment.values, experiment.seed
    gains = values["pitch_per_count"], values["pitch_per_count_second"]
    north_m, east_m, down_m = _START_M
    loop = fly_in_world(
        experiment,
        ConstantFlow(values["flow"], *gains),
        (north_m + _ALONG_M * drawn(seed, 0), east_m + _ASIDE_M * drawn(seed, 1), down_m),
        heading_rad=_TURNED_RAD * drawn(seed, 2),
    )
    flows: list[float] = []
    flown_s = loop.fly_for(
        values["seconds"], lambda view: flows.append(float(np.abs(view.flow).mean()))
    )
    found, track = loop.cycles_of(_FOUND_S), loop.flight.track
    is_found = len(flows) > found
    speed_mps = float(track["true_velocity"][found:, 0].mean()) if is_found else math.nan
    by_geometry = values["flow"] / _counts_per_mps(values["width_m"], LAYOUTS["direct"])
    metrics = {
        "mean_flow": float(np.mean(flows[found:])) if is_found else math.nan,
        "speed_mps": speed_mps,
        "speed_by_geometry": speed_mps / by_geometry,
        "largest_m": float(np.abs(np.asarray(track["true_position"])[:, 1]).max()),
        "flown_s": flown_s,
    }
    return loop.outcome(metrics)


def _counts_per_mps(width_m: float, layout: RingLayout) -> float:
    """The mean flow of all cameras at 1 m/s along the middle of the corridor, without any picture.

    A point at the depth Z of a camera whose x axis is X Z to the right of it moves across with
    f (X v_z - v_x) / Z, v being the camera's velocity in its own axes.
    """
    focal_px, _ = layout.focal_px
    middles = np.arange(layout.columns) + 0.5 - layout.columns / 2.0
    right, down = np.meshgrid(middles / focal_px, middles / focal_px)
    below_m, above_m = -_START_M[2], _CEILING_M + _START_M[2]
    flows = []
    for azimuth in layout.azimuths_rad:
        cosine, sine = math.cos(azimuth), math.sin(azimuth)
        nearness = np.maximum(
            np.abs(sine + right * cosine) / (width_m / 2.0),
            np.where(down > 0.0, down / below_m, -down / above_m),
        )
        across = focal_px * (right * cosine + sine) * nearness
        flows.append(float(across[1:-1, 1:-1].mean()))
    return COUNTS * CYCLE_S * float(np.abs(flows).mean())
