"""System health: every alarm with its meaning and remedy, what happened, and the link's figures."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="system_health",
    title="System health",
    description="Every alarm in words, the history of alarms and modes, and link statistics.",
    panels=(
        Panel(
            id="health",
            title="System health",
            widget="plugins.system_health.panel:SystemHealthPanel",
            least_size=(240, 160),
            rate_hz=5,
            help="One tile per alarm: a tick is fine, a triangle asks for attention, an octagon "
            "demands action, a dash is not used by this aircraft. Point at a tile, or walk to it "
            "with Tab or the arrow keys, to read what it means and what to do; click to keep it. "
            "A click on an event moves the timeline there.",
        ),
    ),
)
