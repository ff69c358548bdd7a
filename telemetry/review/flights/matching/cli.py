"""The command `lapwing flight match`."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from telemetry.base.command_line import Subparsers, print_json, print_lines, refuse
from telemetry.base.escaping import drawn_on, terminal_text
from telemetry.protocol.objects.cli import catalogue_for

if TYPE_CHECKING:  # what matches takes scipy, which the other commands of flights do without
    from telemetry.review.flights.matching.folder_match import FolderMatch
    from telemetry.review.flights.matching.proposals import MatchProposal

_WORDS = {"sure": "surely", "likely": "probably", "guess": "perhaps"}


def add_match(commands: Subparsers) -> None:
    """Add `match`, which sets `run`."""
    match = commands.add_parser("match", help="say which videos of a folder belong to which logs")
    match.add_argument("folder", type=Path, metavar="FOLDER")
    match.add_argument("--json", action="store_true", help="print one JSON object")
    match.add_argument(
        "--write", action="store_true", help="write a flight beside every log that has videos"
    )
    match.add_argument(
        "--pictures",
        action="store_true",
        help="look at the pictures, too: takes a tenth of their duration or so and synchronises",
    )
    match.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.folder
    if not folder.is_dir():
        return refuse(f"{folder} is no folder. Name one with logs and videos in it.")
    try:
        match = _match(folder, arguments)
    except OSError as error:
        return refuse(f"{folder} cannot be looked at: {error.strerror or error}.")
    report: dict[str, Any] = match.as_json()
    if arguments.write:
        from telemetry.review.flights.matching.flights import write_flights

        written, kept = write_flights(match.proposals)
        report["written"] = [str(path) for path in written]
        for sentence in kept:
            print(sentence, file=sys.stderr)
    if arguments.json:
        print_json(report)
    else:
        print_lines(match_lines(match))
        print_lines(f"Written: {path}" for path in report.get("written", ()))
    return 0


def _match(folder: Path, arguments: argparse.Namespace) -> "FolderMatch":
    from telemetry.review.flights.matching.folder_match import look_at_pictures, match_folder

    with tqdm(total=100, unit="%", disable=None, leave=False, file=drawn_on(sys.stderr)) as bar:

        def show(doing: str, share: float) -> None:
            bar.set_description(terminal_text(doing))
            bar.update(int(100 * share) - bar.n)

        match = match_folder(folder, catalogue_for(arguments), show)
        if arguments.pictures:
            bar.reset()
            match = look_at_pictures(match, show)
        return match


def match_lines(match: "FolderMatch") -> list[str]:
    """What belongs together, and why, for people."""
    lines: list[str] = []
    for proposal in match.proposals:
        lines += [_title(proposal), *(f"    {reason}" for reason in proposal.reasons)]
    if lone := match.lone_logs:
        lines.append(f"Without a video: {', '.join(log.path.name for log in lone)}.")
    lines += match.skipped
    return lines or ["There are no logs and no videos in it."]


def _title(proposal: "MatchProposal") -> str:
    names = " + ".join(path.name for path in proposal.video.files)
    if proposal.log is None:
        return f"{names}: no log found."
    return f"{names}: {_WORDS[proposal.confidence]} of {proposal.log.name}."
