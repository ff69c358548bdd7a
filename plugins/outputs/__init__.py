"""Outputs: what each drives, between which pulses and how, and a motor test that cannot hurt."""

from plugins.api import Page, Plugin

PLUGIN = Plugin(
    id="outputs",
    title="Outputs",
    description="Banks, protocols, pulses and a motor test with a held button.",
    pages=(
        Page(
            id="outputs",
            title="Outputs",
            widget="plugins.outputs.page:OutputsPage",
            order=30,
            objects=("ActuatorSettings",),
            words="motor esc servo pwm oneshot dshot rate bank reverse neutral test spin airmode",
            help="Rates and protocols by bank, pulses by output. The motor test takes the outputs "
            "over while you hold a button; nothing it does is stored.",
        ),
    ),
)
