import pytest

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    """All definitions."""
    return load_catalogue()
