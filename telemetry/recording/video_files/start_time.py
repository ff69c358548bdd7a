"""Start time of a video, by what its camera wrote into the file or its name."""

import re
from contextlib import suppress
from datetime import datetime
from typing import Final

_IN_NAME: Final = re.compile(
    r"(?<!\d)(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)[-_. T]{0,3}([0-2]\d)[-_.:h]?([0-5]\d)"
    r"(?:[-_.:m]?([0-5]\d))?(?!\d)"
)
_IN_HEADERS: Final = ("%a %b %d %H:%M:%S %Y", "%Y-%m-%d %H:%M:%S", "%Y:%m:%d %H:%M:%S")
_OLDEST: Final = 2001  # a camera whose clock was never set begins in 1904, 1970, 1980 or 2000


def started(date: str, file_name: str) -> datetime | None:
    """The wall time at the first frame, or None. A zone is only there if the text tells it; MP4
    says UTC, though many cameras write their local time. The file's own date wins over its name.
    """
    found = _by_header(date)
    if found is None or found.year < _OLDEST:
        found = _by_name(file_name)
    return found if found is not None and found.year >= _OLDEST else None


def _by_header(date: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.fromisoformat(date)
    for form in _IN_HEADERS:
        with suppress(ValueError):
            return datetime.strptime(date, form)  # noqa: DTZ007 -- AVI knows no zone
    return None


def _by_name(name: str) -> datetime | None:
    for match in _IN_NAME.finditer(name):
        with suppress(ValueError):
            year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
            return datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 -- no zone told
    return None
