"""Whatever arrives, no end of a conversation raises, and both go on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.session.config import Role, SessionState
from telemetry.protocol.session.events import ObjectReceived
from telemetry.protocol.session.session import Session
from telemetry.protocol.wire.frame import KNOWN_TYPES, encode
from tests.telemetry.protocol.session.fakes import SMALL, Pair, small_board

CATALOGUE: Catalogue = load_catalogue()
IDS = [CATALOGUE.find(name).object_id for name in SMALL]

bodies = st.one_of(st.binary(max_size=60), st.sampled_from([b"", b"\0\0", b"\xff\xff", b"\x05\0"]))
ids = st.one_of(
    st.sampled_from(IDS), st.sampled_from(IDS).map(lambda i: i + 1), st.integers(0, 0xFFFFFFFF)
)
whole_frames = st.builds(encode, st.sampled_from(sorted(KNOWN_TYPES)), ids, bodies)
streams = st.lists(st.one_of(whole_frames, st.binary(max_size=40)), max_size=12).map(b"".join)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(stream=streams)
def test_nothing_that_arrives_raises(stream: bytes) -> None:
    for role in Role:
        board = small_board(CATALOGUE) if role is Role.FLIGHT else None
        session = Session(role, CATALOGUE, board=board)
        session.start(0.0)
        for step, start in enumerate(range(0, len(stream), 7)):
            session.receive(stream[start : start + 7], step * 0.3)
            session.tick(step * 0.3)
        session.bytes_to_send()


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(stream=streams)
def test_rubbish_does_not_end_a_conversation(stream: bytes) -> None:
    pair = Pair(CATALOGUE, small_board(CATALOGUE))
    pair.run(1.0)
    pair.station.receive(stream, pair.now)
    pair.flight.receive(stream, pair.now)
    pair.run(16.0, step_s=0.05)
    assert pair.station.state is SessionState.CONNECTED


@pytest.mark.slow
def test_no_settings_are_missing_after_a_fetch_over_a_very_bad_radio() -> None:
    for seed in range(8):
        pair = Pair(CATALOGUE, small_board(CATALOGUE), loss=0.35, seed=seed)
        pair.run(120.0, step_s=0.02)
        received = {e.definition.name for e in pair.of(ObjectReceived)}  # type: ignore[attr-defined]
        wanted = {d.name for d in pair.board.definitions.values() if d.settings}
        assert wanted <= received, seed
