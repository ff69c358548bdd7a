"""Report words: what `lapwing identify` and `lapwing tune` have found, as rows and sentences."""

import math
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from plugins.identification.value_table import ValueRow
from telemetry.base.finding import Level
from telemetry.base.number_text import significant
from telemetry.base.statement import Statement

_MOST_DECIMALS = 6
_THIN = "\u202f"
_SHARES = ("", "share")
Json = Mapping[str, Any]


def measured(value: float | None, sigma: float | None) -> str:
    """A value with its standard deviation, of which two digits count."""
    if value is None:
        return "–"
    if not sigma:
        return significant(value, 3)
    decimals = min(_MOST_DECIMALS, max(0, 1 - math.floor(math.log10(sigma))))
    return f"{value:.{decimals}f} ± {sigma:.{decimals}f}"


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "–" if share is None else f"{100.0 * share:.0f}{_THIN}%"


def parameter_rows(report: Json) -> list[ValueRow]:
    """The parameters, those last that the flight does not tell."""
    parameters: Json = report["parameters"]
    return [
        ValueRow(
            (found["title"], _value_text(found)), "text" if found["excited"] else "muted", name
        )
        for name, found in sorted(parameters.items(), key=lambda one: not one[1]["excited"])
    ]


def _value_text(found: Json) -> str:
    """A value with its unit, or why there is none."""
    value = f"{measured(found['value'], found['sigma'])}{_THIN}{found['unit']}"
    if found["excited"]:
        return value
    unsure = f" ({value})" if found["value"] is not None else ""
    return f"Not told by this flight{unsure}: {found['reason']}"


def explained_words(report: Json) -> str:
    """The wind, how much of the flight is explained, and how much of what was checked."""
    words = [_wind_words(report["wind"])]
    if report["explained"] is not None:
        words.append(f"Explains {percent(report['explained'])} of what the sensors say.")
    words.append(_held_out_words(report["validation"]))
    left_out = report["windows_left_out"]
    if left_out:
        words.append(f"{left_out} windows were left out: the simulator does not repeat them.")
    return " ".join(filter(None, [*words, *report["notes"]]))


def _wind_words(wind: Json | None) -> str:
    if wind is None:
        return ""
    strength = f"{wind['title']} {measured(wind['value'], wind['sigma'])}{_THIN}{wind['unit']}"
    if wind["from_deg"] is None:
        return f"{strength}, too weak to say where from."
    turn = significant(wind["from_sigma_deg"], 2)
    return f"{strength} from {wind['from_deg']:.0f}° ± {turn}°."


def _held_out_words(validation: Json | None) -> str:
    sensors: Json = validation["sensors"] if validation else {}
    shares = [one["explained"] for one in sensors.values() if one["moved"]]
    still = [sensor_title(name) for name, one in sensors.items() if not one["moved"]]
    words = []
    if shares:
        words.append(f"{percent(min(shares))} to {percent(max(shares))} by sensor")
    if still:
        words.append(f"{', '.join(still)} hardly moved")
    return f"In a part of the flight that was held out: {'; '.join(words)}." if words else ""


def sensor_title(name: str) -> str:
    """A sensor as people read it."""
    return name.replace("_", " ")


def sensor_words(report: Json, sensor: str) -> str:
    """How well one sensor is explained, and what is left."""
    words = []
    held_out = (report["validation"] or {"sensors": {}})["sensors"].get(sensor)
    if held_out is not None:
        rms = f"{significant(held_out['rms'], 3)}{_THIN}{held_out['unit']}".rstrip()
        share = f"{percent(held_out['explained'])} explained"
        words.append(f"Held out: {share if held_out['moved'] else 'hardly moved'}, {rms} rms.")
    left = report["residuals"].get(sensor)
    if left is not None:
        rms = f"{significant(left['rms'], 3)}{_THIN}{left['unit']}".rstrip()
        words.append(
            f"Residual: {rms} rms of {left['samples']:,} samples, whiteness "
            f"{significant(left['whiteness'], 2)} (0.95 where only noise is left)."
        )
    return " ".join(words)


def figure_scale(unit: str) -> tuple[float, str]:
    """By what a figure is multiplied to be shown, and in what unit."""
    if unit == "s":
        return 1000.0, "ms"
    return (100.0, "%") if unit in _SHARES else (1.0, unit)


def figure_text(value: float | None, unit: str) -> str:
    """A figure of a step or of a loop; None is for what never comes, or is not there."""
    if value is None:
        return "never" if unit == "s" else "–"
    factor, shown = figure_scale(unit)
    return f"{significant(factor * value, 3)}{_THIN}{shown}"


def target_text(objective: Json) -> str:
    """What an objective should come to."""
    if objective["target"] is None:
        return ""
    sign = "≤" if objective["better"] == "less" else "≥"
    return f"{sign}{_THIN}{figure_text(objective['target'], objective['unit'])}"


def objective_rows(report: Json, choice: Json) -> list[ValueRow]:
    """The figures of the present gains and of a choice, beside what they should come to."""
    present = report["present"]
    return [
        ValueRow(
            (
                one["title"],
                target_text(one),
                figure_text(present["figures"].get(one["name"]), one["unit"]),
                figure_text(choice["figures"].get(one["name"]), one["unit"]),
            ),
            "danger" if _is_missed(one, choice["figures"].get(one["name"])) else "text",
            one["name"],
        )
        for one in report["objectives"]
    ]


def _is_missed(objective: Json, value: float | None) -> bool:
    target = objective["target"]
    if target is None:
        return False
    if value is None:
        return True
    return bool(value > target if objective["better"] == "less" else value < target)


def confidence_words(report: Json, choice: Json) -> str:
    """What the choice rests on, and what it misses."""
    is_chosen = choice["settings"] == report["settings"]
    words = [report["uncertainty"]["text"], *choice["misses"]]
    if is_chosen:
        words.append(report["reason"])
    seen = report.get("validation")
    if seen and is_chosen:
        words.append(
            f"{seen['inside']} of {seen['flights']} flights that the search has not seen meet the "
            "targets."
        )
    return " ".join(filter(None, [*words, *report["notes"]]))


def about(report: Json, made: datetime, *, is_shown: bool) -> Statement:
    """What a report is of and since when it has been there; `is_shown` says whether the window
    shows that log."""
    log = report["file"]
    words = f"Of {log}, {report['from_s']:.1f} to {report['to_s']:.1f}{_THIN}s"
    if report["aircraft"]:
        words += f", with {Path(report['aircraft']).name}"
    words += f"; worked out at {made:%H:%M}."
    if not is_shown:
        words += " Another flight is shown now."
    return Statement(words, about=log, level=Level.INFO if is_shown else Level.WARNING)


def tuned_about(report: Json, source: str, made: datetime) -> Statement:
    """Which aircraft gains are for and since when they have been there; `source` says what the
    aircraft is taken to be like."""
    words = f"For {report['title']}, {source}; worked out at {made:%H:%M}."
    return Statement(words, about=report["aircraft"], ends="it is tuned again")
