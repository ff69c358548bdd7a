"""On-board logs: the flights in a board's own flash, and what it writes into it."""

from plugins.api import Action, Page, Panel, Plugin

_WIDGET = "plugins.board_logs.panel:BoardLogsPanel"
_HELP = (
    "Fetch the flights that a board has recorded by itself, open them, erase them, and choose what "
    "it records. A flight is fetched entry by entry: over a slow radio that takes minutes, by USB "
    "seconds. What was fetched is kept, so it goes on where it was interrupted."
)

PLUGIN = Plugin(
    id="board_logs",
    title="On-board logs",
    description="Fetches the flights in a board's own flash, and chooses what it records.",
    panels=(
        Panel(
            id="flights",
            title="On-board logs",
            widget=_WIDGET,
            rate_hz=5,
            least_hz=2,
            least_size=(420, 360),
            help=_HELP,
        ),
    ),
    pages=(
        Page(
            id="flights",
            title="On-board logs",
            widget=_WIDGET,
            order=85,
            objects=("DebugLogSettings", "LoggingSettings"),
            words="flight logs flash download erase blackbox record logging rates period dataflash",
            help=_HELP,
        ),
    ),
    actions=(
        Action(id="show", title="On-board logs …", run="plugins.board_logs.actions:show_logs"),
    ),
)
