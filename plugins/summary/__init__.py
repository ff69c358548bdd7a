"""Flight summary: the flight in figures."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="summary",
    title="Flight summary",
    description="A flight in figures: way, height, energy, GPS, sampling, estimate, vibration.",
    panels=(
        Panel(
            id="summary",
            title="Flight summary",
            widget="plugins.summary.panel:SummaryPanel",
            least_size=(240, 120),
            rate_hz=2,
            least_hz=1,
            help=(
                "The figures are those of the whole recording; speeds and heights those of the "
                "time in the air. Export (Ctrl+E) writes them as a report with pictures."
            ),
        ),
    ),
)
