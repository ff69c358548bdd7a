"""Studies that can be chosen: shipped ones, files of the user's, and what has come of them."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from simulation.studies.result_folder import STUDY
from simulation.studies.study import FOLDER, study_names
from telemetry.base.folders import Folders
from telemetry.base.text_formats import FormatError, read_limited
from telemetry.base.unused_names import unused_path

_MOST_RESULTS: Final = 30
_MOST_OPENED: Final = 10


@dataclass(frozen=True, slots=True)
class StudyChoice:
    """A study to be flown, or a folder with what has come of one. `source` is what is flown: the
    name of a shipped study, or a file."""

    source: str
    result: Path | None = None

    @property
    def key(self) -> str:
        """What it is told apart by."""
        return str(self.result or self.source)

    @property
    def name(self) -> str:
        """What it is called in a file's name."""
        return Path(self.source).stem if self.source.endswith(".toml") else self.source

    @property
    def title(self) -> str:
        """What a person calls it."""
        return self.result.name if self.result is not None else f"Study: {self.name}"

    @property
    def about(self) -> str:
        """What its file says of itself, in the comment that it begins with."""
        path = Path(self.source)
        if path.suffix != ".toml":
            path = FOLDER / f"{self.source}.toml"
        try:
            lines = read_limited(path).decode("utf-8", "replace").splitlines()
        except (OSError, FormatError):
            return f"{path} cannot be read."
        first = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
        return " ".join(line.lstrip("# ") for line in lines[:first])

    def to_json(self) -> list[str]:
        """For the workspace."""
        return [self.source, str(self.result or "")]


def choice_from_json(said: Any) -> StudyChoice | None:
    """What `to_json` gave; None for anything else."""
    is_one = isinstance(said, list) and len(said) == 2 and all(isinstance(s, str) for s in said)
    return StudyChoice(said[0], Path(said[1]) if said[1] else None) if is_one else None


def choice_of_result(folder: Path) -> StudyChoice:
    """A folder that a study has left: its own file is what is flown on."""
    return StudyChoice(str(folder / STUDY), folder)


def all_choices(opened: Sequence[StudyChoice], begun: Path | None = None) -> list[StudyChoice]:
    """Shipped studies, the user's own, and results, those of the window the newest first, and the
    one whose folder is about to be `begun`."""
    studies = [StudyChoice(name) for name in study_names()]
    there = [one for one in opened if one.result is None or (one.result / STUDY).is_file()]
    kept = [one for one in opened if one in there or one.result == begun]
    known = {one.result for one in kept}
    found = [choice_of_result(path) for path in _own_results() if path not in known]
    results = [one for one in kept if one.result is not None] + found
    return [*studies, *(one for one in kept if one.result is None), *results]


def newest(opened: Sequence[StudyChoice], one: StudyChoice) -> list[StudyChoice]:
    """One more that was opened, before the others."""
    return [one, *(other for other in opened if other != one)][:_MOST_OPENED]


def new_result(choice: StudyChoice) -> Path:
    """A folder for a new run, which is not there yet."""
    now = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    return unused_path(_results_folder() / f"{choice.name}-{now}")


def _results_folder() -> Path:
    return Folders.of_user(os.environ).study_results


def _own_results() -> list[Path]:
    try:
        found = [path for path in _results_folder().iterdir() if (path / STUDY).is_file()]
    except OSError:
        return []
    return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)[:_MOST_RESULTS]
