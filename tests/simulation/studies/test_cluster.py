"""A Dask cluster flies a study as processes of this computer do."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulation.studies.cluster import ClusterWorkers
from simulation.studies.distribution import StudyError
from simulation.studies.installed import installed_versions
from simulation.studies.study import Study
from tests.simulation.studies.running_studies import fly, noted_study

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A scheduler with two workers in threads of this process, on loopback."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        host="127.0.0.1",
        protocol="tcp",
        dashboard_address="127.0.0.1:0",
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def flown(tmp_path: Path) -> Study:
    notes = tmp_path / "notes"
    notes.mkdir()
    return noted_study(notes)


def versions_of(flown: Study) -> dict[str, str]:
    return installed_versions(flown.text, str(flown.folder.absolute()))


def test_the_result_is_the_same(address: str, flown: Study, tmp_path: Path) -> None:
    workers = ClusterWorkers(address, versions_of(flown))
    try:
        workers.check(flown.text, str(flown.folder.absolute()))
        assert workers.count == 2
        end, _ = fly(flown, tmp_path / "cluster", workers)
    finally:
        workers.close()
    assert end.table.digest() == fly(flown, tmp_path / "here")[0].table.digest()


@pytest.mark.parametrize("name", ["lapwing", "equations", "function"])
def test_a_worker_of_another_version_is_refused(
    name: str, address: str, flown: Study, tmp_path: Path
) -> None:
    """Before anything is flown, and when it joins later."""
    workers = ClusterWorkers(address, {**versions_of(flown), name: "other"})
    try:
        with pytest.raises(StudyError, match=f"differs from this computer: .*{name} .* of other"):
            workers.check(flown.text, str(flown.folder.absolute()))
        with pytest.raises(StudyError, match=f"A worker of the cluster has {name} "):
            fly(flown, tmp_path / "out", workers)
    finally:
        workers.close()


def test_a_scheduler_that_is_not_there_is_named(flown: Study) -> None:
    with pytest.raises(StudyError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:1 "):
        ClusterWorkers("tcp://127.0.0.1:1", {}, connect_s=0.1)


def test_without_dask_the_rest_works(
    flown: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(StudyError, match=r"not installed: pip install 'lapwing\[studies\]'"):
        ClusterWorkers("tcp://127.0.0.1:1", {})
    assert len(fly(flown, tmp_path / "here")[0].table) == 40
