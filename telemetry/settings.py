"""Changes to settings on their way to the aircraft: pure state, no link, no clock.

    edited -> sending -> applied -> saving -> verified
                 \\          \\          \\
                  failed (with its reason), from where it can be sent again

An edit is one object's change. A transaction is a list of edits, applied in order and undone by
its inverse in the opposite order.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any


class EditState(Enum):
    """How far a change has come."""

    EDITED = "edited"
    SENDING = "sending"
    APPLIED = "applied"
    SAVING = "saving"
    VERIFIED = "verified"
    FAILED = "failed"


_STEPS = {
    EditState.EDITED: {EditState.SENDING},
    EditState.SENDING: {EditState.APPLIED, EditState.FAILED},
    EditState.APPLIED: {EditState.SAVING, EditState.SENDING},
    EditState.SAVING: {EditState.VERIFIED, EditState.FAILED},
    EditState.VERIFIED: {EditState.SENDING, EditState.SAVING},
    EditState.FAILED: {EditState.SENDING, EditState.SAVING},
}


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one object instance: the values before and after, by field or element."""

    name: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    instance: int = 0
    state: EditState = EditState.EDITED
    reason: str = ""

    def stepped(self, state: EditState, reason: str = "") -> "Edit":
        """This edit in its next state; raise ValueError for a step that cannot be."""
        if state not in _STEPS[self.state]:
            raise ValueError(f"{self.name} cannot go from {self.state.value} to {state.value}")
        return replace(self, state=state, reason=reason)

    def inverse(self) -> "Edit":
        """The edit that takes this one back."""
        return Edit(self.name, self.after, self.before, self.instance)


@dataclass(frozen=True, slots=True)
class EditTransaction:
    """Edits that belong together."""

    edits: tuple[Edit, ...]

    @property
    def is_under_way(self) -> bool:
        """Whether an outcome is still awaited."""
        return any(edit.state in (EditState.SENDING, EditState.SAVING) for edit in self.edits)

    @property
    def failures(self) -> tuple[Edit, ...]:
        """The edits that failed, each with its reason."""
        return tuple(edit for edit in self.edits if edit.state is EditState.FAILED)

    def updated(self, edit: Edit, by: Edit) -> "EditTransaction":
        """This transaction with one edit in its place replaced."""
        return EditTransaction(tuple(by if each is edit else each for each in self.edits))

    def stepped(self, state: EditState, which: Callable[[Edit], bool]) -> "EditTransaction":
        """This transaction with the edits chosen by `which` taken to `state`."""
        return EditTransaction(
            tuple(edit.stepped(state) if which(edit) else edit for edit in self.edits)
        )

    def inverse(self) -> "EditTransaction":
        """What undoes all that reached the aircraft, last change first."""
        reached = (EditState.APPLIED, EditState.SAVING, EditState.VERIFIED)
        return EditTransaction(
            tuple(edit.inverse() for edit in reversed(self.edits) if edit.state in reached)
        )


def changes(
    name: str, before: Mapping[str, Any], draft: Mapping[str, Any], instance: int = 0
) -> Edit | None:
    """The edit from what is on board to a draft, with only what differs; None if nothing does."""
    differing = [path for path in draft if draft[path] != before.get(path)]
    if not differing:
        return None
    return Edit(name, _only(before, differing), _only(draft, differing), instance)


def _only(values: Mapping[str, Any], paths: Iterable[str]) -> dict[str, Any]:
    return {path: values[path] for path in paths if path in values}
