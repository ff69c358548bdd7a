"""The Configure view: pages of settings, one search box over all of them, and what is not sent."""

from plugins.api import Action, Page, Panel, Plugin

PLUGIN = Plugin(
    id="configure",
    title="Configure",
    description="Set up an aircraft: every change is staged, shown, sent, read back and undoable.",
    panels=(
        Panel(
            id="pages",
            title="Configure",
            widget="plugins.configure.panel:ConfigurePanel",
            least_size=(480, 240),
            rate_hz=20,
            needs_vehicle=False,
            help="Choose a page, or search for any setting. Nothing is sent before Apply; Save on "
            "board keeps it over a restart; Undo takes the last change back.",
        ),
    ),
    actions=(
        Action(
            id="undo",
            title="Undo the last settings applied",
            run="plugins.configure.actions:undo",
            shortcut="Ctrl+Z",
        ),
        Action(
            id="redo",
            title="Redo settings",
            run="plugins.configure.actions:redo",
            shortcut="Ctrl+Shift+Z",
        ),
    ),
    pages=(
        Page(
            id="all_settings",
            title="All settings",
            widget="plugins.configure.all_settings:AllSettingsPage",
            order=900,
            words="every object field generic form",
            help="Every settings object of this aircraft as a form.",
        ),
    ),
)
