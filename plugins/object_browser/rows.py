"""Tree rows: columns, the scene that all rows look at, the row itself.

Keys name rows across rebuilds ("SystemStats", "Waypoint[2].Position.North", "SystemStats@meta"),
so that what is expanded and selected survives a search or a new object. No Qt in here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from plugins.object_browser.edits import RowEdits
from plugins.object_browser.sources import GLOW_S
from telemetry.protocol.objects.definition import FieldDefinition

NAME, VALUE, UNIT, DEFAULT, AGE, RATE = range(6)
COLUMN_TITLES = ("Name", "Value", "Unit", "Default", "Age", "Rate")


@dataclass
class RowContext:
    """What all rows of an aircraft look at: what is unsent or under way, who explains the fields
    of an object called by its name, the cursor, and the clock of the glow.
    """

    edits: RowEdits
    explain: Callable[[str, FieldDefinition], str]
    t: float = 0.0
    clock_s: float = 0.0


class TreeNode:
    """One row. Children are made when they are first asked for."""

    def __init__(self, key: str, name: str, parent: "TreeNode | None", row: int) -> None:
        self.key = key
        self.name = name
        self.parent = parent
        self.row = row

    @cached_property
    def children(self) -> tuple["TreeNode", ...]:
        return self.make_children()

    def make_children(self) -> tuple["TreeNode", ...]:
        return ()

    @property
    def has_children(self) -> bool:
        return bool(self.children)

    def text(self, column: int, scene: RowContext) -> str:
        return self.name if column == NAME else ""

    def glow(self, scene: RowContext) -> float:
        """How strongly this row glows, 1 just after a change to 0."""
        return 0.0

    def is_faint(self) -> bool:
        """Whether nothing has been received here."""
        return False

    def is_draft(self, scene: RowContext) -> bool:
        return False

    def differs_from_default(self, scene: RowContext) -> bool:
        return False

    def stamp(self, scene: RowContext) -> tuple[object, ...]:
        """Changes whenever the row has to be painted anew."""
        return ()


def glow_of(changed_at: float, scene: RowContext) -> float:
    """How strongly something that changed at `changed_at` (clock seconds) glows, 1 to 0."""
    return max(0.0, 1.0 - (scene.clock_s - changed_at) / GLOW_S)
