"""Fixtures shared by the tests of telemetry."""

import pytest

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()
