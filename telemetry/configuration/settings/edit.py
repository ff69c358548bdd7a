"""A change to a settings object on its way to the aircraft: pure state, no link, no clock.

    edited -> sending -> applied -> saving -> verified
                 \\          \\          \\
                  failed (with its reason), from where it can be sent again

An edit is one object's change, and its inverse takes it back.
"""

from collections.abc import Iterable, Mapping
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

    @property
    def is_on_board(self) -> bool:
        """Whether the aircraft has the values, saved or not."""
        return self.state in (EditState.APPLIED, EditState.VERIFIED)

    @property
    def is_saved(self) -> bool:
        """Whether the values outlast a restart of the aircraft."""
        return self.state is EditState.VERIFIED

    def stepped(self, state: EditState, reason: str = "") -> "Edit":
        """This edit in its next state; raise ValueError for a step that cannot be."""
        if state not in _STEPS[self.state]:
            raise ValueError(f"{self.name} cannot go from {self.state.value} to {state.value}")
        return replace(self, state=state, reason=reason)

    def only(self, paths: Iterable[str]) -> "Edit":
        """The part of this edit that concerns some paths."""
        chosen = list(paths)
        return replace(self, before=_only(self.before, chosen), after=_only(self.after, chosen))

    def inverse(self) -> "Edit":
        """The edit that takes this one back."""
        return Edit(self.name, self.after, self.before, self.instance)


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
