"""Names of packed files: such that every system can have them, and none leads out of its folder."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from telemetry.base.escaping import terminal_text

_LONGEST_BYTES: Final = 300
_LONGEST_PART_BYTES: Final = 255
_MOST_PARTS: Final = 4
_NOWHERE: Final = re.compile(r'[<>:"|?*\\]')
"""What Windows takes for something else: drives, streams of files, patterns, its own separator."""
_DEVICES: Final = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?", re.IGNORECASE
)


def name_problem(name: str) -> str:
    """What is wrong with the name of a packed file, folders before it by slashes, as a phrase; ""
    if nothing is."""
    parts = name.split("/")
    if len(name.encode("utf-8", "replace")) > _LONGEST_BYTES or len(parts) > _MOST_PARTS:
        return "is too long"
    return next(filter(None, map(_part_problem, parts)), "")


def clash(names: Iterable[str]) -> str:
    """A name that some system takes for another one of these, or that is a folder of it; "" if
    there is none."""
    seen: set[str] = set()
    folders: set[str] = set()
    for name in names:
        key = same_key(name)
        parts = key.split("/")
        above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if key in seen or key in folders or above & seen:
            return name
        seen.add(key)
        folders |= above
    return ""


def same_key(name: str) -> str:
    """What is equal for names that some system takes for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _part_problem(part: str) -> str:
    if part in ("", ".", ".."):
        return "leads out of its folder"
    if len(part.encode("utf-8", "replace")) > _LONGEST_PART_BYTES:
        return "is too long"
    if _NOWHERE.search(part) or _DEVICES.fullmatch(part) or part[-1] in " .":
        return "is none that every system can have"
    if terminal_text(part) != part or "\t" in part:
        return "has characters that nobody sees"
    return ""
