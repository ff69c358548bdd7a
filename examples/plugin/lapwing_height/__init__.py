"""Manifest of the plugin: nothing heavy is imported here; code is named by string."""

from lapwing_height.kinds import STEEP
from plugins.api import (
    Finder,
    Level,
    LogExport,
    LogFormat,
    MissionFile,
    Panel,
    Plugin,
    RuleComparison,
    WarningRule,
    WarningValue,
)

PLUGIN = Plugin(
    id="height",
    title="Height",
    description="The height in large figures, in files, findings and warnings.",
    panels=(Panel("figure", "Height in figures", "lapwing_height.panel:HeightPanel", rate_hz=2),),
    log_formats=(
        LogFormat(".opl.gz", "Compressed flight log", "lapwing_height.compressed:read_compressed"),
    ),
    exports=(LogExport("heights", "Heights as text", "lapwing_height.heights:export_heights"),),
    findings=(Finder((STEEP,), "lapwing_height.climb:find_steep_climbs"),),
    warnings=(
        WarningRule(
            "ceiling",
            "Above the ceiling",
            "climbed_m",
            RuleComparison.ABOVE,
            "Climbed {value}",
            than=100.0,
            hysteresis=5.0,
            level=Level.WARNING,
        ),
    ),
    warning_values=(
        WarningValue(
            "climbed_m",
            "height over the first that the barometer told",
            "lapwing_height.climb:climbed_m",
            "m",
            needs=("BaroSensor.Altitude",),
        ),
    ),
    mission_formats=(
        MissionFile(
            ".waypoints.csv",
            "Table of waypoints",
            "lapwing_height.waypoints:read_waypoints",
            "lapwing_height.waypoints:write_waypoints",
        ),
    ),
)
