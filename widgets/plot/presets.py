"""Plot presets, kept under names, and shared as files. No Qt."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from telemetry.base.escaping import file_name_text
from telemetry.base.safe_files import replace_file
from telemetry.base.text_formats import FormatError, parse_json, read_limited

FORMAT, VERSION = "lapwing-plot", 1
LONGEST_NAME = 60
SUFFIX = ".json"
_MOST_CURVES = 100

Json = dict[str, Any]


class PlotPresetError(ValueError):
    """Why a preset cannot be read or written, as a sentence with what to do."""


class PlotPresets:
    """The presets in a folder, one file each. The folder need not exist."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        """All names, sorted."""
        files = self._folder.glob(f"*{SUFFIX}") if self._folder.is_dir() else ()
        return sorted((unquote(file.stem) for file in files), key=str.lower)

    def load(self, name: str) -> Json:
        """What was saved under a name. Raises PlotPresetError."""
        return read_preset(self._file(name))[1]

    def save(self, name: str, plot: Json) -> None:
        """Keep a plot under a name, in the place of the one before. Raises PlotPresetError."""
        name = name.strip()
        if not 0 < len(name) <= LONGEST_NAME:
            raise PlotPresetError(f"A name has 1 to {LONGEST_NAME} characters; give another one.")
        write_preset(self._file(name), name, plot)

    def remove(self, name: str) -> None:
        """Forget a preset. Raises PlotPresetError."""
        try:
            self._file(name).unlink(missing_ok=True)
        except OSError as error:
            raise PlotPresetError(f"{name} cannot be deleted: {error.strerror}.") from None

    def take_file(self, path: Path) -> str:
        """Keep a preset from a file under the name that it says; returns that. Raises
        PlotPresetError."""
        name, plot = read_preset(path)
        self.save(name, plot)
        return name

    def _file(self, name: str) -> Path:
        return self._folder / f"{file_name_text(name)}{SUFFIX}"


def read_preset(path: Path) -> tuple[str, Json]:
    """Name and plot of a file. Raises PlotPresetError."""
    try:
        value = parse_json(read_limited(path))
    except OSError as error:
        raise PlotPresetError(f"{path.name} cannot be read: {error.strerror}.") from None
    except FormatError as error:
        raise PlotPresetError(f"{path.name} is no plot: {error}.") from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise PlotPresetError(f"{path.name} is no plot of Lapwing; choose another file.")
    version, plot = value.get("version"), value.get("plot")
    if isinstance(version, int) and version > VERSION:
        raise PlotPresetError(f"{path.name} is of a newer Lapwing; update to open it.")
    fields = plot.get("fields") if isinstance(plot, dict) else None
    if not isinstance(plot, dict) or not isinstance(fields, list) or len(fields) > _MOST_CURVES:
        raise PlotPresetError(f"{path.name} names no curves; choose another file.")
    name = value.get("name")
    is_name = isinstance(name, str) and 0 < len(name.strip()) <= LONGEST_NAME
    return (name.strip() if is_name and isinstance(name, str) else path.stem[:LONGEST_NAME]), plot


def write_preset(path: Path, name: str, plot: Json) -> None:
    """Write a plot as a file of its own. Raises PlotPresetError."""
    value = {"format": FORMAT, "version": VERSION, "name": name, "plot": plot}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(value, indent=2, ensure_ascii=False)
        replace_file(path, f"{text}\n".encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise PlotPresetError(f"{path.name} cannot be written: {error.strerror}.") from None
