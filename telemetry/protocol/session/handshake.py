"""Telemetry handshake: GCSTelemetryStats.Status against FlightTelemetryStats.Status, as tables."""

from dataclasses import dataclass

from telemetry.protocol.wire.dialect import Dialect

DISCONNECTED = "Disconnected"
HANDSHAKE_REQ = "HandshakeReq"
HANDSHAKE_ACK = "HandshakeAck"
CONNECTED = "Connected"


@dataclass(frozen=True, slots=True)
class StatsPair:
    """One generation of the two statistics objects, with the dialect firmware of it speaks."""

    station_id: int
    flight_id: int
    dialect: Dialect


# Newest first: LibrePilot and OpenPilot from 14.01; Tau Labs, dRonin and OpenPilot 12.02 to
# 13.06; OpenPilot of 2011. These ids did not change within a generation.
STATS_PAIRS = (
    StatsPair(0xCAD1DC0A, 0x6737BB5A, Dialect("always", 8)),
    StatsPair(0xABC72744, 0x2F7E2902, Dialect("multi", 7)),
    StatsPair(0xB6C346E4, 0x3F75B7E8, Dialect("multi", 19)),
)
FLIGHT_IDS = frozenset(pair.flight_id for pair in STATS_PAIRS)
STATS_IDS = FLIGHT_IDS | {pair.station_id for pair in STATS_PAIRS}


class StationHandshake:
    """The station's side. It goes on saying Connected until the aircraft says so too."""

    def __init__(self) -> None:
        self.own = DISCONNECTED
        self.flight = DISCONNECTED

    @property
    def is_agreed(self) -> bool:
        """Whether both sides say Connected."""
        return self.own == CONNECTED and self.flight == CONNECTED

    def begin(self) -> None:
        """Ask anew."""
        self.own = HANDSHAKE_REQ
        self.flight = DISCONNECTED

    def end(self) -> None:
        """Say goodbye."""
        self.own = DISCONNECTED

    def on_flight(self, status: str) -> bool:
        """Take the aircraft's status; return whether to answer at once."""
        self.flight = status
        if self.own == HANDSHAKE_REQ:
            if status == HANDSHAKE_ACK:
                self.own = CONNECTED
            return status in (HANDSHAKE_ACK, DISCONNECTED)
        if self.own == CONNECTED:
            if status == DISCONNECTED:
                self.own = HANDSHAKE_REQ
            return status in (HANDSHAKE_ACK, DISCONNECTED)
        return False


class FlightHandshake:
    """The aircraft's side."""

    def __init__(self) -> None:
        self.own = DISCONNECTED
        self.station = DISCONNECTED

    @property
    def is_connected(self) -> bool:
        """Whether this side says Connected."""
        return self.own == CONNECTED

    def evaluate(self, is_silent: bool) -> None:
        """Go one step on from what the station said last. `is_silent`: nothing came for long."""
        station = self.station
        if self.own == CONNECTED:
            stays = station == CONNECTED and not is_silent
            self.own = CONNECTED if stays else DISCONNECTED
        elif self.own == HANDSHAKE_ACK:
            self.own = {CONNECTED: CONNECTED, HANDSHAKE_REQ: HANDSHAKE_ACK}.get(
                station, DISCONNECTED
            )
        else:
            self.own = HANDSHAKE_ACK if station == HANDSHAKE_REQ else DISCONNECTED
