"""Spectrum readout: what a chart says of one place, in words."""

import math

import numpy as np

from telemetry.base.number_text import significant
from widgets.plot.window import time_label
from widgets.spectrum.picture import TIME, SpectrumPicture

_FINE_S = 0.1


def read_off(picture: SpectrumPicture, hz: float, across: float) -> str:
    """Frequency and decibels of each line there; of a map also its time or throttle."""
    frequency = f"{significant(hz, 4)} Hz"
    image = picture.image
    if image is None:
        levels = [float(np.interp(hz, line.frequencies, line.level_db)) for line in picture.lines]
        return "   ".join([frequency, *(f"{level:.1f} dB" for level in levels)])
    where = time_label(across, _FINE_S) if picture.across == TIME else f"{across:.0f} %"
    level = image.cell(across, hz)
    known = f"{level:.1f} dB" if math.isfinite(level) else "no data"
    return f"{where}   {frequency}   {known}"
