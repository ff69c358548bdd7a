"""What this plugin brings. Nothing heavy is imported here; widgets are named by string."""

from plugins.api import LogFormat, Panel, Plugin

PLUGIN = Plugin(
    id="height",
    title="Height",
    description="The height in large figures, and logs that are compressed.",
    panels=(Panel("figure", "Height in figures", "lapwing_height.panel:HeightPanel", rate_hz=2),),
    log_formats=(
        LogFormat(".opl.gz", "Compressed flight log", "lapwing_height.compressed:read_compressed"),
    ),
)
