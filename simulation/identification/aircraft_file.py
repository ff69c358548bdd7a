"""Identified aircraft as a file: what is otherwise than in the file it was compared with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from simulation.aircraft.aircraft import aircraft_names, load_aircraft, path_of_aircraft
from simulation.identification.parameters import deviations
from telemetry.base.safe_files import replace_file
from telemetry.base.text_formats import parse_toml, read_limited


def save_aircraft(path: Path, aircraft: str, values: Mapping[str, float], notes: list[str]) -> None:
    """Write an aircraft file with these values of parameters over those of `aircraft`, a shipped
    one's name or a file; `notes` become comments. It reads as `aircraft` does, so a base that
    stands beside that file must stand beside this one. Raises ParameterError where the values
    make no aircraft, OSError where it cannot be written."""
    changed = deviations(aircraft, values)
    load_aircraft(aircraft, changed)
    if aircraft in aircraft_names():
        content: dict[str, Any] = {"base": aircraft}
    else:
        content = parse_toml(read_limited(path_of_aircraft(aircraft)), takes_any_number=True)
    for name, value in changed.items():
        _put(content, name.split("."), value)
    lines = [f"# {line}" for note in notes for line in note.splitlines()]
    text = "\n".join([*lines, "", tomli_w.dumps(content)])
    replace_file(path, text.encode("utf-8", "replace"))


def _put(content: dict[str, Any], place: list[str], value: Any) -> None:
    for part in place[:-1]:
        content = content.setdefault(part, {})
    content[place[-1]] = value
