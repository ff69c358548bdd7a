"""A study survives whatever ends it, and its result does not depend on who flew it, or when."""

import errno
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from simulation.studies.distribution import StudyError
from simulation.studies.ending import read_table
from simulation.studies.flight import ERROR, FAILED, LOST, PASSED, Drawn, Flown
from simulation.studies.flying import FlightBlock
from simulation.studies.result_folder import JOURNAL, STUDY, begin_result, open_result
from simulation.studies.sampling import draw_sample
from simulation.studies.workers import ProcessWorkers
from tests.simulation.studies.running_studies import (
    VERSIONS,
    ImmediateWorkers,
    fly,
    noted_study,
    study,
)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Where functions note that they were called."""
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


def last(waiting: Sequence[FlightBlock]) -> int:
    return len(waiting) - 1


def test_the_order_of_coming_back_does_not_matter(notes: Path, tmp_path: Path) -> None:
    one, _ = fly(noted_study(notes), tmp_path / "one")
    other, _ = fly(noted_study(notes), tmp_path / "other", ImmediateWorkers(5, choose=last))
    assert one.table.digest() == other.table.digest()
    assert one.table.index.tolist() == list(range(40))
    different, _ = fly(noted_study(notes, seed="2"), tmp_path / "different")
    assert different.table.digest() != one.table.digest()


def test_flights_of_dead_workers_are_flown_again(notes: Path, tmp_path: Path) -> None:
    whole, _ = fly(noted_study(notes), tmp_path / "whole")
    workers = ImmediateWorkers(3, choose=last, dying={1, 2, 5, 9, 14})
    end, _ = fly(noted_study(notes), tmp_path / "again", workers)
    assert end.deaths == 5
    assert end.table.digest() == whole.table.digest()


def test_going_on_flies_what_is_missing_alone(notes: Path, tmp_path: Path) -> None:
    """The journal is cut in the middle of a line, as a kill leaves it."""
    whole, _ = fly(noted_study(notes), tmp_path / "whole")
    journal = tmp_path / "whole" / JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:25]) + lines[25][:17])
    end, _ = fly(noted_study(notes), tmp_path / "whole")
    assert end.table.digest() == whole.table.digest()
    calls = Counter(path.name.partition(" ")[0] for path in notes.iterdir())
    assert sorted(calls.values()) == [1] * 25 + [2] * 15
    assert journal.read_bytes().splitlines(keepends=True)[:25] == lines[:25]


@pytest.mark.slow
def test_processes_that_die_are_replaced(notes: Path, tmp_path: Path) -> None:
    """Some flights end their process once, and others always: these are given up after a while,
    and cost no other flight."""
    workers = ProcessWorkers(2)
    try:
        end, _ = fly(noted_study(notes, "deadly", flights="8", seed="2"), tmp_path / "out", workers)
    finally:
        workers.close()
    x = end.table.parameters["x"]
    assert (x > 0.9).any()
    assert ((x > 0.8) & (x <= 0.9)).any()
    assert end.table.outcome.tolist() == [LOST if number > 0.9 else PASSED for number in x]
    assert end.deaths > 0


@pytest.mark.slow
def test_it_stops_when_it_knows_enough_whoever_is_faster(notes: Path, tmp_path: Path) -> None:
    """The mean of 400 uniform numbers is known to 1.96 / sqrt(12 * 400) = 0.028."""
    keys = {
        "flights": "1000",
        "stop": '{ metric = "y", half_width = 0.03, batch = 50 }',
    }
    one, _ = fly(study("odd", "x = { uniform = [0.0, 0.1] }", **keys), tmp_path / "narrow")
    assert len(one.table) == 50
    assert one.early is not None
    assert "y is known" in one.early.why
    wide = study("odd", "x = { uniform = [0.8, 1.0] }", **keys)
    ends = [
        fly(wide, tmp_path / f"wide {n}", ImmediateWorkers(n, choose=last))[0] for n in (1, 3, 7)
    ]
    assert {len(end.table) for end in ends} == {50}
    assert len({end.table.digest() for end in ends}) == 1
    assert fly(wide, tmp_path / "wide 1")[0].table.digest() == ends[0].table.digest()


def test_what_never_passes_is_given_up(tmp_path: Path) -> None:
    end, _ = fly(study("hopeless", flights="200"), tmp_path / "out")
    assert len(end.table) == 50
    assert end.early is not None
    assert end.early.gave_up
    assert end.early.why == "None of the first 50 flights passed; 50 times: It never works."
    all_of_it, _ = fly(study("hopeless", flights="60", gives_up_after="0"), tmp_path / "all")
    assert len(all_of_it.table) == 60


def test_whatever_a_function_returns_is_kept(tmp_path: Path) -> None:
    end, _ = fly(
        study("odd", "x = { uniform = [0.0, 1.0], steps = 11 }", sampling='"grid"', flights="11"),
        tmp_path / "out",
    )
    table = end.table
    told = dict(zip((round(10 * x) for x in table.parameters["x"]), table.reason, strict=True))
    assert told[0] == told[8] == told[10] == ""
    for tenths, words in {
        1: "Its 'y' is nan",
        2: "It returned other metrics than the first: y, z.",
        3: "Its 'y' is many, which is no finite number.",
        4: "It returned str, not metrics by name.",
        5: "It returned 'x', which is the name of another column.",
        6: "The function says so.",
        7: "RuntimeError: no lift",
    }.items():
        assert told[tenths].startswith(words)
    assert table.outcome.tolist().count(FAILED) == 5


def test_a_folder_of_something_else_is_refused(notes: Path, tmp_path: Path) -> None:
    fly(noted_study(notes), tmp_path / "out")
    with pytest.raises(StudyError, match="holds another study, 'test'"):
        fly(noted_study(notes, flights="41"), tmp_path / "out")
    with pytest.raises(StudyError, match="holds files that are no study"):
        fly(noted_study(notes), notes)
    with pytest.raises(StudyError, match=f"no {STUDY} in it"):
        open_result(notes)


def test_two_studies_do_not_fly_into_one_folder(notes: Path, tmp_path: Path) -> None:
    folder = begin_result(tmp_path / "out", noted_study(notes), VERSIONS)
    with folder.written(), pytest.raises(StudyError, match="Another study is being flown into"):
        fly(noted_study(notes), tmp_path / "out")
    assert len(fly(noted_study(notes), tmp_path / "out")[0].table) == 40


def test_a_damaged_line_is_named(notes: Path, tmp_path: Path) -> None:
    _, folder = fly(noted_study(notes), tmp_path / "out")
    journal = tmp_path / "out" / JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[6] = b"[1, 2]\n"
    journal.write_bytes(b"".join(lines))
    with pytest.raises(StudyError, match=r"Line 7 of .* is damaged"):
        read_table(folder)


def test_other_draws_are_refused(notes: Path, tmp_path: Path) -> None:
    """As another version of SciPy might make them."""
    fly(noted_study(notes), tmp_path / "out")
    journal = tmp_path / "out" / JOURNAL
    content = journal.read_bytes()
    journal.write_bytes(content.replace(b'{"x":0.', b'{"x":0.1', 1))
    with pytest.raises(StudyError, match="has drawn other values"):
        fly(noted_study(notes), tmp_path / "out")


def test_a_torn_table_is_made_anew(notes: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    end, folder = fly(noted_study(notes), tmp_path / "out")
    folder.table.write_bytes(folder.table.read_bytes()[:100])
    fly(noted_study(notes), tmp_path / "out")
    read = pq.read_table(folder.table).to_pydict()
    assert read["x"] == end.table.parameters["x"].tolist()
    assert read["y"] == end.table.metrics["y"].tolist()
    assert read["outcome"] == [PASSED] * 40


def test_a_full_disk_leaves_whole_lines(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, folder = fly(noted_study(notes, flights="10"), tmp_path / "few")

    def full(_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    content = (tmp_path / "few" / JOURNAL).read_bytes()
    drawn = draw_sample(noted_study(notes))
    with folder.written() as journal, monkeypatch.context() as context:
        context.setattr("simulation.studies.result_folder.os.fsync", full)
        one = Drawn(10, drawn.values(10), drawn.seeds[10])
        with pytest.raises(OSError, match="No space left"):
            journal.add({10: one}, [Flown(10, {"y": 1.0}, PASSED)])
    assert (tmp_path / "few" / JOURNAL).read_bytes() == content


@pytest.mark.slow
def test_after_an_early_stop_the_rest_is_in_no_result(tmp_path: Path) -> None:
    """Flights beyond it were flown meanwhile, more or fewer: who reads the folder does not see
    them, nor a metric that only they have."""
    keys = {"flights": "400", "stop": '{ metric = "y", half_width = 0.2, batch = 20 }', "seed": "3"}
    flown = study("rarely_more", **keys)
    tables = []
    for count in (1, 3, 40):
        end, folder = fly(flown, tmp_path / f"{count}", ImmediateWorkers(count, choose=last))
        assert len(end.table) == 20
        assert len(list(folder.lines())) > 20 or count == 1
        tables += [end.table, read_table(folder)]
    assert len({table.digest() for table in tables}) == 1
    assert list(tables[0].metrics) == ["y", PASSED]


@pytest.mark.parametrize(("most", "gave_up"), [(30, True), (50, False)])
def test_what_is_asked_first_is_answered_first(most: int, gave_up: bool, tmp_path: Path) -> None:
    """A share of none is known to 0.04 after 40 flights, whichever way it was flown."""
    keys = {
        "flights": "200",
        "gives_up_after": str(most),
        "stop": '{ metric = "passed", half_width = 0.05, batch = 40 }',
    }
    flown = study("hopeless", **keys)
    for count in (1, 90):
        end, _ = fly(flown, tmp_path / f"{count}", ImmediateWorkers(count, choose=last))
        assert end.early is not None
        assert (end.early.count, end.early.gave_up) == (30 if gave_up else 40, gave_up)


def test_numbers_that_never_differ_are_not_known(tmp_path: Path) -> None:
    keys = {"flights": "60", "stop": '{ metric = "y", half_width = 1e-9, batch = 20 }'}
    end, _ = fly(study("odd", "x.choices = [0.9]", **keys), tmp_path / "same")
    assert end.early is None
    keys["stop"] = '{ metric = "none", half_width = 1.0, batch = 20 }'
    end, _ = fly(study("odd", "x.choices = [0.9]", **keys), tmp_path / "none")
    assert end.early is None


def test_a_flight_that_kills_holds_up_no_end(tmp_path: Path) -> None:
    """Those with whom a process has died are tried alone before others go out."""
    workers = ImmediateWorkers(1, dying=set(range(1, 400)))
    end, _ = fly(study("odd", flights="60", gives_up_after="5"), tmp_path / "out", workers)
    assert end.early is not None
    assert end.early.gave_up
    assert end.table.outcome.tolist() == [LOST] * 5


def test_another_version_does_not_go_on(notes: Path, tmp_path: Path) -> None:
    flown = noted_study(notes)
    fly(flown, tmp_path / "out")
    with pytest.raises(StudyError, match="was flown by lapwing test in the place of newer"):
        begin_result(tmp_path / "out", flown, {"lapwing": "newer"})
    begin_result(tmp_path / "out", flown, {**VERSIONS, "numpy": "newer"})


def test_what_a_function_changes_is_its_own(tmp_path: Path) -> None:
    lists = "v = { choices = [[1.0, 2.0], [3.0, 4.0]] }"
    ends = [
        fly(study("changing", lists), tmp_path / f"{n}", ImmediateWorkers(n))[0] for n in (1, 9)
    ]
    assert {end.table.digest() for end in ends} == {ends[0].table.digest()}
    assert set(ends[0].table.metrics["y"]) == {2.0, 4.0}


@pytest.mark.parametrize("what", ["exit", "unsayable", "surrogate", "huge"])
def test_whatever_is_raised_is_an_outcome(what: str, tmp_path: Path) -> None:
    flown = study("raising", f'what = {{ choices = ["{what}"] }}', flights="3")
    end, folder = fly(flown, tmp_path / "out")
    assert set(end.table.outcome) <= {ERROR, FAILED}
    assert end.table.digest() == read_table(folder).digest()


def test_choices_of_numbers_and_texts(tmp_path: Path) -> None:
    for seed in "123":
        flown = study("odd", 'y = { choices = [1.0, "a"] }\nx.choices = [0.9]', seed=seed)
        end, _ = fly(flown, tmp_path / seed)
        assert {str(one) for one in end.table.parameters["y"]} == {"1.0", "a"}


def test_texts_that_were_drawn_stand_as_they_are(tmp_path: Path) -> None:
    texts = 'x = { choices = [0.9] }\nmode = { choices = ["Rate"] }\nv = { choices = [[1.0, 2.0]] }'
    end, _ = fly(study("odd", texts, flights="2"), tmp_path / "out")
    columns = end.table.columns()
    assert columns["mode"].tolist() == ["Rate"] * 2
    assert columns["v"].tolist() == ["[1.0, 2.0]"] * 2
