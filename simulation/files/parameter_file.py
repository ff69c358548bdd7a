"""Parameter files: TOML against a list of allowed keys, with errors that say how to repair it."""

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final, cast

import numpy as np

from telemetry.base.text_formats import FormatError, parse_toml, read_limited

_UNITS: Final = {
    ("g", "kg"): 1e-3,
    ("lb", "kg"): 0.45359237,
    ("oz", "kg"): 0.028349523,
    ("mm", "m"): 1e-3,
    ("cm", "m"): 1e-2,
    ("in", "m"): 0.0254,
    ("ft", "m"): 0.3048,
    ("gcm2", "kgm2"): 1e-7,
    ("kgcm2", "kgm2"): 1e-4,
    ("gm2", "kgm2"): 1e-3,
    ("rad", "deg"): 57.29578,
    ("deg", "rad"): 0.01745329,
    ("rpm", "radps"): 0.10471976,
    ("hz", "radps"): 6.2831853,
    ("ms", "s"): 1e-3,
    ("s", "ms"): 1e3,
    ("ah", "mah"): 1e3,
    ("mohm", "ohm"): 1e-3,
    ("kmh", "mps"): 0.27777778,
    ("kt", "mps"): 0.51444444,
}
"""How many of the second unit one of the first is."""
NO_CHANGES: Final[Mapping[str, Any]] = MappingProxyType({})
_LARGEST: Final = 1e300
"""More than any number that is looked at; whole ones may have any size in TOML."""


class ParameterError(ValueError):
    """A parameter file that cannot be used: where, what is wrong, what to do."""

    def __init__(self, path: Path, line: int | None, what: str, remedy: str) -> None:
        self.path, self.line, self.what, self.remedy = path, line, what, remedy
        place = f"{path.name}, line {line}" if line else path.name
        super().__init__(f"{place}: {what} {remedy}")


@dataclass(frozen=True, slots=True)
class NumberKey:
    """One allowed key: numbers of this shape within these limits. Shape () is a single number;
    -1 is any length.

    Its value times `scale` becomes `member` of the record that is filled; "" leaves that to the
    section. A key with a `default` may be absent.
    """

    low: float
    high: float
    shape: tuple[int, ...] = ()
    whole: bool = False
    member: str = ""
    scale: float = 1.0
    default: Any = None


@dataclass(frozen=True, slots=True)
class WordKey:
    """One allowed key: one of these words, each of which stands for a number of `member`."""

    options: Mapping[str, int]
    member: str = ""
    default: str | None = None


@dataclass(frozen=True, slots=True)
class TextKey:
    """One allowed key: a text, which may be empty only where that is the `default`. `what` says
    of what ("the name of a file")."""

    what: str
    default: str | None = None
    member: ClassVar[str] = ""
    """A record holds no texts."""


Rule = NumberKey | WordKey | TextKey
Schema = Mapping[str, Rule]
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ParameterSection:
    """A table of a parameter file: its keys, and what is to be done with their values besides
    storing them. An optional section may be absent: the aircraft has no such thing."""

    name: str
    keys: Schema
    finish: "Callable[[ParameterFile, Values, np.void], None] | None" = None
    is_optional: bool = False


class ParameterFile:
    """A parsed TOML file that knows in which line a key stands.

    With `base = "NAME"` at its top it says only what is different from the file of that name in
    `folder`; the base's tables that `without` lists are not taken over. `above` are the files that
    are based on this one. `changes` stand in the place of what it says, by dotted name.
    """

    def __init__(
        self,
        path: Path,
        folder: Path | None = None,
        above: tuple[Path, ...] = (),
        changes: Mapping[str, Any] = NO_CHANGES,
        text: str | None = None,
    ) -> None:
        """`text` is what stands in the file, where that is known without reading it."""
        self.path = path
        try:
            self.source = read_limited(path).decode("utf-8-sig") if text is None else text
            self.content = dict(_parsed(self.source))
        except OSError as error:
            raise ParameterError(
                path, None, f"The file cannot be read ({error.strerror}).", "Check its path."
            ) from None
        except UnicodeDecodeError:
            raise ParameterError(
                path, None, "This is not a text file.", "Give a TOML file in UTF-8."
            ) from None
        except FormatError as error:
            found = re.search(r"line (\d+)", str(error))
            line = int(found[1]) if found else None
            raise ParameterError(path, line, f"Not valid TOML: {error}.", "Correct it.") from None
        self._base: ParameterFile | None = None
        if "base" in self.content:
            self._base = self._open_base(folder, above)
            del self.content["base"]
            inherited = self._base.content
            for name in self._tables_left_out(self._base):
                inherited = _without(inherited, name)
            self.content = _laid_over(inherited, self.content)
        for name, value in changes.items():
            self.content = _laid_over(self.content, _nested(name, value))

    def _open_base(self, folder: Path | None, above: tuple[Path, ...]) -> "ParameterFile":
        above = (*above, self.path)
        known = sorted(folder.glob("*.toml")) if folder else []
        names = [path.stem for path in known if path not in above]
        name = self.text("base")
        if name not in names:
            what = f"There is no file {name!r} this one could be based on."
            raise self.error("", "base", what, f"Use one of: {', '.join(names)}.")
        return ParameterFile(known[0].parent / f"{name}.toml", folder, above)

    def _tables_left_out(self, base: "ParameterFile") -> Sequence[str]:
        names = self.content.pop("without", [])
        for name in names if isinstance(names, list) else (None,):
            if not isinstance(name, str) or not base.has(name):
                what = f"'without' is {names!r}, which are no tables of its base."
                raise self.error("", "without", what, 'Write without = ["its table"].')
        return cast(Sequence[str], names)

    def has(self, section: str) -> bool:
        """Whether there is a table of that dotted name."""
        table: Any = self.content
        for part in section.split("."):
            table = table.get(part) if isinstance(table, Mapping) else None
        return isinstance(table, Mapping)

    def fill(
        self, record: np.void, sections: Sequence[ParameterSection], texts: Sequence[str]
    ) -> None:
        """Read all sections into `record`; `texts` are the other keys at the top of the file."""
        names = [section.name for section in sections]
        self.refuse_unknown("", (*texts, *_heads(names, "")))
        for parent in dict.fromkeys(name.rpartition(".")[0] for name in names if "." in name):
            if self.has(parent):
                self.refuse_unknown(parent, _heads(names, f"{parent}."))
        for section in sections:
            if section.is_optional and not self.has(section.name):
                continue
            values = self.values(section.name, section.keys)
            for key, rule in section.keys.items():
                if rule.member:
                    record[rule.member] = _stored(rule, values[key])
            if section.finish is not None:
                section.finish(self, values, record)

    def error(self, section: str, key: str, what: str, remedy: str) -> ParameterError:
        """An error about `key` in `section` ("" is the top of the file)."""
        line = self._line_of(section, key)
        if self._base is not None and not (key and self._says(section, key)):
            inherited = self._base.error(section, key, what, remedy)
            if inherited.line is not None:
                return inherited
        return ParameterError(self.path, line, what, remedy)

    def table(self, section: str) -> Mapping[str, Any]:
        """The table of that dotted name."""
        if not self.has(section):
            raise self.error(section, "", f"The section [{section}] is missing.", "Add it.")
        table: Any = self.content
        for part in section.split("."):
            table = table[part]
        return cast(Mapping[str, Any], table)

    def refuse_unknown(self, section: str, allowed: Sequence[str]) -> None:
        """Complain about a key of `section` that is not allowed."""
        table = self.table(section) if section else self.content
        for key in table:
            if key not in allowed:
                what = f"Unknown key {key!r} in {f'[{section}]' if section else 'the file'}."
                raise self.error(section, key, what, remedy_for(key, allowed))

    def text(self, key: str) -> str:
        """A text at the top of the file."""
        value = self.content.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.error("", key, f"{key!r} must be a text.", f'Write {key} = "..."')
        return value

    def values(self, section: str, schema: Schema, beside: Sequence[str] = ()) -> dict[str, Any]:
        """All keys of `schema` from the table `section` ("" is the top of the file): numbers,
        nested lists, words or texts. Other keys are refused, but for those `beside`."""
        self.refuse_unknown(section, (*schema, *beside))
        table = self.table(section) if section else self.content
        where = f" in [{section}]" if section else ""
        found = {}
        for key, rule in schema.items():
            found[key] = table.get(key, rule.default)
            if found[key] is None:
                what = f"{key!r} is missing{where}."
                raise self.error(section, "", what, f"Add it, {describe_rule(rule)}.")
            wrong = what_is_wrong(found[key], rule) if key in table else ""
            if wrong:
                what = f"{key!r}{where} {wrong}."
                raise self.error(section, key, what, f"Give {describe_rule(rule)}.")
        return found

    def check_ascending(self, section: str, key: str, values: Values) -> None:
        """Complain about the two numbers of a key if the first is not below the second."""
        low, high = values[key]
        if high <= low:
            what = f"The two of {key!r} are swapped."
            raise self.error(section, key, what, "Give [least, most].")

    def _says(self, section: str, key: str) -> bool:
        """Whether this file itself, not its base, has the key."""
        table: Any = _parsed(self.source)
        for part in section.split(".") if section else ():
            table = table.get(part, {})
        return key in table

    def _line_of(self, section: str, key: str) -> int | None:
        """Line of the key, else of its section, else None."""
        current, found = "", None
        for number, text in enumerate(self.source.splitlines(), 1):
            header = re.match(r"\s*\[+([^\]]+)\]", text) if not text.startswith("  ") else None
            if header:
                current = header[1].strip()
                if current in (section, f"{section}.{key}" if section else key):
                    found = number
            elif key and current == section and re.match(rf"\s*{re.escape(key)}\s*=", text):
                return number
        return found


@lru_cache(maxsize=64)
def _parsed(source: str) -> Mapping[str, Any]:
    """Not to be written: fleets and studies read one aircraft's file by the thousand."""
    return parse_toml(source, takes_any_number=True)


def what_is_wrong(value: Any, rule: Rule) -> str:
    """What a key's value is that it may not be, as the end of a sentence; "" if it is allowed."""
    if isinstance(rule, WordKey):
        is_known = isinstance(value, str) and value in rule.options
        return "" if is_known else f"is {value!r}, which is not known"
    if isinstance(rule, TextKey):
        is_text = value == rule.default or (isinstance(value, str) and value.strip())
        return "" if is_text else "must be a text"
    flat = _flatten(value, rule.shape)
    if flat is None:
        return "has the wrong form"
    for number in flat:
        is_within = rule.low <= number <= rule.high and abs(number) < _LARGEST
        if not is_within or (rule.whole and number != int(number)):
            return f"is {_in_words(number)}, which is not possible"
    return ""


def _in_words(number: float) -> str:
    """As it was written, as far as there is room for it."""
    if isinstance(number, int) and abs(number) >= _LARGEST:
        return f"a number of {len(str(abs(number)))} digits"
    return f"{number:g}"


def remedy_for(key: str, allowed: Sequence[str]) -> str:
    """What to write in the place of an unknown key: the same quantity in the unit that is
    expected, or the name that looks most like it, or any."""
    stem, _, unit = key.rpartition("_")
    for name in allowed:
        its_stem, _, its_unit = name.rpartition("_")
        if its_stem and its_stem in (key, stem):
            factor = _UNITS.get((unit, its_unit))
            note = f" (1 {unit} is {factor:g} {its_unit})" if factor else ""
            return f"Its unit is {its_unit} here: write {name}{note}."
    similar = difflib.get_close_matches(key, allowed, 1)
    return f"Write {similar[0]}." if similar else f"Use one of: {', '.join(allowed)}."


def _laid_over(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with what `over` says in its place, key by key in every table."""
    result = dict(base)
    for key, value in over.items():
        old = result.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            result[key] = _laid_over(old, value)
        else:
            result[key] = value
    return result


def _without(content: Mapping[str, Any], name: str) -> dict[str, Any]:
    """`content` without the table of a dotted name."""
    head, _, rest = name.partition(".")
    kept = {key: value for key, value in content.items() if key != head}
    return {**kept, head: _without(content[head], rest)} if rest else kept


def _nested(name: str, value: Any) -> dict[str, Any]:
    """The tables around one value of a dotted name."""
    head, _, rest = name.partition(".")
    return {head: _nested(rest, value) if rest else value}


def _heads(names: Sequence[str], start: str) -> list[str]:
    """The next part of each dotted name that begins with `start`."""
    cut = [name[len(start) :].split(".")[0] for name in names if name.startswith(start)]
    return list(dict.fromkeys(cut))


def _stored(rule: Rule, value: Any) -> Any:
    """The value as it stands in the record."""
    if isinstance(rule, WordKey):
        return rule.options[value]
    scale = rule.scale if isinstance(rule, NumberKey) else 1.0
    return value if scale == 1.0 else np.multiply(value, scale)


def _flatten(value: Any, shape: tuple[int, ...]) -> list[float] | None:
    """All numbers of a nested list of that shape; None if it has another form."""
    if not shape:
        return None if isinstance(value, bool) or not isinstance(value, int | float) else [value]
    if not isinstance(value, list) or (shape[0] >= 0 and len(value) != shape[0]):
        return None
    flat: list[float] = []
    for item in value:
        inner = _flatten(item, shape[1:])
        if inner is None:
            return None
        flat += inner
    return flat


def describe_rule(rule: Rule) -> str:
    """What a key may be, in words."""
    if isinstance(rule, WordKey):
        return " or ".join(f'"{word}"' for word in rule.options)
    if isinstance(rule, TextKey):
        return rule.what
    kind = "whole number" if rule.whole else "number"
    size = " x ".join("n" if n < 0 else str(n) for n in rule.shape)
    form = f"{size} {kind}s" if rule.shape else f"a {kind}"
    return f"{form} from {rule.low:g} to {rule.high:g}"
