"""Reading a TOML file against a list of allowed keys, with errors that say how to repair it."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class ParameterError(ValueError):
    """A parameter file that cannot be used: where, what is wrong, what to do."""

    def __init__(self, path: Path, line: int | None, what: str, remedy: str) -> None:
        self.path, self.line, self.what, self.remedy = path, line, what, remedy
        place = f"{path.name}, line {line}" if line else path.name
        super().__init__(f"{place}: {what} {remedy}")


@dataclass(frozen=True, slots=True)
class Key:
    """One allowed key: numbers of this shape within these limits. Shape () is a single number;
    -1 is any length."""

    low: float
    high: float
    shape: tuple[int, ...] = ()
    whole: bool = False


Schema = Mapping[str, Key]


class ParameterFile:
    """A parsed TOML file that knows in which line a key stands."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._text = path.read_text(encoding="utf-8")
            self.content = tomllib.loads(self._text)
        except OSError as error:
            raise ParameterError(
                path, None, f"The file cannot be read ({error.strerror}).", "Check its path."
            ) from None
        except UnicodeDecodeError:
            raise ParameterError(
                path, None, "This is not a text file.", "Give a TOML file in UTF-8."
            ) from None
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"line (\d+)", str(error))
            line = int(found[1]) if found else None
            raise ParameterError(path, line, f"Not valid TOML: {error}.", "Correct it.") from None

    def error(self, section: str, key: str, what: str, remedy: str) -> ParameterError:
        """An error about `key` in `section` ("" is the top of the file)."""
        return ParameterError(self.path, self._line_of(section, key), what, remedy)

    def table(self, section: str) -> Mapping[str, Any]:
        """The table of that dotted name."""
        table: Any = self.content
        for part in section.split("."):
            table = table.get(part) if isinstance(table, Mapping) else None
        if not isinstance(table, Mapping):
            raise self.error(section, "", f"The section [{section}] is missing.", "Add it.")
        return table

    def refuse_unknown(self, section: str, allowed: Sequence[str]) -> None:
        """Complain about a key of `section` that is not allowed."""
        table = self.table(section) if section else self.content
        for key in table:
            if key not in allowed:
                what = f"Unknown key {key!r} in {f'[{section}]' if section else 'the file'}."
                raise self.error(section, key, what, f"Use one of: {', '.join(allowed)}.")

    def text(self, key: str) -> str:
        """A text at the top of the file."""
        value = self.content.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.error("", key, f"{key!r} must be a text.", f'Write {key} = "..."')
        return value

    def numbers(self, section: str, schema: Schema) -> dict[str, Any]:
        """All keys of `schema` from the table `section`, as numbers or nested lists."""
        self.refuse_unknown(section, tuple(schema))
        table = self.table(section)
        for key, rule in schema.items():
            if key not in table:
                what = f"{key!r} is missing in [{section}]."
                raise self.error(section, "", what, f"Add it, {_describe(rule)}.")
            self._check(section, key, table[key], rule)
        return {key: table[key] for key in schema}

    def _check(self, section: str, key: str, value: Any, rule: Key) -> None:
        flat = _flatten(value, rule.shape)
        if flat is None:
            what = f"{key!r} in [{section}] has the wrong form."
            raise self.error(section, key, what, f"Give {_describe(rule)}.")
        for number in flat:
            if not rule.low <= number <= rule.high or (rule.whole and number != int(number)):
                what = f"{key!r} in [{section}] is {number:g}, which is not possible."
                raise self.error(section, key, what, f"Give {_describe(rule)}.")

    def _line_of(self, section: str, key: str) -> int | None:
        """Line of the key, else of its section, else None."""
        current, found = "", None
        for number, text in enumerate(self._text.splitlines(), 1):
            header = re.match(r"\s*\[+([^\]]+)\]", text) if not text.startswith("  ") else None
            if header:
                current = header[1].strip()
                found = number if current == section else found
            elif key and current == section and re.match(rf"\s*{re.escape(key)}\s*=", text):
                return number
        return found


def _flatten(value: Any, shape: tuple[int, ...]) -> list[float] | None:
    """All numbers of a nested list of that shape; None if it has another form."""
    if not shape:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return [value] if is_number else None
    if not isinstance(value, list) or (shape[0] >= 0 and len(value) != shape[0]):
        return None
    flat: list[float] = []
    for item in value:
        inner = _flatten(item, shape[1:])
        if inner is None:
            return None
        flat += inner
    return flat


def _describe(rule: Key) -> str:
    kind = "whole number" if rule.whole else "number"
    size = " x ".join("n" if n < 0 else str(n) for n in rule.shape)
    form = f"{size} {kind}s" if rule.shape else f"a {kind}"
    return f"{form} from {rule.low:g} to {rule.high:g}"
