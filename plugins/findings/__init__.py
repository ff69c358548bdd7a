"""Events and findings: what happened in a flight and what stands out in it, as one list."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="findings",
    title="Events and findings",
    description="What stands out in a flight, what happened in it and what was marked, in a list.",
    panels=(
        Panel(
            id="list",
            title="Events and findings",
            widget="plugins.findings.panel:FindingsPanel",
            least_size=(200, 230),
            rate_hz=5,
            least_hz=2,
            help=(
                "A click or Enter goes there; Shift and click chooses its stretch by in and out "
                "points. M marks the cursor's instant, 1 to 7 with a category. F2 edits a "
                "marker's words (category: note), Delete takes it away, Ctrl+Z takes that back."
            ),
        ),
    ),
)
