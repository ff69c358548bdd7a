"""Warnings: the rules by which a live flight is watched, their state, and how they are told."""

from plugins.api import Action, Panel, Plugin

PLUGIN = Plugin(
    id="warnings",
    title="Warnings",
    description="What is spoken and shown of a live flight, by rules that can be edited.",
    panels=(
        Panel(
            id="rules",
            title="Warnings",
            widget="plugins.warnings.panel:WarningsPanel",
            least_size=(340, 270),
            rate_hz=5,
            least_hz=2,
            needs_vehicle=False,
            help=(
                "Each line is a rule: how it stands now, and what it told last. The box turns it "
                "on and off, Try out says it, Edit changes it. A value is a field, an expression "
                "such as norm(AccelState.x, AccelState.y), or one of the station's own, such as "
                "height_m. Braces put values into the text: Height {value}. Rules are exported "
                "and imported as files."
            ),
        ),
    ),
    actions=(
        Action("mute", "Mute warnings, or speak again", "plugins.warnings.actions:toggle_mute"),
    ),
)
