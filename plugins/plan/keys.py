"""Mission keys while one of the plan's views has the keyboard."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from plugins.plan.shared_plan import SharedPlan

_Standard = QKeySequence.StandardKey


class PlanKeys(QObject):
    """Undo, redo and save for a view and everything in it, before fields and the station's menu
    take the keys. `wants` names more keys that the view itself uses."""

    def __init__(
        self,
        view: QWidget,
        plan: SharedPlan,
        tell: Callable[[str], None],
        wants: Callable[[QKeyEvent], bool] = lambda _event: False,
    ) -> None:
        super().__init__(view)
        self._plan, self._tell, self._wants = plan, tell, wants
        self.save: Callable[[], None] = lambda: None
        self.watch(view)

    def watch(self, view: QWidget) -> None:
        """Take the keys from a view and what is in it."""
        for part in (view, *view.findChildren(QWidget)):
            part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        kind, act = event.type(), self._act_of(event)
        if kind is QEvent.Type.ShortcutOverride and (act is not None or self._wants(event)):
            event.accept()
            return True
        if kind is QEvent.Type.KeyPress and act is not None:
            act()
            return True
        return False

    def _act_of(self, event: QKeyEvent) -> Callable[[], None] | None:
        if event.matches(_Standard.Undo):
            return self._undo
        if event.matches(_Standard.Redo):
            return self._redo
        return self.save if event.matches(_Standard.Save) else None

    def _undo(self) -> None:
        title = self._plan.draft.undo()
        self._tell(f"Undone: {title}." if title else "Nothing to undo in the plan.")

    def _redo(self) -> None:
        title = self._plan.draft.redo()
        self._tell(f"Done again: {title}." if title else "Nothing to redo in the plan.")
