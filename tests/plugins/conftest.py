"""Fixtures shared by the tests of plugins."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue


@pytest.fixture(autouse=True)
def _nothing_waits_for_its_end() -> Iterator[None]:
    """Without a running event loop, Qt keeps what is to be deleted later, and every change of a
    theme would style it again."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    """The shipped definitions."""
    return load_catalogue()
