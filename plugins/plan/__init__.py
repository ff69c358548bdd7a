"""Missions: planned on the map and in a table, checked, carried to the aircraft and back."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="plan",
    title="Plan",
    description="Plan missions on the map, check them, fly them in simulation, and upload them.",
    panels=(
        Panel(
            id="map",
            title="Plan on the map",
            widget="plugins.plan.map_panel:PlanMapPanel",
            can_be_stage=True,
            rate_hz=20,
            needs_vehicle=False,
            least_size=(320, 240),
            help=(
                "Click to add waypoints, drag them, press the plus on a leg to insert one. With "
                "the keyboard: Page up and down choose a waypoint, arrows move it by 1 m, with "
                "Shift by 10 m, Insert adds one after it, Delete deletes it. Ctrl+Z undoes."
            ),
        ),
        Panel(
            id="waypoints",
            title="Waypoints",
            widget="plugins.plan.waypoints_panel:WaypointsPanel",
            rate_hz=10,
            needs_vehicle=False,
            least_size=(360, 366),
            help=(
                "Choose a row to change it below the list; with several chosen, all of them are "
                "changed. Upload writes the plan to the aircraft and reads it back."
            ),
        ),
        Panel(
            id="profile",
            title="Height profile",
            widget="plugins.plan.profile_panel:ProfilePanel",
            rate_hz=5,
            least_hz=2,
            needs_vehicle=False,
            least_size=(320, 72),
            help="The height of the plan over the way, with the ground below it.",
        ),
        Panel(
            id="simulation",
            title="Simulation",
            widget="plugins.plan.simulation_panel:SimulationPanel",
            rate_hz=5,
            least_hz=2,
            needs_vehicle=False,
            least_size=(352, 208),
            help=(
                "Flies the plan fast in a copy of the simulator, with this aircraft and wind. "
                "Track, height and battery that are to be expected show beside the plan."
            ),
        ),
        Panel(
            id="checks",
            title="Checks",
            widget="plugins.plan.checks_panel:ChecksPanel",
            rate_hz=5,
            least_hz=2,
            needs_vehicle=False,
            least_size=(240, 128),
            help=(
                "What is wrong with the plan, the worst first, and what to do; click one to go "
                "there. An error keeps the plan from being sent. Limits are set at the bottom."
            ),
        ),
        Panel(
            id="start",
            title="Start mission",
            widget="plugins.plan.start_panel:StartPanel",
            rate_hz=10,
            needs_vehicle=False,
            least_size=(224, 56),
            help="Starts the plan that is on board: takes off, flies it, and lands as it says.",
        ),
    ),
)
