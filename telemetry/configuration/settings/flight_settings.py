"""Flight settings: those that a simulated aircraft takes over from a real one.

They say how an aircraft is flown, whatever body it has."""

from typing import Final

AS_FLOWN: Final = (
    "StabilizationSettings",
    "StabilizationSettingsBank1",
    "StabilizationSettingsBank2",
    "StabilizationSettingsBank3",
    "AltitudeHoldSettings",
    "FlightModeSettings",
    "VtolPathFollowerSettings",
    "FixedWingPathFollowerSettings",
    "GroundPathFollowerSettings",
)
"""What belongs to the real body stays with it: sensors' corrections, outputs, receiver and ports
would be wrong on a simulated one."""
_NOT_TAKEN: Final = ("Arming",)


def says_how_it_is_flown(name: str, path: str) -> bool:
    """Whether a setting is one of them."""
    return name in AS_FLOWN and path.partition(".")[0] not in _NOT_TAKEN
