"""The 3-D view: a flight in space, live and in replay."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="view3d",
    title="3-D view",
    description="The aircraft, its track and what it flies over in space, live and in replay.",
    panels=(
        Panel(
            id="view",
            title="3-D view",
            widget="plugins.view3d.panel:SpacePanel",
            can_be_stage=True,
            least_size=(320, 240),
            rate_hz=60,
            least_hz=10,
            help="The aircraft in space, at the cursor. Where a simulator tells the truth, the "
            "solid aircraft is where it truly is, the glassy one where it believes to be. Drag to "
            "look around, wheel to come closer. In free flight W A S D fly, E and Q (or Page Up "
            "and Page Down) rise and sink, Shift is faster, the wheel sets the speed: while the "
            "view has the focus, and never while the keyboard flies the aircraft.",
        ),
    ),
)
