"""The embedded simulator: an aircraft to connect to at any time, its controls and its scenarios."""

from plugins.api import Action, LinkKind, Panel, Plugin

PLUGIN = Plugin(
    id="simulator",
    title="Simulator",
    description="Flies a simulated aircraft in a process of its own, behind a link like any other.",
    panels=(
        Panel(
            id="desk",
            title="Simulator controls",
            widget="plugins.simulator.controls_panel:SimulatorControlsPanel",
            least_size=(310, 220),
            rate_hz=5,
            needs_vehicle=False,
            help="Pause, slow down or speed up time, start anew, set wind, faults and a poor radio "
            "link. A double click on a name puts its default back. It works on a simulator that "
            "this station runs.",
        ),
        Panel(
            id="twin",
            title="Simulated twin",
            widget="plugins.simulator.twin_panel:TwinPanel",
            least_size=(470, 190),
            rate_hz=5,
            least_hz=2,
            needs_vehicle=False,
            help="Starts a simulated aircraft with the settings of the one shown, which follows "
            "the sticks that the real one receives, and shows how far the two are apart. Plots "
            "draw its curves beside the aircraft's, as another log of the flight.",
        ),
        Panel(
            id="scenarios",
            title="Scenarios",
            widget="plugins.simulator.scenarios_panel:ScenariosPanel",
            least_size=(320, 240),
            rate_hz=5,
            needs_vehicle=False,
            help="Named experiments, flown as fast as this machine can, each with the figures "
            "that have to come out. Choose one, change its parameters, fly it, and open its "
            "recording.",
        ),
        Panel(
            id="studies",
            title="Studies",
            widget="plugins.simulator.studies_panel:StudiesPanel",
            least_size=(340, 350),
            rate_hz=5,
            least_hz=2,
            needs_vehicle=False,
            help="Many flights of one scenario with parameters that vary: what came of each, how "
            "sure the figures are, and what they depend on. A double click on a flight flies it "
            "again and opens its recording.",
        ),
    ),
    actions=(
        Action(
            id="firmware",
            title="Firmware …",
            run="plugins.simulator.actions:fly_firmware",
            menu="Simulator",
        ),
    ),
    links=(
        LinkKind(
            scheme="sim",
            title="Simulator",
            open="plugins.simulator.link:open_simulator",
            devices="plugins.simulator.link:simulated_aircraft",
            example="sim:ar100b",
        ),
    ),
)
