"""Chosen ground of a station: the heights of the files that its user gave, for all that show it."""

from telemetry.missions.terrain.elevation import FLAT_GROUND, GroundHeights
from telemetry.vehicle.vehicle import Fleet


class ChosenGround:
    """Holds what was chosen last; whoever opens the files sets it, for the GUI thread only."""

    def __init__(self) -> None:
        self.heights: GroundHeights = FLAT_GROUND


def chosen_ground_of(fleet: Fleet) -> ChosenGround:
    """That of a fleet's station."""
    return fleet.attachment("missions.ground", ChosenGround)
