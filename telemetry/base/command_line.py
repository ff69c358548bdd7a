"""Command line: the exit codes of `lapwing`, and its words that have commands of their own."""

import argparse
from typing import TYPE_CHECKING, Final

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
