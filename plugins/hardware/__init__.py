"""Hardware: ports, modules and what is plugged in: GPS, battery, gimbal, radio and the rest."""

from plugins.api import Page, Plugin
from plugins.hardware.sections import OBJECTS

PLUGIN = Plugin(
    id="hardware",
    title="Hardware and modules",
    description="What each port of the board is for, and the settings of what is plugged in.",
    pages=(
        Page(
            id="modules",
            title="Hardware",
            widget="plugins.hardware.page:HardwarePage",
            order=80,
            objects=OBJECTS,
            words="ports uart telemetry gps battery gimbal camera txpid autotune radio oplink osd",
            help="What each port is for, and the settings of what is plugged in. The board takes "
            "ports and modules over when it restarts.",
        ),
    ),
)
