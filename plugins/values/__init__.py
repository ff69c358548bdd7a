"""Values: tiles that a user arranges, with limits."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="values",
    title="Values",
    description="Any field or expression as large digits, a bar or a word, within limits.",
    panels=(
        Panel(
            id="values",
            title="Values",
            widget="plugins.values.panel:ValuesPanel",
            least_size=(240, 140),
            rate_hz=10,
            needs_vehicle=False,
            help=(
                "Press A or + to add fields, or drop them from the object browser; what begins "
                "with = is computed. Double click a tile (or Enter) to set its title, look and "
                "limits; drag it, or press Ctrl and an arrow, to move it; Delete removes it. "
                "Beyond a limit a tile says so in words and colour; a value that no longer "
                "arrives says how old it is."
            ),
        ),
    ),
)
