"""Plan summary: how long, how far and what of the battery, in one line."""

from plugins.plan.outline_tool import length_words
from plugins.plan.shared_plan import SharedPlan
from plugins.plan.simulated_flight import PredictedFlight
from plugins.plan.waypoint_table import time_words
from telemetry.base.statement import Statement
from telemetry.missions.estimate import MissionEstimate

_ENDS = "the plan, home, the wind or what is known of the aircraft changes"


def plan_summary(plan: SharedPlan) -> Statement | None:
    """As it went in the simulator, where that was the plan as it is now; else estimated."""
    assessment, flown = plan.assessment, plan.predicted
    if not assessment.question.mission.waypoints:
        return None
    if flown is not None and flown.times_s and not flown.problem:
        words = _flown_words(flown, plan.flying.wind_mps)
    else:
        words = _estimate_words(assessment.estimate)
    return Statement(words, version=assessment.question.mission, ends=_ENDS)


def summary_basis(plan: SharedPlan) -> str:
    """What the figures of an estimate stand on, a line each."""
    found = plan.assessment.estimate
    return "\n".join(found.basis) if found is not None else ""


def _flown_words(flown: PredictedFlight, wind_mps: float) -> str:
    used = flown.energies_percent[0] - flown.energies_percent[-1]
    wind = f"in {wind_mps:g}\u202fm/s wind" if wind_mps else "without wind"
    return (
        f"{time_words(flown.times_s[-1])}, {length_words(flown.distances_m[-1])}, "
        f"{used:.0f}\u202f% of the battery {wind}"
    )


def _estimate_words(found: MissionEstimate | None) -> str:
    if found is None:
        return "Home is not known yet."
    words = f"About {time_words(found.time_s)}, {length_words(found.distance_m)}"
    if found.is_endless:
        words += " until it stays"
    if found.battery_percent is not None:
        words += f", {found.battery_percent:.0f}\u202f% of the battery"
    return words if found.is_endless else f"{words} without wind"
