"""Mission file error: why a mission's file is not read."""

from pathlib import Path


class MissionFileError(ValueError):
    """One sentence for the user: which file, which line, what is wrong and what to do."""

    def __init__(self, path: Path, what: str, line: int = 0) -> None:
        where = f"{path}, line {line}" if line else f"{path}"
        super().__init__(f"{where}: {what}")
