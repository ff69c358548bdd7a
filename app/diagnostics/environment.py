"""Environment check before Qt is touched, because Qt aborts where no window can be opened.

Imports nothing but the standard library.
"""

import importlib.metadata
import os
import sys
from collections.abc import Mapping

from app.native import install_command, missing_packages

BROKEN_QT = "6.12.0"


class EnvironmentProblem(Exception):  # noqa: N818 - reads as what it is
    """This machine lacks something; the text says what happened and what to do, in one line."""


def check_display(environ: Mapping[str, str], platform: str = sys.platform) -> None:
    """Raise EnvironmentProblem where no window can appear."""
    if not platform.startswith("linux") or environ.get("QT_QPA_PLATFORM"):
        return
    if not environ.get("DISPLAY") and not environ.get("WAYLAND_DISPLAY"):
        raise EnvironmentProblem(
            "There is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); "
            "start Lapwing from a desktop session, over ssh with -X, or use --screenshot, "
            "`lapwing sim` and `lapwing log`, which need none."
        )


def check_qt(python: tuple[int, ...] = sys.version_info[:2], version: str | None = None) -> None:
    """Raise EnvironmentProblem for a Qt that is missing or kills this Python."""
    try:
        found = version or importlib.metadata.version("PySide6-Essentials")
    except importlib.metadata.PackageNotFoundError as error:
        raise EnvironmentProblem(
            "PySide6 is not installed in this Python; run `make run`, "
            "or `python -m pip install -r requirements.lock`."
        ) from error
    if found == BROKEN_QT and python < (3, 12):
        raise EnvironmentProblem(
            f"PySide6 {found} crashes on Python {python[0]}.{python[1]} within seconds; "
            "run `python -m pip install 'PySide6-Essentials!=6.12.0'`, or use Python 3.12 or newer."
        )


def explain_import_error(error: ImportError) -> EnvironmentProblem:
    """Turn a failed import of Qt into a sentence with the command that helps."""
    packages = missing_packages()
    if packages:
        return EnvironmentProblem(
            f"Qt could not be loaded ({error}); install what is missing with: "
            f"{install_command(packages)}"
        )
    return EnvironmentProblem(
        f"Qt could not be loaded ({error}); `lapwing doctor` shows what is installed."
    )


def check_all(environ: Mapping[str, str] | None = None) -> None:
    """Raise EnvironmentProblem for the first reason why no window can be opened."""
    check_qt()
    check_display(os.environ if environ is None else environ)
    check_x11_libraries(os.environ if environ is None else environ)


def check_x11_libraries(environ: Mapping[str, str]) -> None:
    """Raise EnvironmentProblem when a library is missing without which Qt aborts."""
    if environ.get("QT_QPA_PLATFORM"):
        return
    packages = missing_packages()
    if packages:
        raise EnvironmentProblem(
            f"Qt needs system libraries that are missing here; install them with: "
            f"{install_command(packages)}"
        )
