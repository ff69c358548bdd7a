"""Metrics in words: `hold_rms_m` of 0.4213 is "Hold rms", "0.421 m"."""

import math
from typing import Any

from simulation.scenarios.scenario import Band
from telemetry.base.number_text import significant

_UNITS = {
    "m": "m",
    "mps": "m/s",
    "deg": "°",
    "s": "s",
    "ms": "ms",
    "min": "min",
    "hz": "Hz",
    "a": "A",
    "v": "V",
    "w": "W",
}
_ABBREVIATIONS = {
    "gps": "GPS",
    "nees": "NEES",
    "rms": "rms",
    "ar100b": "AR100B",
    "ar100x6": "AR100X6",
    "ar200": "AR200",
    "std": "standard deviation",
}
_THIN_SPACE = "\u202f"


def title_of(name: str) -> str:
    """A metric's name as words, without its unit."""
    words = name.split("_")
    if len(words) > 1 and words[-1] in _UNITS:
        words = words[:-1]
    text = " ".join(_ABBREVIATIONS.get(word, word) for word in words)
    return text[:1].upper() + text[1:]


def unit_of(name: str) -> str:
    """The unit a metric's name ends with, "" for a plain number."""
    words = name.split("_")
    return _UNITS.get(words[-1], "") if len(words) > 1 else ""


def number_of(value: Any, unit: str) -> str:
    """A value with its unit, as precise as an experiment is; a dash for none."""
    if value is None:
        return "–"
    number = significant(value, 3)
    return f"{number}{_THIN_SPACE if unit != '°' else ''}{unit}" if unit else number


def range_of(band: Band | None, unit: str) -> str:
    """What is allowed, in words; a dash where anything is."""
    if band is None:
        return "–"
    if band.low == -math.inf:
        return f"at most {number_of(band.high, unit)}"
    if band.high == math.inf:
        return f"at least {number_of(band.low, unit)}"
    if band.low == band.high:
        return f"exactly {number_of(band.low, unit)}"
    return f"{number_of(band.low, '')} to {number_of(band.high, unit)}"
