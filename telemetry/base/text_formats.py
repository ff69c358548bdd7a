"""JSON and TOML from elsewhere, read within limits of size, depth and numbers.

A file that a stranger made, or a disk has damaged, costs at most two seconds and 200 MB, and what
comes out of it holds only numbers that arithmetic takes. Everything wrong is a FormatError.
"""

import errno
import json
import math
import re
import tomllib
from pathlib import Path
from typing import Any, Final

from telemetry.base.input_files import read_bytes, size_text

LARGEST_BYTES: Final = 2 << 20
"""More than any file of ours holds."""
_LARGEST_TOML_BYTES: Final = 1 << 20
_MOST_TOML_MARKS: Final = 50_000
"""Lines, keys and list items. Python reads TOML slowly; a board's settings have 4,000."""
_DEEPEST: Final = 64
_LONGEST_BITS: Final = 64

_TOML_TEXTS: Final = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}|\'\'\'(?:[^']|'(?!\'\'))*+'{3,5}'''
    r"""|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|\#[^\n]*+|["'].*""",
    re.DOTALL,
)
"""Texts and comments; one that does not end reaches to the end, since nothing behind it is read."""


class FormatError(ValueError):
    """Why a file or a message is not read, as a phrase."""


def read_limited(path: Path, largest_bytes: int = LARGEST_BYTES) -> bytes:
    """A file's content. Raises OSError, or FormatError for one that is larger."""
    try:
        return read_bytes(path, largest_bytes)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise FormatError(error.strerror) from None
        raise


def parse_json(
    data: bytes | str, largest_bytes: int = LARGEST_BYTES, *, takes_nan: bool = False
) -> Any:
    """What a JSON text in UTF-8 says: whole numbers have at most 64 bits, others are finite unless
    it `takes_nan`.

    Raises FormatError.
    """
    _check_size(data, largest_bytes)
    try:
        value = json.loads(data if isinstance(data, str) else data.decode("utf-8"))
    except RecursionError:
        raise FormatError("it is nested too deeply") from None
    except ValueError as error:
        raise FormatError(_phrase(error)) from None
    _check_values(value, takes_nan=takes_nan)
    return value


def parse_toml(data: bytes | str, *, takes_any_number: bool = False) -> dict[str, Any]:
    """What a TOML text in UTF-8 says, as `parse_json`; it may say `nan` and `inf` in words.

    Who `takes_any_number` looks at them himself. Raises FormatError.
    """
    _check_size(data, _LARGEST_TOML_BYTES)
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        _check_toml_marks(text)
        value = tomllib.loads(text, parse_float=float if takes_any_number else _toml_float)
    except RecursionError:
        raise FormatError("it is nested too deeply") from None
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(_phrase(error)) from None
    if not takes_any_number:
        _check_values(value, takes_nan=True)
    return value


def _phrase(error: ValueError) -> str:
    """What is wrong, where Python says what to do in a program."""
    is_long = "integer string conversion" in str(error)
    return "a number in it has thousands of digits" if is_long else str(error)


def _check_size(data: bytes | str, largest_bytes: int) -> None:
    if len(data) > largest_bytes:
        raise FormatError(f"it is larger than {size_text(largest_bytes)}")


def _check_toml_marks(text: str) -> None:
    """Refuse what would take minutes: very many keys, and keys of very many parts."""
    bare = _TOML_TEXTS.sub('""', text)
    if sum(map(bare.count, "\n=,")) > _MOST_TOML_MARKS:
        raise FormatError(f"it has more than {_MOST_TOML_MARKS:,} lines and entries")
    if any(part.count(".") > _DEEPEST for part in re.split(r"[\n=,\[\]{}]", bare)):
        raise FormatError("it is nested too deeply")


def _toml_float(text: str) -> float:
    number = float(text)
    if math.isinf(number) and "inf" not in text:
        raise FormatError(f"{text[:40]} is more than any number can be")
    return number


def _check_values(value: Any, *, takes_nan: bool) -> None:
    """Look at every value, one depth after the other."""
    level = [value]
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for entry in level:
            if isinstance(entry, dict):
                below.extend(entry.values())
            elif isinstance(entry, list):
                below.extend(entry)
            elif isinstance(entry, int):
                if entry.bit_length() > _LONGEST_BITS:
                    raise FormatError("it has a whole number of more than 64 bits")
            elif isinstance(entry, float) and not (takes_nan or math.isfinite(entry)):
                raise FormatError("it has a number that is infinite or NaN")
        if not below:
            return
        level = below
    raise FormatError("it is nested too deeply")
