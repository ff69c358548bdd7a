"""Rule file of warnings to be shared: JSON, read as data within limits."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from telemetry.base.safe_files import replace_file
from telemetry.base.text_formats import FormatError, parse_json, read_limited
from telemetry.warnings.rule import MOST_RULES, WarningRule, rule_from_json

VERSION: Final = 1
_LARGEST_BYTES: Final = 1 << 20


def parse_rules(data: bytes | str) -> tuple[WarningRule, ...]:
    """The rules of a file's text. Raises FormatError, which names what is wrong."""
    return rules_from_json(parse_json(data, _LARGEST_BYTES))


def rules_from_json(content: Any) -> tuple[WarningRule, ...]:
    """The rules of a file's JSON. Raises FormatError."""
    if not isinstance(content, dict) or not isinstance(content.get("rules"), list):
        raise FormatError("it has no list of rules")
    if content.get("version") != VERSION:
        raise FormatError(f"it is of version {content.get('version')}, not {VERSION}")
    entries = content["rules"]
    if len(entries) > MOST_RULES:
        raise FormatError(f"it has more than {MOST_RULES} rules")
    rules = tuple(rule_from_json(entry) for entry in entries)
    ids = [rule.id for rule in rules]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        raise FormatError(f"two rules have the id '{twice}'")
    return rules


def read_rules(path: Path) -> tuple[WarningRule, ...]:
    """The rules of a file. Raises OSError and FormatError."""
    return parse_rules(read_limited(path, _LARGEST_BYTES))


def write_rules(path: Path, rules: Sequence[WarningRule]) -> None:
    """Write a file that `read_rules` reads. Raises OSError."""
    content = {"version": VERSION, "rules": [rule.to_json() for rule in rules]}
    text = json.dumps(content, indent=2, ensure_ascii=False)
    replace_file(path, f"{text}\n".encode("utf-8", "backslashreplace"))
