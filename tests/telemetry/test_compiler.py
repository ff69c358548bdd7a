"""Compiled code is cached where it can be, and works where it cannot."""

import tempfile
from pathlib import Path
from typing import NoReturn

import pytest

from app.doctor import examine
from telemetry.compiler import cache_folder, load_numba, njit
from telemetry.finding import Level
from telemetry.folders import Folders

pytestmark = pytest.mark.skipif(load_numba() is None, reason="nothing is compiled")


def refuse(*_arguments: object, **_options: object) -> NoReturn:
    raise PermissionError("read-only")


def double(number: int) -> int:
    return 2 * number


def compiled_code_finding(tmp_path: Path) -> tuple[Level, str]:
    findings = examine(Folders.under(tmp_path))
    return next((f.level, f.text) for f in findings if f.code == "Compiled code")


def test_the_folder_of_the_cache_is_named(tmp_path: Path) -> None:
    folder = cache_folder()
    assert folder is not None
    assert folder.is_dir()
    assert compiled_code_finding(tmp_path) == (Level.OK, f"kept in {folder}")


@pytest.mark.slow
def test_without_a_folder_that_can_be_written_it_compiles_without_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)  # numba's test of a folder
    assert cache_folder() is None
    assert njit(double)(21) == 42
    level, found = compiled_code_finding(tmp_path)
    assert (level, found.split(":")[0]) == (Level.WARNING, "kept nowhere")
