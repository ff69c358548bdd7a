"""Set-up assistant: asks what there is, and stages what follows, from nothing to ready to fly."""

from plugins.api import Page, Plugin

PLUGIN = Plugin(
    id="assistant",
    title="Set-up assistant",
    description="Asks how the aircraft is built and sets it up in one go.",
    pages=(
        Page(
            id="setup",
            title="Set-up assistant",
            widget="plugins.assistant.page:AssistantPage",
            order=10,
            words="wizard first new aircraft set up wiring template start",
            help="From nothing to ready to fly, step by step. Nothing is sent before you accept "
            "the summary; answers are kept, and everything can be undone at once.",
        ),
    ),
)
