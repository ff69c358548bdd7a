"""Stabilization: gains and curves in three banks, tuned in flight or tried before."""

from plugins.api import Page, Plugin

PLUGIN = Plugin(
    id="stabilization",
    title="Stabilization",
    description="Gains, stick curves and assists in three banks, and tuning them while flying.",
    pages=(
        Page(
            id="stabilization",
            title="Stabilization",
            widget="plugins.stabilization.page:StabilizationPage",
            order=60,
            objects=(
                "StabilizationSettingsBank1",
                "StabilizationSettingsBank2",
                "StabilizationSettingsBank3",
                "StabilizationSettings",
                "AltitudeHoldSettings",
            ),
            words="pid gains tuning tune bank rate attitude expo curve tps thrust scaling cruise "
            "control altitude hold acro rattitude weak leveling axis lock oscillation step test",
            help="Three sets of gains, and which position of the flight mode switch uses which. "
            "Nothing is sent before you press Apply, except by live tuning, which says so.",
        ),
    ),
)
