"""The catalogue is the same for every test of sessions."""

import pytest

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from tests.telemetry.protocol.session.fakes import Pair, small_board


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def pair(catalogue: Catalogue) -> Pair:
    """A station and a small aircraft, connected and fetched."""
    pair = Pair(catalogue, small_board(catalogue))
    pair.run(2.0)
    return pair
