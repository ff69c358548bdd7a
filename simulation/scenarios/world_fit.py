"""World fit: whether a scripted flight fits into the world that it is to be flown in."""

from typing import Final

from simulation.autopilot.preset import Preset
from simulation.scenarios.scenario import Scenario
from simulation.simulator.flown_world import FlownWorld

_BY_POSITION: Final = frozenset(("takeoff", "hold", "return"))
"""Steps in which the autopilot holds a position that it has by GPS."""
_MOST_COVERED: Final = 0.6
"""With more of the sky hidden, fewer than four of the usual ten satellites are left."""
_TAKEOFF_M: Final = 2.5
"""FlightModeSettings.AutoTakeOffHeight, if nobody has set it."""
_MODES: Final = "FlightModeSettings"


def what_does_not_fit(scenario: Scenario, preset: Preset, world: FlownWorld) -> str:
    """In sentences, with a remedy; empty if all fits. Raises ParameterError for an aircraft whose
    file is wrong."""
    actions = [step.do for step in scenario.steps if step.do in _BY_POSITION]
    if not actions:
        return ""
    start, found = f"the start '{world.start.name}' of {world.name}", []
    if world.sky_covered_at_start > _MOST_COVERED:
        named = " and ".join(dict.fromkeys(actions))
        found.append(
            f"At {start} a GPS receiver sees hardly any satellites, and {scenario.name} needs them "
            f"for {named}: INS13 does not arm without, and other estimations drift."
        )
    room_m, points = world.room_above_start_m, preset.load_aircraft().parameters["point"]
    tall_m = float(points[:, 2].max() - points[:, 2].min())
    settings = {**preset.objects.get(_MODES, {}), **scenario.settings.get(_MODES, {})}
    climb_m = float(settings.get("AutoTakeOffHeight", _TAKEOFF_M))
    if "takeoff" in actions and room_m < climb_m + tall_m:
        found.append(
            f"{scenario.name} climbs by {climb_m:g} m; above {start} there are {room_m:.1f} m for "
            f"an aircraft that is {tall_m:.2f} m high."
        )
    if found:
        found.append(f"Choose another start (--world {world.name}:start=NAME) or world.")
    return " ".join(found)
