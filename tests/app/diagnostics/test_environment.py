"""What stands against opening a window is said in a sentence before Qt would abort."""

import pytest

from app.diagnostics import environment
from app.diagnostics.environment import (
    EnvironmentProblem,
    check_display,
    check_qt,
    explain_import_error,
)


def test_no_display_is_refused() -> None:
    with pytest.raises(EnvironmentProblem, match="no display"):
        check_display({}, "linux")


@pytest.mark.parametrize(
    ("environ", "platform"),
    [
        ({"DISPLAY": ":0"}, "linux"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux"),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux"),
        ({}, "darwin"),
        ({}, "win32"),
    ],
)
def test_a_display_is_accepted(environ: dict[str, str], platform: str) -> None:
    check_display(environ, platform)


def test_the_pair_that_aborts_is_refused() -> None:
    with pytest.raises(EnvironmentProblem, match=r"PySide6 6\.12\.0 crashes on Python 3\.11"):
        check_qt((3, 11), "6.12.0")
    check_qt((3, 12), "6.12.0")
    check_qt((3, 11), "6.11.3")


def test_a_missing_library_comes_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "missing_packages", lambda: ("libegl1",))
    problem = explain_import_error(ImportError("libEGL.so.1: cannot open shared object file"))
    assert "libEGL.so.1" in str(problem)
    assert "install" in str(problem)
    assert "libegl1" in str(problem)
    with pytest.raises(EnvironmentProblem, match="libegl1"):
        environment.check_x11_libraries({"DISPLAY": ":0"})
