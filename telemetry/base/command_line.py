"""Command line: what the commands of `lapwing` share: exit codes, lines, bars of progress."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from telemetry.base.escaping import drawn_on, terminal_text

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Subparsers = argparse._SubParsersAction  # it takes no type while it runs

BAD_INPUT: Final = 1
"""The exit code for a file, an address or a value that is refused."""


def add_word(subparsers: Subparsers, word: str, about: str) -> Subparsers:
    """Add a word to the command line; returns what its commands are added to."""
    parser = subparsers.add_parser(word, help=about)
    return parser.add_subparsers(required=True, metavar="COMMAND")


def refuse(reason: object) -> int:
    """Say why not, and give the exit code."""
    print(reason, file=sys.stderr)
    return BAD_INPUT


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, each of which stays one, whatever names are in it."""
    for line in lines:
        print(line)


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    print_lines(json.dumps(value, indent=1).split("\n"))


def print_report(report: object, lines: Iterable[str], *, as_json: bool) -> None:
    """What came of a command, for a program or for people."""
    print_json(report) if as_json else print_lines(lines)


@contextmanager
def progress_bar(unit: str, title: str | None = None) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr while people look at it; takes how much is done, and of how much."""
    from tqdm import tqdm

    with tqdm(
        desc=title and terminal_text(title),
        unit=unit,
        leave=False,
        disable=None,
        file=drawn_on(sys.stderr),
    ) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show


@contextmanager
def percent_bar(title: str) -> Iterator[Callable[[float], None]]:
    """A bar as `progress_bar`; takes the share that is done."""
    with progress_bar("%", title) as show:
        show(0, 100)
        yield lambda share: show(int(100 * share), 100)
