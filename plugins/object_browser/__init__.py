"""The object browser: every value of an aircraft, to read and to edit."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="object_browser",
    title="Object browser",
    description="Every settings and data object of the aircraft: read, search, edit, save.",
    panels=(
        Panel(
            id="browser",
            title="Objects",
            widget="plugins.object_browser.panel:BrowserPanel",
            least_size=(240, 160),
            rate_hz=15,
            help=(
                "Type to search names, fields and units. Double-click a value to edit it; nothing "
                "is sent before Send. Save on board keeps it over a restart."
            ),
        ),
    ),
)
