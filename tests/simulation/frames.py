"""Every frame that the assistant offers and the simulator flies: by which aircraft, wired how.

Written down here apart from our own frames: motors are numbered as LibrePilot's wizard numbers them
(configmultirotorwidget.cpp), the first turns clockwise, and each one against the one before it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from telemetry.configuration.assistant.answers import Answers
from tests.simulation.hand_pilot import WingManners

_ARM, _LONG = 0.42, 0.55
_HEIGHT = -0.05
_CW, _CCW = 1, -1


@dataclass(frozen=True, slots=True)
class FlownFrame:
    """`aircraft` names its file, its airframe and the template of its gains; `deviations` arrange
    its rotors otherwise. `outputs` are chosen where the aircraft is not wired as usual."""

    frame: str
    aircraft: str
    outputs: Mapping[str, int] = field(default_factory=dict)
    manners: WingManners | None = None
    deviations: Mapping[str, Any] = field(default_factory=dict)

    @property
    def answers(self) -> Answers:
        """What the assistant is told of it."""
        esc = "pwm490" if self.manners is None else "pwm50"
        return Answers(frame=self.frame, gains=self.aircraft, outputs=self.outputs, esc=esc)


def _at(degrees: float, arm: float, down: float = _HEIGHT) -> list[float]:
    """A place that far clockwise from ahead, seen from above."""
    angle = math.radians(degrees)
    return [arm * math.cos(angle), arm * math.sin(angle), down]


def _ring(start_deg: float, count: int, arm: float) -> list[list[float]]:
    return [_at(start_deg + 360.0 / count * i, arm) for i in range(count)]


def _pairs(start_deg: float, arm: float) -> list[list[float]]:
    return [_at(start_deg + 90.0 * i, arm, down) for i in range(4) for down in (-0.09, -0.01)]


def _arranged(places: list[list[float]], spins: list[int]) -> Mapping[str, Any]:
    return {"rotors.position_m": places, "rotors.spin": spins}


SHIPPED = (
    FlownFrame("QuadX", "ar100b"),
    FlownFrame("QuadP", "hector"),
    FlownFrame("HexaX", "ar100x6"),
    FlownFrame("HexaCoax", "y6"),
    FlownFrame("Octo", "octocopter"),
    FlownFrame("Tri", "tricopter"),
    FlownFrame(
        "FixedWing",
        "sea-vixen",
        {"Motor": 1, "Elevator1": 2, "Aileron1": 3, "Aileron2": 4, "Elevator2": 0, "Rudder1": 0},
        WingManners(14.0, 0.60, 3.0),
    ),
    FlownFrame(
        "FixedWingElevon",
        "skywalker-x8",
        {"Rudder1": 0, "Rudder2": 0},
        WingManners(17.0, 0.48, 2.5),
    ),
    FlownFrame("FixedWingVtail", "electric-aerosonde", manners=WingManners(26.0, 0.80, 3.0)),
)
_SIDES = [[0.42, 0.30], [0.0, 0.30], [-0.42, 0.30], [-0.42, -0.30], [0.0, -0.30], [0.42, -0.30]]
_VEE = [
    *([0.2, 0.45], [0.6, 0.55], [-0.6, 0.25], [-0.2, 0.35]),
    *([-0.2, -0.35], [-0.6, -0.25], [0.6, -0.55], [0.2, -0.45]),
]
_SIX, _EIGHT = [_CW, _CCW] * 3, [_CW, _CCW] * 4
REARRANGED = (
    FlownFrame("Hexa", "ar100x6", deviations=_arranged(_ring(0.0, 6, _ARM), _SIX)),
    FlownFrame(
        "HexaH", "ar100x6", deviations=_arranged([[*place, _HEIGHT] for place in _SIDES], _SIX)
    ),
    FlownFrame("OctoX", "octocopter", deviations=_arranged(_ring(22.5, 8, _LONG), _EIGHT)),
    FlownFrame(
        "OctoV", "octocopter", deviations=_arranged([[*place, _HEIGHT] for place in _VEE], _EIGHT)
    ),
    FlownFrame("OctoCoaxP", "octocopter", deviations=_arranged(_pairs(0.0, _LONG), _EIGHT)),
    FlownFrame("OctoCoaxX", "octocopter", deviations=_arranged(_pairs(-45.0, _LONG), _EIGHT)),
)
"""Those without an aircraft of their own: the rotors of another one, in their order and places."""
