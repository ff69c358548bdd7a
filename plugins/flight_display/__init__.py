"""The primary flight display as a panel."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="flight_display",
    title="Flight display",
    description="Attitude, speed, altitude, heading, flight mode, GPS, battery and link.",
    panels=(
        Panel(
            id="display",
            title="Flight display",
            widget="plugins.flight_display.panel:FlightDisplayPanel",
            rate_hz=30,
            least_hz=20,
            needs_vehicle=False,
            help="Sky above, ground below; amber is this aircraft. Magenta is what is commanded: "
            "a bug on a tape, a bar on the horizon. On the heading tape the diamond shows where "
            "the aircraft moves and the house where home is. A cross means that the attitude "
            "cannot be believed; the words in it say why. Right click to have mode, arming, GPS, "
            "link and battery told in its corners, or not.",
            least_size=(240, 180),
        ),
    ),
)
