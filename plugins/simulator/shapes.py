"""What an aircraft looks like in space, from its airframe type alone.

Drawings for the eye, about the size of a model; the physics is told in resources/aircraft.
"""

import math

from widgets.scene.scene import Shape

_ARM_M = 0.35
_ROTOR_M = 0.16
_NOSE = ((0.0, 0.0, 0.0), (0.18, 0.0, 0.0))
# How many arms a frame has, and whether the nose points along one (0) or between two (1/2).
_ARMS = {
    "Tri": (3, 0.5),
    "QuadX": (4, 0.5),
    "QuadP": (4, 0.0),
    "HexaCoax": (3, 0.5),
    "HexaX": (6, 0.5),
    "HexaH": (6, 0.5),
    "Hexa": (6, 0.0),
    "OctoV": (8, 0.5),
    "OctoCoaxP": (4, 0.0),
    "OctoCoaxX": (4, 0.5),
    "OctoX": (8, 0.5),
    "Octo": (8, 0.0),
}
_WINGS = Shape(
    lines=(
        ((0.45, 0.0, 0.0), (-0.45, 0.0, 0.0)),
        ((0.10, 0.0, 0.0), (-0.08, -0.45, -0.03)),
        ((0.10, 0.0, 0.0), (-0.08, 0.45, -0.03)),
        ((-0.08, -0.45, -0.03), (-0.08, 0.45, -0.03)),
        ((-0.40, -0.16, 0.0), (-0.40, 0.16, 0.0)),
        ((-0.30, 0.0, 0.0), (-0.44, 0.0, -0.14)),
        ((-0.44, 0.0, -0.14), (-0.44, 0.0, 0.0)),
    )
)


def shape_of(airframe_type: str) -> Shape:
    """The drawing for an option of SystemSettings.AirframeType; a quadrotor for unknown ones."""
    if airframe_type.startswith("FixedWing"):
        return _WINGS
    arms, turned = _ARMS.get(airframe_type, _ARMS["QuadX"])
    angles = [2.0 * math.pi * (i + turned) / arms for i in range(arms)]
    hubs = tuple((_ARM_M * math.cos(a), _ARM_M * math.sin(a), -0.03) for a in angles)
    return Shape(hubs, _ROTOR_M * min(1.0, 4.0 / arms), (_NOSE,))
