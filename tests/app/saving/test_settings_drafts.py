"""Staged settings reach the disk beside the GUI, and the user hears what became of them."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import cast

import pytest

from app.messages import Messages
from app.saving.settings_drafts import DraftSaving
from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.telemetry.configuration.settings.bench import Bench

BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


class _Now:
    """Jobs that are done at once."""

    def submit(self, job: Callable[[], None]) -> "Future[None]":
        job()
        done: Future[None] = Future()
        done.set_result(None)
        return done


def _look(bench: Bench, store: DraftStore) -> list[str]:
    """Look twice at one aircraft, as the station does; return what the user is told."""
    fleet, messages = Fleet(), Messages()
    fleet.add(bench.vehicle)
    keeping = DraftSaving(store, fleet, cast(Executor, _Now()), messages)
    keeping.poll()
    keeping.poll()
    return [message.text for message in messages.take()]


@pytest.mark.slow
def test_a_draft_is_on_disk_soon_and_told_of_at_the_next_start(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    first = Bench(catalogue, store=(store := DraftStore(tmp_path / "drafts")))
    first.settings.stage(BANK, GAIN, 0.004)
    first.pass_time(0.1)
    assert _look(first, store) == []
    later = DraftStore(tmp_path / "drafts")
    second = Bench(catalogue, store=later)
    assert second.settings.is_staged(BANK, GAIN)
    (text,) = _look(second, later)
    assert "1 change staged again" in text


@pytest.mark.slow
def test_a_damaged_draft_is_told(catalogue: Catalogue, tmp_path: Path) -> None:
    first = Bench(catalogue, store=(store := DraftStore(tmp_path)))
    first.settings.stage(BANK, GAIN, 0.004)
    first.pass_time(0.1)
    _look(first, store)
    (kept,) = tmp_path.iterdir()
    kept.write_text('{"version": 1, "staged": [NaN]}')
    later = DraftStore(tmp_path)
    second = Bench(catalogue, store=later)
    assert second.settings.staged() == ()
    (text,) = _look(second, later)
    assert f"{kept.name} could not be read" in text


def test_a_draft_that_cannot_be_kept_is_told(catalogue: Catalogue, tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    folder.write_text("a file where the folder should be", encoding="utf-8")
    bench = Bench(catalogue, store=(store := DraftStore(folder)))
    bench.settings.stage(BANK, GAIN, 0.004)
    bench.pass_time(0.1)
    (text,) = _look(bench, store)
    assert "cannot be written" in text
