"""D4: what the configurations A, B and C of the ring see of the same turning (seed 003, figure 38).

Their pictures have 16, 32 and 64 columns for the same 75 degrees, so a turn moves them by 1 : 2 : 4
pixels. Image interpolation finds somewhat less of the larger motions, and beyond a pixel it falls
short altogether: C first, as the seed saw.
"""

import hashlib
from dataclasses import replace
from typing import Final

import numpy as np

from simulation.perception.flow.ring_layout import LAYOUTS
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.experiments.ring_turning import turned
from simulation.scenarios.figure import Axes, Figure, series
from simulation.scenarios.flow_flight import seen_world

_PICTURES: Final = 16
_RATES: Final = (1.0, 2.0)
_SLOW, _FAST = range(2)


def run(experiment: Experiment) -> RunOutcome:
    """Sensitivities relative to A, by geometry and as measured, counts per rad/s, and the share of
    it that is still found at twice the rate."""
    seen = seen_world("corridor:texture=noise", experiment.seed)
    columns = int(experiment.values["columns_of_c"])
    layouts = {name: LAYOUTS[name] for name in "AB"}
    layouts["C"] = replace(LAYOUTS["C"], columns=columns)
    found = {
        name: [turned(seen, layout, rate, _PICTURES).per_radps for rate in _RATES]
        for name, layout in layouts.items()
    }
    focal = {name: layout.focal_px[0] for name, layout in layouts.items()}
    metrics = {f"{name.lower()}_per_radps": rates[_SLOW] for name, rates in found.items()}
    for name in "BC":
        metrics[f"geometric_{name.lower()}"] = focal[name] / focal["A"]
        metrics[f"measured_{name.lower()}"] = found[name][_SLOW] / found["A"][_SLOW]
    kept = {name: rates[_FAST] / rates[_SLOW] for name, rates in found.items()}
    metrics |= {f"kept_{name.lower()}": share for name, share in kept.items()}
    metrics["c_falls_short_first"] = kept["B"] - kept["C"]
    digest = hashlib.sha256(np.array(list(found.values())).tobytes()).hexdigest()
    lines = tuple(
        series(name, np.array(_RATES), np.array(rates) * _RATES) for name, rates in found.items()
    )
    axes = Axes("Mean flow while turning left", "rad/s", "counts", lines)
    return RunOutcome(metrics, Figure("Configurations of the ring", (axes,)), digest)
