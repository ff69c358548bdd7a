"""Parameters that fly the same scenario for a shorter time, or fewer times: those of the tests.

With LAPWING_ALL_WAYS=1 they are flown as they ship.
"""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

IN_FULL: Final = "LAPWING_ALL_WAYS" in os.environ

SHORTENED: Final[Mapping[str, Mapping[str, float]]] = (
    MappingProxyType({})
    if IN_FULL
    else MappingProxyType(
        {
            "baro-offset": {"days": 80},
            "camera-faults": {"counted_s": 10},
            "coaxial-speed": {"seeds": 1},
            "coaxial-altitude": {"duration_s": 40, "seeds": 2},
            "constant-flow": {"seconds": 15, "seeds": 2},
            "corridor": {"seconds": 24, "seeds": 2},
            "dead-time": {"seconds": 40},
            "endurance": {"other_speeds": 0},
            "estimation": {"runs": 16},
            "gps-coupling": {"seconds": 600},
            "hover-command": {"still_s": 20, "seeds": 1},
            "hover-in-place": {"seconds": 30, "seeds": 1},
            "lidar-map": {"stops": 2, "seeds": 1},
            "obstacle-avoidance": {"seconds": 20, "seeds": 2},
            "sensor-statistics": {"seconds": 1500},
            "speed-independence": {"program_s": 2, "served_s": 10},
            "wall-following": {"seconds": 14, "seeds": 2},
            "yaw-stop": {"seeds": 1},
        }
    )
)


def shortened(name: str, changes: Mapping[str, float] = MappingProxyType({})) -> dict[str, float]:
    """What is set of a shipped scenario, `changes` above all."""
    return {**SHORTENED.get(name, {}), **changes}


def once(name: str, changes: Mapping[str, float] = MappingProxyType({})) -> dict[str, float]:
    """The same, with one seed where it is shortened."""
    values = SHORTENED.get(name, {})
    return {**values, **dict.fromkeys(values.keys() & {"seeds"}, 1), **changes}
