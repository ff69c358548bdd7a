"""A sound aircraft as its settings, with some of them changed."""

from collections.abc import Mapping
from typing import Any

from telemetry.configuration.flight_modes.check import Equipment, check_flight_modes
from telemetry.configuration.settings.slots import default_values
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.recording.sample import Values

SOUND: dict[str, dict[str, Any]] = {
    "FlightModeSettings": {
        "Arming": "Yaw Right",
        "FlightModePosition.2": "PositionHold",
        "Stabilization2Settings.Thrust": "AltitudeVario",
    },
    "ManualControlSettings": {
        "ChannelGroups.FlightMode": "PPM",
        "ChannelNumber.FlightMode": 5,
        "FailsafeFlightModeSwitchPosition": 0,
    },
    "RevoSettings": {"FusionAlgorithm": "GPS Navigation (INS13)"},
    "HwSettings": {"OptionalModules.GPS": "Enabled", "OptionalModules.Battery": "Enabled"},
    "SystemSettings": {"AirframeType": "QuadX"},
    "StabilizationSettings": {},
}
HAS_ALL = Equipment(has_barometer=True, waypoints=3)


class Settings:
    """The values of an object by path."""

    def __init__(self, catalogue: Catalogue, **changed: Mapping[str, Any]) -> None:
        self._values = {
            name: {
                **default_values(catalogue.find(name, DEFAULT_RELEASE)),
                **sound,
                **changed.get(name, {}),
            }
            for name, sound in SOUND.items()
        }

    def __call__(self, name: str) -> Values:
        return self._values.get(name, {})


def codes(
    catalogue: Catalogue, equipment: Equipment = HAS_ALL, **changed: Mapping[str, Any]
) -> set[str]:
    """What is found, by code."""
    return {f.code for f in check_flight_modes(Settings(catalogue, **changed), equipment)}
