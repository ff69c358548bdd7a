"""Answers on disk: one readable JSON file per board, replaced in one step."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from telemetry.configuration.plan.answers import Answers, answers_from_json
from telemetry.own_folders import own_folder


def usual_folder(environ: Mapping[str, str]) -> Path:
    """Where answers are kept."""
    return own_folder("state", environ) / "setup"


class Notebook:
    """The answers about all boards. A file that cannot be read counts as none; one that cannot
    be written is said by `problem`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.problem = ""

    def read(self, serial: str) -> Answers | None:
        """What was answered about a board; None if nothing."""
        try:
            content = json.loads(self._path(serial).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return answers_from_json(content)

    def write(self, serial: str, answers: Answers) -> None:
        """Keep the answers about a board."""
        path = self._path(serial)
        fresh = path.with_name(path.name + ".new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(answers.to_json(), indent=1), encoding="utf-8")
            fresh.replace(path)
            self.problem = ""
        except OSError as error:
            self.problem = f"The answers cannot be kept in {path}: {error.strerror}."

    def forget(self, serial: str) -> None:
        """Forget a board."""
        self._path(serial).unlink(missing_ok=True)

    def _path(self, serial: str) -> Path:
        return self._folder / f"{re.sub(r'[^0-9A-Za-z]', '', serial) or 'board'}.json"
