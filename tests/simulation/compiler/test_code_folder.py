"""Compiled code is kept where it can be, and doctor says where."""

import os
from pathlib import Path

import pytest

from app.diagnostics.doctor import examine
from simulation.compiler.code_folder import (
    FOLDER_VARIABLE,
    PLAIN_VARIABLE,
    code_folder,
    code_folders,
    is_compiling,
)
from telemetry.base.finding import Level
from telemetry.base.folders import HOME_VARIABLE, Folders

pytestmark = pytest.mark.skipif(not is_compiling(os.environ), reason="nothing is compiled")


def compiled_code_finding(tmp_path: Path) -> tuple[Level, str, str]:
    findings = examine(Folders.under(tmp_path))
    return next((f.level, f.text, f.remedy) for f in findings if f.code == "Compiled code")


def test_the_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "code"))
    folder = code_folder(os.environ)
    assert folder is not None
    assert folder.parent == tmp_path / "code"
    assert compiled_code_finding(tmp_path)[:2] == (Level.OK, f"kept in {folder}")


def test_beside_the_sources_or_else_in_the_users_folder(tmp_path: Path) -> None:
    beside, own = code_folders({HOME_VARIABLE: str(tmp_path)})
    assert beside.name == "__pycache__"
    assert own.is_relative_to(tmp_path)


def test_without_a_folder_that_can_be_written_it_is_kept_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "file"))
    level, found, remedy = compiled_code_finding(tmp_path)
    assert (level, found.split(":")[0]) == (Level.WARNING, "kept nowhere")
    assert FOLDER_VARIABLE in remedy


def test_plain_python_can_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLAIN_VARIABLE, "1")
    assert not is_compiling(os.environ)
    assert compiled_code_finding(tmp_path)[0] == Level.WARNING
