"""System page: what the board is, how it does, and starting it anew."""

from plugins.api import Page, Plugin

PLUGIN = Plugin(
    id="system",
    title="System",
    description="Firmware, board, load, memory and tasks; restart, safe boot, "
    "and erase all settings.",
    pages=(
        Page(
            id="board",
            title="System",
            widget="plugins.system.page:SystemPage",
            order=90,
            words="firmware version serial bootloader definitions uptime cpu load memory stack "
            "flash tasks reboot restart safe boot erase factory reset",
            help="What the board is and how it does, and starting it anew. Nothing here is done "
            "by a click: hold the button until its bar is full.",
        ),
    ),
)
