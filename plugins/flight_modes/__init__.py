"""Flight modes, arming and failsafe: what the switch does, how it is armed, what saves it."""

from plugins.api import Page, Plugin

PLUGIN = Plugin(
    id="flight_modes",
    title="Flight modes, arming, failsafe",
    description="What each position of the switch does, how the aircraft is armed and why it may "
    "not arm, and what happens when receiver or battery fail.",
    pages=(
        Page(
            id="modes",
            title="Flight modes",
            widget="plugins.flight_modes.page:FlightModesPage",
            order=50,
            objects=(
                "FlightModeSettings",
                "ManualControlSettings.FlightModeNumber",
                "ManualControlSettings.FailsafeFlightModeSwitchPosition",
                "ManualControlSettings.FailsafeChannel",
                "ManualControlSettings.FailsafeBehavior",
                "StabilizationSettings.FlightModeMap",
                "StabilizationSettings.FlightModeAssistMap",
            ),
            words="switch position stabilized bank assist arming arm disarm checklist gesture "
            "failsafe battery return to base land takeoff",
            help="What each position of the flight mode switch does, how the aircraft is armed, "
            "and what it does when the receiver or the battery fails.",
        ),
    ),
)
