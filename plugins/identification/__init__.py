"""Identification: what a log tells of the wind and of the aircraft, and the gains that suit it."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="identification",
    title="Identification",
    description="Finds wind, drag, thrust, inertia, motors and delays from a log; better gains.",
    panels=(
        Panel(
            id="identify",
            title="Identify",
            widget="plugins.identification.panel:IdentificationPanel",
            least_size=(280, 340),
            rate_hz=5,
            least_hz=2,
            help="Identify flies the log again in the simulator and fits wind and aircraft until "
            "simulated sensors equal logged ones: of the stretch between the in and out points of "
            "the time line, else of the whole log. What the flight does not tell stands there with "
            "the manoeuvre that would. In the plots Ctrl and the wheel zoom, drag pans, a click "
            "moves the cursor. Tune looks for gains in simulation; what you choose of them is "
            "staged in Configure, and nothing is sent before you press Apply.",
        ),
    ),
)
