"""Unused names: what is taken gets a number."""

from collections.abc import Container
from itertools import chain, count
from pathlib import Path


def unused_name(name: str, taken: Container[str], form: str = "{} ({})") -> str:
    """The name, or with a number, from 2 on, where it is taken; `form` says how."""
    numbered = (form.format(name, number) for number in count(2))
    return next(one for one in chain((name,), numbered) if one not in taken)


def unused_path(path: Path, *beside: str, form: str = "{}_{}") -> Path:
    """The same for a file; one is taken where there is one with a suffix of `beside`, too."""
    stems = chain((path.stem,), (form.format(path.stem, number) for number in count(2)))
    suffixes = (path.suffix, *beside)
    return next(
        path.with_name(stem + path.suffix)
        for stem in stems
        if not any(path.with_name(stem + suffix).exists() for suffix in suffixes)
    )
