"""The embedded simulator as an aircraft that can always be connected to."""

from plugins.api import LinkKind, Plugin

PLUGIN = Plugin(
    id="simulator",
    title="Simulator",
    description="Flies a simulated aircraft in a process of its own, behind a link like any other.",
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
