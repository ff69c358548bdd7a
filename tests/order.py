"""In which order the workers of a run get the tests."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from typing import TypeVar

_T = TypeVar("_T")


def long_ones_first(
    files: Iterable[Sequence[_T]], is_long: Callable[[_T], bool], workers: int
) -> list[_T]:
    """The tests of all files, so that each worker begins with its share of the long ones.

    With `--dist worksteal` each worker gets a part of the list, all of one size, and takes from the
    ends of the others' when it is done: a long test at such an end would begin last of all, and the
    other workers would wait for it. The tests of one file stay together, for what they share.
    """
    files = list(files)
    long_files = [
        sorted(one, key=lambda t: not is_long(t)) for one in files if any(map(is_long, one))
    ]
    others = chain.from_iterable(one for one in files if not any(map(is_long, one)))
    left = sum(map(len, files))
    order: list[_T] = []
    for worker in range(workers):
        size = left // (workers - worker)
        left -= size
        begun = list(chain.from_iterable(long_files[worker::workers]))
        order += [*begun, *islice(others, max(size - len(begun), 0))]
    return [*order, *others]
