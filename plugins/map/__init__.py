"""Map: where the aircraft is, was, and is told to go."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="map",
    title="Map",
    description="Aircraft, track, home and target on map tiles or a map of the world.",
    panels=(
        Panel(
            id="map",
            title="Map",
            widget="plugins.map.panel:MapPanel",
            can_be_stage=True,
            rate_hz=20,
            needs_vehicle=False,
            help=(
                "Drag to pan, turn the wheel to zoom at the pointer, double click to show the "
                "whole track. F follows the aircraft, + and - zoom, 0 fits, Ctrl with an arrow "
                "key pans, Ctrl and drag turns it. Right click to copy a place or to choose map "
                "tiles: a folder, an MBTiles file or a web address, and to keep areas for use "
                "without internet. Without tiles coasts, borders and a grid are shown; nothing "
                "goes over the network unless you choose a web address."
            ),
        ),
    ),
    place_offer="plugins.map.set_home:place_offer",
)
