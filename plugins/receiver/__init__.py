"""Receiver: which channel is which control, live, and a set-up that measures it."""

from plugins.api import Page, Plugin

PLUGIN = Plugin(
    id="receiver",
    title="Receiver",
    description="Live bars of all controls, their channels and ends, and a step-by-step set-up.",
    pages=(
        Page(
            id="sticks",
            title="Receiver and sticks",
            widget="plugins.receiver.page:ReceiverPage",
            order=40,
            objects=("ManualControlSettings",),
            words="transmitter radio rc input channel stick calibration wizard deadband response "
            "reverse mode 2 accessory sbus ppm dsm",
            help="Every control with its channel and live pulse. The set-up asks for one stick "
            "after the other; cancelling it puts everything back.",
        ),
    ),
)
