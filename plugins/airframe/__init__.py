"""Airframe and mixer: which aircraft it is, where its motors are, and how they are mixed."""

from plugins.api import Page, Plugin

PLUGIN = Plugin(
    id="airframe",
    title="Airframe and mixer",
    description="Choose the frame, put its motors on outputs, see what the mixer makes of sticks.",
    pages=(
        Page(
            id="airframe",
            title="Airframe and mixer",
            widget="plugins.airframe.page:AirframePage",
            order=20,
            objects=("MixerSettings", "SystemSettings"),
            words="vehicle frame type motor servo mixer vector throttle curve collective swash "
            "plate roll differential quad hexa octo tri plane elevon v-tail helicopter car boat",
            help="Choose the frame and say which output drives which motor. The table shows what "
            "the frame would generate beside what is on board; only the button takes it over.",
        ),
    ),
)
