"""`lapwing study`: many flights of one scenario, or calls of one function, with parameters that
vary; on all cores, or on a Dask cluster."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from telemetry.base.command_line import (
    BAD_INPUT,
    Subparsers,
    add_word,
    print_lines,
    progress_bar,
    refuse,
)
from telemetry.base.escaping import terminal_text

if TYPE_CHECKING:
    from simulation.studies.result_folder import ResultFolder
    from simulation.studies.running import StudyEnd
    from simulation.studies.study import Study
    from simulation.studies.study_table import StudyTable
    from simulation.studies.workers import Workers

_BAD_ENVIRONMENT: Final = 2
_INTERRUPTED: Final = 130


def add_commands(subparsers: Subparsers) -> None:
    """Add `study` with its commands; each sets `run`, which returns the exit code."""
    commands = add_word(subparsers, "study", "fly many flights with parameters that vary")
    run = commands.add_parser("run", help="fly a study, or go on with it", description=__doc__)
    run.add_argument("study", metavar="STUDY", help="name of a shipped one, or its .toml file")
    where = run.add_mutually_exclusive_group()
    where.add_argument("--workers", metavar="N", type=_count, help="processes (default: all cores)")
    where.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler, tcp://HOST:PORT")
    run.add_argument("--out", metavar="DIR", type=Path, help="result folder (default: its name)")
    run.add_argument("--json", action="store_true", help="print one JSON object")
    run.set_defaults(run=_guarded(_run))
    listing = commands.add_parser("list", help="list the shipped studies")
    listing.add_argument("--json", action="store_true", help="print one JSON object")
    listing.set_defaults(run=_guarded(_list))
    show = commands.add_parser("show", help="say what a study has found")
    show.add_argument("folder", metavar="DIR", type=Path)
    show.add_argument("--metric", default="", help="that is told what it goes with")
    show.add_argument("--json", action="store_true", help="print one JSON object")
    show.set_defaults(run=_guarded(_show))
    report = commands.add_parser("report", help="write what a study has found on a page")
    report.add_argument("folder", metavar="DIR", type=Path)
    report.add_argument("out", metavar="OUT.html", type=Path)
    report.set_defaults(run=_guarded(_report))
    fly = commands.add_parser("fly", help="fly one flight of a study again")
    fly.add_argument("folder", metavar="DIR", type=Path)
    fly.add_argument("index", metavar="INDEX", type=int)
    fly.add_argument("--record", metavar="LOG.opl", type=Path, help="write its telemetry")
    fly.add_argument("--json", action="store_true", help="print one JSON object")
    fly.set_defaults(run=_guarded(_fly))


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of processes; give 1 to 1024")
    return int(text)


def _guarded(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """With refusals as sentences. 1: bad input; 2: the machine refuses; 130: interrupted."""

    def guarded(options: argparse.Namespace) -> int:
        from simulation.serving.interrupts import ending_on_request, interrupts_postponed

        try:
            with ending_on_request():
                with interrupts_postponed():
                    import simulation.studies.flying  # noqa: F401 - with the compiler, which takes longest
                return run(options)
        except ValueError as error:  # every refusal of a file, a name or a number is one
            return refuse(error)
        except KeyboardInterrupt:
            return _INTERRUPTED

    return guarded


def _run(options: argparse.Namespace) -> int:
    from simulation.studies.installed import installed_versions
    from simulation.studies.result_folder import JOURNAL, begin_result
    from simulation.studies.sampling import count_sentence, draw_sample
    from simulation.studies.study import load_study
    from telemetry.base.table_files import check_tables

    study = load_study(options.study)
    if study.keep.columns:
        check_tables()
    _tell(count_sentence(study))
    _tell(_way_flown(study))
    sample = draw_sample(study)
    versions = installed_versions(study.text, str(study.folder.absolute()))
    out = options.out if options.out is not None else Path(study.name)
    workers = make_workers(options, study, versions)
    try:
        folder = begin_result(out, study, versions)
        _tell(f"{workers.count} processes; the result is in {folder.path}.")
        end = _flown(sample, folder, workers)
    except OSError as error:
        kept = " What was flown is kept." if (out / JOURNAL).exists() else ""
        return _machine(f"{out} cannot be written: {error.strerror}.{kept}")
    finally:
        workers.close()
    return _tell_end(options, study, folder, end)


def _flown(sample: Any, folder: "ResultFolder", workers: "Workers") -> "StudyEnd":
    """Fly it, and leave the table whatever ends it."""
    from simulation.studies.running import StudyRun

    with folder.written() as journal, progress_bar(" flights", sample.study.name) as show:
        run = StudyRun(sample, folder, workers, show, _tell)
        try:
            end = run.fly(journal)
        except (KeyboardInterrupt, ValueError) as error:
            _leave_table(run.table(), folder)
            if isinstance(error, KeyboardInterrupt):
                _tell(f"Interrupted; what was flown is kept in {folder.path}: run it again.")
            raise
        _leave_table(end.table, folder)
    return end


def _leave_table(table: "StudyTable", folder: "ResultFolder") -> None:
    """The Parquet file, which nothing of ours needs: the journal has all of it."""
    from simulation.studies.study_table import save_table
    from telemetry.base.table_files import TableError

    try:
        save_table(table, folder)
    except TableError as error:
        _tell(f"There is no {folder.table.name}: {error} Running the study again writes it.")


def _tell_end(
    options: argparse.Namespace, study: "Study", folder: "ResultFolder", end: "StudyEnd"
) -> int:
    from simulation.studies.summary import as_dict, as_lines, summarise

    summary = summarise(study, end.table, end.planned)
    why = end.early.why if end.early is not None else ""
    if options.json:
        told = {"study": study.name, "folder": str(folder.path), **as_dict(summary)}
        print(json.dumps({**told, "ended": why or None, "worker_deaths": end.deaths}))
    else:
        deaths = f"{end.deaths} times processes died and were replaced." if end.deaths else ""
        print_lines([*as_lines(summary), *(line for line in (deaths, why) if line)])
    gave_up = end.early is not None and end.early.gave_up
    return BAD_INPUT if gave_up or not len(end.table) else 0


def make_workers(
    options: argparse.Namespace, study: "Study", versions: Mapping[str, str]
) -> "Workers":
    """Who flies it, as the options say. Raises StudyError for a cluster that cannot."""
    from simulation.studies.cluster import ClusterWorkers
    from simulation.studies.workers import ProcessWorkers, usual_count

    if options.cluster is None:
        return ProcessWorkers(options.workers or usual_count())
    workers = ClusterWorkers(options.cluster, versions)
    workers.check(study.text, str(study.folder.absolute()))
    return workers


def _way_flown(study: "Study") -> str:
    """Finds out as well, before anything is flown, whether it can be."""
    from simulation.studies.flying import ScenarioFlights, load_function

    if study.function:
        load_function(study)
        return f"Calls {study.function}, which is code of yours."
    return f"Flies the {ScenarioFlights(study).way_flown}"


def _list(options: argparse.Namespace) -> int:
    from simulation.studies.sampling import flight_count
    from simulation.studies.study import load_study, study_names

    studies = [load_study(name) for name in study_names()]
    rows = [
        {
            "study": one.name,
            "scenario": one.scenario,
            "flights": flight_count(one),
            "varies": list(one.vary.distributions),
        }
        for one in studies
    ]
    if options.json:
        print(json.dumps({"studies": rows}))
        return 0
    for one in studies:
        about = one.text.partition("\n")[0].removeprefix("# ")
        print_lines([f"{one.name:30} {flight_count(one):5,} flights  {about}"])
    return 0


def _show(options: argparse.Namespace) -> int:
    from simulation.studies.ending import read_table
    from simulation.studies.result_folder import open_result
    from simulation.studies.sampling import flight_count
    from simulation.studies.summary import as_dict, as_lines, summarise

    folder = open_result(options.folder)
    summary = summarise(folder.study, read_table(folder), flight_count(folder.study))
    if options.json:
        print(json.dumps({"study": folder.study.name, **as_dict(summary)}))
    else:
        print_lines([folder.study.name, *as_lines(summary, options.metric)])
    return 0


def _report(options: argparse.Namespace) -> int:
    from simulation.studies.report import write_report
    from simulation.studies.result_folder import open_result

    try:
        write_report(open_result(options.folder), options.out)
    except OSError as error:
        return _machine(f"{options.out} cannot be written: {error.strerror}.")
    return 0


def _fly(options: argparse.Namespace) -> int:
    from simulation.studies.again import fly_again

    return fly_again(options.folder, options.index, options.record, as_json=options.json)


def _tell(what: str) -> None:
    print(terminal_text(what), file=sys.stderr)


def _machine(what: str) -> int:
    _tell(what)
    return _BAD_ENVIRONMENT
