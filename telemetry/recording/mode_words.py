"""Mode words: a flight mode as a pilot says it, for every view of a flight.

What is set up and what is analysed has the names of the wire (`PositionHold`); what is flown by
has these words ("Position hold").
"""

import re
from functools import lru_cache
from typing import Final

_OWN: Final = {
    "AcroPlus": "Acro plus",
    "AutoTakeoff": "Automatic take-off",
    "AutoTune": "Autotune",
    "LQG": "LQG",
    "LQGLeveling": "LQG leveling",
    "MWRate": "MultiWii rate",
    "POI": "Point of interest",
    "PathPlanner": "Mission",
    "PositionVarioFPV": "Position vario by nose",
    "PositionVarioLOS": "Position vario by sight",
    "PositionVarioNSEW": "Position vario by compass",
}
"""Words that are not those of the name."""
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=64)
def mode_words(name: str | None) -> str:
    """The words for an option of FlightStatus.FlightMode; what is no name stays as it is, and an
    unknown mode is told by no words."""
    if name is None:
        return ""
    if name in _OWN or not name.isidentifier():
        return _OWN.get(name, name)
    first, *others = _PARTS.findall(name) or [name]
    return " ".join((first, *(part if part.isupper() else part.lower() for part in others)))
