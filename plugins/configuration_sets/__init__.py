"""Configuration sets and settings files: keep, compare, and put on board what is ticked."""

from plugins.api import Page, Plugin

PLUGIN = Plugin(
    id="configuration_sets",
    title="Configuration sets",
    description="Keeps settings under a name, compares any two, reads and writes settings files.",
    pages=(
        Page(
            id="sets",
            title="Sets and files",
            widget="plugins.configuration_sets.page:SetsPage",
            order=100,
            words="backup restore import export compare difference uav file library",
            help="Keep what is on board under a name, compare it with another set, a file or a "
            "log, and stage the rows you tick.",
        ),
    ),
)
