"""Video templates: what is shown over and beside a film's picture, as files.

Those shipped stand in `resources/video_templates` with a description of their keys; the user's own
in the data folder, one of a shipped name in its place. They are data: nothing in them is run.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from simulation.files.parameter_file import (
    NumberKey,
    ParameterFile,
    Rule,
    TextKey,
    WordKey,
)
from telemetry.base.installation import RESOURCES

USUAL: Final = "beside"
PLACES: Final = tuple(
    f"{down} {across}"
    for down in ("top", "middle", "bottom")
    for across in ("left", "centre", "right")
)
READOUTS: Final = ("speed", "height", "climb", "heading", "distance", "battery", "mode")
PANELS: Final = {"map": "map.map", "plot": "plots.plot"}
_SHOWN: Final = ("horizon", "sticks", *READOUTS, *PANELS, "panel")
_MOST_INSTRUMENTS, _MOST_TEXTS, _LONGEST_TEXT = 24, 12, 200
_FOLDER: Final = RESOURCES / "video_templates"

_STRIP_KEYS: Final[Mapping[str, Rule]] = {"share": NumberKey(0.1, 0.6, default=0.25)}
_KEYS: Final[Mapping[str, Rule]] = {
    "shows": WordKey({word: number for number, word in enumerate(_SHOWN)}),
    "at": WordKey({place: number for number, place in enumerate(PLACES)}),
    "width": NumberKey(0.05, 1.5),
    "height": NumberKey(0.05, 1.0),
    "row": NumberKey(1, 4, whole=True, default=1),
    "opacity": NumberKey(0.1, 1.0, default=1.0),
    "window_s": NumberKey(0.0, 3600.0, default=0.0),
    "panel": TextKey('the name of a panel, such as "view3d.view"', default=""),
}


@dataclass(frozen=True, slots=True)
class Instrument:
    """One instrument over the picture. `width` and `height` are shares of the picture's shorter
    side; those of one place and `row` stand side by side, row 1 at the edge.

    `panel` is the panel that it is, "" for one that is painted over the picture by itself; `fields`
    and `window_s` are those of a plot, 0 for all of the film.
    """

    name: str
    shows: str
    at: str
    width: float
    height: float
    row: int = 1
    opacity: float = 1.0
    panel: str = ""
    fields: tuple[str, ...] = ()
    window_s: float = 0.0

    @property
    def settings(self) -> dict[str, Any]:
        """What the panel is told."""
        if self.shows != "plot":
            return {}
        window = {"window_s": self.window_s} if self.window_s else {}
        return {"fields": list(self.fields), "events": False, **window}


@dataclass(frozen=True, slots=True)
class VideoTemplate:
    """What stands where. `views` are the names of panels beside the picture, which take at least
    `strip_share` of the width; no strip is None. `margin` is kept free at the picture's edges, in
    shares of its shorter side."""

    name: str
    title: str
    strip_share: float | None = None
    views: tuple[str, ...] = ()
    instruments: tuple[Instrument, ...] = ()
    margin: float = 0.04


class VideoTemplates:
    """All templates by name, read when they are asked for. The user's folder need not exist."""

    def __init__(self, own: Path) -> None:
        self._files = {
            path.stem: path
            for folder in (_FOLDER, own)
            if folder.is_dir()
            for path in sorted(folder.glob("*.toml"))
        }

    def names(self) -> tuple[str, ...]:
        """The usual one first."""
        return tuple(sorted(self._files, key=lambda name: (name != USUAL, name)))

    def load(self, name: str) -> VideoTemplate:
        """Raises ValueError, a sentence, for one that is not there or not right."""
        if name not in self._files:
            raise ValueError(
                f"There is no template '{name}'; choose among {', '.join(self.names())}."
            )
        return read_template(self._files[name])


def read_template(path: Path) -> VideoTemplate:
    """Read a file. Raises ParameterError: where, what is wrong, what to do."""
    file = ParameterFile(path)
    file.refuse_unknown("", ("title", "margin", "strip", "instruments"))
    top = file.values("", {"margin": NumberKey(0.0, 0.2, default=0.04)}, tuple(file.content))
    share, views = _strip(file)
    instruments = _instruments(file)
    if share is None and not instruments:
        what = "The template shows neither a [strip] nor an instrument."
        raise file.error("", "", what, 'Add [instruments.NAME] with shows = "speed", or a [strip].')
    title = file.text("title")[:_LONGEST_TEXT]
    return VideoTemplate(path.stem, title, share, views, instruments, float(top["margin"]))


def _strip(file: ParameterFile) -> tuple[float | None, tuple[str, ...]]:
    if "strip" not in file.content:
        return None, ()
    values = file.values("strip", _STRIP_KEYS, ("views",))
    return float(values["share"]), _texts(file, "strip", "views")


def _instruments(file: ParameterFile) -> tuple[Instrument, ...]:
    if "instruments" not in file.content:
        return ()
    names = tuple(file.table("instruments"))
    if len(names) > _MOST_INSTRUMENTS:
        what = f"There are {len(names)} instruments."
        raise file.error("instruments", "", what, f"Leave at most {_MOST_INSTRUMENTS}.")
    return tuple(_instrument(file, name) for name in names)


def _instrument(file: ParameterFile, name: str) -> Instrument:
    section = f"instruments.{name}"
    values: dict[str, Any] = file.values(section, _KEYS, ("fields",))
    shows = values["shows"]
    if shows == "panel" and not values["panel"]:
        raise file.error(section, "panel", f"'panel' is missing in [{section}].", "Name a panel.")
    fields = _texts(file, section, "fields")
    if shows == "plot" and not fields:
        remedy = 'Write fields = ["AttitudeState.Roll"].'
        raise file.error(section, "fields", f"'fields' is missing in [{section}].", remedy)
    values["panel"] = values["panel"] if shows == "panel" else PANELS.get(shows, "")
    return Instrument(name, **values, fields=fields)


def _texts(file: ParameterFile, section: str, key: str) -> tuple[str, ...]:
    """A list of texts, which may be absent."""
    found = file.table(section).get(key, [])
    is_good = isinstance(found, list) and len(found) <= _MOST_TEXTS
    if not is_good or not all(
        isinstance(text, str) and len(text) <= _LONGEST_TEXT for text in found
    ):
        what = f"{key!r} in [{section}] is no list of at most {_MOST_TEXTS} texts."
        raise file.error(section, key, what, f'Write {key} = ["...", "..."].')
    return tuple(found)
