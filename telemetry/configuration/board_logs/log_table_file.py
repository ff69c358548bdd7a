"""Log table file: what is logged, in the XML of the OpenPilot family's stations, read and written.

    <settings version="1" enabled="1"><setting name="GyroState" level="1" period="10"/></settings>

`level` is the number of the update mode in metadata, `enabled` that of the option of
`DebugLogSettings.LoggingEnabled` (flightlogmanager.cpp of LibrePilot's station).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from telemetry.base.escaping import markup_attribute
from telemetry.configuration.board_logs.logged_objects import WHEN_TITLES
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.xml_tree import XmlElement, XmlError, parse_tree

SUFFIX: Final = ".xml"
_VERSION = 1
_LONGEST_MS = 0xFFFF
_LONGEST_NAME = 64
_WHEN: Final = tuple(WHEN_TITLES)


class LogTableError(ValueError):
    """Why a file is no table of what is logged, as a sentence."""


@dataclass(frozen=True, slots=True)
class LogTable:
    """When objects are logged, by name, and by which option of `WHEN_TITLES` there is a log."""

    when: str
    policies: Mapping[str, UpdatePolicy]


def read_log_table(data: bytes, title: str) -> LogTable:
    """Read a file's content; `title` names it. Raises LogTableError naming the line."""
    try:
        root = parse_tree(data)
        if root.tag != "settings" or _number(root, "version", 1 << 31) != _VERSION:
            raise XmlError(root.line, "it has no <settings> of version 1")
        when = _WHEN[_number(root, "enabled", len(_WHEN) - 1)]
        return LogTable(when, dict(map(_policy, root.all("setting"))))
    except XmlError as error:
        raise LogTableError(
            f"{title} is no file of what is logged: {error}. Nothing was taken from it."
        ) from None


def write_log_table(table: LogTable) -> bytes:
    """The content of a file that the peers can load."""
    lines = [f'<settings version="{_VERSION}" enabled="{_WHEN.index(table.when)}">']
    lines += [
        f'    <setting name={markup_attribute(name)} level="{policy.mode.value}" '
        f'period="{policy.period_ms}"/>'
        for name, policy in table.policies.items()
    ]
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *lines, "</settings>", ""]).encode()


def _policy(node: XmlElement) -> tuple[str, UpdatePolicy]:
    name = node.attributes.get("name", "").strip()
    if not (name.isascii() and name.isidentifier() and len(name) <= _LONGEST_NAME):
        raise XmlError(node.line, "an object has no name that objects have")
    mode = UpdateMode(_number(node, "level", len(UpdateMode) - 1))
    return name, UpdatePolicy(mode, _number(node, "period", _LONGEST_MS))


def _number(node: XmlElement, name: str, largest: int) -> int:
    text = node.attributes.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= largest):
        raise XmlError(node.line, f"'{name}' is a number from 0 to {largest}")
    return int(text)
