"""The made-up flight of the published contract suite, under the name our tests know it by."""

from plugins.testing import (
    LENGTH_S,
    QuietCommands,
    add,
    catalogue,
    live_vehicle,
    replayed_vehicle,
    short_flight,
)

__all__ = [
    "LENGTH_S",
    "QuietCommands",
    "add",
    "catalogue",
    "live_vehicle",
    "replayed_vehicle",
    "short_flight",
]
