"""Terrain error: why a file of heights is not read."""

from pathlib import Path


class TerrainError(ValueError):
    """One sentence for the user: which file, what is wrong and what to do."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path}: {what}")
