"""Airframe class by SystemSettings.AirframeType: it decides which rules of the firmware count.

As in firmware (sanitycheck.c, GetCurrentFrameType) a VTOL is custom like Custom itself, and the
modules that fly it treat both as VtolPathFollowerSettings.TreatCustomCraftAs says.
"""

from enum import Enum
from typing import Final

from simulation.autopilot.board import SimulatedBoard


class FrameClass(Enum):
    """What kind of vehicle it is."""

    MULTIROTOR = "multirotor"
    HELICOPTER = "helicopter"
    FIXED_WING = "fixed wing"
    GROUND = "ground"
    CUSTOM = "custom"


_MULTIROTORS: Final = frozenset(
    {
        *("QuadX", "QuadP", "Hexa", "HexaX", "HexaH", "HexaCoax", "Tri"),
        *("Octo", "OctoX", "OctoV", "OctoCoaxP", "OctoCoaxX"),
    }
)
_TREATED: Final = {
    "FixedWing": FrameClass.FIXED_WING,
    "VTOL": FrameClass.MULTIROTOR,
    "Ground": FrameClass.GROUND,
}


def frame_class(board: SimulatedBoard) -> FrameClass:
    """The class by the airframe alone, as the configuration check sees it."""
    airframe = board["SystemSettings"].option("AirframeType")
    if airframe in _MULTIROTORS:
        return FrameClass.MULTIROTOR
    if airframe == "HeliCP":
        return FrameClass.HELICOPTER
    if airframe.startswith("FixedWing"):
        return FrameClass.FIXED_WING
    return FrameClass.GROUND if airframe.startswith("GroundVehicle") else FrameClass.CUSTOM


def treated_class(board: SimulatedBoard) -> FrameClass:
    """The class as receiver and arming see it: a custom one is what it is to be treated as."""
    kind = frame_class(board)
    if kind is not FrameClass.CUSTOM:
        return kind
    treated = board["VtolPathFollowerSettings"].option("TreatCustomCraftAs")
    return _TREATED.get(treated, kind)
