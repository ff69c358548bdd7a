import pytest

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.handshake import (
    CONNECTED,
    DISCONNECTED,
    HANDSHAKE_ACK,
    HANDSHAKE_REQ,
    FlightHandshake,
    StationHandshake,
)
from telemetry.protocol.session.session import Session
from tests.telemetry.protocol.session.fakes import frames_of

FLIGHT_STEPS = [
    # own before, what the station says, silent for long, own after
    (DISCONNECTED, HANDSHAKE_REQ, False, HANDSHAKE_ACK),
    (DISCONNECTED, CONNECTED, False, DISCONNECTED),
    (DISCONNECTED, DISCONNECTED, False, DISCONNECTED),
    (DISCONNECTED, HANDSHAKE_ACK, False, DISCONNECTED),
    (HANDSHAKE_ACK, CONNECTED, False, CONNECTED),
    (HANDSHAKE_ACK, HANDSHAKE_REQ, False, HANDSHAKE_ACK),
    (HANDSHAKE_ACK, DISCONNECTED, False, DISCONNECTED),
    (CONNECTED, CONNECTED, False, CONNECTED),
    (CONNECTED, CONNECTED, True, DISCONNECTED),
    (CONNECTED, HANDSHAKE_REQ, False, DISCONNECTED),
    (CONNECTED, DISCONNECTED, False, DISCONNECTED),
]


@pytest.mark.parametrize(("own", "station", "is_silent", "after"), FLIGHT_STEPS)
def test_the_aircraft_follows_the_table(
    own: str, station: str, is_silent: bool, after: str
) -> None:
    handshake = FlightHandshake()
    handshake.own, handshake.station = own, station
    handshake.evaluate(is_silent)
    assert handshake.own == after


STATION_STEPS = [
    # own before, what the aircraft says, own after, whether to answer at once
    (HANDSHAKE_REQ, DISCONNECTED, HANDSHAKE_REQ, True),
    (HANDSHAKE_REQ, HANDSHAKE_ACK, CONNECTED, True),
    (HANDSHAKE_REQ, CONNECTED, HANDSHAKE_REQ, False),
    (CONNECTED, HANDSHAKE_ACK, CONNECTED, True),
    (CONNECTED, CONNECTED, CONNECTED, False),
    (CONNECTED, DISCONNECTED, HANDSHAKE_REQ, True),
    (DISCONNECTED, HANDSHAKE_ACK, DISCONNECTED, False),
]


@pytest.mark.parametrize(("own", "flight", "after", "answers"), STATION_STEPS)
def test_the_station_follows_the_table(own: str, flight: str, after: str, answers: bool) -> None:
    handshake = StationHandshake()
    handshake.own = own
    assert handshake.on_flight(flight) is answers
    assert handshake.own == after


def test_who_has_heard_nothing_speaks_each_generation_as_its_boards_do(
    catalogue: Catalogue,
) -> None:
    """Ids of GCSTelemetryStats; only LibrePilot's kind has an instance id in every frame."""
    station = Session(Role.GCS, catalogue)
    station.start(0.0)
    sent: dict[int, set[int]] = {}
    for step in range(600):
        station.tick(step * 0.1)
        for frame in frames_of(station.bytes_to_send()):
            object_id = int.from_bytes(frame[4:8], "little")
            definition = catalogue.get(object_id)
            assert definition is not None
            # Eight bytes of header and one of checksum are round it.
            sent.setdefault(object_id, set()).add(len(frame) - 9 - definition.size)
    assert sent == {0xCAD1DC0A: {2}, 0xABC72744: {0}, 0xB6C346E4: {0}}
