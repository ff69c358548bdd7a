"""Unused names within a flight."""

from collections.abc import Sequence


def unused_name(name: str, taken: Sequence[str]) -> str:
    """The name, or with a number where that is taken."""
    number, free = 2, name
    while free in taken:
        free = f"{name} ({number})"
        number += 1
    return free
