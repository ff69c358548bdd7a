"""Optic flow vectors of a stream as directions and angular speeds, in the sensor's axes.

What streams say: an optic-flow module has "flow x" and "flow y", radians to the right and down over
its "integration time"; a ring has "camera N right" and "camera N down" for each camera at its
azimuth, pixels or counts of them since the sample before.
"""

from dataclasses import dataclass

import numpy as np

from telemetry.protocol.streams.samples import StreamDescription, ValueSample
from widgets.scene3d.scene import Floats

_MODULE = ("flow x", "flow y", "integration time")
_RING = "camera 0 right"


@dataclass(frozen=True, slots=True, eq=False)
class FlowVectors:
    """Where each camera looks, (n, 3) of length 1, and how what it sees moves, (n, 3), rad/s."""

    sights: Floats
    ways: Floats


def flow_vectors(description: StreamDescription, sample: ValueSample) -> FlowVectors | None:
    """None for a stream without flow, and where a sample has none."""
    names = list(description.details.get("names", ()))
    if all(name in names for name in _MODULE):
        right, down, lasted_us = (float(sample.values[names.index(name)]) for name in _MODULE)
        if lasted_us <= 0.0:
            return None
        way = np.array([[0.0, right, down]]) / (lasted_us * 1e-6)
        return FlowVectors(np.array([[1.0, 0.0, 0.0]]), way)
    return _of_ring(description, sample) if _RING in names else None


def _of_ring(description: StreamDescription, sample: ValueSample) -> FlowVectors | None:
    details = description.details
    azimuths = np.asarray(details.get("azimuths_rad", ()), np.float64)
    units = list(details.get("units", ()))
    counts = float(details.get("counts_per_px", 1.0)) if "counts" in units else 1.0
    flow = sample.values.reshape(len(azimuths), -1)[:, :2]
    if not len(azimuths) or not np.isfinite(flow).all():
        return None
    focal = np.asarray(details.get("focal_px", (1.0, 1.0)), np.float64)
    right, down = (flow / (focal * counts) * description.rate_hz).T
    sine, cosine, level = np.sin(azimuths), np.cos(azimuths), np.zeros(len(azimuths))
    sights = np.column_stack((cosine, sine, level))
    return FlowVectors(sights, np.column_stack((-sine * right, cosine * right, down)))
