"""Checked JSON: files from elsewhere against a dataclass, with errors that say where."""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn, Self, get_origin

from telemetry.base.input_files import read_text
from telemetry.base.text_formats import LARGEST_BYTES

_MOST_DIGITS: Final = 30
"""Whole numbers may have any length in JSON."""


class CheckedJson:
    """One file: knows in which line a key stands. Everything raises `error`."""

    error: ClassVar[type[ValueError]] = ValueError

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self._text = text

    @classmethod
    def open(cls, path: Path, name: str, kind: str, known: Callable[[], Sequence[str]]) -> Self:
        """Read a file asked for as `name`, of a `kind` ("scenario"); `known` are the names of those
        there are, for somebody who has named another."""
        try:
            return cls(path, read_text(path, LARGEST_BYTES))
        except FileNotFoundError:
            names = ", ".join(known())
            raise cls.error(f"There is no {kind} '{name}'; there are: {names}.") from None
        except UnicodeDecodeError:
            raise cls.error(f"The {kind} {path} is no text; give a JSON file in UTF-8.") from None
        except OSError as error:
            raise cls.error(
                f"The {kind} {path} cannot be read ({error.strerror}); check its path."
            ) from None

    def fail(self, what: str, key: str = "") -> NoReturn:
        """Raise an error about `key`, whose first mention gives the line."""
        found = re.search(rf'"{re.escape(key)}"', self._text) if key else None
        line = f", line {self._text.count(chr(10), 0, found.start()) + 1}" if found else ""
        raise self.error(f"{self.path}{line}: {what}")

    def content(self) -> dict[str, Any]:
        """The object the file holds; complain where it is no plain JSON."""
        try:
            content = json.loads(
                self._text,
                object_pairs_hook=self._pairs,
                parse_constant=self._constant,
                parse_int=self._whole,
            )
            json.dumps(content, ensure_ascii=False).encode()
        except json.JSONDecodeError as error:
            raise self.error(
                f"{self.path}, line {error.lineno}: not valid JSON ({error.msg}); correct it."
            ) from None
        except UnicodeEncodeError:
            self.fail("a text has half a character (\\ud800 to \\udfff); write it in full.")
        except RecursionError:
            self.fail("the file is nested too deeply; write it flat.")
        if not isinstance(content, dict):
            self.fail("the file is not one JSON object; write { ... }.")
        return content

    def _pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content = dict(pairs)
        if len(content) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            self.fail(f"'{twice}' is given twice; remove one.", twice)
        return content

    def _whole(self, text: str) -> int:
        if len(text) > _MOST_DIGITS:
            self.fail(f"{text[:_MOST_DIGITS]}... is no number anybody means; give a smaller one.")
        return int(text)

    def _constant(self, text: str) -> float:
        self.fail(f"{text} is no number to fly with; give a finite one.")

    def list_of(self, content: Mapping[str, Any], key: str, kind: type) -> list[Any]:
        """The entries of a list, which may be missing; all of that kind."""
        items = content.get(key, [])
        if not isinstance(items, list) or not all(isinstance(item, kind) for item in items):
            what = "objects" if kind is Mapping else "entries"
            self.fail(f"'{key}' must be a list of {what}.", key)
        return items

    def check_keys(
        self, content: Mapping[str, Any], kind: type, where: str, without: Sequence[str] = ()
    ) -> None:
        """Refuse keys that `kind` has no member for, missing ones and values of a wrong type."""
        members = [member for member in fields(kind) if member.name not in without]
        known = [member.name for member in members]
        for key in content:
            if key not in known:
                allowed = ", ".join(known)
                self.fail(f"unknown key '{key}'{where}; the known ones are {allowed}.", key)
        for member in members:
            required = member.default is MISSING and member.default_factory is MISSING
            if required and member.name not in content:
                self.fail(f"'{member.name}' is missing{where}; add it.")
            if member.name in content:
                self._check_type(content[member.name], member, where)

    def numbers(self, content: Any, where: str) -> dict[str, float]:
        """An object that holds only finite numbers."""
        if not isinstance(content, Mapping):
            self.fail(f"'{where}' must hold names and their numbers.", where)
        for name, value in content.items():
            if not is_number(value):
                self.fail(f"'{name}' must be a number, not {value!r}.", name)
        return dict(content)

    def _check_type(self, value: Any, member: Any, where: str) -> None:
        if get_origin(member.type) is Mapping:
            is_right, wanted = isinstance(value, Mapping), "an object"
        elif member.type in _PLAIN:
            is_right, wanted = _PLAIN[member.type][0](value), _PLAIN[member.type][1]
        else:
            return
        if not is_right:
            self.fail(f"'{member.name}'{where} must be {wanted}, not {value!r}.", member.name)


def is_number(value: Any) -> bool:
    """Whether JSON gave a finite number; `1e999` is an infinity."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


_PLAIN: dict[Any, tuple[Callable[[Any], bool], str]] = {
    float: (is_number, "a finite number"),
    int: (lambda value: type(value) is int, "a whole number"),
    str: (lambda value: isinstance(value, str), "a text"),
    bool: (lambda value: isinstance(value, bool), "true or false"),
}
"""How a value of a plain type is recognised, and its name."""
