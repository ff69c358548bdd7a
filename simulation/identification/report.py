"""Report of an identification: the JSON object, and the lines for people."""

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from simulation.identification.fitted_channels import FittedChannel
from simulation.identification.identification import Identification, Told
from telemetry.base.number_text import significant

_MOST_POINTS: Final = 4000
_DIGITS: Final = 3
_NO_DIRECTION_DEG: Final = 60.0
_NOISE: Final = 0.1
"""Of a channel of which less is explained, noise was logged and little else."""


def as_json(found: Identification, file: str, aircraft: str, *, series: bool) -> dict[str, Any]:
    """One object; with `series`, what was logged beside what was synthesised."""
    told = {name: each for name, each in found.told.items() if each.excited}
    report: dict[str, Any] = {
        "file": file,
        "aircraft": aircraft,
        "from_s": found.span_s[0],
        "to_s": found.span_s[1],
        "windows": found.windows,
        "windows_left_out": found.left_out,
        "parameters": {name: _parameter(each) for name, each in found.told.items()},
        "wind": _wind(found),
        "covariance": {"names": list(told), "matrix": found.covariance.tolist()},
        "method": found.method,
        "explained": found.explained if found.channels else None,
        "validation": _validation(found.held_out),
        "residuals": {
            name: {
                "unit": each.unit,
                "rms": each.rms,
                "explained": each.explained,
                "whiteness": each.whiteness,
                "samples": len(each.times),
            }
            for name, each in found.channels.items()
        },
        "refused": found.refused,
        "notes": list(found.notes),
    }
    if series:
        report["series"] = {name: _series(each) for name, each in found.channels.items()}
    return report


def as_lines(found: Identification, file: str, aircraft: str) -> list[str]:
    """For people: each figure with its sigma, and what this flight does not tell and why."""
    against = f" against {aircraft}" if aircraft else ""
    start, end = found.span_s
    lines = [
        f"What {file} tells from {start:.1f} to {end:.1f} s{against}, by {found.windows} windows "
        "of 1 s; +- is one sigma."
    ]
    if found.refused is not None:
        return [*lines, f"Refused: {found.refused}", *found.notes]
    lines += _wind_lines(found)
    reasons: dict[str, list[str]] = {}
    for each in found.told.values():
        if each.excited:
            lines.append(_value_line(each))
        else:
            reasons.setdefault(each.reason, []).append(each.parameter.title)
    lines += [f"Not told: {', '.join(titles)}. {why}" for why, titles in reasons.items()]
    if found.held_out:
        lines.append(_validation_line(found))
    if found.left_out:
        lines.append(f"{found.left_out} windows were left out: the simulator does not repeat them.")
    return [*lines, *found.notes]


def _parameter(told: Told) -> dict[str, Any]:
    q = told.parameter
    return {
        "title": q.title,
        "value": told.value,
        "sigma": told.sigma,
        "unit": q.unit,
        "excited": told.excited,
        "reason": told.reason,
    }


def _validation(held_out: Mapping[str, FittedChannel]) -> dict[str, Any] | None:
    if not held_out:
        return None
    shares = [each.rms / max(each.spread, 1e-9) for each in held_out.values()]
    return {
        "rms": float(np.sqrt(np.mean(np.square(shares)))),
        "sensors": {
            name: {
                "unit": each.unit,
                "rms": each.rms,
                "explained": each.explained,
                "moved": _has_moved(each),
            }
            for name, each in held_out.items()
        },
    }


def _series(channel: FittedChannel) -> dict[str, Any]:
    every = max(1, math.ceil(len(channel.times) / _MOST_POINTS))
    return {
        "unit": channel.unit,
        "time_s": np.round(channel.times[::every], 4).tolist(),
        "logged": channel.logged[::every].tolist(),
        "synthesised": channel.synthesised[::every].tolist(),
    }


def _wind(found: Identification) -> dict[str, Any] | None:
    """Strength and where it comes from, None where it is too weak to say, of two velocities."""
    names = [name for name in found.values if name.startswith(("wind_", "drag_of_wind_"))]
    if len(names) != 2:
        return None
    north, east = (found.values[name] for name in names)
    rows = [list(found.values).index(name) for name in names]
    covariance = found.covariance[np.ix_(rows, rows)]
    size = math.hypot(north, east)
    along = np.array([north, east]) / max(size, 1e-9)
    across = np.array([-along[1], along[0]])
    sigma = math.sqrt(along @ covariance @ along)
    turn = math.degrees(math.sqrt(across @ covariance @ across) / max(size, 1e-9))
    has_direction = turn <= _NO_DIRECTION_DEG
    source = (math.degrees(math.atan2(east, north)) + 180.0) % 360.0
    return {
        "title": "Wind" if names[0].startswith("wind_") else "Drag by the wind",
        "value": size,
        "sigma": sigma,
        "unit": found.told[names[0]].parameter.unit,
        "from_deg": source if has_direction else None,
        "from_sigma_deg": turn if has_direction else None,
    }


def _wind_lines(found: Identification) -> list[str]:
    wind = _wind(found)
    if wind is None:
        return []
    size, sigma = significant(wind["value"], _DIGITS), significant(wind["sigma"], 2)
    strength = f"{wind['title']} {size} +- {sigma} {wind['unit']}"
    if wind["from_deg"] is None:
        return [f"{strength}, too weak to say where from"]
    turn = significant(wind["from_sigma_deg"], 2)
    return [f"{strength} from {wind['from_deg']:.0f} +- {turn} deg"]


def _value_line(told: Told) -> str:
    assert told.value is not None
    assert told.sigma is not None
    places = max(0, 1 - math.floor(math.log10(max(told.sigma, 1e-9))))
    value = f"{told.value:.{places}f} +- {told.sigma:.{places}f}"
    return f"  {told.parameter.title:36} {value:>18} {told.parameter.unit}"


def _validation_line(found: Identification) -> str:
    parts = [
        f"{name} {significant(each.rms, 2)} {each.unit} ({_share(each)})"
        for name, each in found.held_out.items()
    ]
    return (
        "In windows that were not fitted is left, with the share that is explained: "
        f"{', '.join(parts)}."
    )


def _share(channel: FittedChannel) -> str:
    return f"{channel.explained:.0%}" if _has_moved(channel) else "hardly moved"


def _has_moved(channel: FittedChannel) -> bool:
    return channel.explained >= _NOISE
