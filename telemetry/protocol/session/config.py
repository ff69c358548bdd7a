"""Session configuration: roles, states and waiting times."""

from dataclasses import dataclass, field
from enum import Enum

from telemetry.protocol.wire.dialect import Dialect


class Role(Enum):
    """Which end of the conversation a session is."""

    GCS = "ground station"
    FLIGHT = "aircraft"
    OBSERVER = "observer"


class SessionState(Enum):
    """How far the conversation has come. A FLIGHT session is CONNECTING or CONNECTED only."""

    IDLE = "idle"
    CONNECTING = "connecting"
    FETCHING = "fetching"
    CONNECTED = "connected"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class SessionConfig:
    """Waiting times and limits; the defaults are those of the firmware families.

    `transaction_timeout_s` and `attempts` rule acknowledged writes: one try and two more.
    `fetch_window` is how many requests may be under way at once on a good link.
    `dialect` is what is spoken until the stream shows another one. A station takes a silence of
    `link_loss_s` for a lost link, an aircraft one of `station_loss_s` for a station that is gone.
    """

    link_loss_s: float = 5.0
    station_loss_s: float = 8.0
    connecting_period_s: float = 0.5
    stats_period_s: float = 4.0
    transaction_timeout_s: float = 0.25
    attempts: int = 3
    persistence_timeout_s: float = 2.0
    fetch_window: int = 8
    dialect: Dialect = field(default_factory=Dialect)
