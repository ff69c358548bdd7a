"""Session events: frozen values returned by `receive` and `tick`."""

from dataclasses import dataclass

from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.session.config import SessionState
from telemetry.protocol.session.persistence import PersistenceJob
from telemetry.protocol.session.transactions import Transaction


@dataclass(frozen=True, slots=True)
class ObjectReceived:
    """An object's values arrived. Metaobjects come with their `metaobject` definition."""

    definition: ObjectDefinition
    instance: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class ObjectSent:
    """A station's values now hold on board: a write was acknowledged, or sent unacked."""

    definition: ObjectDefinition
    instance: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The conversation came to another state."""

    state: SessionState


@dataclass(frozen=True, slots=True)
class TransactionFinished:
    """A write or request asked for by the owner has its outcome."""

    transaction: Transaction


@dataclass(frozen=True, slots=True)
class PersistenceFinished:
    """A Save, Load, Delete or FullErase has its outcome."""

    job: PersistenceJob


@dataclass(frozen=True, slots=True)
class Rebooted:
    """The aircraft started anew (its FlightTime fell); everything is being fetched again."""


@dataclass(frozen=True, slots=True)
class ReleaseDetected:
    """The release whose definitions fit this aircraft best."""

    release: str


@dataclass(frozen=True, slots=True)
class UnknownObject:
    """Frames carry an id that no definition has; told once per id."""

    object_id: int


SessionEvent = (
    ObjectReceived
    | ObjectSent
    | StateChanged
    | TransactionFinished
    | PersistenceFinished
    | Rebooted
    | ReleaseDetected
    | UnknownObject
)


class SessionSide:
    """One end of a session, in any role: how it stands, and what it has to tell."""

    def __init__(self) -> None:
        self.events: list[SessionEvent] = []
        self.state = SessionState.IDLE
        self.release = ""
        self.last_heard: float | None = None

    def _set_state(self, state: SessionState) -> None:
        if state is not self.state:
            self.state = state
            self.events.append(StateChanged(state))
