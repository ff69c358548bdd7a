"""Older spelling of `lapwing sim`: words without a sub-command, which its options chose.

`lapwing sim --serve ADDRESS` is `lapwing sim serve ADDRESS`.
"""

import argparse
from collections.abc import Sequence
from typing import Final

OLDER_FLAGS: Final = {
    "--list": "scenarios",
    "--list-worlds": "worlds",
    "--sheet": "sheet",
    "--hitl": "hitl",
    "--serve": "serve",
    "--scenario": "fly",
    "--duration": "stand",
}
"""The options, and the sub-command that each chooses; of several, the first one does."""
_FLIGHTS: Final = ("fly", "stand")
_HELP: Final = ("-h", "--help")


def has_command(words: Sequence[str]) -> bool:
    """Whether the first word is a sub-command, or asks for help."""
    return bool(words) and (words[0] in _HELP or not words[0].startswith("-"))


def with_command(words: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    """The same with a sub-command. `parser`, a new one, refuses what nobody could understand."""
    for flag in OLDER_FLAGS:
        if flag.startswith("--list"):
            parser.add_argument(flag, action="store_const", const="")
        else:
            parser.add_argument(flag)
    chosen, rest = parser.parse_known_args(words)
    given = {flag: getattr(chosen, flag[2:].replace("-", "_")) for flag in OLDER_FLAGS}
    given = {flag: value for flag, value in given.items() if value is not None}
    flag = next(iter(given), "")
    if not flag:
        return ["fly", *rest]
    command, value = OLDER_FLAGS[flag], given.pop(flag)
    if flag.startswith("--list"):  # which took all options, and did without them
        return [command, *(word for word in rest if word == "--json")]
    others = [word for pair in given.items() for word in pair]
    return [command, value, *others, *rest]


def older_refusal(command: str, option: str, why: str, knowing: Sequence[str]) -> str:
    """The sentence about an option that does not go with the sub-command which others chose.
    `knowing` are those that know it."""
    flags = {name: flag for flag, name in OLDER_FLAGS.items()}
    if command in _FLIGHTS:
        wanted = flags[knowing[0]] + (" NAME" if knowing[0] == "fly" else "")
        return f"{option} says something about {flags[knowing[0]]}; add {wanted}."
    flag = flags[command]
    return f"{flag} takes no {option}{why}; leave out {flag} or {option}."
