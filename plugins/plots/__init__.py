"""Plots: any numeric or enum field of any object over time."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="plots",
    title="Plots",
    description="Any field, element and instance over time, live and in replay.",
    panels=(
        Panel(
            id="plot",
            title="Plot",
            widget="plugins.plots.panel:PlotPanel",
            rate_hz=20,
            needs_vehicle=False,
            help=(
                "Press A or + to add fields, or drag them from the object browser; what begins "
                "with = is computed: =norm(AccelState.x, AccelState.y, AccelState.z). The wheel "
                "zooms time at the pointer, with Shift the values, over an axis that axis; drag "
                "pans, Ctrl and drag zooms to a box, Ctrl+Z takes a zoom back, double click fits. "
                "Click to move the cursor there, or drag the cursor line. Shift and drag measures "
                "a stretch: its length, and each curve's change, mean and slope; Esc ends. Plots "
                "of a workspace show the same time. Click a name in the legend to hide its curve. "
                "Right click a name for its colour, axis and scale. Right click for statistics, "
                "normalised curves, other logs of the flight, images and tables; Ctrl, Shift and "
                "drag moves another log in time."
            ),
            least_size=(160, 80),
        ),
        Panel(
            id="xy",
            title="XY plot",
            widget="plugins.plots.xy_panel:XyPanel",
            rate_hz=10,
            needs_vehicle=False,
            help=(
                "One field or expression over another, for the time that the plots of the "
                "workspace show; a third one may say the colour. Choose them with the buttons, or "
                "drop them. The wheel zooms, drag pans, double click fits, Ctrl+Z takes a zoom "
                "back. The dot is the cursor."
            ),
            least_size=(400, 160),
        ),
    ),
)
