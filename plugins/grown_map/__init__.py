"""Ground map that is built of what the aircraft sees, live and in replay."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="grown_map",
    title="Map of what is seen",
    description="Builds heights and colours of the ground from sonar, lidar and the bottom camera.",
    panels=(
        Panel(
            id="map",
            title="Map of what is seen",
            widget="plugins.grown_map.panel:GrownMapPanel",
            least_size=(320, 290),
            rate_hz=10,
            least_hz=2,
            help="Start, and the ground that sonar, range finder, lidar and a camera that looks "
            "down have seen up to the cursor becomes a map: heights, and colours on them. It is "
            "as good as the position that the aircraft believes in; of a simulated one the truth "
            "can be taken instead. Save it as GeoTIFF, for the plan or another program, or as a "
            "world to fly in again.",
        ),
    ),
)
