"""`lapwing settings`: read, compare and change the settings of an aircraft from a command line."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from telemetry.base.command_line import BAD_INPUT, Subparsers, add_word, print_json, print_report
from telemetry.base.finding import Level
from telemetry.base.folders import Folders
from telemetry.configuration.settings.assignments import (
    parse_assignment,
    parse_target,
    paths_at,
    values_for,
)
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.defaults import defaults_of, only_not_default
from telemetry.configuration.settings.difference import difference
from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.doubt import Doubt
from telemetry.configuration.settings.files import check_suffix, write_settings
from telemetry.configuration.settings.headless import PATIENCE_S, Headless
from telemetry.configuration.settings.ownership import told_of_another
from telemetry.configuration.settings.release_adaptation import adapted
from telemetry.configuration.settings.report import (
    ObjectResult,
    difference_json,
    difference_lines,
    failure_sentences,
    grouped,
    plain,
    results_json,
    results_lines,
    results_of,
)
from telemetry.configuration.settings.set_transfer import SetTransfer, chosen
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.configuration.settings.snapshot import Snapshot, object_name
from telemetry.configuration.settings.sources import SET, Sources, read_board
from telemetry.configuration.settings.value_text import text_of
from telemetry.protocol.links.address import AddressError, is_address
from telemetry.protocol.links.link import LinkError
from telemetry.protocol.links.opening import open_link
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.cli import catalogue_for

DEFAULTS = "defaults"
MACHINE, INTERRUPTED = 2, 130


def add_commands(subparsers: Subparsers) -> None:
    """Add `settings`; each of its commands sets `run`, which returns the exit code."""
    commands = add_word(subparsers, "settings", "read, compare and change settings")
    export = commands.add_parser("export", help="write every settings object of a board to a file")
    export.add_argument("address", metavar="ADDRESS")
    export.add_argument(
        "--out", required=True, metavar="FILE", help=".uav, .settings.toml, set:NAME"
    )
    export.add_argument("--note", default="", help="what is to be remembered about it")
    export.add_argument(
        "--not-default", action="store_true", help="only what differs from the firmware's defaults"
    )
    _finish(export, _export)
    diff = commands.add_parser("diff", help="compare boards, files, logs and configuration sets")
    diff.add_argument(
        "a", metavar="A", help="address, file, log (FILE@SECONDS), set:NAME, defaults"
    )
    diff.add_argument("b", metavar="B")
    diff.add_argument("--json", action="store_true", help="print one JSON object")
    _finish(diff, _diff)
    get = commands.add_parser("get", help="show what a board holds")
    get.add_argument("address", metavar="ADDRESS")
    get.add_argument("target", metavar="OBJECT[.FIELD[.ELEMENT]]")
    get.add_argument("--json", action="store_true", help="print one JSON object")
    _finish(get, _get)
    change = commands.add_parser("set", help="change values on a board, and read them back")
    change.add_argument("address", metavar="ADDRESS")
    change.add_argument("values", nargs="+", metavar="OBJECT.FIELD[.ELEMENT]=VALUE")
    _add_writing(change)
    _finish(change, _set)
    apply = commands.add_parser("apply", help="put a file or a set on a board: what differs")
    apply.add_argument("file", metavar="FILE", help="settings file, log or set:NAME")
    apply.add_argument("address", metavar="ADDRESS")
    apply.add_argument("--only", default="", metavar="OBJECT,...", help="these objects only")
    _add_writing(apply)
    _finish(apply, _apply)


def _add_writing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--force",
        action="append",
        nargs="?",
        const="",
        default=[],
        metavar="FIELD,...",
        help="send these: OBJECT.FIELD[.ELEMENT] beyond its limits, or OBJECT of another aircraft",
    )
    parser.add_argument("--save", action="store_true", help="keep it over a restart of the board")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _finish(parser: argparse.ArgumentParser, work: "Callable[[_Invocation], int]") -> None:
    parser.add_argument(
        "--timeout",
        type=float,
        default=PATIENCE_S,
        metavar="S",
        help="how long to wait for answers",
    )
    parser.set_defaults(run=lambda arguments: _run(arguments, work))


@dataclass(frozen=True, slots=True)
class _Invocation:
    """What every command works with."""

    arguments: argparse.Namespace
    catalogue: Catalogue
    sources: Sources


def _run(arguments: argparse.Namespace, work: Callable[[_Invocation], int]) -> int:
    catalogue = catalogue_for(arguments)
    sets = ConfigurationSets(Folders.of_user(os.environ).configuration_sets)
    reach = partial(_reach, arguments, catalogue)
    call = _Invocation(arguments, catalogue, Sources(catalogue, sets, reach))
    try:
        return work(call)
    except (SettingsError, AddressError) as error:
        return _fail(str(error), BAD_INPUT)
    except ValueError as error:
        end = "" if str(error).endswith("?") else "."
        return _fail(f"lapwing settings: {error}{end}", BAD_INPUT)
    except LinkError as error:
        return _fail(str(error), MACHINE)


def _reach(arguments: argparse.Namespace, catalogue: Catalogue, address: str) -> Headless:
    if not is_address(address):
        raise AddressError(f"'{address}' is not an address; write for example tcp:HOST:9000.")
    opening = getattr(arguments, "open_link", open_link)
    return Headless(address, opening, catalogue, arguments.timeout)


def _export(call: _Invocation) -> int:
    out = call.arguments.out
    if not out.startswith(SET):
        check_suffix(Path(out))
    with call.sources.reach(call.arguments.address) as remote:
        document = replace(read_board(remote), note=call.arguments.note)
    if call.arguments.not_default:
        document = replace(document, snapshot=only_not_default(document.snapshot))
    if out.startswith(SET):
        call.sources.sets.save(out.removeprefix(SET), document)
    else:
        _write(Path(out), document)
    count = len(document.snapshot.objects)
    objects = "object" if count == 1 else "objects"
    print(f"{count} {objects} of {document.identity.board_name} written to {out}.")
    for entry in document.snapshot.skipped:
        print(f"{entry.name} is missing in it: {entry.why}.", file=sys.stderr)
    return BAD_INPUT if document.snapshot.skipped else 0


def _write(path: Path, document: SettingsDocument) -> None:
    if not path.resolve().parent.is_dir():
        raise SettingsError(f"The folder {path.resolve().parent} does not exist.")
    write_settings(path, document)


def _diff(call: _Invocation) -> int:
    first, second = _both_sides(call)
    found = difference(first, adapted(second, first))
    lines = difference_lines(found, "A", "B")
    print_report(difference_json(found), lines, as_json=call.arguments.json)
    return 0


def _both_sides(call: _Invocation) -> tuple[Snapshot, Snapshot]:
    """What is compared; defaults are those of the release of the other side."""
    words = call.arguments.a, call.arguments.b
    if words == (DEFAULTS, DEFAULTS):
        raise SettingsError("Defaults are those of an aircraft; name one beside them.")
    known = [call.sources.load(word).snapshot for word in words if word != DEFAULTS]
    if words[0] == DEFAULTS:
        return defaults_of(known[0]), known[0]
    return known[0], defaults_of(known[0]) if words[1] == DEFAULTS else known[1]


def _get(call: _Invocation) -> int:
    target = parse_target(call.arguments.target, call.catalogue)
    with call.sources.reach(call.arguments.address) as remote:
        remote.fetch((target.name, target.instance))
        definition = remote.settings.definition(target.name)
        values = remote.settings.values(target.name, target.instance)
    paths = paths_at(definition, target) if definition is not None else []
    found = {path: values[path] for path in paths}
    if call.arguments.json:
        print_json(_got_json(target.name, target.instance, target.field, found))
    elif target.field and len(found) == 1:
        print(text_of(next(iter(found.values()))))
    else:
        width = max(len(path) for path in found)
        for path, value in found.items():
            print(f"{path:{width}}  {text_of(value)}")
    return 0


def _got_json(name: str, instance: int, field: str, found: dict[str, Any]) -> dict[str, Any]:
    """Of an object all values by field, of a field its value or its elements, of an element one."""
    head: dict[str, Any] = {"object": name, "instance": instance}
    if not field:
        return {**head, "values": grouped(found)}
    first = next(iter(found))
    field, _, element = first.partition(".")
    if len(found) == 1:
        return {**head, "field": field, "element": element or None, "value": plain(found[first])}
    return {**head, "field": field, "element": None, "value": grouped(found)[field]}


def _set(call: _Invocation) -> int:
    wanted = [parse_assignment(word, call.catalogue) for word in call.arguments.values]
    with call.sources.reach(call.arguments.address) as remote:
        remote.identify()
        remote.fetch(*{(target.name, target.instance) for target, _ in wanted})
        settings = remote.settings
        assigned: list[tuple[str, int, str, Any]] = []
        for target, text in wanted:  # all are judged before any is staged
            definition = settings.definition(target.name)
            if definition is None:
                raise ValueError(f"{target.name} is not on this board")
            if not definition.settings:
                raise ValueError(f"{target.name} is measured or commanded, not a setting")
            values = values_for(definition, target, text)
            assigned += [(target.name, target.instance, path, v) for path, v in values.items()]
        for name, instance, path, value in assigned:
            judged = settings.judge(name, path, value)
            if judged.level is Level.ERROR:
                raise ValueError(f"{name}: {judged.text}")
            settings.stage(name, path, value, instance)
        _confirm(settings, call.arguments)
        _warn_if_armed(remote)
        addresses = dict.fromkeys((name, instance) for name, instance, _, _ in assigned)
        transfer = settings.apply(save=call.arguments.save, also=addresses)
        try:
            remote.finish(transfer)
        except KeyboardInterrupt:
            return _say_interrupted(results_of(transfer), call.arguments)
        return _say(results_of(transfer), call.arguments, is_verified=transfer.is_verified)


def _confirm(settings: Configuration, arguments: argparse.Namespace) -> None:
    """What is in doubt and named by --force is meant, and told. Raises ValueError naming the
    rest, and for a bare --force."""
    doubts = settings.doubts()
    told = {doubt.name: _told(settings, doubt) for doubt in doubts}
    names = [doubt.name for doubt in doubts if not _is_forced(arguments, doubt)]
    if names:
        raise ValueError(
            f"{'; '.join(told[name] for name in names)}. Nothing was sent; choose other values, or "
            f"give --force {','.join(names)} if they are meant"
        )
    if "" in arguments.force:
        raise ValueError("--force takes the names of the fields that are meant; nothing was sent")
    for doubt in doubts:
        _warn(f"{told[doubt.name]}.")
        settings.confirm(doubt.keys)


def _told(settings: Configuration, doubt: Doubt) -> str:
    if doubt.is_of_another:
        return f"{doubt.name}: {doubt.text}"
    ((name, instance, path),) = doubt.keys
    return f"{doubt.name}={text_of(settings.values(name, instance)[path])}: {doubt.text}"


def _is_forced(arguments: argparse.Namespace, doubt: Doubt) -> bool:
    """Whether --force names it: a value by itself or its field, what is of another aircraft by its
    object."""
    words = {word for given in arguments.force for word in given.split(",")}
    field = ".".join(doubt.name.split(".")[:2])
    return not words.isdisjoint({doubt.name, field})


def _apply(call: _Invocation) -> int:
    arguments = call.arguments
    document = call.sources.load_file(arguments.file)
    if document is None:
        raise SettingsError(f"{arguments.file} is an address; export it to a file first.")
    only = [name.strip() for name in arguments.only.split(",") if name.strip()]
    wanted = chosen(document.snapshot, only)
    with call.sources.reach(arguments.address) as remote:
        remote.fetch_all()
        whose = told_of_another(document, remote.settings.aircraft.identity)
        transfer = SetTransfer(remote, wanted, save=arguments.save, is_foreign=bool(whose))
        _leave_out(whose, transfer, remote.settings, arguments)
        _warn_if_armed(remote)
        _confirm(remote.settings, arguments)
        try:
            transfer.run()
        except KeyboardInterrupt:
            return _say_interrupted(transfer.results(), arguments)
        for entry in wanted.skipped:
            if all(entry.name != name for name, _ in wanted.objects):
                print(f"Skipped: {entry.name}: {entry.why}.", file=sys.stderr)
        return _say(transfer.results(), arguments, is_verified=transfer.is_verified)


def _say(
    results: Sequence[ObjectResult], arguments: argparse.Namespace, *, is_verified: bool
) -> int:
    lines = results_lines(results, is_verified=is_verified, is_saving=arguments.save)
    print_report(results_json(results, is_verified), lines, as_json=arguments.json)
    for sentence in failure_sentences(results):
        print(sentence, file=sys.stderr)
    return BAD_INPUT if any(result.is_failed for result in results) else 0


def _say_interrupted(results: Sequence[ObjectResult], arguments: argparse.Namespace) -> int:
    """Ctrl+C: what is on board now."""
    _say(results, arguments, is_verified=False)
    there = [object_name((r.name, r.instance)) for r in results if not r.is_failed]
    held = f"on board as wanted: {', '.join(there)}" if there else "nothing of it is on board"
    print(f"Stopped by you; {held}.", file=sys.stderr)
    return INTERRUPTED


def _leave_out(
    whose: str, transfer: SetTransfer, settings: Configuration, arguments: argparse.Namespace
) -> None:
    """Leave out what belongs to another aircraft and was not named; say so, and `whose` it is."""
    left_out = [
        doubt
        for doubt in settings.doubts()
        if doubt.is_of_another and not _is_forced(arguments, doubt)
    ]
    for doubt in left_out:
        transfer.leave_out(doubt)
    if left_out:
        told = "; ".join(f"{doubt.name}: {doubt.text}" for doubt in left_out)
        names = ",".join(doubt.name for doubt in left_out)
        whose += f" Left out: {told}; --force {names} sends that."
    if whose:
        _warn(whose)


def _warn_if_armed(remote: Headless) -> None:
    if remote.settings.aircraft.is_armed:
        _warn("The aircraft is armed; what is sent acts at once, and saving is refused.")


def _warn(sentence: str) -> None:
    print(f"Warning: {sentence}", file=sys.stderr)


def _fail(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)
    return code
