"""Progress of packing and unpacking, as the share that is done."""

from collections.abc import Callable

Progress = Callable[[float], object]
"""Takes the share that is done; what it raises calls the work off."""


def part_of(progress: Progress, begin: float, end: float) -> Progress:
    """The progress of a part, from one share of the whole to another."""
    return lambda share: progress(begin + (end - begin) * share)
